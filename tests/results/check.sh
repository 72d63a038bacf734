#!/bin/sh
# The slow suites' stamped outputs: each file in tests/results starts with "commit HASH". Warns of those whose commit is
# not the newest that touched what they measure; a stale stamp is a warning, a missing header a failure.
set -u
cd "$(dirname "$0")/../.."
for stamp in tests/results/*.txt; do
    [ -e "$stamp" ] || { echo "ok - no stamped results yet # SKIP nothing has been stamped"; exit 0; }
    commit=$(sed -n 's/^commit \([0-9a-f]\{7,40\}\).*/\1/p;1q' "$stamp")
    if [ -z "$commit" ]; then
        echo "not ok - $stamp has no commit line"
    elif git rev-parse -q --verify "$commit^{commit}" >/dev/null 2>&1 &&
         git diff --quiet "$commit" HEAD -- sandbox judge include; then
        echo "ok - $stamp is of this code"
    else
        echo "ok - $stamp has a stamp"
        echo "# warning: $stamp is older than the code (commit $commit)"
    fi
done
