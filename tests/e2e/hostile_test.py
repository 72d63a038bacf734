#!/usr/bin/env python3
"""Hostile submissions and packages through the whole judge: the right verdict, nothing leaked, the next run unaffected."""
import json
import os
import pathlib
import subprocess

import harness
from harness import AC_C, Skip, gavel, make_package, write

C = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <signal.h>\n" \
    "#include <fcntl.h>\n#include <sys/socket.h>\n#include <sys/ptrace.h>\n#include <netinet/in.h>\n"
READ = "long n; if (scanf(\"%ld\", &n) != 1) return 9;"
RIGHT = "printf(\"%ld\\n\", 2 * n);"


def c_main(body):
    return C + "int main(void)\n{\n" + READ + "\n" + body + "\n}\n"


def steal(path):
    """Prints the file if it can be opened, else a wrong line that says why."""
    return c_main(f'FILE *f = fopen("{path}", "r"); char line[200] = "absent";\n'
                  f'if (f && fgets(line, sizeof line, f)) printf("STOLEN %s\\n", line); else {{ {RIGHT} }}')


SECRET = "/tmp/gavel-e2e-secret"
# name: (file, source, exact verdict). "AC" where the attack must fail and leave a right answer behind.
SUBMISSIONS = {
    "fork bomb": ("x.c", c_main("for (int i = 0; i < 100; i++) if (fork() >= 0) { puts(\"FORKED\"); return 0; }\n" + RIGHT), "AC"),
    "fork bomb without end": ("x.c", c_main("for (;;) fork();"), "TLE"),
    "memory bomb": ("x.c", c_main("for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }"), "MLE"),
    "output of 100 GB": ("x.c", c_main("static char b[1 << 16]; for (long i = 0; i < 1600000; i++) if (write(1, b, sizeof b) < 0) return 3;"), "OLE"),
    "endless loop": ("x.c", c_main("for (volatile long i = 0;; i++) ;"), "TLE"),
    "sleep": ("x.c", c_main("sleep(1000);"), "ITL"),
    "raise SIGKILL": ("x.c", c_main("raise(SIGKILL);"), "RE"),
    "raise SIGXCPU": ("x.c", c_main("raise(SIGXCPU);"), "RE"),
    "raise SIGUSR1": ("x.c", c_main("raise(SIGUSR1);"), "RE"),
    "raise SIGXFSZ": ("x.c", c_main("raise(SIGXFSZ);"), "RE"),
    "exit code 42 after the right answer": ("x.c", c_main(RIGHT + " return 42;"), "RE"),
    "exit code 43 after the right answer": ("x.c", c_main(RIGHT + " return 43;"), "RE"),
    "kill everybody": ("x.c", c_main("signal(SIGTERM, SIG_IGN); kill(-1, SIGTERM); kill(1, SIGKILL); kill(getppid(), SIGKILL);\n" + RIGHT), "AC"),
    "read /etc/passwd": ("x.c", steal("/etc/passwd"), "AC"),
    "read a secret of the host": ("x.c", steal(SECRET), "AC"),
    "read the answers": ("x.c", steal("{package}/data/secret/00.ans"), "AC"),
    "read the next test": ("x.c", steal("/w/input"), "AC"),
    "read another submission": ("x.c", steal("{package}/submissions/accepted/double.c"), "AC"),
    "network": ("x.c", c_main("if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) puts(\"SOCKET\");\n" + RIGHT), "AC"),
    "ptrace": ("x.c", c_main("if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 || ptrace(PTRACE_ATTACH, 1, 0, 0) == 0) puts(\"TRACED\");\n" + RIGHT), "AC"),
    "descriptors beyond the three": ("x.c", c_main("for (int fd = 3; fd < 1024; fd++) if (write(fd, \"AC\\n\", 3) >= 0) puts(\"OPEN\");\n" + RIGHT), "AC"),
    "flood of standard error": ("x.c", c_main("for (int i = 0; i < 200000; i++) fputs(\"noise noise noise noise noise\\n\", stderr);\n" + RIGHT), "AC"),
    "closed output": ("x.c", c_main(RIGHT + " fflush(stdout); close(1); close(2);"), "AC"),
    "answer and a trailing NUL": ("x.c", c_main("printf(\"%ld\", 2 * n); putchar(0); putchar('\\n');"), "WA"),
    "answer and junk": ("x.c", c_main(RIGHT + " puts(\"junk\");"), "WA"),
    "escapes for the terminal": ("x.c", c_main("printf(\"\\033[2J\\033]0;owned\\007AC accepted\\xff\\xfe\\n\");"), "WA"),
    "include /dev/random": ("x.c", "#include \"/dev/random\"\nint main(void) {}\n", "CE"),
    "include /etc/passwd": ("x.c", "#include \"/etc/passwd\"\nint main(void) {}\n", "CE"),
    "include the answers": ("x.c", "#include \"{package}/data/secret/00.ans\"\nint main(void) {}\n", "CE"),
    "incbin of the host": ("x.c", "__asm__(\".incbin \\\"" + SECRET + "\\\"\");\nint main(void) {}\n", "CE"),
    "object of 4 GiB": ("x.c", "int a[1 << 30] = {1};\nint main(void) { return a[0]; }\n", "CE"),
    "template bomb": ("x.cpp", "template<int N, int M> struct A { static const long v = A<N - 1, M>::v + A<N - 1, M + 1>::v; };\n"
                      "template<int M> struct A<0, M> { static const long v = M; };\nint main() { return A<800, 0>::v; }\n", "CE"),
    "diagnostics with escapes": ("x.c", "#error \033[2Jowned\033]0;x\007\n", "CE"),
    "no bytes at all": ("x.c", "", "CE"),
    "only NUL bytes": ("x.c", "\0" * 1000, "CE"),
    "Python forks": ("x.py", "import os\nn = int(input())\ntry:\n    os.fork()\n    print('FORKED')\nexcept OSError:\n    print(2 * n)\n", "AC"),
    "Python runs a shell": ("x.py", "import subprocess\nn = int(input())\ntry:\n    print(subprocess.check_output(['/bin/sh', '-c', 'echo SHELL']))\nexcept OSError:\n    print(2 * n)\n", "AC"),
    "Python opens a socket": ("x.py", "import socket\nn = int(input())\ntry:\n    socket.socket()\n    print('SOCKET')\nexcept OSError:\n    print(2 * n)\n", "AC"),
    "Python looks around": ("x.py", "import os\nn = int(input())\nfound = [p for p in ('/proc/self', '/root', '/home', '/work', '/etc/passwd', '" + SECRET + "') if os.path.exists(p)]\nprint(found or 2 * n)\n", "AC"),
    "Python eats memory": ("x.py", "a = []\nwhile True:\n    a.append(bytearray(1 << 20))\n", "MLE"),
    "Python does not parse": ("x.py", "print(2 * int(input())\n", "CE"),
}
# What only the verdict of a machine without a memory control group may be.
DEGRADED = {"memory bomb": {"MLE", "TLE"}, "Python eats memory": {"MLE", "RE"}}


def judge(package, source, prefix=(), **changes):
    result = gavel("judge", package, source, "--json", "--seed", "1", prefix=prefix, **changes)
    assert result.code in (0, 1), result
    return json.loads(result.out), result


def judge_all(folder, prefix=(), **changes):
    package = make_package(folder)
    problems = []
    for name, (file, source, expected) in SUBMISSIONS.items():
        path = write(folder / name.replace(" ", "-").replace("/", "") / file, source.replace("{package}", str(package)))
        report, result = judge(package, path, prefix, **changes)
        allowed = {expected}
        if report["provenance"]["isolation"] == "degraded":
            allowed |= DEGRADED.get(name, set())
        if report["verdict"] not in allowed:
            problems.append(f"{name}: {report['verdict']} instead of {expected}: {report.get('failure')} {report.get('compile')}")
        if "\x1b" in result.out + result.err or "top secret" in result.out:
            problems.append(f"{name}: something came through that must not")
    report, _ = judge(package, write(folder / "good.c", AC_C), prefix, **changes)
    assert report["verdict"] == "AC", "the run after all of them is affected"
    assert not problems, "\n".join(problems)


def test_every_hostile_submission_gets_its_verdict(folder):
    write(SECRET, "top secret\n")
    judge_all(folder)


def test_and_as_a_plain_user(folder):
    if os.geteuid() != 0:
        raise Skip("the test above ran as a plain user")
    program = folder / "gavel"
    program.write_bytes(pathlib.Path(harness.GAVEL).read_bytes())
    program.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    os.chown(home, 61235, 61235)
    prefix = ("setpriv", "--reuid=61235", "--regid=61235", "--clear-groups")
    saved, harness.GAVEL = harness.GAVEL, str(program)
    try:
        judge_all(folder, prefix, HOME=str(home), GAVEL_CACHE=str(home / "cache"), XDG_RUNTIME_DIR=None)
    finally:
        harness.GAVEL = saved


def test_terminal_report_is_clean(folder):
    package = make_package(folder)
    for file, source in (("x.c", SUBMISSIONS["escapes for the terminal"][1]), ("y.c", SUBMISSIONS["diagnostics with escapes"][1])):
        result = gavel("judge", package, write(folder / file, source))
        assert result.code == 1 and "\x1b" not in result.out and "\x07" not in result.out, result
        assert "\\x1B[2J" in result.out, result


def test_odd_source_names(folder):
    package = make_package(folder)
    for name in ("-o.c", "@x.c", "a b.c", "été.c", "new\nline.c", "\udcff.c", "--.c", "$(id).c", "x" * 200 + ".c"):
        write(folder / name, AC_C)
        result = gavel("judge", package, folder / name, "--json", "--seed", "1")
        assert result.code == 0 and json.loads(result.out)["verdict"] == "AC", (name, result)


def hostile_package(folder, path, content):
    package = make_package(folder)
    write(package / path, content)
    return package


def test_hostile_output_validators_never_accept(folder):
    cases = {
        "loops": "while True: pass\n",
        "exits 0": "import sys\nsys.exit(0)\n",
        "crashes": "raise SystemExit('no')\n",
        "floods": "import sys\nwhile True: sys.stdout.write('x' * 65536)\n",
        "kills itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    }
    for i, (name, text) in enumerate(cases.items()):
        package = make_package(folder, f"validator{i}")
        problem = (package / "problem.yaml").read_text()
        write(package / "problem.yaml", problem + "  validation_time: 1\n  validation_output: 1\n")
        write(package / "output_validator/validate.py", text)
        report, result = None, gavel("judge", package, write(folder / "a.c", AC_C), "--json", "--seed", "1")
        assert result.code == 3, (name, result)
        report = json.loads(result.out)
        assert report["verdict"] == "JE" and "validat" in report["judge_error"], (name, report)


def test_hostile_generators_end_in_an_error(folder):
    for i, text in enumerate(("while True: pass\n", "import sys\nwhile True: sys.stdout.write('1' * 65536)\n", "import sys\nsys.exit(7)\n")):
        package = make_package(folder, f"generator{i}")
        problem = (package / "problem.yaml").read_text()
        write(package / "problem.yaml", problem + "  validation_time: 1\n")
        write(package / "generators/gen.py", text)
        write(package / "gavel.yaml", "schema: 1\nmodel: submissions/accepted/double.c\ndata:\n  generator: generators/gen.py\n"
              "  tests:\n    secret/big: [\"1\"]\n")
        result = gavel("judge", package, write(folder / "a.c", AC_C), timeout=60)
        assert result.code in (2, 3) and "generator" in result.err, result


def test_paths_out_of_the_package_are_refused(folder):
    package = make_package(folder)
    os.symlink("/etc/hostname", package / "data/secret/zz.in")
    write(package / "data/secret/zz.ans", "1\n")
    result = gavel("judge", package, write(folder / "a.c", AC_C))
    assert result.code == 2 and "zz.in" in result.err, result
    for line in ("model: ../../../etc/passwd\n", "data:\n  generator: /etc/passwd\n  tests:\n    secret/x: [a]\n",
                 "data:\n  generator: generators/gen.py\n  tests:\n    ../x: [a]\n"):
        other = make_package(folder, "other")
        write(other / "generators/gen.py", "print(1)\n")
        write(other / "gavel.yaml", "schema: 1\n" + line)
        result = gavel("judge", other, folder / "a.c")
        assert result.code == 2 and "gavel.yaml:" in result.err, (line, result)


def test_yaml_bombs_are_refused(folder):
    package = make_package(folder)
    write(package / "problem.yaml", "a: &a [x]\nb: &b [*a, *a, *a]\nname: *b\n")
    result = gavel("judge", package, write(folder / "a.c", AC_C))
    assert result.code == 2 and "problem.yaml:1" in result.err, result
    write(package / "problem.yaml", "[" * 100000)
    result = gavel("judge", package, folder / "a.c")
    assert result.code == 2 and "problem.yaml:" in result.err, result


def test_full_disk_for_the_cache_loses_no_verdict(folder):
    if os.geteuid() != 0:
        raise Skip("needs root to mount a small file system")
    package = make_package(folder)
    write(folder / "a.c", AC_C)
    cache = folder / "cache"
    cache.mkdir()
    script = f"mount -t tmpfs -o size=64k none {cache} && exec \"$@\""
    result = gavel("judge", package, folder / "a.c", "--json", "--seed", "1", GAVEL_CACHE=str(cache),
                   prefix=("unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh"))
    assert result.code == 0 and json.loads(result.out)["verdict"] == "AC", result


def test_corrupt_cache_entries_are_rebuilt(folder):
    package = make_package(folder)
    write(folder / "a.c", AC_C)
    cache = folder / "cache"
    assert gavel("judge", package, folder / "a.c", GAVEL_CACHE=str(cache)).code == 0
    entries = [path for path in cache.rglob("*") if path.is_file() and path.stat().st_size > 100000]
    assert entries, list(cache.rglob("*"))
    for damage in (lambda data: data[:1000], lambda data: data[:-1] + b"?", lambda data: b""):
        for path in entries:
            path.chmod(0o644)
            path.write_bytes(damage(path.read_bytes()))
        result = gavel("judge", package, folder / "a.c", GAVEL_CACHE=str(cache))
        assert result.code == 0 and result.out.startswith("AC"), result


def test_judge_with_few_descriptors(folder):
    package = make_package(folder)
    result = gavel("judge", package, write(folder / "a.c", AC_C), prefix=("sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"))
    assert result.code == 0, result
    result = gavel("judge", package, folder / "a.c", prefix=("sh", "-c", "ulimit -n 12; exec \"$@\"", "sh"))
    assert result.code in (0, 3) and (result.code == 0 or "judge error" in result.err + result.out), result


def test_closed_streams(folder):
    package = make_package(folder)
    write(folder / "a.c", AC_C)
    for closing in ("<&-", "2>&-", "<&- 2>&-"):
        result = gavel("judge", package, folder / "a.c", prefix=("sh", "-c", f"exec \"$@\" {closing}", "sh"))
        assert result.code == 0 and result.out.startswith("AC"), (closing, result)


if __name__ == "__main__":
    harness.main(globals())
