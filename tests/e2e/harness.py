"""What the end-to-end tests share: running gavel, TAP lines, and a tiny problem package to break in many ways.

A test is a function whose name begins with test_; it fails by an exception (assert). main() runs all of a module and
prints one TAP line each. GAVEL names the program; the default is build/gavel of this tree.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAVEL = str(pathlib.Path(os.environ.get("GAVEL", ROOT / "build/gavel")).resolve())

AC_C = '#include <stdio.h>\nint main(void)\n{\n    long n;\n    scanf("%ld", &n);\n    printf("%ld\\n", 2 * n);\n}\n'
WA_C = AC_C.replace("2 * n", "n < 100 ? 2 * n : 2 * n + 1")
LOOP_C = "int main(void)\n{\n    for (volatile long i = 0;; i++)\n        ;\n}\n"
CRASH_C = "int main(void)\n{\n    volatile int *p = 0;\n    return *p;\n}\n"
VALIDATOR_PY = """import re, sys
sys.exit(42 if re.fullmatch(r"(0|[1-9][0-9]*)\\n", sys.stdin.buffer.read().decode("ascii", "replace")) else 43)
"""
PROBLEM_YAML = """problem_format_version: 2025-09
name:
  en: Double
  zh: 翻倍
uuid: 00000000-0000-4000-8000-000000000001
type: pass-fail
license: cc by
limits:
  time_limit: 1.0
  time_resolution: 0.5
  memory: 256
"""


class Skip(Exception):
    """Raised by a test that cannot run here; the reason is printed."""


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit {self.code}\nstdout: {self.out[-2000:]}\nstderr: {self.err[-2000:]}"


def environment(**changes):
    """A clean environment: nothing of the caller's may change what a test sees. None removes a variable."""
    base = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
    for name in ("GAVEL_CACHE", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            base[name] = os.environ[name]
    base.setdefault("GAVEL_CACHE", "/tmp/gavel-e2e-cache")
    for name, value in changes.items():
        base.pop(name, None)
        if value is not None:
            base[name] = value
    return base


def gavel(*words, stdin=b"", cwd=None, timeout=120, prefix=(), **changes):
    done = subprocess.run([*prefix, GAVEL, *map(str, words)], input=stdin, capture_output=True, cwd=cwd, timeout=timeout,
                          env=environment(**changes))
    return Result(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def write(path, content):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def make_package(directory, name="double"):
    """A whole, good package: print twice the number. Ten tests of a few bytes."""
    root = pathlib.Path(directory) / name
    write(root / "problem.yaml", PROBLEM_YAML)
    write(root / "statement/problem.en.md", "# Double\n\nPrint **twice** the number `n`.\n")
    write(root / "statement/problem.zh.md", "# 翻倍\n\n输出 `n` 的两倍。\n")
    write(root / "input_validators/validate.py", VALIDATOR_PY)
    write(root / "data/sample/1.in", "21\n")
    write(root / "data/sample/1.ans", "42\n")
    for i, n in enumerate([0, 1, 7, 99, 100, 101, 12345, 2**31 - 1, 2**40]):
        write(root / f"data/secret/{i:02}.in", f"{n}\n")
        write(root / f"data/secret/{i:02}.ans", f"{2 * n}\n")
    write(root / "submissions/accepted/double.c", AC_C)
    write(root / "submissions/accepted/double.py", "print(2 * int(input()))\n")
    write(root / "submissions/wrong_answer/small_only.c", WA_C)
    write(root / "submissions/run_time_error/null.c", CRASH_C)
    return root


def one_line(text):
    """The text's only line; fails if there are more."""
    assert text.endswith("\n") and text.count("\n") == 1, f"not one line: {text!r}"
    return text[:-1]


def run_test(number, name, function):
    title = name.removeprefix("test_").replace("_", " ")
    try:
        with tempfile.TemporaryDirectory(prefix="gavel-e2e-") as folder:
            os.chmod(folder, 0o755)
            function(pathlib.Path(folder))
        print(f"ok {number} - {title}", flush=True)
        return True
    except Skip as reason:
        print(f"ok {number} - {title} # SKIP {reason}", flush=True)
        return True
    except Exception:
        print(f"not ok {number} - {title}", flush=True)
        for line in traceback.format_exc().splitlines():
            print(f"# {line}", flush=True)
        return False


def main(names):
    """Runs the test functions in `names` (a module's globals()); an argument picks those whose name holds it."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    tests = [(name, f) for name, f in names.items() if name.startswith("test_") and wanted in name]
    print(f"1..{len(tests)}", flush=True)
    if not os.access(GAVEL, os.X_OK):
        print(f"not ok 1 - {GAVEL} is not built")
        sys.exit(1)
    results = [run_test(i, name, f) for i, (name, f) in enumerate(tests, 1)]
    sys.exit(0 if all(results) else 1)
