#!/usr/bin/env python3
"""Writes the generated instruction tests: build/ptx-ops/NAME.ptx, NAME.in, NAME.expect and the manifest of all.

Every entry of a .ptx executes one instruction: thread i reads case i of the operands' arrays and writes result i. The
manifest, text, is what run_ops and run_ops_gpu read:

    file NAME INPUT_BYTES OUTPUT_BYTES      NAME.ptx; NAME.in is copied to the device whole
    entry tN THREADS ADDRESS ...            one block; an ADDRESS is i+OFFSET (into the inputs) or o+OFFSET (results)

NAME.json tells check_ops.py what the results mean. Usage: generate.py [--out DIR] [--only MNEMONIC ...]"""
import argparse
import glob
import hashlib
import json
import multiprocessing
import os
from collections import namedtuple

import inputs
import legal
import oracle
import rows

# shape: words of "noq" (without the optional second result), "negc" (predicate written !p), "wide" (registers wider
# than the type), "shared" (the atomic's memory)
Variant = namedtuple("Variant", "form shape")
ENTRIES_PER_FILE = 250
REGISTER = {1: "b16", 2: "b16", 4: "b32", 8: "b64", 16: "b128"}


# ---- which instructions ---------------------------------------------------------------------------------------------

def shapes_of(form):
    roles = form.roles
    has_boolean = any(word in (".and", ".or", ".xor") for word in form.words)
    is_cvt = form.text.startswith("cvt")
    yield frozenset()
    if any(role.letter == "q" and role.is_optional for role in roles) and not has_boolean:
        yield frozenset(["noq"])
    if form.text.startswith("set") and has_boolean and ".gt" in form.words:
        yield frozenset(["negc"])
    if is_cvt and "bf16" not in form.text and any(role.is_wide and role.type[0] in "us" and rows.TYPE_BYTES[role.type] in (2, 4) for role in roles):
        yield frozenset(["wide"])


ATOMIC_GROUPS_KEPT = ("", ".global", ".shared")


def is_wanted(form):
    """Of order, scope and cache words, which change no result, one spelling each is enough."""
    if form.row.family != "atomic":
        return True
    order, scope, space, late_scope = form.words[:4]
    later = [word for word in form.words[4:] if word.startswith((".relaxed", ".acq", ".rel", ".cta", ".cluster", ".gpu", ".sys", ".L2"))]
    if any(later) or late_scope or space not in ATOMIC_GROUPS_KEPT:
        return False
    return not order and not scope or (order, scope, space) == (".acq_rel" if "atom" in form.text else ".release", ".gpu", ".global")


def signature(form):
    return form.text, tuple((role.letter, role.is_vector, role.count, role.is_second) for role in form.roles if role.letter != "q")


def list_variants(table, only=None):
    """(variants, rows without a variant of their own: {row: why})."""
    seen, variants, without = set(), [], {}
    for row in table:
        if row.family in oracle.UNTESTED_FAMILIES:
            continue
        mnemonic = rows.mnemonic_of(row.pattern)
        if only and mnemonic not in only:
            continue
        count, shadowed = 0, 0
        for form in rows.forms_of(row):
            if not is_wanted(form) or not legal.is_legal(form):
                continue
            if signature(form) in seen:
                shadowed += 1
                continue
            seen.add(signature(form))
            for shape in shapes_of(form):
                variants.append(Variant(form, shape))
                count += 1
        if count == 0:
            without[row] = "earlier rows take all its forms" if shadowed else "no legal form"
        elif (row.family, mnemonic) not in oracle.ORACLES:
            without[row] = "no oracle"
            variants = [variant for variant in variants if variant.form.row is not row]
    return variants, without


def file_of(form):
    types = [role.type for role in form.roles if role.type]
    last = form.text.split(".")[-1]
    name = types[0] if types[0] not in ("pred",) else last
    return "%s-%s-%s-%s" % (form.row.family, rows.mnemonic_of(form.row.pattern), name, legal.target_of(form))


# ---- one entry ------------------------------------------------------------------------------------------------------

class Arrays:
    """Bytes of a file's inputs, each array once."""

    def __init__(self):
        self.data, self.known = bytearray(), {}

    def place(self, values, size):
        data = b"".join((value & (1 << 8 * size) - 1).to_bytes(size, "little") for value in values)
        if data not in self.known:
            self.data.extend(bytes(-len(self.data) % 16))
            self.known[data] = len(self.data)
            self.data.extend(data)
        return self.known[data]


class Kernel:
    def __init__(self, name, variant):
        self.name, self.variant, self.lines, self.registers, self.parameters = name, variant, [], [], []
        self.serial = 0

    def register(self, kind):
        self.serial += 1
        self.registers.append((kind, "%%v%d" % self.serial))
        return "%%v%d" % self.serial

    def line(self, text):
        self.lines.append("    " + text)

    def pointer(self, size):
        """The next parameter, plus the thread's place."""
        name = "p%d" % len(self.parameters)
        self.parameters.append(name)
        base = self.register("b64")
        self.line("ld.param.u64 %s, [%s_%s];" % (base, self.name, name))
        self.line("mad.wide.u32 %s, %%i, %d, %s;" % (base, size, base))
        return base

    def load(self, name, pointer, offset=0, is_wide=False):
        """A register with the element at the pointer."""
        if name == "pred":
            word, register = self.register("b32"), self.register("pred")
            self.line("ld.global.b32 %s, [%s+%d];" % (word, pointer, offset))
            self.line("setp.ne.u32 %s, %s, 0;" % (register, word))
            return register
        size = rows.TYPE_BYTES[name]
        if size == 16:
            return self.load_128(pointer, offset)
        if size == 1 and not is_wide:
            return self.load_8(pointer, offset)
        register = self.register(REGISTER[size] if not is_wide else {2: "b32", 4: "b64", 1: "b32"}[size])
        if is_wide:  # bits above the type's own must not matter
            self.line("ld.global.%s %s, [%s+%d];" % ("u%d" % (8 * size), register, pointer, offset))
            self.line("or.%s %s, %s, %d;" % (self.kind(register), register, register, 0xa5 << 8 * size))
        else:
            self.line("ld.global.b%d %s, [%s+%d];" % (8 * size, register, pointer, offset))
        return register

    def load_8(self, pointer, offset):
        half, register, rest = self.register("b16"), self.register("b8"), self.register("b8")
        self.line("ld.global.u8 %s, [%s+%d];" % (half, pointer, offset))
        self.line("mov.b16 {%s, %s}, %s;" % (register, rest, half))
        return register

    def load_128(self, pointer, offset):
        low, high, register = self.register("b64"), self.register("b64"), self.register("b128")
        self.line("ld.global.v2.b64 {%s, %s}, [%s+%d];" % (low, high, pointer, offset))
        self.line("mov.b128 %s, {%s, %s};" % (register, low, high))
        return register

    def kind(self, register):
        return next(kind for kind, name in self.registers if name == register)

    def store(self, name, register, pointer, offset=0):
        if name == "pred":
            word = self.register("b32")
            self.line("selp.u32 %s, 1, 0, %s;" % (word, register))
            self.line("st.global.b32 [%s+%d], %s;" % (pointer, offset, word))
        elif self.kind(register) == "b128":
            low, high = self.register("b64"), self.register("b64")
            self.line("mov.b128 {%s, %s}, %s;" % (low, high, register))
            self.line("st.global.v2.b64 [%s+%d], {%s, %s};" % (pointer, offset, low, high))
        elif self.kind(register) == "b8":
            half = self.register("b16")
            self.line("mov.b16 %s, {%s, 0};" % (half, register))
            self.line("st.global.u8 [%s+%d], %s;" % (pointer, offset, half))
        else:
            self.line("st.global.%s [%s+%d], %s;" % (self.kind(register), pointer, offset, register))

    def text(self):
        parameters = ", ".join(".param .u64 %s_%s" % (self.name, name) for name in self.parameters)
        lines = [".visible .entry %s(%s)" % (self.name, parameters), "{", "    .reg .b32 %i;"]
        for kind in dict.fromkeys(kind for kind, _ in self.registers):
            lines.append("    .reg .%s %s;" % (kind, ", ".join(name for other, name in self.registers if other == kind)))
        if "shared" in self.variant.shape:
            lines.append("    .shared .align 16 .b8 %s_memory[16384];" % self.name)
        return "\n".join(lines + ["    mov.u32 %i, %tid.x;"] + self.lines + ["    ret;", "}"])


def vector_count(form, role):
    return role.count or next(int(word[2:]) for word in form.words if word[1:2] == "v" and word[2:].isdigit())


class Entry:
    """Builds the kernel, the inputs and the expected results of one variant."""

    def __init__(self, name, variant, arrays):
        self.form, self.shape, self.arrays = variant.form, variant.shape, arrays
        self.kernel = Kernel(name, variant)
        self.addresses, self.outputs, self.output_bytes, self.skip = [], [], 0, []
        self.roles = [role for role in self.form.roles
                      if not (role.letter == "q" and "noq" in self.shape) and not (role.letter == "e" and role.is_optional)]
        self.sources = [role for role in self.roles if role.letter in "abce"]
        self.results = [role for role in self.roles if role.letter in "dq"]
        self.is_atomic = self.form.row.family == "atomic"
        self.immediates = ((inputs.IMMEDIATES[rows.mnemonic_of(self.form.row.pattern)])
                           if any(role.letter == "i" for role in self.roles) else (None,))
        self.uses_carry = self.form.row.family == "integer" and (
            ".cc" in self.form.text or self.form.text.startswith(("addc", "subc", "madc")))
        self.count = self.case_count()
        self.build()

    def case_count(self):
        if self.form.row.family == "compare" and (any(w in (".and", ".or", ".xor") for w in self.form.words)
                                                  or self.form.text.startswith("set.")):
            return 96
        if len(self.sources) == 1:
            return 224
        return 256 if not self.is_atomic else 128

    # -- operands

    def cases(self):
        target = None
        parts = self.form.text.split(".")
        if self.form.text.startswith("cvt") and len(parts) > 2:
            target = inputs.fp.FORMATS.get(parts[-2].replace("x2", ""))
        roles = []
        for role in self.sources:
            if role.is_vector:
                roles += [role._replace(letter="%s%d" % (role.letter, i)) for i in range(vector_count(self.form, role))]
            else:
                roles.append(role)
        if self.is_atomic:
            first = self.sources[0]
            count = vector_count(self.form, first) if first.is_vector else 0
            roles = [first._replace(letter="m%d" % i) for i in range(count)] + roles if count else [first._replace(letter="m")] + roles
        cases = inputs.make_cases(self.form, roles, self.count, target)
        if self.form.text.startswith("atom") and ".cas" in self.form.text:
            for i, case in enumerate(cases):
                case["b"] = case["m"] if i % 2 else case["b"]
        if self.uses_carry:
            for i, case in enumerate(cases):
                case["cf"] = i * 7 // 3 & 1
        return cases

    def operand(self, role, cases):
        """Places the array of a source and loads it: the operand's text."""
        size = inputs.size_of(role.type)
        is_wide = "wide" in self.shape and role.is_wide and size in (2, 4) and role.type[0] in "us"
        is_wide = is_wide or (size == 1 and role.is_wide)
        count = vector_count(self.form, role) if role.is_vector else 1
        letters = ["%s%d" % (role.letter, i) for i in range(count)] if role.is_vector else [role.letter]
        offset = self.arrays.place([case[letter] for case in cases for letter in letters], size)
        self.addresses.append("i+%d" % offset)
        self.arrays_of.append(role)
        pointer = self.kernel.pointer(size * count)
        registers = [self.kernel.load(role.type, pointer, size * i, is_wide) for i in range(count)]
        text = "{%s}" % ", ".join(registers) if role.is_vector else registers[0]
        return "!" + text if role.type == "pred" and "negc" in self.shape else text

    def result(self, role):
        """Registers of a destination and where they go: (text, [registers])."""
        size = inputs.size_of(role.type)
        kind = "pred" if role.type == "pred" else "b8" if size == 1 else REGISTER[size]
        if role.is_wide and role.type[0] in "us":
            kind = "b32" if size == 1 else {2: "b32", 4: "b64"}.get(size, kind) if "wide" in self.shape else kind
        count = vector_count(self.form, role) if role.is_vector else 1
        registers = [self.kernel.register(kind) for _ in range(count)]
        return "{%s}" % ", ".join(registers) if role.is_vector else registers[0], registers, kind

    def output(self, letter, size, count, copies=1):
        """Reserves an array of results; its pointer."""
        self.output_bytes += -self.output_bytes % 16
        self.addresses.append("o+%d" % self.output_bytes)
        self.outputs.append({"letter": letter, "offset": self.output_bytes, "size": size, "count": count, "copies": copies})
        self.output_bytes += size * count * copies * self.count
        return self.kernel.pointer(size * count)

    # -- the kernel

    def build(self):
        cases, kernel = self.cases(), self.kernel
        self.arrays_of = []
        sources = [self.operand(role, cases) for role in self.sources]
        if self.is_atomic:
            self.build_atomic(cases, sources)
        else:
            self.build_plain(cases, sources)
        self.expect(cases)

    def build_plain(self, cases, sources):
        kernel = self.kernel
        results = [self.result(role) for role in self.results]
        copies = len(self.immediates)
        sizes = {"pred": 4, "b8": 1, "b16": 2, "b32": 4, "b64": 8, "b128": 16}
        pointers = [self.output(role.letter, sizes[kind], len(registers), copies)
                    for role, (_, registers, kind) in zip(self.results, results)]
        carry = self.carry_before(cases) if self.uses_carry else None
        for copy, immediate in enumerate(self.immediates):
            kernel.line(self.instruction([text for text, _, _ in results], sources, immediate))
            for role, (_, registers, kind), pointer in zip(self.results, results, pointers):
                for i, register in enumerate(registers):
                    kernel.store("pred" if kind == "pred" else role.type, register, pointer,
                                 copy * sizes[kind] * len(registers) * self.count + sizes[kind] * i)
        if carry:
            self.carry_after(carry)

    def instruction(self, results, sources, immediate=None, address=None):
        operands, results, sources = [], list(results), list(sources)
        for role in self.roles:
            if role.letter in "dq":
                text = results.pop(0)
                if role.is_second:
                    operands[-1] += "|" + text
                    continue
                operands.append(text)
            elif role.letter == "i":
                operands.append(str(immediate))
            elif role.letter == "A":
                operands.append("[%s]" % address)
            else:
                operands.append(sources.pop(0))
        return "%s %s;" % (self.form.text, ", ".join(operands))

    def carry_before(self, cases):
        """CC.CF := cf; the register that will take it afterwards. A borrow and a carry are kept apart."""
        kernel = self.kernel
        offset = self.arrays.place([case["cf"] for case in cases], 4)
        self.addresses.append("i+%d" % offset)
        value = kernel.load("u32", kernel.pointer(4))
        pointer = self.output("cf", 4, 1)
        scratch = kernel.register("b32")
        if self.form.text.startswith("sub"):
            kernel.line("sub.cc.u32 %s, 0, %s;" % (scratch, value))
        else:
            kernel.line("add.cc.u32 %s, %s, -1;" % (scratch, value))
        return pointer

    def carry_after(self, pointer):
        kernel, after = self.kernel, self.kernel.register("b32")
        # results are stored after the instruction: the carry must be read right behind it
        at = next(i for i, line in enumerate(kernel.lines) if line.strip().startswith(self.form.text + " "))
        if self.form.text.startswith("sub"):
            kernel.lines[at + 1:at + 1] = ["    subc.u32 %s, 0, 0;" % after, "    neg.s32 %s, %s;" % (after, after)]
        else:
            kernel.lines[at + 1:at + 1] = ["    addc.u32 %s, 0, 0;" % after]
        kernel.line("st.global.b32 [%s], %s;" % (pointer, after))

    def build_atomic(self, cases, sources):
        kernel, first = self.kernel, self.sources[0]
        size = inputs.size_of(first.type)
        count = vector_count(self.form, first) if first.is_vector else 1
        start = self.operand(first._replace(letter="m"), cases)
        results = [self.result(role) for role in self.results]
        pointers = [self.output(role.letter, size, count) for role in self.results]
        memory = self.output("m", size, count)
        registers = start.strip("{}").split(", ")
        place = memory
        if "shared" in self.shape or ".shared" in self.form.words:
            self.kernel.variant = self.kernel.variant._replace(shape=frozenset(["shared"]))
            place = kernel.register("b32")
            kernel.line("mov.u32 %s, %s_memory;" % (place, kernel.name))
            kernel.line("mad.lo.u32 %s, %%i, %d, %s;" % (place, size * count, place))
        self.move_atomic(registers, size, memory, place)
        kernel.line(self.instruction([text for text, _, _ in results], sources, address=place))
        for role, (_, results_of, kind), pointer in zip(self.results, results, pointers):
            for i, register in enumerate(results_of):
                kernel.store(role.type, register, pointer, size * i)
        if place != memory:
            self.copy_back(size, count, memory, place)

    def move_atomic(self, registers, size, memory, place):
        for i, register in enumerate(registers):
            if place == memory:
                self.kernel.store("", register, memory, size * i)
            elif size == 16:
                low, high = self.kernel.register("b64"), self.kernel.register("b64")
                self.kernel.line("mov.b128 {%s, %s}, %s;" % (low, high, register))
                self.kernel.line("st.shared.v2.b64 [%s], {%s, %s};" % (place, low, high))
            else:
                self.kernel.line("st.shared.b%d [%s+%d], %s;" % (8 * size, place, size * i, register))

    def copy_back(self, size, count, memory, place):
        for i in range(count * size // min(size, 8)):
            part = min(size, 8)
            register = self.kernel.register("b%d" % (8 * part))
            self.kernel.line("ld.shared.b%d %s, [%s+%d];" % (8 * part, register, place, part * i))
            self.kernel.line("st.global.b%d [%s+%d], %s;" % (8 * part, memory, part * i, register))

    # -- the oracle

    def expect(self, cases):
        data = bytearray(self.output_bytes)
        for copy, immediate in enumerate(self.immediates):
            for i, case in enumerate(cases):
                found = oracle.evaluate(self.form, self.operands_of(case, immediate))
                for output in self.outputs:
                    self.write(data, output, copy, i, found[output["letter"]])
        self.expected = bytes(data)

    def operands_of(self, case, immediate):
        values = dict(case)
        for role in self.sources + [role._replace(letter="m") for role in self.sources[:1] if self.is_atomic]:
            if role.is_vector:
                values[role.letter] = [case["%s%d" % (role.letter, k)] for k in range(vector_count(self.form, role))]
            if role.type == "pred" and "negc" in self.shape:
                values[role.letter] = 1 - values[role.letter]
        if immediate is not None:
            values["i"] = immediate
        return values

    def write(self, data, output, copy, i, value):
        size, count = output["size"], output["count"]
        if value is oracle.ANY:
            self.skip.append(i)
            return
        values = value if isinstance(value, list) else [value]
        role = next((role for role in self.results if role.letter == output["letter"]), None)
        for k, part in enumerate(values):
            if role is not None and role.type[0] in "us" and size > inputs.size_of(role.type):  # extended to the register
                part = oracle.number(part, role.type)
            elif role is not None and role.type != "pred":
                part &= (1 << 8 * inputs.size_of(role.type)) - 1
            at = output["offset"] + ((copy * self.count + i) * count + k) * size
            data[at:at + size] = (part & (1 << 8 * size) - 1).to_bytes(size, "little")


# ---- files ----------------------------------------------------------------------------------------------------------

HEADER = """// Generated by tests/ptx/generate.py: one instruction an entry; thread i does case i.
// Entries and what they test:
%s
.version 9.0
.target %s
.address_size 64

"""


def write_file(job):
    directory, name, variants = job
    arrays, kernels, facts, manifest, about = Arrays(), [], [], [], []
    expected = bytearray()
    for number, variant in enumerate(variants):
        entry = Entry("t%d" % number, variant, arrays)
        expected.extend(bytes(-len(expected) % 16))
        base = len(expected)
        shape = " ".join(sorted(variant.shape))
        about.append("//   %s: %s%s; inputs %s" % (entry.kernel.name, variant.form.text, " (%s)" % shape if shape else "",
                                                  ", ".join("%s: %s" % (role.letter, role.type) for role in entry.sources)))
        kernels.append(entry.kernel.text())
        addresses = [address if address[0] == "i" else "o+%d" % (base + int(address[2:])) for address in entry.addresses]
        manifest.append("entry %s %d %s" % (entry.kernel.name, entry.count, " ".join(addresses)))
        facts.append({"entry": entry.kernel.name, "text": variant.form.text, "shape": shape, "row": variant.form.row.number,
                      "pattern": variant.form.row.pattern, "threads": entry.count, "base": base,
                      "bytes": entry.output_bytes, "outputs": entry.outputs,
                      "sources": [(role.letter, role.type, vector_count(variant.form, role) if role.is_vector else 1)
                                  for role in entry.arrays_of],
                      "inputs": [int(address[2:]) for address in entry.addresses if address[0] == "i"],
                      "type": element_type(variant.form), "check": oracle.tolerance(variant.form),
                      "nan": nan_rule(variant.form), "skip": sorted(set(entry.skip)),
                      "immediates": [x for x in entry.immediates if x is not None]})
        expected.extend(entry.expected)
    target = legal.target_of(variants[0].form)
    for suffix, data in ((".ptx", (HEADER % ("\n".join(about), target) + "\n\n".join(kernels) + "\n").encode()),
                         (".in", bytes(arrays.data)), (".expect", bytes(expected)),
                         (".json", json.dumps(facts).encode())):
        with open(os.path.join(directory, name + suffix), "wb") as file:
            file.write(data)
    return "\n".join(["file %s %d %d" % (name, len(arrays.data), len(expected))] + manifest) + "\n"


def element_type(form):
    """Float type of the elements of d, or ""."""
    role = next((role for role in form.roles if role.letter == "d"), None)
    parts = form.text.split(".")
    name = role.type if role is not None else parts[-1]
    if parts[0] == "cvt" and "tf32" in parts:
        return "f32"
    name = name[:-2] if name.endswith("x2") else name
    return name if name in ("f16", "bf16", "f32", "f64") else ""


def nan_rule(form):
    """"any" if any NaN will do. f32, f16 and bf16 arithmetic gives the canonical NaN; f64 keeps a payload, the ISA does not say
    whose; of neg, abs and cvt it says nothing."""
    mnemonic, parts = rows.mnemonic_of(form.row.pattern), form.text.split(".")
    is_f64 = element_type(form) == "f64" or parts[-1] == "f64"
    return "any" if is_f64 or mnemonic in ("neg", "abs", "cvt") else ""


def plan_files(variants):
    files = {}
    for variant in variants:
        files.setdefault(file_of(variant.form), []).append(variant)
    for name, members in sorted(files.items()):
        for part in range(0, len(members), ENTRIES_PER_FILE):
            yield (name if len(members) <= ENTRIES_PER_FILE else "%s-%d" % (name, part // ENTRIES_PER_FILE),
                   members[part:part + ENTRIES_PER_FILE])


def sources_stamp(table):
    """A hash of all that the tests are made from."""
    digest = hashlib.sha256(repr(table).encode())
    for path in sorted(glob.glob(os.path.join(rows.HERE, "*.py"))):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def is_stamped(directory, stamp):
    try:
        with open(os.path.join(directory, "stamp"), encoding="utf-8") as file:
            return file.read() == stamp
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", default=os.path.join(rows.ROOT, "build/ptx-ops"))
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    table = rows.read_rows()
    stamp = sources_stamp(table) + repr(options.only)
    if is_stamped(options.out, stamp):
        print("up to date")
        return
    for path in glob.glob(os.path.join(options.out, "*")):
        os.remove(path)
    variants, without = list_variants(table, options.only)
    jobs = [(options.out, name, members) for name, members in plan_files(variants)]
    with multiprocessing.Pool(options.jobs) as pool:
        parts = pool.map(write_file, jobs, chunksize=1)
    with open(os.path.join(options.out, "manifest"), "w", encoding="utf-8") as file:
        file.write("".join(parts))
    with open(os.path.join(options.out, "rows.json"), "w", encoding="utf-8") as file:
        json.dump([{"row": row.number, "pattern": row.pattern, "family": row.family, "without": without.get(row)}
                   for row in table], file)
    with open(os.path.join(options.out, "stamp"), "w", encoding="utf-8") as file:
        file.write(stamp)
    print("%d files, %d entries, %d rows without a test" % (len(jobs), len(variants), len(without)))


if __name__ == "__main__":
    main()
