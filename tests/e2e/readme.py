#!/usr/bin/env python3
"""Runs every command of the README's and the docs' console blocks, in one shell and in order, and compares what they
print with what stands there. Numbers and runs of spaces are masked; a line "..." stands for any lines. `# exit N` after a
command is the exit status that it must have. TAP on standard output."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DOCUMENTS = ["README.md"] + sorted("docs/" + name for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))


def blocks(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as document:
        return re.findall(r"^```console\n(.*?)^```", document.read(), re.S | re.M)


def commands(block):
    """Yields (command, expected exit status, expected output lines)."""
    current = None
    for line in block.splitlines():
        if line.startswith("$ "):
            if current:
                yield current
            match = re.match(r"\$ (.*?)(?:\s+# exit (\d+))?$", line)
            current = (match.group(1), int(match.group(2) or 0), [])
        else:
            current[2].append(line)
    if current:
        yield current


def masked(line):
    line = re.sub(r"isolation \w+, cgroup \w+", "isolation X, cgroup X", line)
    line = re.sub(r"\d+(\.\d+)?", "#", line)
    return re.sub(r"\s+", " ", re.sub(r"# (ms|s|MiB|KiB)\b", "# unit", line)).strip()


def matches(expected, actual):
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and masked(expected[0]) == masked(actual[0]) and matches(expected[1:], actual[1:])


def run(command, environment):
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return done.returncode, done.stdout.decode("utf-8", "replace").splitlines(), done.stderr.decode("utf-8", "replace")


def check(document, command, status, expected, environment):
    got, lines, errors = run(command, environment)
    is_compared = bool(expected)
    is_right = got == status and (not is_compared or matches(expected, lines))
    print(f"{'ok' if is_right else 'not ok'} - {document}: {command}")
    if not is_right:
        print(f"# exit {got}, expected {status}")
        for line in lines[-30:] + errors.splitlines()[-10:]:
            print("# " + line)
    return is_right


def main():
    with tempfile.TemporaryDirectory() as tour:
        environment = dict(os.environ, TOUR=tour, MAKEFLAGS="", NO_COLOR="1")
        results = [check(document, *command, environment)
                   for document in DOCUMENTS for block in blocks(document) for command in commands(block)]
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
