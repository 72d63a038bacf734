#!/bin/sh
# Sample reports against docs/report.schema.json with a real validator, and that the check itself can fail.
set -u
cd "$(dirname "$0")/../.."
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
schema=docs/report.schema.json

if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "ok - reports match their schema # SKIP python3-jsonschema is not installed"
    exit 0
fi
if build/tests/unit/report_json_test --write "$directory" >"$directory/log" 2>&1 &&
    tests/e2e/check_schema.py "$schema" "$directory"/*.json >>"$directory/log" 2>&1; then
    echo "ok - reports match their schema"
else
    echo "not ok - reports match their schema"
    sed 's/^/# /' "$directory/log"
fi

sed 's/"score_max"/"score_most"/' "$directory/report1.json" >"$directory/wrong.json"
tests/e2e/check_schema.py "$schema" "$directory/wrong.json" >/dev/null
if [ $? -eq 1 ]; then
    echo "ok - a key that the schema does not declare is found"
else
    echo "not ok - a key that the schema does not declare is found"
fi
