#!/usr/bin/env python3
"""Two judges on one machine, and one that is killed half-way: both right, nothing left, the next start cleans up."""
import json
import os
import pathlib
import signal
import subprocess
import time

import harness
from harness import AC_C, GAVEL, LOOP_C, WA_C, environment, gavel, make_package, write


def start(package, source, *words):
    return subprocess.Popen([GAVEL, "judge", package, source, "--json", *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment())


def groups_of(pid):
    """Control groups that the judge with this pid made (named gavel-slotN-PID-...)."""
    found = []
    for top, folders, _ in os.walk("/sys/fs/cgroup"):
        found += [pathlib.Path(top) / name for name in folders if name.startswith("gavel-") and f"-{pid}-" in name]
    return found


def children_of(pid):
    """All descendants of a process."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError: # gone meanwhile
            pass
    found, frontier = set(), {pid}
    while frontier:
        frontier = {child for child, parent in parents.items() if parent in frontier} - found
        found |= frontier
    return found


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def test_two_judges_at_the_same_moment(folder):
    package = make_package(folder)
    sources = [(write(folder / "a.c", AC_C), "AC"), (write(folder / "b.c", WA_C), "WA"),
               (write(folder / "c.py", "print(2 * int(input()))\n"), "AC")]
    for words in ([], ["--no-cache"]):
        running = [(start(package, source, *words), word) for source, word in sources]
        for child, word in running:
            out, err = child.communicate(timeout=120)
            assert json.loads(out)["verdict"] == word, (word, out[-500:], err)


def test_two_judges_make_the_same_data(folder):
    package = make_package(folder)
    write(package / "generators/gen.py", "import sys, time\ntime.sleep(0.3)\nprint(int(sys.argv[1]) * 1000)\n")
    write(package / "gavel.yaml", "schema: 1\ndata:\n  generator: generators/gen.py\n  tests:\n    secret/50-a: [\"5\"]\n    secret/51-b: [\"6\"]\n")
    cache = str(folder / "cache")
    running = [start(package, write(folder / "a.c", AC_C), "--cache", cache) for _ in range(3)]
    for child in running:
        out, err = child.communicate(timeout=120)
        report = json.loads(out)
        assert report["verdict"] == "AC" and len(report["tests"]) == 12, err


def test_killed_halfway(folder):
    package = make_package(folder)
    write(package / "problem.yaml", harness.PROBLEM_YAML.replace("time_limit: 1.0", "time_limit: 60.0"))
    child = start(package, write(folder / "loop.c", LOOP_C))
    wait_until(lambda: len(children_of(child.pid)) >= 2)
    time.sleep(1) # past the compiler, inside a test
    family = children_of(child.pid)
    assert family, "a run is on its way"
    child.send_signal(signal.SIGKILL)
    child.communicate()
    wait_until(lambda: not any(map(is_alive, family)))
    good = make_package(folder, "good")
    done = gavel("judge", good, write(folder / "a.c", AC_C), "--json")
    assert json.loads(done.out)["verdict"] == "AC", done
    assert groups_of(child.pid) == [], "the next start removes what the killed one left"


def test_killed_while_making_data(folder):
    package = make_package(folder)
    write(package / "generators/gen.py", "import sys, time\ntime.sleep(1)\nprint(int(sys.argv[1]) * 1000)\n")
    write(package / "gavel.yaml", "schema: 1\ndata:\n  generator: generators/gen.py\n  tests:\n    secret/50-a: [\"5\"]\n    secret/51-b: [\"6\"]\n")
    cache = folder / "cache"
    child = start(package, write(folder / "a.c", AC_C), "--cache", str(cache))
    time.sleep(1.2)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    done = gavel("judge", package, folder / "a.c", "--json", "--cache", cache)
    assert json.loads(done.out)["verdict"] == "AC" and done.code == 0, done
    assert [p.name for p in (cache / "data").iterdir() if p.name.startswith(".")] == [], "no half-made data stays"


harness.main(globals())
