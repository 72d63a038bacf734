#!/usr/bin/env python3
"""Verbs, --help of each, and what wrong usage gets: one clear line and exit code 2."""
import pathlib
import subprocess

import harness
from harness import gavel, make_package, one_line

VERBS = {
    "problems": [], "show": ["P"], "start": ["P"], "test": ["P", "F"], "judge": ["P", "F"], "verify": ["P"],
    "generate": ["P"], "doctor": [], "help": [], "version": [],
}
OPTIONS = {
    "problems": ["--json", "--lang"], "show": ["--lang"], "start": ["--language", "--force"],
    "test": ["--input", "--json", "--language"],
    "judge": ["--json", "--out", "--seed", "--no-probe", "--language", "--all", "--lang", "--no-cache"],
    "verify": ["--json", "--fast", "--calibrate"], "generate": ["--into", "--write-lock"], "doctor": ["--json"],
    "help": [], "version": [],
}
GLOBAL = ["--problems", "--cache", "--quiet", "--help"]


def test_every_verb_explains_itself(_):
    for verb in VERBS:
        done = gavel(verb, "--help")
        assert done.code == 0 and done.err == "", (verb, done)
        assert f"usage: gavel {verb}" in done.out, done
        for option in OPTIONS[verb] + GLOBAL:
            assert option in done.out, (verb, option)
        assert gavel("help", verb).out == done.out


def test_overview_lists_every_verb_and_the_exit_codes(_):
    done = gavel("--help")
    assert done.code == 0 and gavel("help").out == done.out
    for verb in VERBS:
        assert f"\n  {verb}" in done.out, verb
    assert "Exit codes" in done.out
    bare = gavel()
    assert bare.code == 2 and bare.out == "" and bare.err == done.out


def test_unknown_options_get_one_line(_):
    for verb, words in VERBS.items():
        for option in ("--foo", "-Z", "--foo=1"):
            done = gavel(verb, *words, option)
            assert done.code == 2 and done.out == "", (verb, done)
            line = one_line(done.err)
            expected = option.split("=")[0]
            assert line == f"gavel {verb}: unknown option {expected} (see gavel {verb} --help)", line


def test_wrong_arguments_get_one_line(_):
    for verb, words in VERBS.items():
        if words:
            done = gavel(verb, *words[:-1])
            assert done.code == 2 and "missing argument" in one_line(done.err), (verb, done)
        done = gavel(verb, *words, "a", "b")
        assert done.code == 2 and "unexpected argument" in one_line(done.err), (verb, done)


def test_typing_errors_get_a_suggestion(_):
    for words, hint in ((["jugde"], "did you mean 'judge'?"), (["judge", "P", "F", "--jsno"], "did you mean --json?"),
                        (["help", "verfy"], "did you mean 'verify'?")):
        done = gavel(*words)
        assert done.code == 2 and hint in one_line(done.err), done
    assert "did you mean" not in gavel("xylophone").err


def test_bad_values_get_one_line(folder):
    package = make_package(folder)
    source = harness.write(folder / "a.c", harness.AC_C)
    for words, part in ((["--seed", "-1"], "--seed needs a whole number"), (["--seed", "x"], "--seed"),
                        (["--seed", "18446744073709551616"], "--seed"), (["--lang", "fr"], "en|zh"),
                        (["--json=yes"], "takes no value"), (["--out"], "needs a value"),
                        (["--language", "cobol"], "unknown language 'cobol' (known: c, cpp, python3)")):
        done = gavel("judge", package, source, *words)
        assert done.code == 2 and done.out == "" and part in one_line(done.err), (words, done)


def test_version(_):
    assert gavel("version").out == gavel("--version").out == gavel("judge", "--version").out
    assert gavel("version").out.startswith("gavel ")


def test_global_options_before_and_after_the_verb(folder):
    make_package(folder)
    for words in (["--problems", folder, "problems"], ["problems", "--problems", folder],
                  ["problems", f"--problems={folder}"]):
        assert "double" in gavel(*words).out, words
    assert "double" in gavel("problems", GAVEL_PROBLEMS=str(folder)).out
    assert gavel("-q", "problems", "--problems", folder).out == "double\n"


def test_the_bank_is_found_beside_the_program(folder):
    for binary, bank in (("installed/bin/gavel", "installed/share/gavel/problems"), ("tree/build/gavel", "tree/problems")):
        program = harness.write(folder / binary, pathlib.Path(harness.GAVEL).read_bytes())
        program.chmod(0o755)
        make_package(folder / bank)
        done = subprocess.run([program, "problems", "--quiet"], capture_output=True, env=harness.environment(), cwd="/")
        assert done.stdout == b"double\n", (binary, done)


def test_without_a_bank(folder):
    program = harness.write(folder / "bin/gavel", pathlib.Path(harness.GAVEL).read_bytes())
    program.chmod(0o755)
    for words in (["problems"], ["show", "islands"]):
        done = subprocess.run([program, *words], capture_output=True, env=harness.environment(), cwd="/")
        if done.returncode == 0:
            raise harness.Skip("this build finds an installed bank")
        assert done.returncode == 2 and b"--problems" in done.stderr, done


harness.main(globals())
