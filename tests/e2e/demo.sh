#!/bin/sh
# `make demo`: every solution of `islands` with its full report, then the table of expected and given verdicts.
# Usage: demo.sh GAVEL
set -u
cd "$(dirname "$0")/../.."
gavel=$1
package=problems/islands

for source in "$package"/submissions/*/*; do
    printf '\n=== gavel judge islands %s\n' "$source"
    "$gavel" judge islands "$source" --problems problems
    status=$?
    if [ $status -gt 1 ]; then
        echo "demo: judging $source failed (exit $status)" >&2
        exit $status
    fi
done
printf '\n=== gavel verify %s\n' "$package"
exec "$gavel" verify "$package"
