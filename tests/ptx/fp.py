"""Exact binary floating point on Python integers: decode, compute without error, round once.

A number is a tuple (kind, sign, m, e): for FINITE its value is (-1)^sign * m * 2^e with m > 0."""
from math import isqrt, ldexp

ZERO, FINITE, INF, NAN = range(4)
RN, RZ, RM, RP, RNA = "rn", "rz", "rm", "rp", "rna"


class Format:
    """bits in all, fraction bits, bias; inf: whether the format has infinities; nan: the NaN that results are."""

    def __init__(self, name, bits, fraction, bias, inf, nan, top=None):
        self.name, self.bits, self.fraction, self.bias, self.inf, self.nan = name, bits, fraction, bias, inf, nan
        self.exponent_bits = bits - 1 - fraction
        self.exponent_mask = (1 << self.exponent_bits) - 1
        self.sign_bit = 1 << (bits - 1)
        self.emin = 1 - bias - fraction  # exponent of the unit in the last place of subnormals
        # the largest finite value's bits, without a sign
        self.max = top if top is not None else ((self.exponent_mask << fraction) - 1)
        self.infinity = self.exponent_mask << fraction

    def decode(self, bits):
        sign = bits >> (self.bits - 1) & 1
        exponent = bits >> self.fraction & self.exponent_mask
        m = bits & ((1 << self.fraction) - 1)
        magnitude = bits & (self.sign_bit - 1)
        if self.inf and exponent == self.exponent_mask:
            return (NAN, sign, m, 0) if m else (INF, sign, 0, 0)
        if not self.inf and magnitude > self.max:
            return NAN, sign, m, 0
        if exponent == 0:
            return (FINITE, sign, m, self.emin) if m else (ZERO, sign, 0, 0)
        return FINITE, sign, m | 1 << self.fraction, self.emin + exponent - 1

    def is_subnormal(self, bits):
        return not bits >> self.fraction & self.exponent_mask and bits & ((1 << self.fraction) - 1) != 0


F16 = Format("f16", 16, 10, 15, True, 0x7fff)
BF16 = Format("bf16", 16, 7, 127, True, 0x7fff)
F32 = Format("f32", 32, 23, 127, True, 0x7fffffff)
F64 = Format("f64", 64, 52, 1023, True, 0x7ff8000000000000)
TF32 = Format("tf32", 19, 10, 127, True, 0x3ffff)
E4M3 = Format("e4m3", 8, 3, 7, False, 0x7f, 0x7e)
E5M2 = Format("e5m2", 8, 2, 15, True, 0x7f)
E3M2 = Format("e3m2", 6, 2, 3, False, 0x1f, 0x1f)  # no NaN either
E2M3 = Format("e2m3", 6, 3, 1, False, 0x1f, 0x1f)
E2M1 = Format("e2m1", 4, 1, 1, False, 0x7, 0x7)
FORMATS = {item.name: item for item in (F16, BF16, F32, F64, TF32, E4M3, E5M2, E3M2, E2M3, E2M1)}


def flush(fmt, bits):
    """A subnormal becomes the zero of its sign."""
    return bits & fmt.sign_bit if fmt.is_subnormal(bits) else bits


def _rounds_up(sign, half, below, odd, mode):
    """half: the first bit cut off; below: whether anything follows it."""
    if mode == RN:
        return half and (below or odd)
    if mode == RNA:
        return half
    if mode == RP:
        return not sign and (half or below)
    if mode == RM:
        return sign and (half or below)
    return False


def shifted(sign, m, shift, sticky, mode):
    """m * 2^-shift as a whole number."""
    if shift <= 0:
        return m << -shift
    kept = m >> shift
    half = m >> (shift - 1) & 1
    below = sticky or (m & ((1 << (shift - 1)) - 1)) != 0
    return kept + bool(_rounds_up(sign, half, below, kept & 1, mode))


def encode(fmt, sign, m, e, mode=RN, sticky=False, satfinite=False, ftz=False):
    """Bits of (-1)^sign * (m + (sticky ? less than one unit : 0)) * 2^e, rounded once. With sticky, m must have at least
    two bits more than the format keeps."""
    top = fmt.sign_bit if sign else 0
    if m == 0:
        return top
    exponent = max(m.bit_length() - 1 + e - fmt.fraction, fmt.emin)
    kept = shifted(sign, m, exponent - e, sticky, mode)
    if kept >> (fmt.fraction + 1):
        kept >>= 1
        exponent += 1
    if kept >> fmt.fraction:
        bits = (exponent - fmt.emin + 1) << fmt.fraction | kept & ((1 << fmt.fraction) - 1)
        if exponent - fmt.emin + 1 > fmt.exponent_mask or bits > fmt.max:
            return top | overflow(fmt, sign, mode, satfinite)
        return top | bits
    return top if ftz else top | kept


def overflow(fmt, sign, mode, satfinite):
    goes_to_max = mode == RZ or (mode == RM and not sign) or (mode == RP and sign)
    if satfinite or goes_to_max or not fmt.inf:
        return fmt.max
    return fmt.infinity


def infinity(fmt, sign):
    return (fmt.sign_bit if sign else 0) | fmt.infinity


def zero(fmt, sign):
    return fmt.sign_bit if sign else 0


# ---- arithmetic: numbers in, (kind, sign, m, e, sticky) or bits out --------------------------------------------------

def add_exact(x, y, mode):
    """Sum of two numbers, as a number."""
    if x[0] == NAN or y[0] == NAN or (x[0] == INF and y[0] == INF and x[1] != y[1]):
        return NAN, 0, 0, 0
    if x[0] == INF or y[0] == INF:
        return x if x[0] == INF else y
    if x[0] == ZERO and y[0] == ZERO:
        return ZERO, x[1] if x[1] == y[1] else int(mode == RM), 0, 0
    if x[0] == ZERO or y[0] == ZERO:
        return y if x[0] == ZERO else x
    e = min(x[3], y[3])
    m = (-x[2] if x[1] else x[2]) << (x[3] - e)
    m += (-y[2] if y[1] else y[2]) << (y[3] - e)
    if m == 0:
        return ZERO, int(mode == RM), 0, 0
    return FINITE, int(m < 0), abs(m), e


def multiply_exact(x, y):
    sign = x[1] ^ y[1]
    if x[0] == NAN or y[0] == NAN or {x[0], y[0]} == {INF, ZERO}:
        return NAN, 0, 0, 0
    if x[0] == INF or y[0] == INF:
        return INF, sign, 0, 0
    if x[0] == ZERO or y[0] == ZERO:
        return ZERO, sign, 0, 0
    return FINITE, sign, x[2] * y[2], x[3] + y[3]


def finish(fmt, number, mode=RN, **options):
    """Bits of a number: special values, or rounded."""
    kind, sign, m, e = number
    if kind == NAN:
        return fmt.nan
    if kind == INF:
        return fmt.max | zero(fmt, sign) if options.get("satfinite") else infinity(fmt, sign)
    if kind == ZERO:
        return zero(fmt, sign)
    return encode(fmt, sign, m, e, mode, **options)


def divide(fmt, x, y, mode=RN, **options):
    sign = x[1] ^ y[1]
    if x[0] == NAN or y[0] == NAN or (x[0] == y[0] and x[0] in (INF, ZERO)):
        return fmt.nan
    if x[0] == INF or y[0] == ZERO:
        return infinity(fmt, sign)
    if x[0] == ZERO or y[0] == INF:
        return zero(fmt, sign)
    shift = max(fmt.fraction + 4 + y[2].bit_length() - x[2].bit_length(), 0)
    quotient, rest = divmod(x[2] << shift, y[2])
    return encode(fmt, sign, quotient, x[3] - y[3] - shift, mode, sticky=rest != 0, **options)


def square_root(fmt, x, mode=RN, **options):
    if x[0] == ZERO:
        return zero(fmt, x[1])
    if x[0] == NAN or x[1]:
        return fmt.nan
    if x[0] == INF:
        return infinity(fmt, 0)
    m, e = x[2], x[3]
    shift = max(2 * (fmt.fraction + 4) - m.bit_length(), 0)
    shift += (e - shift) & 1
    m, e = m << shift, e - shift
    root = isqrt(m)
    return encode(fmt, 0, root, e // 2, mode, sticky=root * root != m, **options)


def to_integer(x, mode, low, high, nan=0):
    """Rounded to a whole number, clamped."""
    kind, sign, m, e = x
    if kind == NAN:
        return nan
    if kind == INF:
        return low if sign else high
    if kind == ZERO:
        return min(max(0, low), high)
    if e > 80:
        return low if sign else high
    value = shifted(sign, m, -e, False, mode)
    return min(max(-value if sign else value, low), high)


def from_integer(value):
    return (FINITE, int(value < 0), abs(value), 0) if value else (ZERO, 0, 0, 0)


def _compare_magnitudes(x, y):
    if INF in (x[0], y[0]):
        return (x[0] == INF) - (y[0] == INF)
    e = min(x[3], y[3])
    left, right = x[2] << (x[3] - e), y[2] << (y[3] - e)
    return (left > right) - (left < right)


def compare(x, y):
    """-1, 0, 1; None if unordered."""
    if x[0] == NAN or y[0] == NAN:
        return None
    signs = [0 if number[0] == ZERO else -1 if number[1] else 1 for number in (x, y)]
    if signs[0] != signs[1]:
        return -1 if signs[0] < signs[1] else 1
    return signs[0] * _compare_magnitudes(x, y) if signs[0] else 0


def to_float(number):
    """As a Python float (for approximate functions of narrow formats; exact for f32 and narrower)."""
    kind, sign, m, e = number
    if kind == NAN:
        return float("nan")
    value = 0.0 if kind == ZERO else float("inf") if kind == INF else ldexp(m, e)
    return -value if sign else value
