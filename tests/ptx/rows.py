"""Rows of judge/ptx/opcodes.def, and the instructions that each stands for.

A row is read as the C compiler reads it: the preprocessor joins the macros, PTX_OPCODE is left alone. A *form* is one
spelling of a row: a word (or none) for every group and a type for every variable."""
import itertools
import os
import re
import subprocess
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

Row = namedtuple("Row", "number pattern types operands family handler meaning")
# text "add.sat.s32"; words: what stood for each group ("" if absent); types: {"T": "s32"}; roles: list of Role
Form = namedtuple("Form", "row text words types roles")
Role = namedtuple("Role", "letter type is_wide is_optional is_vector is_second count")

TYPE_BYTES = {}


def read_types():
    with open(os.path.join(ROOT, "judge/ptx/types.def"), encoding="utf-8") as file:
        for match in re.finditer(r'^PTX_TYPE\(\w+, "(\w+)", (\d+)', file.read(), re.M):
            TYPE_BYTES[match.group(1)] = int(match.group(2))


read_types()

WIDER = {"u16": "u32", "s16": "s32", "b16": "b32", "u32": "u64", "s32": "s64", "b32": "b64", "f16": "f32",
         "f32": "f64", "b64": "b128"}
NARROWER = {wide: narrow for narrow, wide in WIDER.items()}

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)|([(),]))')


def _arguments(text, at):
    """Arguments of a PTX_OPCODE( ... ) whose "(" was just read; string literals side by side are one."""
    values, current = [], None
    while True:
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError("opcodes.def: cannot read: " + text[at:at + 60])
        at = match.end()
        if match.group(1) is not None:
            current = (current or "") + match.group(1)[1:-1]
        elif match.group(2):
            current = match.group(2)
        else:
            values.append(current)
            current = None
            if match.group(3) == ")":
                return values, at


def read_rows(compiler=None):
    compiler = compiler or os.environ.get("CC", "cc")
    command = [compiler, "-E", "-P", "-x", "c", "-I", os.path.join(ROOT, "judge"),
               os.path.join(ROOT, "judge/ptx/opcodes.def")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = []
    for match in re.finditer(r"\bPTX_OPCODE\(", text):
        values, _ = _arguments(text, match.end())
        pattern, types, operands, family, handler, meaning = values
        handler = None if handler in ("NULL", "((void *)0)") else handler
        rows.append(Row(len(rows), pattern, types, operands, family.lower(), handler, meaning))
    return rows


def mnemonic_of(pattern):
    return re.split(r"[.<{]", pattern, maxsplit=1)[0]


def split_pattern(pattern):
    """List of alternatives, each with a list of words: [["add"], ["", ".sat"], [".$T"]]."""
    parts = []
    for match in re.finditer(r"\{([^}]*)\}|<([^>]*)>|([^{<]+)", pattern):
        if match.group(1) is not None:
            parts.append([""] + match.group(1).split("|"))
        elif match.group(2) is not None:
            parts.append(match.group(2).split("|"))
        else:
            parts.append(match.group(3))
    return parts


def roles_of(operands, types):
    roles = []
    for word in operands.split():
        is_second = False
        for piece in word.split("|"):
            match = re.match(r"(\w)(?::([\w]+))?([+?]*)(?:\[(\d*)\])?([+?]*)$", piece)
            if not match:
                raise ValueError("operand: " + piece)
            letter, name, marks = match.group(1), match.group(2), match.group(3) + match.group(5)
            if name in types:
                name = types[name]
            elif name and len(name) == 2 and name[0] in "wn" and name[1] in types:
                name = (WIDER if name[0] == "w" else NARROWER)[types[name[1]]]
            count = match.group(4)
            roles.append(Role(letter, name, "+" in marks, "?" in marks, count is not None, is_second,
                              int(count) if count else 0))
            is_second = True
    return roles


def forms_of(row, is_kept=None):
    """All spellings of a row, of the words that is_kept takes."""
    if row.pattern.endswith(".*"):
        return
    lists = {}
    for word in row.types.split():
        variable, names = word.split("=")
        lists[variable] = names.split(",")
    parts = split_pattern(row.pattern)
    groups = [[word for word in part if not is_kept or is_kept(word)] for part in parts if isinstance(part, list)]
    for words in itertools.product(*groups):
        for names in itertools.product(*lists.values()):
            types = dict(zip(lists, names))
            text, group = "", 0
            for part in parts:
                if isinstance(part, list):
                    text += words[group]
                    group += 1
                else:
                    text += part
            for variable, name in types.items():
                text = text.replace("$" + variable, name)
            yield Form(row, text, words, types, roles_of(row.operands, types))
