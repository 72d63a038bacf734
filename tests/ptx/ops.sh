#!/bin/sh
# Generates a kernel for every row of the table of instructions, runs it on every executor that this CPU has, and compares with the
# oracle and with golden files. TAP.
set -eu
cd "$(dirname "$0")/../.."
out=build/ptx-ops
run=build/tests/ptx/run_ops
python3 tests/ptx/generate.py --out "$out" --jobs "$(nproc)" >/dev/null
results=
for executor in avx512 avx2 portable; do
    if "$run" --executor "$executor" "$out" "$out/$executor.bin" >"$out/$executor.bin.log" 2>&1; then
        results="$results $executor=$out/$executor.bin"
    elif grep -q "can't run\|there is no executor" "$out/$executor.bin.log"; then
        echo "ok - executor $executor # SKIP this CPU lacks it"
    else
        echo "not ok - run_ops on $executor"
        sed 's/^/# /' "$out/$executor.bin.log"
    fi
done
# shellcheck disable=SC2086 # a list of words
python3 tests/ptx/check_ops.py --dir "$out" $results
