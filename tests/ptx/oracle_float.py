"""What floating-point instructions do: f32, f64, f16, bf16 and their pairs, exactly, or, for approximations, the exact
value and how far from it the ISA lets a result be (see TOLERANCES)."""
import math

import fp
from oracle_integer import ANY, oracle, words_of

ROUNDINGS = ("rn", "rz", "rm", "rp")


def rounding(words):
    return next((word for word in ROUNDINGS if word in words), "rn")


def element(form):
    """Format of one element, count of elements."""
    name = form.types.get("T") or form.text.split(".")[-1]
    if name.endswith("x2"):
        return fp.FORMATS[name[:-2]], 2
    return fp.FORMATS[name], 1


def packed(form, v, compute):
    """d = compute(fmt, [operands' bits], words), for one number or each of two."""
    fmt, count = element(form)
    words = words_of(form)
    result = 0
    for i in range(count):
        values = [v[letter] >> fmt.bits * i & ((1 << fmt.bits) - 1) for letter in "abc" if letter in v]
        if "ftz" in words:
            values = [fp.flush(fmt, value) for value in values]
        part = compute(fmt, values, words)
        if part is ANY:
            return {"d": ANY}
        result |= limited(fmt, part, words) << fmt.bits * i
    return {"d": result}


def limited(fmt, bits, words):
    """.ftz, .sat and .relu of a result."""
    if "ftz" in words:
        bits = fp.flush(fmt, bits)
    kind, sign, _, _ = fmt.decode(bits)
    if "sat" in words:
        one = fmt.bias << fmt.fraction
        if kind == fp.NAN or sign:
            return 0
        return min(bits, one)
    if "relu" in words and sign and kind != fp.NAN:
        return 0
    return bits


def arithmetic(compute):
    """An oracle from compute(numbers, mode) -> exact number."""
    def run(form, v):
        def one(fmt, values, words):
            mode = rounding(words)
            return fp.finish(fmt, compute([fmt.decode(value) for value in values], mode), mode, ftz="ftz" in words)
        return packed(form, v, one)
    return run


def negated(number):
    return (number[0], 1 - number[1]) + number[2:]


add = arithmetic(lambda x, mode: fp.add_exact(x[0], x[1], mode))
subtract = arithmetic(lambda x, mode: fp.add_exact(x[0], negated(x[1]), mode))
multiply = arithmetic(lambda x, mode: fp.multiply_exact(x[0], x[1]))
multiply_add = arithmetic(lambda x, mode: fp.add_exact(fp.multiply_exact(x[0], x[1]), x[2], mode))
for family in ("float", "half"):
    oracle(family, "mul")(multiply)
    oracle(family, "mad")(multiply_add)


def mixed(plain, roles):
    """add, sub and fma of f32 with f16 or bf16 sources: widened without error first."""
    def run(form, v):
        parts = form.text.split(".")
        if parts[-1] not in ("f16", "bf16") or parts[-2] != "f32":
            return plain(form, v)
        source = fp.FORMATS[parts[-1]]
        wide = {letter: fp.finish(fp.F32, source.decode(v[letter])) if letter in roles else v[letter] for letter in v}
        return plain(form._replace(text=".".join(parts[:-1]), types={"T": "f32"}), wide)
    return run


for family in ("float", "half"):
    oracle(family, "add")(mixed(add, "a"))
    oracle(family, "sub")(mixed(subtract, "a"))
    oracle(family, "fma")(mixed(multiply_add, "ab"))


@oracle("float", "neg")
@oracle("half", "neg")
def negate(form, v):
    return packed(form, v, lambda fmt, x, words: x[0] ^ fmt.sign_bit)


@oracle("float", "abs")
@oracle("half", "abs")
def absolute(form, v):
    return packed(form, v, lambda fmt, x, words: x[0] & ~fmt.sign_bit)


@oracle("float", "copysign")
def copy_sign(form, v):
    return packed(form, v, lambda fmt, x, words: x[0] & fmt.sign_bit | x[1] & ~fmt.sign_bit)


def extreme(form, v):
    """min and max; -0 is less than +0; a NaN loses, or wins with .NaN."""
    sense = -1 if form.text.startswith("min") else 1

    def pair(fmt, x, y, words):
        sign = 0
        if "xorsign" in words:
            sign = (x ^ y) & fmt.sign_bit
            x, y = x & ~fmt.sign_bit, y & ~fmt.sign_bit
        p, q = fmt.decode(x), fmt.decode(y)
        if p[0] == fp.NAN or q[0] == fp.NAN:
            if "NaN" in words or p[0] == q[0]:
                return fmt.nan
            return (y if p[0] == fp.NAN else x) | sign
        order = fp.compare(p, q) or (y >> (fmt.bits - 1)) - (x >> (fmt.bits - 1))
        return (x if order * sense >= 0 else y) | sign

    def one(fmt, values, words):
        if "abs" in words and "xorsign" not in words:
            values = [value & ~fmt.sign_bit for value in values]
        result = pair(fmt, values[0], values[1], words)
        return pair(fmt, result, values[2], words) if len(values) > 2 else result
    return packed(form, v, one)


for family in ("float", "half"):
    oracle(family, "min", "max")(extreme)


# ---- quotients and roots --------------------------------------------------------------------------------------------

ONE = (fp.FINITE, 0, 1, 0)
# of approximations that cut an f64 operand to its upper word
UPPER = ~0xffffffff


@oracle("float", "div")
def divide(form, v):
    def one(fmt, x, words):
        p, q = fmt.decode(x[0]), fmt.decode(x[1])
        # ISA: for 2^126 < |b| < 2^128, div.approx and div.full with .ftz may give 0, or NaN for an infinite a
        if {"approx", "full"} & words and q[0] == fp.FINITE and q[2].bit_length() + q[3] > 126:
            return ANY
        # and a subnormal divisor is out of the range that the error bound speaks of
        if {"approx", "full"} & words and q[0] == fp.FINITE and fmt.is_subnormal(x[1]):
            return ANY
        result = fp.divide(fmt, p, q, rounding(words))
        # devices flush a quotient that only rounding lifts out of the subnormals; the ISA does not say
        if "ftz" in words and not fmt.is_subnormal(result) and fmt.is_subnormal(fp.divide(fmt, p, q, fp.RZ)):
            return ANY
        return result
    return packed(form, v, one)


@oracle("float", "rcp")
def reciprocal(form, v):
    def one(fmt, x, words):
        value = x[0] & UPPER if fmt is fp.F64 and "approx" in words else x[0]
        return fp.divide(fmt, ONE, fmt.decode(value), rounding(words), ftz="ftz" in words)
    return packed(form, v, one)


@oracle("float", "sqrt")
def root(form, v):
    return packed(form, v, lambda fmt, x, words: fp.square_root(fmt, fmt.decode(x[0]), rounding(words),
                                                                 ftz="ftz" in words))


@oracle("float", "rsqrt")
def reciprocal_root(form, v):
    def one(fmt, x, words):
        kind, sign, m, e = fmt.decode(x[0] & UPPER if fmt is fp.F64 and "ftz" in words else x[0])
        if kind == fp.ZERO:
            return fp.infinity(fmt, sign)
        if kind == fp.NAN or sign:
            return fmt.nan
        if kind == fp.INF:
            return 0
        # 1 / sqrt(m * 2^e), with 2 * 80 bits after the point
        m, e = (m << 1, e - 1) if e & 1 else (m, e)
        return fp.encode(fmt, 0, math.isqrt((1 << 320) // m), -160 - e // 2, sticky=True, ftz="ftz" in words)
    return packed(form, v, one)


# ---- functions ------------------------------------------------------------------------------------------------------

def from_double(fmt, value, words=()):
    """A double, rounded to the format."""
    if value != value:
        return fmt.nan
    sign = int(math.copysign(1, value) < 0)
    if math.isinf(value):
        return fp.infinity(fmt, sign)
    if value == 0:
        return fp.zero(fmt, sign)
    m, e = math.frexp(abs(value))
    return fp.encode(fmt, sign, int(m * 2 ** 53), e - 53, ftz="ftz" in words)


def function(compute):
    def run(form, v):
        def one(fmt, x, words):
            value = compute(fp.to_float(fmt.decode(x[0])))
            return ANY if value is ANY else from_double(fmt, value, words)
        return packed(form, v, one)
    return run


def exp2(x):
    if x != x:
        return x
    return math.inf if x > 1000 else 0.0 if x < -1000 else 2.0 ** x


def log2(x):
    if x != x or x < 0:
        return math.nan
    return -math.inf if x == 0 else math.inf if math.isinf(x) else math.log2(x)


def periodic(compute):
    def run(x):
        if x != x or math.isinf(x):
            return math.nan
        return ANY if abs(x) > 2 * math.pi else compute(x)  # the ISA's bound is of [-2 pi, 2 pi]
    return run


for family in ("float", "half"):
    oracle(family, "ex2")(function(exp2))
    oracle(family, "lg2")(function(log2))
    oracle(family, "sin")(function(periodic(math.sin)))
    oracle(family, "cos")(function(periodic(math.cos)))
    oracle(family, "tanh")(function(math.tanh))

# (mnemonic, word that must be there, type) -> how far a result may be from the exact one, rounded: units in the last
# place, or absolutely, or relative to the exact one. Where the ISA gives a relative bound b for f32, 2 * b / 2^-24 + 0.5
# units hold it.
TOLERANCES = {
    ("div", "approx", "f32"): "ulp:2", ("div", "full", "f32"): "ulp:2", ("rcp", "approx", "f32"): "ulp:1",
    ("sqrt", "approx", "f32"): "ulp:2", ("rsqrt", "approx", "f32"): "ulp:2",
    ("sin", "approx", "f32"): "abs:%r" % 2 ** -20.5, ("cos", "approx", "f32"): "abs:%r" % 2 ** -20.5,
    ("lg2", "approx", "f32"): "abs:%r,rel:%r" % (2 ** -22, 2 ** -22), ("ex2", "approx", "f32"): "ulp:2",
    ("tanh", "approx", "f32"): "rel:%r" % 2 ** -10.9,
    ("rcp", "approx", "f64"): "rel:%r" % 2 ** -19.5, ("rsqrt", "approx", "f64"): "rel:%r" % 2 ** -19.5,
    ("ex2", "approx", "f16"): "rel:%r,ulp:1" % 2 ** -9.9, ("ex2", "approx", "bf16"): "rel:%r,ulp:1" % 2 ** -7,
    ("tanh", "approx", "f16"): "abs:%r,ulp:1" % 2 ** -10.987, ("tanh", "approx", "bf16"): "abs:%r,ulp:1" % 2 ** -8,
}


def tolerance(form):
    """"exact", or one of the above; of pairs, of each element."""
    words = words_of(form)
    for (mnemonic, word, name), text in TOLERANCES.items():
        if form.text.split(".")[0] == mnemonic and word in words and (name in words or name + "x2" in words):
            return text
    return "exact"
