#!/usr/bin/env python3
"""The oracle's own test: exact arithmetic against the host's floats (round to nearest) and against fractions (all rounding
modes), integers against known values. TAP."""
import math
import random
import struct
import sys
from fractions import Fraction

import fp
import oracle
import rows

DRAW = random.Random(5)
PACKING = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


def to_host(fmt, bits):
    value, word = PACKING[fmt.name]
    return struct.unpack(value, struct.pack(word, bits))[0]


def to_bits(fmt, value):
    """Rounds a double: struct does it to nearest even, but refuses what overflows."""
    if value != value:
        return fmt.nan
    try:
        return struct.unpack(PACKING[fmt.name][1], struct.pack(PACKING[fmt.name][0], value))[0]
    except OverflowError:
        return fp.infinity(fmt, int(value < 0))


def host(operation, x, y):
    try:
        return {"+": lambda: x + y, "*": lambda: x * y, "/": lambda: x / y, "sqrt": lambda: math.sqrt(x)}[operation]()
    except ZeroDivisionError:
        return math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1, y)
    except ValueError:
        return math.nan


def exact(fmt, operation, x, y):
    p, q = fmt.decode(x), fmt.decode(y)
    return {"+": lambda: fp.finish(fmt, fp.add_exact(p, q, fp.RN)), "*": lambda: fp.finish(fmt, fp.multiply_exact(p, q)),
            "/": lambda: fp.divide(fmt, p, q), "sqrt": lambda: fp.square_root(fmt, p)}[operation]()


def random_bits(fmt):
    if DRAW.random() < 0.3:
        return DRAW.choice([0, 1, fmt.sign_bit, fmt.infinity, fmt.infinity | fmt.sign_bit, fmt.max, fmt.nan,
                            1 << fmt.fraction, (1 << fmt.fraction) - 1])
    if DRAW.random() < 0.5:
        return DRAW.getrandbits(fmt.bits)
    return DRAW.getrandbits(1) << (fmt.bits - 1) | (fmt.bias + DRAW.randrange(-3, 4)) << fmt.fraction | DRAW.getrandbits(fmt.fraction)


def against_host(fmt, operation):
    """Sums and products of f16 and f32 are computed in f64 and rounded again, which changes nothing: 53 >= 2 * 24 + 2."""
    for _ in range(4000):
        x, y = random_bits(fmt), random_bits(fmt)
        want = to_bits(fmt, host(operation, to_host(fmt, x), to_host(fmt, y)))
        got = exact(fmt, operation, x, y)
        if got != want:
            return "%s %s %x %x: %x, expected %x" % (fmt.name, operation, x, y, got, want)
    return None


def value(fmt, bits):
    kind, sign, m, e = fmt.decode(bits)
    if kind == fp.INF:
        m, e = 1, 5000
    return (-1) ** sign * m * Fraction(2) ** e


def is_rounded(fmt, bits, want, mode):
    """Whether `bits` is the fraction `want`, rounded: between its neighbours."""
    kind, sign, _, _ = fmt.decode(bits)
    if kind == fp.INF:
        return abs(want) > value(fmt, fmt.max)
    found = value(fmt, bits)
    if found == want:
        return True
    if mode == fp.RP:
        return found > want and (bits == fmt.sign_bit or value(fmt, bits + 1 if sign else bits - 1) < want)
    if mode == fp.RM:
        return found < want and value(fmt, bits - 1 if sign and bits & (fmt.sign_bit - 1) else bits + 1) > want
    if mode == fp.RZ:
        return abs(found) < abs(want) and abs(value(fmt, bits + 1)) > abs(want)
    return True


def against_fractions(fmt, mode):
    for _ in range(3000):
        a, b, c = (random_bits(fmt) for _ in range(3))
        numbers = [fmt.decode(bits) for bits in (a, b, c)]
        if any(number[0] not in (fp.ZERO, fp.FINITE) for number in numbers):
            continue
        want = value(fmt, a) * value(fmt, b) + value(fmt, c)
        got = fp.finish(fmt, fp.add_exact(fp.multiply_exact(numbers[0], numbers[1]), numbers[2], mode), mode)
        if not is_rounded(fmt, got, want, mode):
            return "fma.%s.%s %x %x %x: %x" % (mode, fmt.name, a, b, c, got)
    return None


KNOWN = [("add.sat.s32", {"a": 0x7fffffff, "b": 1}, 0x7fffffff), ("mul.hi.s32", {"a": 0x80000000, "b": 0x80000000}, 0x40000000),
         ("div.s32", {"a": 0xfffffff9, "b": 2}, -3), ("rem.s32", {"a": 0xfffffff9, "b": 2}, -1),
         ("bfind.u32", {"a": 0x00010000}, 16), ("bfind.s32", {"a": 0xffffffff}, -1), ("brev.b32", {"a": 1}, 0x80000000),
         ("bfe.s32", {"a": 0x00000f80, "b": 7, "c": 5}, -1), ("bfi.b32", {"a": 0xf, "b": 0, "c": 4, "e": 4}, 0xf0),
         ("prmt.b32", {"a": 0x33221100, "b": 0x77665544, "c": 0x7531}, 0x77553311),
         ("shf.l.wrap.b32", {"a": 0x80000000, "b": 1, "c": 1}, 3), ("fns.b32", {"a": 0b10110, "b": 0, "c": 2}, 2),
         ("dp4a.s32.s32", {"a": 0xff020304, "b": 0x01010101, "c": 10}, 18), ("cvt.rni.s32.f32", {"a": 0x40200000}, 2),
         ("cvt.rzi.u32.f32", {"a": 0xbf800000}, 0), ("cvt.rn.f16.f32", {"a": 0x477ff000}, 0x7c00),
         ("cvt.rn.bf16.f32", {"a": 0x3f808000}, 0x3f80), ("cvt.rna.tf32.f32", {"a": 0x3f801000}, 0x3f802000),
         ("min.f32", {"a": 0x7fc00000, "b": 0x3f800000}, 0x3f800000), ("max.NaN.f32", {"a": 0x7fc00000, "b": 0x3f800000}, 0x7fffffff)]


def known_values():
    forms = {}
    for row in rows.read_rows():
        if row.family not in oracle.UNTESTED_FAMILIES:
            for form in rows.forms_of(row):
                forms.setdefault(form.text, form)
    for text, operands, want in KNOWN:
        got = oracle.evaluate(forms[text], operands)["d"] & 0xffffffff
        if got != want & 0xffffffff:
            return "%s: %x, expected %x" % (text, got, want)
    return None


def main():
    tests = [("known values", known_values)]
    for name in PACKING:
        fmt = fp.FORMATS[name]
        tests += [("%s %s as the host" % (name, operation), lambda f=fmt, o=operation: against_host(f, o))
                  for operation in ("+", "*", "/", "sqrt")]
    for name in ("f16", "bf16", "f32", "f64"):
        tests += [("fma.%s.%s as fractions" % (mode, name), lambda f=fp.FORMATS[name], m=mode: against_fractions(f, m))
                  for mode in (fp.RZ, fp.RM, fp.RP)]
    failures = 0
    for title, test in tests:
        problem = test()
        failures += problem is not None
        print("%s - oracle: %s" % ("not ok" if problem else "ok", title))
        if problem:
            print("#   " + problem)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
