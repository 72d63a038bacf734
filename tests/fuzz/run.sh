#!/bin/sh
# libFuzzer over every entry. Usage: run.sh SECONDS
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
out=build/fuzz
mkdir -p "$out"
sources=$(ls judge/base/*.c judge/package/*.c judge/report/*.c judge/core/tokens.c judge/core/decimal.c \
    judge/ptx/fatbin.c judge/ptx/lexer.c judge/ptx/scope.c judge/ptx/parser.c judge/ptx/constant.c judge/ptx/location.c \
    judge/ptx/parse_*.c judge/ptx/type.c)
for entry in tests/fuzz/*_fuzz.c; do
    name=$(basename "$entry" _fuzz.c)
    mkdir -p "$out/$name-corpus"
    # shellcheck disable=SC2086 # a list of files
    clang -std=gnu17 -D_GNU_SOURCE -Iinclude -Ijudge -O1 -g -fsanitize=fuzzer,address,undefined \
        "$entry" $sources -ljansson -lyaml -lsodium -lzstd -llz4 -lm -o "$out/$name"
    "$out/$name" -max_total_time="$seconds" -print_final_stats=1 "$out/$name-corpus" "tests/fuzz/corpus/$name"
done
