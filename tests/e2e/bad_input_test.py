#!/usr/bin/env python3
"""Bad input: one clear sentence and exit code 2 for what is unreadable; a verdict for what is merely no program."""
import os

import harness
from harness import AC_C, Skip, gavel, make_package, one_line, write


def refused(done, *parts):
    assert done.code == 2 and done.out == "", done
    line = one_line(done.err)
    for part in parts:
        assert str(part) in line, (part, line)


def test_missing_problem(folder):
    make_package(folder)
    source = write(folder / "a.c", AC_C)
    refused(gavel("judge", "doubel", source, "--problems", folder), "doubel", "double")
    for verb, words in (("show", []), ("start", []), ("test", [source]), ("verify", []), ("generate", [])):
        refused(gavel(verb, "nonsense", *words, "--problems", folder), f"gavel {verb}: ", "nonsense")
    refused(gavel("show", folder / "nothing/here"), "nothing/here")


def test_missing_folder_of_problems(folder):
    refused(gavel("problems", "--problems", folder / "none"), folder / "none")
    (folder / "empty").mkdir()
    refused(gavel("problems", "--problems", folder / "empty"), "no problems")


def test_missing_source(folder):
    package = make_package(folder)
    for verb in ("judge", "test"):
        refused(gavel(verb, package, folder / "none.c"), "none.c", "No such file")


def test_source_that_is_no_file(folder):
    package = make_package(folder)
    (folder / "dir.c").mkdir()
    (folder / "dangling.c").symlink_to("nowhere.c")
    os.mkfifo(folder / "fifo.c")
    refused(gavel("judge", package, folder / "dir.c"), "dir.c", "is a directory")
    refused(gavel("judge", package, folder / "dangling.c"), "dangling.c", "No such file")
    refused(gavel("judge", package, folder / "fifo.c", timeout=20), "fifo.c", "not a regular file")
    refused(gavel("judge", package, "/dev/zero", "--language", "c", timeout=20), "not a regular file")


def test_unreadable_source(folder):
    package = make_package(folder)
    source = write(folder / "secret.c", AC_C)
    source.chmod(0)
    prefix = []
    if os.geteuid() == 0:
        probe = gavel("version", prefix=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        if probe.code != 0:
            raise Skip("another user cannot run this build")
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    refused(gavel("judge", package, source, prefix=prefix, GAVEL_CACHE=str(folder / "cache")), "secret.c", "Permission denied")


def test_language_that_nothing_tells(folder):
    package = make_package(folder)
    source = write(folder / "solution.txt", AC_C)
    refused(gavel("judge", package, source), "solution.txt", "--language")
    assert gavel("judge", package, source, "--language", "c").code == 0


def test_package_without_data(folder):
    package = make_package(folder)
    source = write(folder / "a.c", AC_C)
    for path in sorted((package / "data").rglob("*.*")):
        path.unlink()
    refused(gavel("judge", package, source), "double")
    refused(gavel("verify", package), "double")


def test_directory_without_package(folder):
    (folder / "empty").mkdir()
    refused(gavel("verify", folder / "empty"), "empty")


def test_malformed_yaml_names_file_and_line(folder):
    package = make_package(folder)
    source = write(folder / "a.c", AC_C)
    good = harness.PROBLEM_YAML
    for content in (good.replace("type: pass-fail", "type: [pass-fail"), good + "name: twice\n", good + "\tx: 1\n"):
        write(package / "problem.yaml", content)
        done = gavel("judge", package, source)
        refused(done, "problem.yaml:")
        place = done.err.split("problem.yaml:")[1]
        assert place[0].isdigit(), done
    write(package / "problem.yaml", good)
    write(package / "gavel.yaml", "schema: 1\nfeedback: verdict\nfeedbacc: verdict\n")
    refused(gavel("verify", package), "gavel.yaml:3")
    write(package / "gavel.yaml", "schema: 1\nfeedback: [\n")
    refused(gavel("show", package), "gavel.yaml:")


def test_huge_source_is_a_compile_error(folder):
    package = make_package(folder)
    source = write(folder / "huge.c", AC_C.encode() + b"// filler\n" * (50 * 1024 * 1024 // 10))
    done = gavel("judge", package, source)
    assert done.code == 1 and "CE" in done.out, done


def test_junk_is_a_compile_error(folder):
    package = make_package(folder)
    for name, content in (("noise.c", os.urandom(4096)), ("zeros.c", bytes(4096)), ("empty.c", b""), ("elf.cpp", open("/bin/true", "rb").read())):
        done = gavel("judge", package, write(folder / name, content))
        assert done.code == 1 and "CE" in done.out, (name, done)
        assert "\x1b" not in done.out and "\0" not in done.out, name


def test_out_that_cannot_be_written(folder):
    package = make_package(folder)
    source = write(folder / "a.c", AC_C)
    write(folder / "file", "mine")
    refused(gavel("judge", package, source, "--out", folder / "file/sub"), "--out", "file")
    refused(gavel("judge", package, source, "--out", folder / "file"), "--out", "file")
    assert (folder / "file").read_text() == "mine"


def test_input_that_cannot_be_read(folder):
    package = make_package(folder)
    source = write(folder / "a.c", AC_C)
    refused(gavel("test", package, source, "--input", folder / "none.txt"), "none.txt")
    refused(gavel("test", package, source, "--input", folder), "is a directory")


harness.main(globals())
