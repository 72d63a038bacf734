#!/bin/sh
# libFuzzer over every entry, with the libraries as the Makefile builds them. Usage: run.sh SECONDS
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
out=build/fuzz
instrumented="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
libraries="$out/libgavel-ptx.a $out/libgavel.a $out/libgavel-sandbox.a"
# shellcheck disable=SC2086 # a list of words
make -j"$(nproc)" --no-print-directory BUILD="$out" CC=clang SANITIZE="$instrumented" OPTIMISE="-O1 -g" HARDENING=-fPIE $libraries
for entry in tests/fuzz/*_fuzz.c; do
    name=$(basename "$entry" _fuzz.c)
    mkdir -p "$out/$name-corpus"
    # shellcheck disable=SC2086
    clang -std=gnu17 -D_GNU_SOURCE -Iinclude -Ijudge -O1 -g $instrumented -fsanitize=fuzzer "$entry" $libraries \
        -ljansson -lyaml -lsodium -lseccomp -lzstd -llz4 -lpthread -lm -o "$out/$name"
    "$out/$name" -max_total_time="$seconds" -print_final_stats=1 "$out/$name-corpus" "tests/fuzz/corpus/$name"
done
