#!/usr/bin/env python3
"""Writes the generated instruction tests: build/ptx-ops/NAME.ptx, NAME.in, NAME.expect and the manifest of all.

Every entry of a .ptx executes one instruction: thread i reads case i of the operands' arrays and writes result i. The
manifest, text, is what run_ops and run_ops_gpu read:

    file NAME INPUT_BYTES OUTPUT_BYTES      NAME.ptx; NAME.in is copied to the device whole
    entry tN THREADS ADDRESS ...            one block; an ADDRESS is i+OFFSET (into the inputs) or o+OFFSET (results)

NAME.json tells check_ops.py what the results mean. Usage: generate.py [--out DIR] [--only MNEMONIC ...]"""
import argparse
import functools
import glob
import hashlib
import json
import multiprocessing
import os
from collections import namedtuple

import inputs
import legal
import memory
import oracle
import rows
import tensor

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
    if form.row.family == "memory":
        if form.types["T"][0] in "bus" and rows.TYPE_BYTES[form.types["T"]] <= 4:
            yield frozenset(["wide"])
        return
    if any(role.letter == "q" and role.is_optional for role in roles) and not has_boolean:
        yield frozenset(["noq"])
    if form.text.startswith("set") and has_boolean and ".gt" in form.words:
        yield frozenset(["negc"])
    if is_cvt and "bf16" not in form.text and any(role.is_wide and role.type[0] in "us" and rows.TYPE_BYTES[role.type] in (2, 4) for role in roles):
        yield frozenset(["wide"])


def is_kept(row):
    """Of words that change no result, a few are enough: a test of the words that atomics may have, none of cache hints."""
    if row.family != "atomic":
        return None
    dropped = (".relaxed", ".acquire", ".cta", ".cluster", ".sys", ".shared::cta", ".L2::cache_hint",
               ".release" if row.pattern.startswith("atom") else ".acq_rel")
    return lambda word: word not in dropped


def is_wanted(form):
    """One atomic with an order and a scope, in global memory, is enough of each kind."""
    if form.row.family == "tensor":
        return tensor.is_wanted(form)
    if form.row.family != "atomic":
        return True
    orders = [word for word in form.words if word in (".acq_rel", ".release", ".gpu")]
    return not orders or form.words[1:3] == (".gpu", ".global") and len(orders) == 2 and form.words[0] == orders[0]


def signature(form):
    return form.text, tuple((role.letter, role.is_vector, role.count, role.is_second) for role in form.roles if role.letter != "q")


def is_generated(row):
    """Whether a row's tests are generated; tests/ptx/cases has the others."""
    if not row.handler:
        return False
    return row.family not in oracle.UNTESTED_FAMILIES or rows.mnemonic_of(row.pattern) in tensor.MNEMONICS + memory.MNEMONICS


def list_variants(table, only=None):
    """(variants, rows without a variant of their own: {row: why})."""
    seen, variants, without = set(), [], {}
    for row in table:
        mnemonic = rows.mnemonic_of(row.pattern)
        if not is_generated(row):
            continue
        if only and mnemonic not in only:
            continue
        count, shadowed = 0, 0
        for form in memory.forms_of(row) if row.family == "memory" else rows.forms_of(row, is_kept(row)):
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
        elif row.family not in ("tensor", "memory") and (row.family, mnemonic) not in oracle.ORACLES:
            without[row] = "no oracle"
            variants = [variant for variant in variants if variant.form.row is not row]
    return variants, without


def file_of(form):
    types = [role.type for role in form.roles if role.type]
    if form.row.family in ("tensor", "memory"):
        types = [form.text.split(".")[-1]]
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
        if "local" in self.variant.shape:
            lines.append("    .local .align 16 .b8 %s_own[16];" % self.name)
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
        at = max(i for i, line in enumerate(kernel.lines) if line.strip().startswith(self.form.text + " "))
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


# ---- matrices -------------------------------------------------------------------------------------------------------

class TensorEntry(Entry):
    """mma, ldmatrix, stmatrix, movmatrix: registers in, registers out, warp by warp."""

    def case_count(self):
        return 32 * tensor.WARPS

    def cases(self):
        mnemonic = rows.mnemonic_of(self.form.row.pattern)
        cases, self.found = [], []
        for warp in range(tensor.WARPS):
            if mnemonic == "mma":
                operands, results = tensor.fragments(self.form, tensor.Problem(self.form, warp, quads=4))
            else:
                operands, results = self.small_matrices(mnemonic, warp)
            cases += operands
            self.found += results
        return cases

    def spaced(self, place):
        """A shared address, or, for a form without a space, the generic one."""
        if ".shared" in self.form.words:
            return place
        generic = self.kernel.register("b64")
        self.kernel.line("cvt.u64.u32 %s, %s;" % (generic, place))
        self.kernel.line("cvta.shared.u64 %s, %s;" % (generic, generic))
        return generic

    def small_matrices(self, mnemonic, warp):
        lines, fragments = tensor.rows_and_fragments(self.form, warp)
        row_words = [[line[2 * i] | line[2 * i + 1] << 16 for i in range(4)] for line in lines]
        if mnemonic == "movmatrix":
            plain = [[lines[lane >> 2][2 * (lane & 3)] | lines[lane >> 2][2 * (lane & 3) + 1] << 16] for lane in range(32)]
            return [{"a": registers[0]} for registers in plain], [{"d": registers[0]} for registers in fragments]
        if mnemonic == "ldmatrix":
            return ([{"r%d" % i: word for i, word in enumerate(words)} for words in row_words],
                    [{"d": registers} for registers in fragments])
        kept = 8 * tensor.matrix_count(self.form)
        return ([{"c%d" % i: bits for i, bits in enumerate(registers)} for registers in fragments],
                [{"r": words if lane < kept else [0] * 4} for lane, words in enumerate(row_words)])

    def build(self):
        mnemonic = rows.mnemonic_of(self.form.row.pattern)
        if mnemonic in ("mma", "movmatrix"):
            super().build()
            return
        cases, self.arrays_of = self.cases(), []
        rows_role = rows.Role("r", "b32", False, False, True, False, 4)
        self.kernel.variant = self.kernel.variant._replace(shape=frozenset(["shared"]))
        place = self.kernel.register("b32")
        self.kernel.line("mov.u32 %s, %s_memory;" % (place, self.kernel.name))
        self.kernel.line("mad.lo.u32 %s, %%i, 16, %s;" % (place, place))
        if mnemonic == "ldmatrix":
            words = self.operand(rows_role, cases)
            self.kernel.line("st.shared.v4.b32 [%s], %s;" % (place, words))
            self.kernel.line("bar.warp.sync -1;")
            text, registers, _ = self.result(self.results[0])
            self.kernel.line(self.instruction([text], [], address=self.spaced(place)))
            pointer = self.output("d", 4, len(registers))
        else:
            zero = self.kernel.register("b32")
            self.kernel.line("mov.b32 %s, 0;" % zero)
            self.kernel.line("st.shared.v4.b32 [%s], {%s, %s, %s, %s};" % ((place,) + (zero,) * 4))
            self.kernel.line("bar.warp.sync -1;")
            self.kernel.line(self.instruction([], [self.operand(self.sources[0], cases)], address=self.spaced(place)))
            self.kernel.line("bar.warp.sync -1;")
            registers = [self.kernel.register("b32") for _ in range(4)]
            self.kernel.line("ld.shared.v4.b32 {%s}, [%s];" % (", ".join(registers), place))
            self.results, pointer = [rows_role], self.output("r", 4, 4)
        for i, register in enumerate(registers):
            self.kernel.store("b32", register, pointer, 4 * i)
        self.expect(cases)

    def expect(self, cases):
        data = bytearray(self.output_bytes)
        for i, found in enumerate(self.found):
            for output in self.outputs:
                self.write(data, output, 0, i, found[output["letter"]])
        self.expected = bytes(data)


class WmmaEntry(Entry):
    """A whole product, of which the form is the load, the multiplication or the store."""

    def case_count(self):
        return 32 * tensor.WARPS

    def build(self):
        forms, form = wmma_forms(), self.form
        kind = form.text.split(".")[1]
        product = form if kind == "mma" else forms.product_with(form)
        self.product, self.arrays_of, self.sources = product, [], []
        shape, types, layouts = tensor.shape_of(product), tensor.types_of(product), tensor.layouts_of(product)
        problems = [tensor.Problem(product, warp) for warp in range(tensor.WARPS)]
        fragments = {}
        for index, (letter, name) in enumerate(zip("abc", types[1:])):
            is_form = kind == "load" and form.text.split(".")[2] == letter
            layout = tensor.layouts_of(form)[0] if is_form else layouts[index] if letter != "c" else "row"
            load = form if is_form else forms.loads[letter, shape, layout, name]
            fragments[letter] = self.load_matrix(load, name, [problem.parts[0][index] for problem in problems], layout)
        registers = self.fragment(product.roles[0])
        self.kernel.line("%s %s, %s, %s, %s;" % (product.text, registers, fragments["a"], fragments["b"], fragments["c"]))
        layout = tensor.layouts_of(form)[0] if kind == "store" else "row"
        store = form if kind == "store" else forms.stores[shape, layout, types[0]]
        self.store_matrix(store, registers, types[0], [problem.parts[0][3] for problem in problems], layout)

    def fragment(self, role):
        kind = {"f64": "b64"}.get(role.type, "b32")
        return "{%s}" % ", ".join(self.kernel.register(kind) for _ in range(role.count))

    def warp_pointer(self, size):
        """The next parameter plus the warp's part."""
        name, kernel = "p%d" % len(self.kernel.parameters), self.kernel
        kernel.parameters.append(name)
        base, warp = kernel.register("b64"), kernel.register("b32")
        kernel.line("ld.param.u64 %s, [%s_%s];" % (base, kernel.name, name))
        kernel.line("shr.u32 %s, %%i, 5;" % warp)
        kernel.line("mad.wide.u32 %s, %s, %d, %s;" % (base, warp, size, base))
        return base

    def shared_place(self, size):
        kernel = self.kernel
        kernel.variant = kernel.variant._replace(shape=frozenset(["shared"]))
        place, warp = kernel.register("b32"), kernel.register("b32")
        kernel.line("mov.u32 %s, %s_memory;" % (place, kernel.name))
        kernel.line("shr.u32 %s, %%i, 5;" % warp)
        kernel.line("mad.lo.u32 %s, %s, %d, %s;" % (place, warp, size, place))
        return place

    def copy(self, size, to_shared, pointer, place):
        """Lane by lane, in words, between global and shared memory."""
        kernel = self.kernel
        lane, at, far, word, done = (kernel.register(kind) for kind in ("b32", "b32", "b64", "b32", "pred"))
        kernel.line("bar.warp.sync -1;")
        for start in range(0, size, 128):
            kernel.line("and.b32 %s, %%i, 31;" % lane)
            kernel.line("mad.lo.u32 %s, %s, 4, %d;" % (lane, lane, start))
            kernel.line("setp.lt.u32 %s, %s, %d;" % (done, lane, size))
            kernel.line("add.u32 %s, %s, %s;" % (at, place, lane))
            kernel.line("cvt.u64.u32 %s, %s;" % (far, lane))
            kernel.line("add.u64 %s, %s, %s;" % (far, far, pointer))
            if to_shared:
                kernel.line("@%s ld.global.b32 %s, [%s];" % (done, word, far))
                kernel.line("@%s st.shared.b32 [%s], %s;" % (done, at, word))
            else:
                kernel.line("@%s ld.shared.b32 %s, [%s];" % (done, word, at))
                kernel.line("@%s st.global.b32 [%s], %s;" % (done, far, word))
        kernel.line("bar.warp.sync -1;")

    def load_matrix(self, load, name, matrices, layout):
        parts = [tensor.memory_bytes(name, matrix, layout) for matrix in matrices]
        offset = self.arrays.place([byte for part in parts for byte in part], 1)
        self.addresses.append("i+%d" % offset)
        place = self.warp_pointer(len(parts[0]))
        if ".shared" in load.words:
            pointer, place = place, self.shared_place(len(parts[0]))
            self.copy(len(parts[0]), True, pointer, place)
        registers = self.fragment(load.roles[0])
        self.kernel.line("%s %s, [%s], %d;" % (load.text, registers, place, tensor.stride_of(matrices[0], layout)))
        if ".shared" in load.words:
            self.kernel.line("bar.warp.sync -1;")
        return registers

    def store_matrix(self, store, registers, name, matrices, layout):
        parts = [tensor.memory_bytes(name, matrix, layout) for matrix in matrices]
        self.addresses.append("o+0")
        size = tensor.BITS[name] // 8
        # results are told apart by warps, not threads: `count` elements for each of 32 threads
        per_thread = len(parts[0]) // size // 32
        self.outputs.append({"letter": "d", "offset": 0, "size": size, "count": per_thread, "copies": 1})
        self.output_bytes = sum(len(part) for part in parts)
        self.expected = b"".join(parts)
        pointer = place = self.warp_pointer(len(parts[0]))
        if ".shared" in store.words:
            place = self.shared_place(len(parts[0]))
        self.kernel.line("%s [%s], %s, %d;" % (store.text, place, registers, tensor.stride_of(matrices[0], layout)))
        if ".shared" in store.words:
            self.copy(len(parts[0]), False, pointer, place)


class MemoryEntry(Entry):
    """ld, ldu, st in a space: filled first, or read afterwards, by plain accesses."""

    def case_count(self):
        return 64

    def build(self):
        form, kernel = self.form, self.kernel
        name, space = form.types["T"], memory.space_of(form)
        size = rows.TYPE_BYTES[name]
        vector = next((word for word in form.words if word in (".v2", ".v4")), ".v1")
        count, self.arrays_of = int(vector[2:]), []
        register_bytes = max(size, 2) if "wide" not in self.shape else 8 if size == 4 else 4
        role = rows.Role("a", name, False, False, True, False, count)
        roles = [role._replace(letter="a%d" % i, is_vector=False) for i in range(count)]
        self.case_values = inputs.make_cases(form, roles, self.count)
        self.arrays_of.append(role)
        letters = ["a%d" % i for i in range(count)]
        offset = self.arrays.place([case[letter] for case in self.case_values for letter in letters], size)
        self.addresses.append("i+%d" % offset)
        pointer = kernel.pointer(size * count)
        registers = [kernel.register("b%d" % (8 * register_bytes)) for _ in range(count)]
        text = "{%s}" % ", ".join(registers) if count > 1 else registers[0]
        if form.text.startswith("st"):
            self.build_store(space, size, count, pointer, registers, text)
        else:
            self.build_load(space, size, count, pointer, registers, text, register_bytes)

    def place_in(self, space, size):
        """An address in shared or local memory for this thread."""
        kernel = self.kernel
        kernel.variant = kernel.variant._replace(shape=kernel.variant.shape | {space})
        place = kernel.register("b32" if space == "shared" else "b64")
        kernel.line("mov.u%d %s, %s_%s;" % (32 if space == "shared" else 64, place, kernel.name, "memory" if space == "shared" else "own"))
        if space == "shared":
            kernel.line("mad.lo.u32 %s, %%i, %d, %s;" % (place, size, place))
        return place

    def copy_bytes(self, size, load, source, store, target):
        register = self.kernel.register("b16")
        for at in range(size):
            self.kernel.line("ld.%s.u8 %s, [%s+%d];" % (load, register, source, at))
            self.kernel.line("st.%s.u8 [%s+%d], %s;" % (store, target, at, register))

    def build_load(self, space, size, count, pointer, registers, text, register_bytes):
        place = pointer
        if space != "global":
            place = self.place_in(space, size * count)
            self.copy_bytes(size * count, "global", pointer, space, place)
        self.kernel.line("%s %s, [%s];" % (self.form.text, text, place))
        target = self.output("d", register_bytes, count)
        for i, register in enumerate(registers):
            self.kernel.store("", register, target, register_bytes * i)
        name = self.form.types["T"]
        values = [memory.extended(name, case["a%d" % i], register_bytes) for case in self.case_values for i in range(count)]
        self.expected = b"".join(value.to_bytes(register_bytes, "little") for value in values)

    def build_store(self, space, size, count, pointer, registers, text):
        for i, register in enumerate(registers):
            self.load_part(size, register, pointer, i)
        target = self.output("m", size, count)
        place = target if space == "global" else self.place_in(space, size * count)
        self.kernel.line("%s [%s], %s;" % (self.form.text, place, text))
        if space != "global":
            self.copy_bytes(size * count, space, place, "global", target)
        values = [case["a%d" % i] for case in self.case_values for i in range(count)]
        self.expected = b"".join(value.to_bytes(size, "little") for value in values)

    def load_part(self, size, register, pointer, i):
        """A register with element i in its low bits, and others above."""
        kernel, kind = self.kernel, self.kernel.kind(register)
        if kind == "b128":
            low, high = kernel.register("b64"), kernel.register("b64")
            kernel.line("ld.global.v2.b64 {%s, %s}, [%s+%d];" % (low, high, pointer, size * i))
            kernel.line("mov.b128 %s, {%s, %s};" % (register, low, high))
            return
        kernel.line("ld.global.u%d %s, [%s+%d];" % (8 * size, register, pointer, size * i))
        if int(kind[1:]) > 8 * size:
            kernel.line("or.%s %s, %s, %d;" % (kind, register, register, 0x5a << 8 * size))


@functools.lru_cache(None)
def wmma_forms():
    return tensor.WmmaForms(rows.read_rows())


def entry_class(form):
    if form.row.family == "memory":
        return MemoryEntry
    if form.row.family != "tensor":
        return Entry
    return WmmaEntry if form.text.startswith("wmma") else TensorEntry


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
        entry = entry_class(variant.form)("t%d" % number, variant, arrays)
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
                      "layout": "warp" if variant.form.row.family == "tensor" else "",
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
    if form.row.family in ("tensor", "memory"):
        return ""
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
        json.dump([{"pattern": row.pattern, "family": row.family, "generated": is_generated(row), "without": without.get(row)}
                   for row in table], file)
    with open(os.path.join(options.out, "stamp"), "w", encoding="utf-8") as file:
        file.write(stamp)
    print("%d files, %d entries, %d rows without a test" % (len(jobs), len(variants), len(without)))


if __name__ == "__main__":
    main()
