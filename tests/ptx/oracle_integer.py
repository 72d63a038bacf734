"""What integer, bit, comparison and move instructions do, from the PTX ISA's text and pseudo code: one number at a
time, on Python integers. An oracle takes a form and the operands' bits by letter ("a", "b", "c", "e", "i", "cf") and
returns the results by letter ("d", "q", "cf")."""
import fp

ORACLES = {}
ANY = object()  # a result that the ISA leaves open


def oracle(family, *mnemonics):
    def register(function):
        for mnemonic in mnemonics:
            ORACLES[family, mnemonic] = function
        return function
    return register


def width(name):
    """Bits of u16, s32, b64 ..."""
    return int(name[1:])


def number(bits, name):
    """The bits of a u16, s32, b64 ... as a number."""
    size = width(name)
    bits &= (1 << size) - 1
    return bits - (1 << size) if name[0] == "s" and bits >> (size - 1) else bits


def limits(name):
    size = width(name)
    return (-(1 << (size - 1)), (1 << (size - 1)) - 1) if name[0] == "s" else (0, (1 << size) - 1)


def clamp(value, name):
    low, high = limits(name)
    return min(max(value, low), high)


def words_of(form):
    return set(form.text.split(".")[1:])


def by_parts(function, bits, part, *values):
    """Joins function(parts of values ...) over all parts of `part` bits."""
    result = 0
    for shift in range(0, bits, part):
        pieces = [value >> shift & ((1 << part) - 1) for value in values]
        result |= (function(*pieces) & ((1 << part) - 1)) << shift
    return result


def simple(family, mnemonic, compute):
    """d = compute(a, b, c as numbers, words), for whole or packed integers of type T."""
    def run(form, v):
        name, words = form.types.get("T") or form.text.split(".")[-1], words_of(form)
        values = [v[letter] for letter in "abc" if letter in v]
        if name.endswith("x2"):
            half = name[:3]
            return {"d": by_parts(lambda *parts: compute([number(x, half) for x in parts], words, half), 32, 16, *values)}
        return {"d": compute([number(x, name) for x in values], words, name)}
    ORACLES[family, mnemonic] = run


simple("integer", "add", lambda v, w, t: clamp(v[0] + v[1], t) if "sat" in w else v[0] + v[1])
simple("integer", "sub", lambda v, w, t: clamp(v[0] - v[1], t) if "sat" in w else v[0] - v[1])
simple("integer", "neg", lambda v, w, t: -v[0])
simple("integer", "abs", lambda v, w, t: abs(v[0]))
simple("integer", "min", lambda v, w, t: max(min(v[0], v[1]), 0) if "relu" in w else min(v[0], v[1]))
simple("integer", "max", lambda v, w, t: max(v[0], v[1], 0) if "relu" in w else max(v[0], v[1]))
simple("integer", "sad", lambda v, w, t: abs(v[0] - v[1]) + v[2])


def product(v, words, name):
    result = v[0] * v[1]
    result = result >> width(name) if "hi" in words else result
    if len(v) > 2:
        result += v[2]
    return clamp(result, name) if "sat" in words else result


def quotient(v, words, name):
    if v[1] == 0:
        return -1  # and so the remainder: the ISA leaves both open, devices give all ones
    result = abs(v[0]) // abs(v[1])
    return -result if (v[0] < 0) != (v[1] < 0) else result


def remainder(v, words, name):
    return -1 if v[1] == 0 else v[0] - v[1] * quotient(v, words, name)


simple("integer", "div", quotient)
simple("integer", "rem", remainder)


@oracle("integer", "mul", "mad")
def multiply(form, v):
    words, name = words_of(form), form.types.get("T", "s32")
    if "wide" in words:
        wide = name[0] + str(2 * width(name))
        return {"d": number(v["a"], name) * number(v["b"], name) + (number(v["c"], wide) if "c" in v else 0)}
    if "cc" in words:
        return carry_multiply(form, v)
    return {"d": product([number(v[letter], name) for letter in "abc" if letter in v], words, name)}


@oracle("integer", "mul24", "mad24")
def multiply_24(form, v):
    words, name = words_of(form), form.types.get("T", "s32")
    a, b = (number(v[letter] & 0xffffff, name[0] + "24") for letter in "ab")
    result = a * b >> 16 if "hi" in words else a * b
    if "c" in v:
        # of the product, 32 bits are kept before the addition
        result = number(result & 0xffffffff, name) + number(v["c"], name)
        result = clamp(result, name) if "sat" in words else result
    return {"d": result}


@oracle("integer", "dp4a")
def dot_bytes(form, v):
    result = v["c"]
    for shift in range(0, 32, 8):
        result += number(v["a"] >> shift, form.types["T"][0] + "8") * number(v["b"] >> shift, form.types["U"][0] + "8")
    return {"d": result}


@oracle("integer", "dp2a")
def dot_halves(form, v):
    result, first = v["c"], 16 if "hi" in words_of(form) else 0
    for i in range(2):
        result += (number(v["a"] >> 16 * i, form.types["T"][0] + "16") *
                   number(v["b"] >> first + 8 * i, form.types["U"][0] + "8"))
    return {"d": result}


# ---- carries --------------------------------------------------------------------------------------------------------

def carry_add(form, v):
    """add.cc and addc; sub.cc and subc, where CF is a borrow."""
    size = width(form.types["T"])
    mask = (1 << size) - 1
    takes = form.text.startswith(("addc", "subc"))
    carry = v["cf"] if takes else 0
    if form.text.startswith("sub"):
        result = (v["a"] & mask) - (v["b"] & mask) - carry
        carry_out = int(result < 0)
    else:
        result = (v["a"] & mask) + (v["b"] & mask) + carry
        carry_out = result >> size
    return {"d": result, "cf": carry_out if "cc" in words_of(form) else v["cf"]}


ORACLES["integer", "addc"] = ORACLES["integer", "subc"] = carry_add
for mnemonic in ("add", "sub"):
    ORACLES["integer", mnemonic] = (lambda plain: lambda form, v:
                                    carry_add(form, v) if "cc" in words_of(form) else plain(form, v))(
                                        ORACLES["integer", mnemonic])


def carry_multiply(form, v):
    name = form.types["T"]
    size, words = width(name), words_of(form)
    mask = (1 << size) - 1
    result = number(v["a"], name) * number(v["b"], name)
    result = (result >> size if "hi" in words else result) & mask
    result += (v["c"] & mask) + (v["cf"] if form.text.startswith("madc") else 0)
    return {"d": result, "cf": result >> size if "cc" in words else v["cf"]}


ORACLES["integer", "madc"] = carry_multiply


# ---- bits -----------------------------------------------------------------------------------------------------------

@oracle("integer", "popc", "clz", "brev")
def count(form, v):
    size = width(form.types["T"])
    a = v["a"] & ((1 << size) - 1)
    return {"d": {"popc": lambda: bin(a).count("1"), "clz": lambda: size - a.bit_length(),
                  "brev": lambda: int(format(a, "0%db" % size)[::-1], 2)}[form.text.split(".")[0]]()}


@oracle("integer", "bfind")
def find_bit(form, v):
    name = form.types["T"]
    a = number(v["a"], name)
    found = (~a if a < 0 else a).bit_length() - 1
    return {"d": width(name) - 1 - found if found >= 0 and "shiftamt" in words_of(form) else found}


@oracle("integer", "fns")
def find_nth_set(form, v):
    mask, base, offset = v["a"], v["b"], number(v["c"], "s32")
    if offset == 0:
        return {"d": base if mask >> base & 1 else -1}
    left, position, step = abs(offset) - 1, base, 1 if offset > 0 else -1
    while 0 <= position < 32:
        if mask >> position & 1:
            if left == 0:
                return {"d": position}
            left -= 1
        position += step
    return {"d": -1}


@oracle("integer", "bfe")
def extract(form, v):
    name = form.types["T"]
    top, position, length = width(name) - 1, v["b"] & 0xff, v["c"] & 0xff
    if top == 63 and (v["b"] > 255 or v["c"] > 255):  # ISA: "restricted to 0..255"; devices don't mask those of 64 bits
        return {"d": ANY}
    sign = v["a"] >> min(position + length - 1, top) & 1 if name[0] == "s" and length else 0
    result = 0
    for i in range(top + 1):
        result |= (v["a"] >> position + i & 1 if i < length and position + i <= top else sign) << i
    return {"d": result}


@oracle("integer", "bfi")
def insert(form, v):
    top, position, length, result = width(form.types["T"]) - 1, v["c"] & 0xff, v["e"] & 0xff, v["b"]
    if top == 63 and (v["c"] > 255 or v["e"] > 255):
        return {"d": ANY}
    for i in range(length):
        if position + i <= top:
            result = result & ~(1 << position + i) | (v["a"] >> i & 1) << position + i
    return {"d": result}


@oracle("integer", "szext")
def extend(form, v):
    count_bits = v["b"] & 31
    if v["b"] >= 32 and "clamp" in words_of(form):
        return {"d": v["a"]}
    if count_bits == 0:
        return {"d": 0}
    return {"d": number(v["a"] & ((1 << count_bits) - 1), form.types["T"][0] + str(count_bits))}


@oracle("integer", "bmsk")
def bit_mask(form, v):
    a, b = v["a"], v["b"]
    if "wrap" in words_of(form):
        a, b = a & 31, b & 31
    return {"d": ((1 << min(b, 32)) - 1) << a if a < 32 else 0}


# ---- video ----------------------------------------------------------------------------------------------------------

VIDEO = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b),
         "vavrg": lambda a, b: (a + b + (a + b >= 0)) >> 1, "vmin": min, "vmax": max}


@oracle("integer", *(name + digit for name in VIDEO for digit in "24"))
def video(form, v):
    parts = form.text.split(".")
    compute, size = VIDEO[parts[0][:-1]], 16 if parts[0][-1] == "2" else 8
    result, total = 0, v["c"]
    for shift in range(0, 32, size):
        t = compute(number(v["a"] >> shift, parts[2][0] + str(size)), number(v["b"] >> shift, parts[3][0] + str(size)))
        if "sat" in parts:
            t = clamp(t, parts[1][0] + str(size))
        total += t
        result |= (t & ((1 << size) - 1)) << shift
    return {"d": total if "add" in parts else result}


@oracle("integer", "vset2", "vset4")
def video_set(form, v):
    parts = form.text.split(".")
    size = 16 if parts[0][-1] == "2" else 8
    result, total = 0, v["c"]
    for shift in range(0, 32, size):
        a, b = number(v["a"] >> shift, parts[1][0] + str(size)), number(v["b"] >> shift, parts[2][0] + str(size))
        t = int(ordered(parts[3], (a > b) - (a < b)))
        total += t
        result |= t << shift
    return {"d": total if "add" in parts else result}


# ---- logic and shifts -----------------------------------------------------------------------------------------------

simple("bits", "and", lambda v, w, t: v[0] & v[1])
simple("bits", "or", lambda v, w, t: v[0] | v[1])
simple("bits", "xor", lambda v, w, t: v[0] ^ v[1])
for name in ("and", "or", "xor", "not"):
    def logic(form, v, name=name, plain=ORACLES.get(("bits", name))):
        if name == "not":
            return {"d": ~v["a"] & (1 if form.types["T"] == "pred" else -1)}
        if form.types["T"] == "pred":
            return {"d": {"and": v["a"] & v["b"], "or": v["a"] | v["b"], "xor": v["a"] ^ v["b"]}[name]}
        return plain(form, v)
    ORACLES["bits", name] = logic


@oracle("bits", "cnot")
def logical_not(form, v):
    return {"d": int(number(v["a"], form.types["T"]) == 0)}


@oracle("bits", "lop3")
def table_logic(form, v):
    result = 0
    for bit in range(32):
        index = (v["a"] >> bit & 1) << 2 | (v["b"] >> bit & 1) << 1 | v["c"] >> bit & 1
        result |= (v["i"] >> index & 1) << bit
    out = {"d": result}
    if "or" in words_of(form) or "and" in words_of(form):
        out["q"] = int(result != 0) | v["e"] if "or" in words_of(form) else int(result != 0) & v["e"]
    return out


@oracle("bits", "shl", "shr")
def shift_bits(form, v):
    name = form.types.get("T", "b64")
    amount = min(v["i"] if "i" in v else v["b"], width(name))
    a = number(v["a"], name)
    return {"d": a << amount if form.text.startswith("shl") else a >> amount}


@oracle("bits", "shf")
def funnel(form, v):
    words = words_of(form)
    n = min(v["c"], 32) if "clamp" in words else v["c"] & 31
    both = v["b"] << 32 | v["a"]
    return {"d": both << n >> 32 if "l" in words else both >> n}


PERMUTE = {"f4e": lambda i, c: c + i, "b4e": lambda i, c: (c - i) % 8, "rc8": lambda i, c: c, "ecl": max, "ecr": min,
           "rc16": lambda i, c: (c & 1) * 2 + (i & 1)}


@oracle("bits", "prmt")
def permute(form, v):
    both, mode, result = v["b"] << 32 | v["a"], form.text.split(".")[-1], 0
    for i in range(4):
        if mode in PERMUTE:
            byte = both >> 8 * PERMUTE[mode](i, v["c"] & 3) & 0xff
        else:
            selector = v["c"] >> 4 * i & 15
            byte = both >> 8 * (selector & 7) & 0xff
            byte = (0xff if byte & 0x80 else 0) if selector & 8 else byte
        result |= byte << 8 * i
    return {"d": result}


# ---- comparisons ----------------------------------------------------------------------------------------------------

def ordered(word, order):
    """order: -1, 0, 1, or None for unordered."""
    if word in ("num", "nan"):
        return (order is None) == (word == "nan")
    if order is None:
        return len(word) == 3  # equ, neu, ltu ...
    word = word[:2] if len(word) == 3 else {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(word, word)
    return {"eq": order == 0, "ne": order != 0, "lt": order < 0, "le": order <= 0, "gt": order > 0,
            "ge": order >= 0}[word]


def join(words, t, c):
    return t & c if "and" in words else t | c if "or" in words else t ^ c if "xor" in words else t


def order_of(name, x, y, ftz):
    if name in fp.FORMATS:
        fmt = fp.FORMATS[name]
        if ftz:
            x, y = fp.flush(fmt, x), fp.flush(fmt, y)
        return fp.compare(fmt.decode(x), fmt.decode(y))
    x, y = number(x, name), number(y, name)
    return (x > y) - (x < y)


def compared(form, v, name):
    parts = form.text.split(".")
    return int(ordered(parts[1], order_of(name, v["a"], v["b"], "ftz" in parts)))


def halves(form, v, name):
    parts = form.text.split(".")
    return [int(ordered(parts[1], order_of(name, v["a"] >> s & 0xffff, v["b"] >> s & 0xffff, "ftz" in parts)))
            for s in (0, 16)]


@oracle("compare", "setp")
def set_predicates(form, v):
    name, words, c = form.types["T"], words_of(form), v.get("c", 0)
    if name.endswith("x2"):
        low, high = halves(form, v, name[:-2])
        return {"d": join(words, low, c), "q": join(words, high, c)}
    t = compared(form, v, name)
    return {"d": join(words, t, c), "q": join(words, 1 - t, c)}


TRUE = {"f32": 0x3f800000, "f16": 0x3c00, "bf16": 0x3f80}


@oracle("compare", "set")
def set_value(form, v):
    to, source, words, c = form.types["T"], form.types["U"], words_of(form), v.get("c", 0)
    if source.endswith("x2"):
        part = TRUE.get(to[:-2], 0xffff)
        low, high = (join(words, t, c) * part for t in halves(form, v, source[:-2]))
        return {"d": high << 16 | low}
    return {"d": join(words, compared(form, v, source), c) * TRUE.get(to, -1)}


@oracle("compare", "selp")
def select(form, v):
    return {"d": v["a"] if v["c"] else v["b"]}


@oracle("compare", "slct")
def select_by_sign(form, v):
    if form.text.endswith("s32"):
        return {"d": v["a"] if number(v["c"], "s32") >= 0 else v["b"]}
    c = fp.flush(fp.F32, v["c"]) if "ftz" in words_of(form) else v["c"]
    order = fp.compare(fp.F32.decode(c), (fp.ZERO, 0, 0, 0))
    return {"d": v["a"] if order is not None and order >= 0 else v["b"]}


@oracle("compare", "testp")
@oracle("float", "testp")
def test_property(form, v):
    word, name = form.text.split(".")[1:3]
    fmt = fp.FORMATS[name]
    kind = fmt.decode(v["a"])[0]
    is_subnormal = fmt.is_subnormal(v["a"])
    return {"d": int({"finite": kind in (fp.ZERO, fp.FINITE), "infinite": kind == fp.INF, "number": kind != fp.NAN,
                      "notanumber": kind == fp.NAN, "subnormal": is_subnormal,
                      "normal": kind in (fp.ZERO, fp.FINITE) and not is_subnormal}[word])}


# ---- moves ----------------------------------------------------------------------------------------------------------

@oracle("move", "mov")
def move(form, v):
    """Vectors: operands and results are lists, the lowest part first."""
    d, a = form.roles[0], form.roles[1]
    if d.is_vector == a.is_vector:
        return {"d": v["a"]}
    size = width((d if d.is_vector else a).type)
    if a.is_vector:
        return {"d": sum((part & ((1 << size) - 1)) << size * i for i, part in enumerate(v["a"]))}
    return {"d": [v["a"] >> size * i & ((1 << size) - 1) for i in range(d.count)]}
