"""The oracle: evaluate(form, operands) -> results, exact or, for approximations, within tolerance(form)."""
import oracle_atomic  # noqa: F401 (each registers its instructions)
import oracle_convert  # noqa: F401
from oracle_float import ANY, tolerance  # noqa: F401
from oracle_integer import ORACLES
from rows import mnemonic_of

# Families whose instructions are more than a function of their operands: tests/ptx/cases has them.
UNTESTED_FAMILIES = ("memory", "control", "warp", "async", "tensor", "refused")


def find(form):
    return ORACLES.get((form.row.family, mnemonic_of(form.row.pattern)))


def evaluate(form, operands):
    return find(form)(form, operands)
from oracle_integer import number  # noqa: F401
