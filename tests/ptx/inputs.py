"""Operands of the generated tests: edge values of every type, all pairs of a few of them, and pseudo-random ones, some
of them aimed (halfway cases, cancellation). The same form always gets the same operands."""
import functools
import random
import struct
import zlib

import fp
from rows import TYPE_BYTES, mnemonic_of

FLOAT_VALUES = (1.0, -1.0, 0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 3.0, -3.0, 0.25, 0.75, -0.75, 1.25, 0.1, 1 / 3, 6.0, 7.0, 7.25,
                7.5, 7.75, 28.0, 30.0, 29.0, 126.5, 127.5, 128.5, -128.5, -129.0, 255.5, 256.0, 448.0, 464.0, 465.0,
                480.0, 32767.5, 32768.0, -32768.5, -32769.0, 57344.0, 61440.0, 61441.0, 65504.0, 65519.0, 65520.0,
                65535.5, 65536.0, 2.0 ** 24, 2.0 ** 31, -2.0 ** 31, 2.0 ** 31 - 128, 2.0 ** 32, 2.0 ** 63, -2.0 ** 63,
                2.0 ** 64, 2.0 ** -9, 2.0 ** -10, 1.5 * 2 ** -10, 2.0 ** -14, 2.0 ** -15, 2.0 ** -24, 2.0 ** -25,
                1.5 * 2 ** -25, 2.0 ** -16, 2.0 ** -17, 2.0 ** -126, 2.0 ** -127, 2.0 ** -133, 2.0 ** -134, 100.0, -87.5,
                88.75, 3.14159265, -0.7853981, 2147483647.0, 2147483646.5, 4294967295.0, 4294967295.5, 0.49999997,
                -0.49999997)


def bits_of(fmt, value):
    m, e = fp.F64.decode(struct.unpack("<Q", struct.pack("<d", value))[0]), None
    return fp.finish(fmt, m)


def float_core(fmt):
    """The values whose pairs are all tried."""
    one, top = fmt.bias << fmt.fraction, fmt.sign_bit
    quiet = fmt.infinity | 1 << (fmt.fraction - 1)
    return [0, top, 1, top | 1, (1 << fmt.fraction) - 1, 1 << fmt.fraction, one, top | one, one + 1, fmt.max,
            top | fmt.max, fmt.infinity, top | fmt.infinity, quiet, fmt.infinity | 1]


@functools.lru_cache(None)
def float_edges(fmt):
    top, one = fmt.sign_bit, fmt.bias << fmt.fraction
    quiet = fmt.infinity | 1 << (fmt.fraction - 1)
    more = [top | (1 << fmt.fraction) - 1, top | 1 << fmt.fraction, one - 1, top | one - 1, fmt.max - 1, top | quiet,
            quiet | 5, top | fmt.infinity | 3, (1 << fmt.fraction) + 1, 1 << (fmt.fraction - 1), 2, 3]
    return float_core(fmt) + more + [bits_of(fmt, value) for value in FLOAT_VALUES]


def integer_edges(size):
    mask = (1 << size) - 1
    values = [0, 1, mask, mask >> 1, 1 << (size - 1), mask - 1, 2, 3, (1 << (size - 1)) + 1, (mask >> 1) - 1, 7, 0x55555555,
              0xaaaaaaaaaaaaaaaa, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, 0x7fffffff,
              0x80000000, 0xffffffff, 0x100000000, 0xfedcba9876543210, 0x00ff00ff, 0x80808080, 0x7f80ff01, 0xffffff80,
              0xffff8000, 0xffffffffffffff7f, 10, 100, 1000003]
    return list(dict.fromkeys(value & mask for value in values))


AMOUNTS = (0, 1, 2, 5, 7, 8, 15, 16, 17, 24, 30, 31, 32, 33, 48, 62, 63, 64, 65, 127, 128, 255, 256, 257, 288, 0x7fffffff,
           0x80000000, 0xffffffff, 0xffffff00)
# operands that are amounts, not values
SPECIAL = {("shl", "b"): AMOUNTS, ("shr", "b"): AMOUNTS, ("shf", "c"): AMOUNTS, ("bfe", "b"): AMOUNTS,
           ("bfe", "c"): AMOUNTS, ("bfi", "c"): AMOUNTS, ("bfi", "e"): AMOUNTS, ("szext", "b"): AMOUNTS,
           ("bmsk", "a"): AMOUNTS, ("bmsk", "b"): AMOUNTS, ("fns", "b"): tuple(range(32)),
           ("fns", "c"): (0, 1, 2, 3, 5, 8, 16, 31, 32, 33, 0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffff0, 0xffffffe0)}
IMMEDIATES = {"shl": (0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000), "shr": (0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000),
              "lop3": (0x00, 0x01, 0x80, 0xe8, 0x96, 0xca, 0xf0, 0xcc, 0xaa, 0x3c, 0xfe, 0xff, 0x6a, 0x1d, 0x40, 0xb2)}


class Source:
    """Operands of one type for one operand of a form."""

    def __init__(self, form, role, target):
        self.name, self.target = role.type, target
        self.random = random.Random(zlib.crc32(("%s %s %s" % (form.text, role.letter, role.type)).encode()))
        self.special = SPECIAL.get((mnemonic_of(form.row.pattern), role.letter))
        base = role.type[:-2] if role.type.endswith("x2") else role.type
        self.count = 2 if role.type.endswith("x2") else 1
        self.fmt = fp.FORMATS.get(base)
        self.size = 1 if base == "pred" else self.fmt.bits if self.fmt else int(base[1:])
        self.core = list(self.special[:15]) if self.special else self._core()
        self.edges = list(self.special) if self.special else self._edges()

    def _core(self):
        if self.name == "pred":
            return [0, 1]
        return float_core(self.fmt) if self.fmt else integer_edges(self.size)[:15]

    def _edges(self):
        if self.name == "pred":
            return [0, 1]
        return float_edges(self.fmt) if self.fmt else integer_edges(self.size)

    def _one(self):
        draw = self.random
        if self.special:
            return draw.choice(self.special) if draw.random() < 0.7 else draw.randrange(32)
        if not self.fmt:
            kind = draw.randrange(4)
            if kind == 0:
                return draw.choice(self.edges)
            value = draw.getrandbits(self.size)
            return value >> draw.randrange(self.size) if kind == 1 else value
        return self._float()

    def _float(self):
        draw, fmt = self.random, self.fmt
        kind = draw.randrange(6)
        if kind == 0:
            return draw.choice(self.edges)
        if kind == 1:
            return draw.getrandbits(fmt.bits)
        sign = draw.getrandbits(1) << (fmt.bits - 1)
        if kind == 2 and self.target and self.target.fraction < fmt.fraction:  # halfway between two of the target's
            bits = draw.getrandbits(self.target.bits - 1)
            number = self.target.decode(bits)
            if number[0] == fp.FINITE:
                number = (fp.FINITE, 0, number[2] * 2 + 1, number[3] - 1)
                halfway = fp.finish(fmt, number)
                return sign | max(halfway + draw.randrange(-1, 2), 0)
        exponent = fmt.bias + draw.randrange(-8, 9 if kind < 5 else 33)
        exponent = min(max(exponent, 0), fmt.exponent_mask - 1)
        fraction = draw.getrandbits(fmt.fraction)
        if kind == 3:  # few bits: exact and halfway results
            fraction &= -1 << draw.randrange(fmt.fraction + 1)
        return sign | exponent << fmt.fraction | fraction

    def draw(self):
        if self.name == "pred":
            return self.random.getrandbits(1)
        return sum(self._one() << self.size * i for i in range(self.count))

    def pick(self, values, index):
        """An edge, in both halves of a pair."""
        value = values[index % len(values)]
        if self.count == 2:
            value |= values[(index * 7 + 3) % len(values)] << self.size
        return value


def cancelling(fmt, a, b):
    """c near -(a * b), for fma."""
    x = fp.multiply_exact(fmt.decode(a), fmt.decode(b))
    return fp.finish(fmt, (x[0], 1 - x[1]) + x[2:])


def make_cases(form, roles, count, target=None):
    """[{letter: bits}] of length `count` for the scalar source roles."""
    sources = [Source(form, role, target) for role in roles]
    if not sources:
        return [{} for _ in range(count)]
    cases, values = [], [source for source in sources if source.name != "pred"]
    if not values:
        cases = [[i >> k & 1 for k in range(len(sources))] for i in range(count)]
    elif len(values) == 1:
        edges = len(values[0].edges)
        cases = [[source.pick(source.edges, i) if source.name != "pred" else i & 1 for source in sources]
                 for i in range(min(edges * (1 if len(sources) == 1 else 2), count * 3 // 4))]
    elif len(values) == 2:
        for i in range(min(225, count * 7 // 8)):
            # over few cases, a walk that still meets all rows and columns
            k = i if count >= 256 else i * 19 % 225
            pair = {id(values[0]): values[0].pick(values[0].core, k // 15), id(values[1]): values[1].pick(values[1].core, k % 15)}
            cases.append([pair[id(source)] if id(source) in pair else (k + k // 15) & 1 for source in sources])
    else:
        for i in range(count // 2):
            cases.append([source.pick(source.core, source.random.randrange(64)) for source in sources])
        fmt = values[2].fmt
        if fmt and all(source.fmt is fmt and source.count == 1 for source in values) and form.text[:3] in ("fma", "mad"):
            for i in range(count // 4):
                a, b = sources[0].draw(), sources[1].draw()
                cases.append([a, b, cancelling(fmt, a, b) ^ sources[0].random.randrange(2)])
    while len(cases) < count:
        cases.append([source.draw() for source in sources])
    return [dict(zip((role.letter for role in roles), case)) for case in cases[:count]]


def size_of(name):
    """Bytes of an element in the tests' arrays."""
    return 4 if name == "pred" else TYPE_BYTES[name]
