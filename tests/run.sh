#!/bin/sh
# Runs every suite and counts. A suite prints TAP ("ok ...", "not ok ...", "ok ... # SKIP reason"); a suite that dies
# without a "not ok" counts as one failure. The last line is "N passed, N failed, N skipped" over everything.
# Usage: tests/run.sh [SUITE ...]; without arguments all suites run, in this order.
set -u
cd "$(dirname "$0")/.."
logs=build/test-logs
mkdir -p "$logs"
rm -f "$logs"/*.log
all_suites="build layers unit sanitized fuzz ptx sandbox e2e sanitized_e2e verify readme stamps"

export CMOCKA_MESSAGE_OUTPUT=TAP
export GAVEL=build/gavel
export GAVEL_CACHE="$PWD/build/test-cache"
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1

run_each() { # runs each program and names it in the log
    status=0
    for program in "$@"; do
        echo "# $program"
        timeout 300 "$program" 2>&1
        result=$?
        if [ $result -ne 0 ] && [ $result -ne 1 ]; then
            echo "not ok - $program ended with status $result"
        fi
        [ $result -eq 0 ] || status=1
    done
    return $status
}

suite_build() {
    jobs=$(nproc)
    if make -j"$jobs" WERROR=-Werror tests 2>&1; then echo "ok - everything builds without a warning"
    else echo "not ok - build"; return 1; fi
    if make -j"$jobs" sanitize-tests 2>&1; then echo "ok - everything builds with sanitizers"
    else echo "not ok - sanitized build"; return 1; fi
}
suite_layers() { tests/layers.sh; }
suite_unit() { run_each build/tests/unit/*_test; }
suite_sanitized() { run_each build/sanitize/tests/unit/*_test; }
suite_fuzz() {
    for entry in tests/fuzz/*_fuzz.c; do
        name=$(basename "$entry" _fuzz.c)
        if build/sanitize/tests/fuzz/"${name}_fuzz" --mutations 20000 --seed 1 tests/fuzz/corpus/"$name" 2>&1
        then echo "ok - fuzz entry $name over its corpus and 20000 mutations"
        else echo "not ok - fuzz entry $name"; fi
    done
}
# Hand-written kernels, also under sanitizers; then a generated kernel for every row of the table of instructions, on every
# executor that this CPU has, against the oracle and what a GPU gave.
suite_ptx() {
    build/tests/ptx/run_cases tests/ptx/cases/*.ptx
    build/sanitize/tests/ptx/run_cases tests/ptx/cases/*.ptx | sed 's/^\(not ok\|ok\) - /&sanitized /'
    tests/ptx/ops.sh
}
suite_sandbox() { tests/sandbox/run; }
suite_e2e() {
    for script in tests/e2e/*_test.sh tests/e2e/*_test.py; do
        [ -e "$script" ] || continue
        echo "# $script"
        timeout 300 "$script" 2>&1 || echo "# $script exited non-zero"
    done
}
# The same end-to-end tests against the build with sanitizers, as far as time allows.
suite_sanitized_e2e() {
    for name in usage bad_input verbs hostile; do
        echo "# tests/e2e/${name}_test.py"
        GAVEL=build/sanitize/gavel timeout 300 "tests/e2e/${name}_test.py" 2>&1 || echo "# ${name}_test.py exited non-zero"
    done
}
suite_verify() {
    for problem in problems/*/; do
        if $GAVEL verify --quiet "$problem" 2>&1
        then echo "ok - verify $(basename "$problem")"
        else
            status=$?
            if [ $status -eq 4 ]; then echo "ok - verify $(basename "$problem") # SKIP only its timing was unstable on this machine"
            else echo "not ok - verify $(basename "$problem") (exit $status)"; fi
        fi
    done
}
suite_readme() { tests/e2e/readme.py; }
suite_stamps() { tests/results/check.sh; }

passed=0 failed=0 skipped=0
for suite in ${*:-$all_suites}; do
    log="$logs/$suite.log"
    started=$(date +%s)
    suite_"$suite" >"$log" 2>&1
    status=$?
    # cmocka writes a skipped test as "not ok N # SKIP name"
    s=$(grep -cE '^((not )?ok.*# SKIP|skip )' "$log")
    p=$(grep -E '^ok ' "$log" | grep -cv '# SKIP')
    f=$(grep -E '^not ok' "$log" | grep -cv '# SKIP')
    if [ $status -ne 0 ] && [ "$f" -eq 0 ]; then f=1; echo "not ok - suite $suite ended with status $status" >>"$log"; fi
    if [ $((p + f + s)) -eq 0 ]; then f=1; echo "not ok - suite $suite ran nothing" >>"$log"; fi
    printf '%-18s %5d passed %4d failed %4d skipped %5d s\n' "$suite" "$p" "$f" "$s" $(($(date +%s) - started))
    if [ "$f" -gt 0 ]; then
        grep -E -A 6 '^not ok' "$log" | grep -v '^not ok.*# SKIP' | head -60 | sed 's/^/    /'
        echo "    whole log: $log"
        if [ "$suite" = build ]; then tail -30 "$log"; fi
    fi
    grep -E '^((not )?ok.*# SKIP|skip |# warning)' "$log" | sed -E 's/^(not )?ok (.*) # SKIP/skip \2:/; s/^/    /'
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    if [ "$suite" = build ] && [ "$f" -gt 0 ]; then break; fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
