#!/usr/bin/env python3
"""Compares what executors (and a GPU) made of the generated instruction tests with the oracle. TAP on the standard output.

    check_ops.py [--dir build/ptx-ops] NAME=FILE ...       FILE: what run_ops --executor NAME wrote
                                                           (run_ops's standard output in FILE.log, if it is there)
    check_ops.py --make-golden FILE --golden NAME          turns what run_ops_gpu wrote into tests/ptx/golden/NAME.txt.xz

Every instruction gives one line per executor: exact, or within the tolerance of an approximation. Executors must agree bit
for bit. Golden files (see golden_format) hold what a GPU answered: it must be within tolerance of the executors' results too,
and where instructions are exact, equal. Every row of opcodes.def must have a test or be of a family that tests/ptx/cases
covers."""
import argparse
import glob
import hashlib
import json
import lzma
import os
import re
import struct
import sys

import fp
import rows

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden")
CASES_SHOWN = 3


# ---- files ----------------------------------------------------------------------------------------------------------

def read_manifest(directory):
    """[(name, output bytes, facts)] in order."""
    files = []
    with open(os.path.join(directory, "manifest"), encoding="utf-8") as manifest:
        for line in manifest:
            if line.startswith("file "):
                _, name, _, size = line.split()
                with open(os.path.join(directory, name + ".json"), encoding="utf-8") as file:
                    files.append((name, int(size), json.load(file)))
    return files


def read(path):
    with open(path, "rb") as file:
        return file.read()


def split_results(data, files):
    """{file name: bytes}."""
    parts, at = {}, 0
    for name, size, _ in files:
        parts[name] = data[at:at + size]
        at += size
    if at != len(data):
        raise SystemExit("results have %d bytes, the manifest says %d" % (len(data), at))
    return parts


def read_traps(path):
    """{(file, entry): text} that run_ops told."""
    traps = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                name, entry, text = (line.rstrip("\n").split(" ", 2) + ["", ""])[:3]
                traps[name, entry] = text
    return traps


def sources_of(facts):
    """(letter, type, count) of every array of operands."""
    return facts["sources"] + ([("cf", "u32", 1)] if len(facts["inputs"]) > len(facts["sources"]) else [])


def input_hash(facts, inputs):
    """Of the operands of an entry."""
    digest = hashlib.blake2b(digest_size=6)
    for (_, kind, count), offset in zip(sources_of(facts), facts["inputs"]):
        size = 4 if kind == "pred" else rows.TYPE_BYTES[kind]
        digest.update(inputs[offset:offset + size * count * facts["threads"]])
    digest.update(repr(facts["immediates"]).encode())
    return digest.hexdigest()


# ---- comparing ------------------------------------------------------------------------------------------------------

def units(fmt, x, y):
    """Distance in units in the last place: of the positions among all numbers of the format."""
    def position(bits):
        magnitude = bits & (fmt.sign_bit - 1)
        return -magnitude if bits & fmt.sign_bit else magnitude
    return abs(position(x) - position(y))


def value_of(fmt, bits):
    if fmt is fp.F64:
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    return fp.to_float(fmt.decode(bits))


def is_close(fmt, check, got, want):
    """check: "ulp:2", "abs:1e-7,rel:1e-7": one of them must hold. NaN and infinities must be the same kind."""
    kinds = fmt.decode(got)[0], fmt.decode(want)[0]
    if fp.NAN in kinds or fp.INF in kinds:
        near = {"ulp:%d" % units(fmt, got, want)} & set(check.split(","))
        return kinds[0] == kinds[1] and (kinds[0] == fp.NAN or got == want) or (fp.NAN not in kinds and bool(near))
    for part in check.split(","):
        kind, bound = part.split(":")
        if kind == "ulp" and units(fmt, got, want) <= int(bound):
            return True
        difference = abs(value_of(fmt, got) - value_of(fmt, want))
        if kind == "abs" and difference <= float(bound):
            return True
        if kind == "rel" and difference <= float(bound) * abs(value_of(fmt, want)):
            return True
    return False


def same(facts, got, want, check=None):
    """Whether an element's bits will do."""
    if got == want:
        return True
    check = check or facts["check"]
    if not facts["type"]:
        return False
    fmt = fp.FORMATS[facts["type"]]
    mask = (1 << fmt.bits) - 1
    while got or want:
        x, y = got & mask, want & mask
        if x != y:
            both_nan = fmt.decode(x)[0] == fp.NAN and fmt.decode(y)[0] == fp.NAN
            if not (both_nan and facts["nan"] == "any") and (check == "exact" or not is_close(fmt, check, x, y)):
                return False
        got, want = got >> fmt.bits, want >> fmt.bits
    return True


def elements(facts):
    """(output, case, byte range in the entry) of all results."""
    for output in facts["outputs"]:
        size, count = output["size"], output["count"]
        for i in range(output["copies"] * facts["threads"]):
            if i % facts["threads"] in facts["skip"]:
                continue
            for k in range(count):
                at = output["offset"] + (i * count + k) * size
                yield output, i, at, size


def operands_text(facts, inputs, i):
    texts = []
    case = i % facts["threads"]
    for (letter, kind, count), offset in zip(sources_of(facts), facts["inputs"]):
        size = 4 if kind == "pred" else rows.TYPE_BYTES[kind]
        values = ["0x%0*x" % (2 * size, int.from_bytes(inputs[offset + (case * count + k) * size:][:size], "little"))
                  for k in range(count)]
        texts.append("%s=%s" % (letter, ",".join(values)))
    if facts["immediates"]:
        texts.append("i=%d" % facts["immediates"][i // facts["threads"]])
    return " ".join(texts)


def differences(facts, got, want, check=None):
    """(output, case, got, want) of the elements that differ by more than is allowed."""
    if got == want:
        return
    for output, i, at, size in elements(facts):
        if got[at:at + size] != want[at:at + size]:
            x, y = (int.from_bytes(data[at:at + size], "little") for data in (got, want))
            if not same(facts, x, y, check if output["letter"] != "cf" else "exact"):
                yield output, i, x, y


def title(facts, name):
    shape = " (%s)" % facts["shape"] if facts["shape"] else ""
    return "%s%s %s (%d cases)" % (facts["text"], shape, name, facts["threads"])


def report(facts, name, inputs, found, trap=None):
    """One TAP line, and the first cases of a failure. True if it is one."""
    if not found and not trap:
        print("ok - " + title(facts, name))
        return False
    print("not ok - " + title(facts, name))
    if trap:
        print("#   " + trap)
        return True
    print("#   %d of %d results differ; row %.100s" % (len(found), sum(o["copies"] for o in facts["outputs"]) * facts["threads"],
                                                  facts["pattern"]))
    for output, i, got, want in found[:CASES_SHOWN]:
        digits = 2 * output["size"]
        print("#   %s: %s = 0x%0*x, expected 0x%0*x" % (operands_text(facts, inputs, i), output["letter"], digits, got,
                                                       digits, want))
    return True


# ---- golden files ---------------------------------------------------------------------------------------------------

def golden_format():
    """A golden file is text, compressed by xz. One line an instruction:

        TEXT|SHAPE|LAYOUT INPUTS RESULTS [BYTE:BITS ...]

    TEXT the opcode, SHAPE the test's, LAYOUT the bytes and counts of its results, INPUTS a hash of the operands (a line for other operands is ignored), RESULTS a hash of
    all bytes that the GPU wrote; then the elements where it differs from the oracle, as the element's offset in the entry's
    results and its bits, both in hex. What is not listed is as the oracle says. "?" instead of RESULTS: the GPU could not run
    it."""


def golden_key(facts, inputs):
    layout = "+".join("%dx%d" % (output["size"], output["count"]) for output in facts["outputs"])
    return "%s|%s|%s %s" % (facts["text"], facts["shape"].replace(" ", "+"), layout, input_hash(facts, inputs))


def golden_line(facts, got, want, inputs, trap):
    key = golden_key(facts, inputs)
    if trap:
        return key + " ?"
    items = []
    for output in facts["outputs"]:
        for at in range(output["offset"], output["offset"] + output["size"] * output["count"] * output["copies"] * facts["threads"],
                        output["size"]):
            if got[at:at + output["size"]] != want[at:at + output["size"]]:
                items.append("%x:%x" % (at, int.from_bytes(got[at:at + output["size"]], "little")))
    return " ".join([key, hashlib.blake2b(got, digest_size=6).hexdigest()] + items)


def make_golden(directory, results, name):
    files = read_manifest(directory)
    parts, traps, lines = split_results(read(results), files), read_traps(results + ".log"), []
    for file, _, entries in files:
        inputs, want = read(os.path.join(directory, file + ".in")), read(os.path.join(directory, file + ".expect"))
        for facts in entries:
            place = slice(facts["base"], facts["base"] + facts["bytes"])
            trap = traps.get((file, "*")) or traps.get((file, facts["entry"]))
            lines.append(golden_line(facts, blank_gaps(facts, parts[file][place]), want[place], inputs, trap))
    path = os.path.join(GOLDEN, name + ".txt.xz")
    lines = merged(lines, path)
    with lzma.open(path, "wt", preset=9) as file:
        file.write("\n".join(lines) + "\n")
    print("%s: %d instructions, %d bytes" % (path, len(lines), os.path.getsize(path)))


def merged(lines, path):
    """Where this run has no result, the file's line stays."""
    if not os.path.exists(path):
        return lines
    with lzma.open(path, "rt") as file:
        known = {" ".join(line.split()[:2]): line.rstrip("\n") for line in file}
    return [known.get(line[:-2], line) if line.endswith(" ?") else line for line in lines]


def blank_gaps(facts, data):
    """Bytes between arrays are nobody's: zero, as the oracle's."""
    result = bytearray(len(data))
    for output in facts["outputs"]:
        end = output["offset"] + output["size"] * output["count"] * output["copies"] * facts["threads"]
        result[output["offset"]:end] = data[output["offset"]:end]
    return bytes(result)


def read_golden(path):
    """{"TEXT|SHAPE|LAYOUT INPUTS": (results' hash, [(offset, bits)])}."""
    golden = {}
    with lzma.open(path, "rt") as file:
        for line in file:
            key, shape_inputs, result, *items = line.split()
            golden[key + " " + shape_inputs] = (result, [tuple(int(part, 16) for part in item.split(":")) for item in items])
    return golden


def golden_results(facts, want, line):
    """What the GPU wrote; None if the line's hash doesn't fit the oracle any more."""
    result, items = line
    data = bytearray(want)
    sizes = {}
    for output in facts["outputs"]:
        end = output["offset"] + output["size"] * output["count"] * output["copies"] * facts["threads"]
        sizes.update((at, output["size"]) for at in range(output["offset"], end, output["size"]))
    for at, bits in items:
        data[at:at + sizes[at]] = bits.to_bytes(sizes[at], "little")
    return bytes(data) if hashlib.blake2b(bytes(data), digest_size=6).hexdigest() == result else None


def doubled(check):
    """Two approximations, each within the bound of the exact value, are within twice the bound of each other."""
    if check == "exact":
        return check
    return ",".join("%s:%r" % (kind, int(bound) * 2 if kind == "ulp" else float(bound) * 2)
                    for kind, bound in (part.split(":") for part in check.split(",")))


# ---- the whole ------------------------------------------------------------------------------------------------------

def check_rows(directory):
    """Every row has a test, or is of a family that hand-written tests cover. Failures."""
    failures, covered, missing = 0, covered_by_cases(), set()
    with open(os.path.join(directory, "rows.json"), encoding="utf-8") as file:
        table = json.load(file)
    for row in table:
        if not row["generated"]:
            if row["family"] == "refused" or rows.mnemonic_of(row["pattern"]) in covered:
                continue
            missing.add(rows.mnemonic_of(row["pattern"]))
            continue
        elif not row["without"] or row["without"].startswith("earlier rows"):
            continue
        failures += 1
        print("not ok - row %s has no test: %s" % (row["pattern"], row["without"]))
    for mnemonic in sorted(missing):
        print("not ok - no file of tests/ptx/cases has a %s" % mnemonic)
    print("# %d rows of opcodes.def" % len(table))
    return failures + len(missing)


def covered_by_cases():
    """Mnemonics that tests/ptx/cases/*.ptx use."""
    found = set()
    for path in glob.glob(os.path.join(HERE, "cases", "*.ptx")):
        with open(path, encoding="utf-8") as file:
            for line in file:
                line = re.sub(r"//.*", "", line)
                found.update(re.findall(r"(?:^|[;{}]|@!?[%\w]+)\s*([a-z]\w*)(?=[.\s;])", line))
    return found


def check(directory, results):
    files = read_manifest(directory)
    data = {name: split_results(read(path), files) for name, path in results.items()}
    traps = {name: read_traps(path + ".log") for name, path in results.items()}
    golden = {os.path.basename(path).split(".")[0]: read_golden(path) for path in glob.glob(os.path.join(GOLDEN, "*.xz"))}
    failures, stale, compared = check_rows(directory), 0, 0
    for file, _, entries in files:
        inputs, want = read(os.path.join(directory, file + ".in")), read(os.path.join(directory, file + ".expect"))
        for facts in entries:
            place, failures_before = slice(facts["base"], facts["base"] + facts["bytes"]), failures
            got = {name: blank_gaps(facts, parts[file][place]) for name, parts in data.items()}
            for name in data:
                trap = traps[name].get((file, "*")) or traps[name].get((file, facts["entry"]))
                failures += report(facts, name, inputs, list(differences(facts, got[name], want[place])), trap)
            first = next(iter(got), None)
            for name in got:
                if got[name] != got[first]:
                    print("not ok - %s: %s and %s differ" % (facts["text"], first, name))
                    failures += 1
            for device, lines in golden.items():
                line = lines.get(golden_key(facts, inputs))
                reference = golden_results(facts, want[place], line) if line and line[0] != "?" else None
                if reference is None:
                    stale += 1
                elif first and got[first] != reference and failures == failures_before:
                    compared += 1
                    failures += bool(report_golden(facts, device, first, inputs, got[first], reference))
    print("# %d instructions, %d without a golden result, %d compared with a golden result other than the oracle's; %d failures" % (
        sum(len(entries) for _, _, entries in files), stale, compared, failures))
    return failures


def report_golden(facts, device, name, inputs, got, reference):
    found = list(differences(facts, got, reference, doubled(facts["check"])))
    if found:
        report(facts, "%s against %s" % (name, device), inputs, found)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--dir", default=os.path.join(rows.ROOT, "build/ptx-ops"))
    parser.add_argument("--make-golden", metavar="FILE")
    parser.add_argument("--golden", metavar="NAME", default="gpu")
    parser.add_argument("results", nargs="*", metavar="NAME=FILE")
    options = parser.parse_args()
    if options.make_golden:
        make_golden(options.dir, options.make_golden, options.golden)
        return 0
    return 1 if check(options.dir, dict(item.split("=", 1) for item in options.results)) else 0


if __name__ == "__main__":
    sys.exit(main())
