"""What cvt does (PTX ISA, "Data Movement and Conversion: cvt", "cvt.pack")."""
import fp
from oracle_float import rounding
from oracle_integer import ANY, clamp, limits, number, oracle, width, words_of

WHOLE = {"rni": fp.RN, "rzi": fp.RZ, "rmi": fp.RM, "rpi": fp.RP}


def whole_mode(words):
    return next((WHOLE[word] for word in WHOLE if word in words), None)


def is_float(name):
    return name in fp.FORMATS


def source_number(name, bits, words):
    """ISA: .ftz flushes f32 sources (and results) alone."""
    fmt = fp.FORMATS[name]
    bits &= (1 << fmt.bits) - 1
    return fmt.decode(fp.flush(fmt, bits) if "ftz" in words and name == "f32" else bits)


def float_to_integer(form, v, to, source, words):
    low, high = limits(to)
    # ISA: NaN gives 0, but from f64, or to 64 bits, the highest bit alone
    nan = 1 << (width(to) - 1) if source == "f64" or to in ("s64", "u64") else 0
    return fp.to_integer(source_number(source, v["a"], words), whole_mode(words) or fp.RZ, low, high, nan)


def limit(fmt, bits, words):
    """.sat and .relu of a result."""
    kind, sign, _, _ = fmt.decode(bits)
    if "sat" in words:
        return 0 if kind == fp.NAN or sign else min(bits, fmt.bias << fmt.fraction)
    return 0 if "relu" in words and sign and kind != fp.NAN else bits


def float_to_float(x, to, words):
    """A number x in the format `to`."""
    fmt, whole = fp.FORMATS[to], whole_mode(words)
    if whole and x[0] == fp.FINITE:
        m = fp.shifted(x[1], x[2], -x[3], False, whole)
        x = (fp.FINITE, x[1], m, 0) if m else (fp.ZERO, x[1], 0, 0)
    mode = "rna" if "rna" in words else rounding(words)
    bits = fp.finish(fmt, x, mode, satfinite="satfinite" in words, ftz="ftz" in words and to == "f32")
    return limit(fmt, bits, words)


def narrow_float(x, to, words):
    """fp8, fp6 and fp4: always .satfinite; those without NaN give their maximum for it."""
    fmt = fp.FORMATS[to]
    if x[0] == fp.NAN:
        return fmt.nan
    return limit(fmt, fp.finish(fmt, x, satfinite=True), words)


def power_of_two(x, words):
    """ue8m0: the power of two at |x|, rounded up or to zero; 0xff is NaN."""
    kind, _, m, e = x
    if kind == fp.NAN:
        return 0xff
    if kind == fp.INF:
        return 0xfe if "satfinite" in words else 0xff
    if kind == fp.ZERO:
        return 0
    exponent = m.bit_length() - 1 + e
    if "rp" in words and m & (m - 1):
        exponent += 1
    if exponent > 127:
        return 0xfe if "satfinite" in words else 0xff
    return max(exponent + 127, 0)


def pair(low, high, bits):
    return low & ((1 << bits) - 1) | (high & ((1 << bits) - 1)) << bits


def numbers_of(form, v, source, words):
    """The two numbers of a packing conversion, the lower first."""
    if source == "f32":
        return source_number("f32", v["b"], words), source_number("f32", v["a"], words)
    fmt = fp.FORMATS[source[:-2]]
    return fmt.decode(v["a"] & 0xffff), fmt.decode(v["a"] >> 16 & 0xffff)


def unpack(form, v, to, source, words):
    fmt = fp.FORMATS[to[:-2]]
    if source == "ue8m0x2":
        low, high = (fmt.nan if part == 0xff else fp.encode(fmt, 0, 1, part - 127)
                     for part in (v["a"] & 0xff, v["a"] >> 8 & 0xff))
        return pair(low, high, 16)
    narrow = fp.FORMATS[source[:-2]]
    # fp6 lies in bytes, fp4 in nibbles
    step = 4 if source == "e2m1x2" else 8
    parts = []
    for i in range(2):
        bits = v["a"] >> step * i & ((1 << narrow.bits) - 1)
        parts.append(limit(fmt, fp.finish(fmt, narrow.decode(bits)), words))
    return pair(parts[0], parts[1], 16)


def convert_pair(form, v, to, source, words):
    if not source.endswith("x2") and source != "f32" or source[0] in "eu":
        return unpack(form, v, to, source, words)
    low, high = numbers_of(form, v, source, words)
    if to == "ue8m0x2":
        return pair(power_of_two(low, words), power_of_two(high, words), 8)
    if to in ("f16x2", "bf16x2"):
        return pair(float_to_float(low, to[:-2], words), float_to_float(high, to[:-2], words), 16)
    step = 4 if to == "e2m1x2" else 8
    return pair(narrow_float(low, to[:-2], words), narrow_float(high, to[:-2], words), step)


def convert_pack(form, v):
    words = form.text.split(".")
    name = words[3]
    size = width(name)
    result = pair(clamp(number(v["b"], "s32"), name), clamp(number(v["a"], "s32"), name), size)
    return {"d": result | v.get("c", 0) << 2 * size}


@oracle("convert", "cvt")
def convert(form, v):
    parts = form.text.split(".")
    if parts[1] == "pack":
        return convert_pack(form, v)
    to, source, words = parts[-2], parts[-1], words_of(form)
    if to.endswith("x2"):
        return {"d": convert_pair(form, v, to, source, words)}
    if to == "tf32":
        if "rna" in words and fp.F32.decode(v["a"])[0] == fp.NAN:
            return {"d": ANY}  # devices round the payload
        bits = float_to_float(source_number("f32", v["a"], words), "tf32", words)
        return {"d": 0x7fffffff if bits == fp.TF32.nan else bits << 13}
    if is_float(source):
        if is_float(to):
            # devices don't flush the source if the result is not f32; the ISA says that they do
            if "ftz" in words and to in ("f16", "bf16") and fp.F32.is_subnormal(v["a"]):
                return {"d": ANY}
            return {"d": float_to_float(source_number(source, v["a"], words), to, words)}
        return {"d": float_to_integer(form, v, to, source, words)}
    value = number(v["a"], source)
    if is_float(to):
        return {"d": float_to_float(fp.from_integer(value), to, words)}
    return {"d": clamp(value, to) if "sat" in words else value}
