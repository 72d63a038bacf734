#!/usr/bin/env python3
"""What each verb does on good input: output for people and machines, progress, files, exit codes."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time

import harness
from harness import AC_C, CRASH_C, GAVEL, LOOP_C, WA_C, environment, gavel, make_package, write


def in_terminal(*words, **changes):
    """Runs gavel with standard error on a pseudo-terminal; returns (exit code, stdout, what the terminal got)."""
    master, slave = pty.openpty()
    child = subprocess.Popen([GAVEL, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave,
                             env=environment(TERM=changes.pop("TERM", "xterm"), **changes))
    os.close(slave)
    seen = b""
    while True:
        ready, _, _ = select.select([master], [], [], 60)
        try:
            chunk = os.read(master, 65536) if ready else b""
        except OSError: # EIO: the other side is closed
            chunk = b""
        if not chunk:
            break
        seen += chunk
    out = child.stdout.read().decode()
    os.close(master)
    return child.wait(), out, seen.decode()


# ---- judge ----

def test_verdicts_and_exit_codes(folder):
    package = make_package(folder)
    for name, content, word, code in (("ok.c", AC_C, "AC", 0), ("wrong.c", WA_C, "WA", 1), ("loop.c", LOOP_C, "TLE", 1),
                                      ("crash.c", CRASH_C, "RE", 1), ("bad.c", "int main(", "CE", 1),
                                      ("ok.py", "print(2 * int(input()))\n", "AC", 0)):
        done = gavel("judge", package, write(folder / name, content), "--json")
        report = json.loads(done.out)
        assert (report["verdict"], done.code) == (word, code), (name, done)


def test_json_has_the_promised_keys(folder):
    package = make_package(folder)
    done = gavel("judge", package, write(folder / "a.c", AC_C), "--json", "--seed", "18446744073709551615", "--no-probe")
    report = json.loads(done.out)
    for key in ("schema", "problem", "verdict", "score", "tests", "provenance"):
        assert key in report, key
    assert len(report["tests"]) == 10
    assert "18446744073709551615" in done.out


def test_progress_is_plain_lines_where_there_is_no_terminal(folder):
    package = make_package(folder)
    done = gavel("judge", package, write(folder / "a.c", AC_C))
    assert "\x1b" not in done.err + done.out and "\r" not in done.err, done
    lines = done.err.splitlines()
    assert sum(line.startswith("compiling") for line in lines) == 1, lines
    assert [line.split()[1] for line in lines if line.startswith("test ")] == [f"{i}/10" for i in range(1, 11)], lines


def test_progress_is_one_line_on_a_terminal(folder):
    package = make_package(folder)
    code, _, seen = in_terminal("judge", package, write(folder / "a.c", AC_C))
    assert code == 0 and "\n" not in seen, seen
    assert seen.count("\r\x1b[K") >= 11 and "test 10/10" in seen, seen
    assert seen.endswith("\r\x1b[K"), "the line is wiped at the end"


def test_no_color_and_dumb_terminals(folder):
    package = make_package(folder)
    source = write(folder / "a.c", AC_C)
    _, _, seen = in_terminal("judge", package, source, NO_COLOR="1")
    assert "\x1b[2m" not in seen and "\r\x1b[K" in seen
    _, _, seen = in_terminal("judge", package, source, TERM="dumb")
    assert "\x1b" not in seen and "test 10/10" in seen and seen.count("\n") >= 11, seen


def test_quiet(folder):
    package = make_package(folder)
    source = write(folder / "a.c", AC_C)
    done = gavel("judge", package, source, "--quiet")
    assert done.err == "" and "AC" in harness.one_line(done.out), done
    _, _, seen = in_terminal("judge", package, source, "-q")
    assert seen == ""


def test_out_writes_report_source_and_log(folder):
    package = make_package(folder)
    source = write(folder / "report.json.c", AC_C + "int unused(void) { int x; return 1; }\n")
    done = gavel("judge", package, source, "--out", folder / "deep/er", "--json")
    assert done.code == 0, done
    out = folder / "deep/er"
    assert sorted(p.name for p in out.iterdir()) == ["compile.log", "report.json", "report.txt", "source.c"]
    assert json.loads((out / "report.json").read_text()) == json.loads(done.out)
    assert (out / "source.c").read_bytes() == source.read_bytes()
    assert "AC" in (out / "report.txt").read_text() and "\x1b" not in (out / "report.txt").read_text()


def test_all_runs_every_test(folder):
    package = make_package(folder)
    source = write(folder / "a.c", WA_C)
    verdicts = [test["verdict"] for test in json.loads(gavel("judge", package, source, "--json", "--all").out)["tests"]]
    assert set(verdicts) == {"AC", "WA"} and len(verdicts) == 10, verdicts
    stopped = [test["verdict"] for test in json.loads(gavel("judge", package, source, "--json").out)["tests"]]
    assert stopped.count("WA") == 1, stopped


def test_hidden_tests_stay_hidden(folder):
    package = make_package(folder)
    done = gavel("judge", package, write(folder / "a.c", WA_C))
    assert "201" not in done.out and "200\n" not in done.out, done # answer and output of the first failing test


def test_chinese(folder):
    package = make_package(folder)
    assert "通过" in gavel("judge", package, write(folder / "a.c", AC_C), "--lang", "zh").out
    assert "翻倍" in gavel("problems", "--problems", folder, "--lang", "zh").out


# ---- problems, show, start ----

def test_problems(folder):
    make_package(folder)
    make_package(folder, "twice")
    write(folder / "broken/problem.yaml", "name: [\n")
    done = gavel("problems", "--problems", folder)
    assert done.code == 0 and "double" in done.out and "twice" in done.out and "unreadable" in done.out, done
    listed = json.loads(gavel("problems", "--problems", folder, "--json").out)
    assert [p["name"] for p in listed["problems"]] == ["broken", "double", "twice"]
    assert listed["problems"][0]["error"] and listed["problems"][1]["title_zh"] == "翻倍"


def test_show(folder):
    package = make_package(folder)
    done = gavel("show", package)
    for part in ("Double", "time 1 s", "memory 256 MiB", "Print twice the number n.", "21", "42"):
        assert part in done.out, (part, done)
    assert "12345" not in done.out
    assert "输出" in gavel("show", package, "--lang", "zh").out


def test_start_loses_nothing(folder):
    package = make_package(folder)
    done = gavel("start", package, cwd=folder)
    assert done.code == 0 and (folder / "double.c").exists(), done
    write(folder / "double.c", "my work")
    again = gavel("start", package, cwd=folder)
    assert again.code == 2 and "double.c exists already" in harness.one_line(again.err), again
    assert (folder / "double.c").read_text() == "my work"
    assert gavel("start", package, "--force", cwd=folder).code == 0
    assert "main" in (folder / "double.c").read_text()
    (folder / "link.c").symlink_to(folder / "double.c")
    assert gavel("start", package, "link.c", cwd=folder).code == 2


def test_start_writes_something_that_compiles(folder):
    package = make_package(folder)
    for name in ("x.c", "x.cpp", "x.py"):
        assert gavel("start", package, folder / name).code == 0
        report = json.loads(gavel("judge", package, folder / name, "--json").out)
        assert report["verdict"] not in ("CE", "JE"), report["verdict"]
    template = write(package / "attachments/templates/python3/main.py", "# from the package\n")
    gavel("start", package, folder / "t.py")
    assert (folder / "t.py").read_bytes() == template.read_bytes()


# ---- test ----

def test_samples_only(folder):
    package = make_package(folder)
    for path in (package / "data/secret").iterdir(): # opening one would fail
        path.unlink()
        path.mkdir()
    done = gavel("test", package, write(folder / "a.c", AC_C), "--json")
    assert done.code == 0, done
    ran = [test["name"] for test in json.loads(done.out)["tests"] if test["verdict"] not in ("-", None)]
    assert ran == ["sample/1"], ran
    wrong = gavel("test", package, write(folder / "b.c", AC_C.replace("2 * n", "3 * n")))
    assert wrong.code == 1 and "63" in wrong.out and "42" in wrong.out, "a sample's difference is shown in full"


def test_own_input_beside_the_reference(folder):
    package = make_package(folder)
    for path in (package / "data/secret").iterdir():
        path.unlink()
        path.mkdir()
    good, bad = write(folder / "a.c", AC_C), write(folder / "b.c", WA_C)
    done = gavel("test", package, good, "--input", write(folder / "in.txt", "500\n"))
    assert done.code == 0 and done.out.count("1000") == 2 and "they agree" in done.out, done
    done = gavel("test", package, bad, "--input", "-", stdin=b"500\n")
    assert done.code == 1 and "1001" in done.out and "1000" in done.out and "DIFFER" in done.out, done
    parsed = json.loads(gavel("test", package, bad, "--input", "-", "--json", stdin=b"500\n").out)
    assert parsed["verdict"] == "WA" and parsed["output"] == "1001\n" and parsed["answer"] == "1000\n"


def test_own_input_that_is_not_valid(folder):
    package = make_package(folder)
    done = gavel("test", package, write(folder / "a.c", AC_C), "--input", "-", stdin=b"five\n")
    assert done.code == 2 and "not valid" in done.out, done


def test_own_input_on_a_program_that_fails(folder):
    package = make_package(folder)
    for content, word in ((CRASH_C, "RE"), (LOOP_C, "TLE"), ("int main(", "CE")):
        done = gavel("test", package, write(folder / "a.c", content), "--input", "-", stdin=b"5\n")
        assert done.code == 1 and word in done.out, done


# ---- generate, doctor ----

def make_generated(package, body="import sys\nprint(int(sys.argv[1]) * 1000)\n"):
    write(package / "generators/gen.py", body)
    write(package / "gavel.yaml", "schema: 1\ndata:\n  generator: generators/gen.py\n  tests:\n    secret/50-a: [\"5\"]\n    secret/51-b: [\"6\"]\n")


def test_generate(folder):
    package = make_package(folder)
    make_generated(package)
    done = gavel("generate", package, "--into", folder / "made")
    assert done.code == 0 and (folder / "made/secret/51-b.ans").read_text() == "12000\n", done
    assert gavel("generate", package, "--write-lock").code == 0 and (package / "data/gavel.lock").exists()
    assert json.loads(gavel("judge", package, write(folder / "a.c", AC_C), "--json").out)["tests"][-1]["name"] == "secret/51-b"
    make_generated(package, "import sys\nprint(int(sys.argv[1]) * 1001)\n")
    changed = gavel("generate", package, "--into", folder / "again")
    assert changed.code == 2 and "gavel.lock" in changed.err, changed


def test_doctor(_):
    done = gavel("doctor", "--problems", harness.ROOT / "problems")
    assert done.code in (0, 1) and "isolation" in done.out and done.err == "", done
    checks = json.loads(gavel("doctor", "--json", "--problems", harness.ROOT / "problems").out)
    assert {"name", "state", "text", "advice"} <= set(checks["checks"][0])
    assert checks["ok"] == (done.code == 0) == all(c["state"] != "fail" for c in checks["checks"])


# ---- streams and signals ----

def test_a_reader_that_leaves_changes_nothing(folder):
    package = make_package(folder)
    source = write(folder / "a.c", WA_C)
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([GAVEL, "judge", package, source, "--out", folder / "out"], stdout=write_end, stderr=subprocess.PIPE,
                          env=environment())
    os.close(write_end)
    assert done.returncode == 1, done
    assert json.loads((folder / "out/report.json").read_text())["verdict"] == "WA"


def test_a_full_disk_is_said(folder):
    package = make_package(folder)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([GAVEL, "judge", package, write(folder / "a.c", AC_C)], stdout=full, stderr=subprocess.PIPE,
                              env=environment())
    assert done.returncode == 3 and b"No space left" in done.stderr, done


def test_signals_end_a_run_cleanly(folder):
    package = make_package(folder)
    write(package / "problem.yaml", harness.PROBLEM_YAML.replace("time_limit: 1.0", "time_limit: 30.0"))
    source = write(folder / "a.c", LOOP_C)
    for number in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen([GAVEL, "judge", package, source], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        time.sleep(1.5)
        started = time.monotonic()
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
        assert child.returncode == 128 + number, (child.returncode, err)
        assert time.monotonic() - started < 5, "it stops at once"
        assert out == b"" and re.search(rb"gavel: stopped by .*\n$", err), err


harness.main(globals())
