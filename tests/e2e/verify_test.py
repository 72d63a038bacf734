#!/usr/bin/env python3
"""gavel verify: a good package passes; each kind of broken promise is found, named, and decides the exit code."""
import json

import harness
from harness import AC_C, PROBLEM_YAML, gavel, make_package, write


def verify(package, *words):
    """Exit code and the parsed report."""
    done = gavel("verify", package, "--json", *words)
    assert done.out, done
    return done.code, json.loads(done.out)


def rules(report, level=None):
    return {finding["rule"] for finding in report["findings"] if level in (None, finding["level"])}


def finding(report, rule):
    found = [f for f in report["findings"] if f["rule"] == rule]
    assert found, (rule, report["findings"])
    return found[0]


def test_a_good_package_passes(folder):
    package = make_package(folder)
    write(package / "submissions/time_limit_exceeded/loop.c", harness.LOOP_C)
    done = gavel("verify", package)
    assert done.code == 0 and "double: verified" in done.out, done
    for name in ("accepted/double.c", "wrong_answer/small_only.c", "time_limit_exceeded/loop.c", "run_time_error/null.c"):
        assert name in done.out, name
    code, report = verify(package)
    assert code == 0 and report["ok"] and report["findings"] == [], report["findings"]
    by_name = {s["name"]: s for s in report["submissions"]}
    assert by_name["wrong_answer/small_only.c"]["counts"] == {"AC": 5, "WA": 5}
    assert by_name["time_limit_exceeded/loop.c"]["tests_run"] == 1, "a decided TLE burns no more time"
    assert by_name["accepted/double.c"]["headroom"] > 1


def test_a_wrong_solution_that_passes_is_named(folder):
    package = make_package(folder)
    write(package / "submissions/wrong_answer/right_after_all.c", AC_C)
    done = gavel("verify", package)
    assert done.code == 1 and "submissions/wrong_answer/right_after_all.c" in done.out and "NOT verified" in done.out, done
    code, report = verify(package)
    found = finding(report, "PKG402")
    assert code == 1 and found["file"] == "submissions/wrong_answer/right_after_all.c", found
    assert found["command"].startswith("gavel judge ") and "right_after_all.c" in found["command"]
    quiet = gavel("verify", package, "--quiet")
    assert quiet.code == 1 and "right_after_all.c" in quiet.out and quiet.err == "", quiet


def test_an_accepted_solution_that_fails_is_named(folder):
    package = make_package(folder)
    write(package / "submissions/accepted/wrong.c", harness.WA_C)
    write(package / "submissions/accepted/broken.c", "int main(")
    code, report = verify(package)
    files = {f["file"] for f in report["findings"] if f["rule"] == "PKG401"}
    assert code == 1 and files == {"submissions/accepted/wrong.c", "submissions/accepted/broken.c"}, report["findings"]


def test_exact_verdicts(folder):
    package = make_package(folder)
    write(package / "gavel.yaml", "schema: 1\nverdicts:\n  run_time_error/null.c: MLE\n")
    code, report = verify(package)
    assert code == 1 and "gavel.yaml says MLE, but it gets RE" in finding(report, "PKG403")["text"]


def test_missing_parts(folder):
    package = make_package(folder)
    (package / "statement/problem.en.md").unlink()
    assert "PKG009" in rules(verify(package)[1], "warning")
    (package / "statement/problem.zh.md").unlink()
    (package / "input_validators/validate.py").unlink()
    for path in (package / "data/sample").iterdir():
        path.unlink()
    code, report = verify(package)
    assert code == 1 and {"PKG002", "PKG004", "PKG005"} <= rules(report), rules(report)


def test_warnings_do_not_fail(folder):
    package = make_package(folder)
    (package / "statement/problem.zh.md").unlink()
    write(package / "data/secret/90.in", "7\n")
    write(package / "data/secret/90.ans", "14\n")
    code, report = verify(package)
    assert code == 0 and {"PKG003", "PKG008"} <= rules(report, "warning"), report["findings"]


def test_input_validators(folder):
    package = make_package(folder)
    write(package / "data/secret/91.in", "007\n")
    write(package / "data/secret/91.ans", "14\n")
    code, report = verify(package)
    found = finding(report, "PKG201")
    assert code == 1 and found["file"] == "data/secret/91.in" and "exit code 43" in found["text"], found
    assert "python3" in found["command"]


def test_a_validator_that_accepts_everything(folder):
    package = make_package(folder)
    write(package / "input_validators/validate.py", "import sys\nsys.exit(42)\n")
    code, report = verify(package)
    assert code == 0 and finding(report, "PKG203")["level"] == "warning"


def test_a_validator_that_does_not_work(folder):
    package = make_package(folder)
    (package / "input_validators/validate.py").unlink()
    write(package / "input_validators/validate.c", "int main(")
    code, report = verify(package)
    assert code == 1 and finding(report, "PKG202"), report["findings"]


def test_generated_data(folder):
    package = make_package(folder)
    extension = "schema: 1\ndata:\n  generator: generators/gen.py\n  tests:\n    secret/50-a: [\"5\"]\n"
    write(package / "gavel.yaml", extension)
    write(package / "generators/gen.py", "import sys\nprint(int(sys.argv[1]) * 1000)\n")
    code, report = verify(package)
    assert code == 0 and "PKG103" in rules(report, "warning"), report["findings"]
    assert gavel("generate", package, "--write-lock").code == 0
    code, report = verify(package)
    assert code == 0 and report["findings"] == [], report["findings"]
    write(package / "generators/gen.py", "import sys\nprint(int(sys.argv[1]) * 1001)\n")
    code, report = verify(package)
    assert code == 1 and "gavel.lock" in finding(report, "PKG101")["text"]
    (package / "data/gavel.lock").unlink()
    write(package / "generators/gen.py", "import os\nprint(int.from_bytes(os.urandom(4), 'big'))\n")
    code, report = verify(package)
    assert code == 1 and "secret/50-a" in finding(report, "PKG102")["text"]


BUSY_C = AC_C.replace("    long n;", "    for (volatile long i = 0; i < ROUNDS * 1000000L; i++)\n        ;\n    long n;")


def millions_per_second(folder):
    """How many of the loop's rounds this machine does, from the report itself."""
    package = make_package(folder, "speed")
    source = write(folder / "busy.c", BUSY_C.replace("ROUNDS", "20"))
    report = json.loads(gavel("judge", package, source, "--json").out)
    times = [run["cpu_ms"] if "cpu_ms" in run else run["cpu_ns"] / 1e6 for test in report["tests"] for run in test.get("attempts", [])]
    return 20 / (sorted(times)[len(times) // 2] / 1000)


def test_only_timing_is_exit_4(folder):
    speed = millions_per_second(folder)
    package = make_package(folder)
    write(package / "submissions/accepted/busy.c", BUSY_C.replace("ROUNDS", str(int(0.7 * speed)))) # passes at 1 s, but needs 1.4 s
    code, report = verify(package)
    assert code == 4 and rules(report, "timing") == {"PKG501"}, (code, report["findings"], report["submissions"])
    code, report = verify(package, "--calibrate")
    assert code == 4 and report["time_limit"]["calibrated_s"] >= 1.5, report["time_limit"]


def test_a_limit_that_is_too_generous(folder):
    speed = millions_per_second(folder)
    package = make_package(folder)
    write(package / "submissions/time_limit_exceeded/busy.c", BUSY_C.replace("ROUNDS", str(int(1.25 * speed)))) # 1.25 s
    code, report = verify(package)
    assert code == 4 and rules(report, "timing") == {"PKG502"}, (code, report["findings"], report["submissions"])
    found = finding(report, "PKG502")
    assert "busy.c" in found["text"] and "allows at most" in found["text"], found


def test_calibration(folder):
    package = make_package(folder)
    done = gavel("verify", package, "--calibrate")
    assert done.code == 0 and "calibration yields 0.500 s" in done.out and "fits" in done.out, done
    write(package / "problem.yaml", PROBLEM_YAML.replace("  time_limit: 1.0\n", ""))
    code, report = verify(package)
    assert code == 0 and report["time_limit"]["calibrated_s"] == 0.5 and "PKG504" in rules(report), report


def test_fast(folder):
    package = make_package(folder)
    code, report = verify(package, "--fast")
    assert code == 0 and report["fast"] and all(s["tests_run"] <= 1 for s in report["submissions"]), report
    write(package / "submissions/wrong_answer/broken.c", "int main(")
    code, report = verify(package, "--fast")
    assert code == 1 and finding(report, "PKG401")["file"].endswith("broken.c")


def test_unreadable_packages_are_exit_2(folder):
    package = make_package(folder)
    write(package / "problem.yaml", "name: [\n")
    done = gavel("verify", package)
    assert done.code == 2 and done.out == "" and "problem.yaml:" in harness.one_line(done.err), done


def test_progress(folder):
    package = make_package(folder)
    lines = gavel("verify", package).err.splitlines()
    assert "accepted/double.c: compiling" in lines, lines
    assert any(line.startswith("wrong_answer/small_only.c: test 10/10") for line in lines), lines


harness.main(globals())
