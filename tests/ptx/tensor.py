"""Tests of matrix instructions: whole warps, so the oracle works on matrices and on the ISA's fragment layouts.

mma.sync takes fragments, and each thread's registers are given. wmma's fragments are opaque: a test loads a, b and c from
memory, multiplies and stores, and the matrices in memory are compared. Values are small, so that every sum is exact in any
order."""
import random
import re
import zlib

import fp
import inputs
import legal
import rows

WARPS = 3
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
        "e4m3": 8, "e5m2": 8}
MNEMONICS = ("mma", "wmma", "ldmatrix", "stmatrix", "movmatrix")


def is_tested(form):
    return form.row.family == "tensor" and rows.mnemonic_of(form.row.pattern) in MNEMONICS


def is_wanted(form):
    """Spaces change an address alone: two of them are enough."""
    return not any(word in (".shared::cta", ".global") for word in form.words)


def shape_of(form):
    match = re.search(r"\.m(\d+)n(\d+)k(\d+)", form.text)
    return tuple(int(number) for number in match.groups())


def types_of(form):
    """Element types of d, a, b, c."""
    words = [word for word in form.text.split(".") if word in BITS]
    if len(words) == 2:
        return [words[0], "f16", "f16", words[1]]
    return words


def layouts_of(form):
    words = [word for word in form.text.split(".") if word in ("row", "col")]
    return words


# ---- numbers --------------------------------------------------------------------------------------------------------

def encode(name, value):
    if name in fp.FORMATS:
        bits = inputs.bits_of(fp.FORMATS[name], float(value))
        return bits << 13 if name == "tf32" else bits
    return int(value) & ((1 << BITS[name]) - 1)


def draw_value(draw, name, warp):
    """Warp 0: small whole numbers; 1: with fractions; 2: integers of the whole range, floats of few."""
    if name in fp.FORMATS:
        value = draw.randrange(-3, 4)
        return value / 2 if warp == 1 else value
    if name == "s32":
        return draw.randrange(-50, 50) if warp == 0 else draw.choice((-1, 1)) * (2 ** 31 - 1 - draw.randrange(3000 << 4 * warp))
    bits = BITS[name]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if name[0] == "s" else (0, (1 << bits) - 1)
    return draw.randint(low, high) if warp or bits < 8 else draw.randint(max(low, -9), 9)


class Problem:
    """Matrices of one warp: d = a x b + c."""

    def __init__(self, form, warp, quads=1):
        self.form, self.shape = form, shape_of(form)
        m, n, k = self.shape
        self.types = types_of(form)
        draw = random.Random(zlib.crc32(("%s %d" % (form.text, warp)).encode()))
        self.parts = []
        for _ in range(quads):
            a = [[draw_value(draw, self.types[1], warp) for _ in range(k)] for _ in range(m)]
            b = [[draw_value(draw, self.types[2], warp) for _ in range(n)] for _ in range(k)]
            # with an eighth no sum is 0, whose sign would depend on the order in which devices add
            offset = 0.125 if self.types[3] == "f64" else 0
            c = [[draw_value(draw, self.types[3], warp) + offset for _ in range(n)] for _ in range(m)]
            self.parts.append((a, b, c, self.product(a, b, c)))

    def product(self, a, b, c):
        columns = list(zip(*b))
        join = (lambda x, y: x ^ y) if ".xor" in self.form.text else (lambda x, y: x & y)
        result = []
        for i, row in enumerate(a):
            line = []
            for j, column in enumerate(columns):
                if self.types[1] == "b1":
                    total = sum(join(x, y) for x, y in zip(row, column))
                else:
                    total = sum(x * y for x, y in zip(row, column))
                total += c[i][j]
                if "satfinite" in self.form.text:
                    total = min(max(total, -2 ** 31), 2 ** 31 - 1)
                line.append(total)
            result.append(line)
        return result


# ---- fragments of mma.sync ------------------------------------------------------------------------------------------

def place_a(rows_of, lane, register, j, per_register):
    g, t = lane >> 2, lane & 3
    row, chunk = (g + 8 * (register & 1), register >> 1) if rows_of == 16 else (g, register)
    return row, chunk * 4 * per_register + t * per_register + j


def place_b(lane, register, j, per_register):
    return register * 4 * per_register + (lane & 3) * per_register + j, lane >> 2


def place_c(lane, element):
    return (lane >> 2) + 8 * (element >> 1), 2 * (lane & 3) + (element & 1)


def pack(values, bits):
    return sum(value << bits * i for i, value in enumerate(values))


def fragments(form, problem):
    """Registers of all lanes: [{"a0": bits, ...}], [{"d": [bits]}]."""
    if shape_of(form) == (8, 8, 4) and types_of(form)[1] == "f16":
        return quad_fragments(form, problem)
    a, b, c, d = problem.parts[0]
    dtype, atype, btype, ctype = problem.types
    counts = {role.letter: role.count for role in form.roles}
    operands, results = [], []
    for lane in range(32):
        values = {}
        for letter, name, matrix in (("a", atype, a), ("b", btype, b)):
            each = max(32 // BITS[name], 1)
            for register in range(counts[letter]):
                places = [place_a(problem.shape[0], lane, register, j, each) if letter == "a" else
                          place_b(lane, register, j, each) for j in range(each)]
                values["%s%d" % (letter, register)] = pack([encode(name, matrix[row][column]) for row, column in places], BITS[name])
        for letter, name, matrix in (("c", ctype, c), ("d", dtype, d)):
            each = max(32 // BITS[name], 1)
            registers = []
            for register in range(counts[letter]):
                places = [place_c(lane, register * each + j) for j in range(each)]
                registers.append(pack([encode(name, matrix[row][column]) for row, column in places], BITS[name]))
            if letter == "d":
                results.append({"d": registers})
            else:
                values.update(("c%d" % i, bits) for i, bits in enumerate(registers))
        operands.append(values)
    return operands, results


def quad_fragments(form, problem):
    """m8n8k4: four products, each by the lanes 4q..4q+3 and 16+4q..16+4q+3."""
    layout_a, layout_b = layouts_of(form)
    counts = {role.letter: role.count for role in form.roles}
    operands, results = [], []
    for lane in range(32):
        a, b, c, d = problem.parts[lane >> 2 & 3]
        upper, x = 4 * (lane >> 4), lane % 4
        values_a = [a[upper + x][i] if layout_a == "row" else a[upper + i][x] for i in range(4)]
        values_b = [b[x][upper + i] if layout_b == "row" else b[i][upper + x] for i in range(4)]
        values = {}
        for letter, parts in (("a", values_a), ("b", values_b)):
            bits = [encode("f16", value) for value in parts]
            values.update({letter + "0": pack(bits[:2], 16), letter + "1": pack(bits[2:], 16)})
        for letter, name, matrix in (("c", problem.types[3], c), ("d", problem.types[0], d)):
            elements = []
            for i in range(8):
                row, column = (upper + x, i) if name == "f16" else (upper + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1))
                elements.append(encode(name, matrix[row][column]))
            each = 32 // BITS[name]
            registers = [pack(elements[i * each:(i + 1) * each], BITS[name]) for i in range(counts[letter])]
            if letter == "d":
                results.append({"d": registers})
            else:
                values.update(("c%d" % i, bits) for i, bits in enumerate(registers))
        operands.append(values)
    return operands, results


# ---- small matrices -------------------------------------------------------------------------------------------------

def matrix_count(form):
    match = re.search(r"\.x(\d)", form.text)
    return int(match.group(1)) if match else 1


def rows_and_fragments(form, warp):
    """(rows of 8 halves, a row a lane; fragments [lane][register]): what ldmatrix turns into each other, stmatrix back."""
    draw = random.Random(zlib.crc32(("%s %d" % (form.text, warp)).encode()))
    lines = [[draw.getrandbits(16) for _ in range(8)] for _ in range(32)]
    found = []
    for lane in range(32):
        g, t, registers = lane >> 2, lane & 3, []
        for matrix in range(matrix_count(form)):
            part = lines[8 * matrix:8 * matrix + 8]
            low, high = (part[2 * t][g], part[2 * t + 1][g]) if "trans" in form.text else (part[g][2 * t], part[g][2 * t + 1])
            registers.append(low | high << 16)
        found.append(registers)
    return lines, found


# ---- matrices in memory, for wmma -----------------------------------------------------------------------------------

def memory_bytes(name, matrix, layout):
    """A matrix, row by row or column by column, without gaps."""
    lines = matrix if layout == "row" else list(zip(*matrix))
    bits = [encode(name, value) for line in lines for value in line]
    size = BITS[name]
    if size >= 8:
        return b"".join(value.to_bytes(size // 8, "little") for value in bits)
    each = 8 // size
    return bytes(pack(bits[i:i + each], size) for i in range(0, len(bits), each))


def stride_of(matrix, layout):
    """Elements from one row (column) to the next."""
    return len(matrix[0]) if layout == "row" else len(matrix)


class WmmaForms:
    """Forms of wmma by what they work on: to complete a load or a store to a whole product."""

    def __init__(self, table):
        self.loads, self.stores, self.products = {}, {}, {}
        for row in table:
            if row.family == "tensor" and row.pattern.startswith("wmma."):
                for form in rows.forms_of(row):
                    self.add(form)

    def add(self, form):
        parts = form.text.split(".")
        shape, layout, name = shape_of(form), layouts_of(form), parts[-1]
        if parts[1] == "load":
            self.loads.setdefault((parts[2], shape, layout[0], name), form)
        elif parts[1] == "store":
            self.stores.setdefault((shape, layout[0], name), form)
        elif "satfinite" not in parts and legal.is_legal(form):
            self.products.setdefault(shape, []).append(form)

    def product_with(self, form):
        """A wmma.mma that the load or store fits."""
        parts = form.text.split(".")
        part = parts[2] if parts[1] == "load" else "d"
        position = {"d": 0, "a": 1, "b": 2, "c": 3}[part]
        for product in self.products[shape_of(form)]:
            layouts = layouts_of(product)
            fits = part in ("c", "d") or layouts["ab".index(part)] == layouts_of(form)[0]
            if fits and types_of(product)[position] == parts[-1]:
                return product
        return None
