#!/bin/sh
# Fails when an include goes up or sideways: cmd -> verify -> core -> {package, report} -> base, and the sandbox knows
# only its own header. Sideways only through include/gavel. Prints one TAP line a folder.
set -eu
cd "$(dirname "$0")/.."

check() { # FOLDER ALLOWED-PATTERN
    bad=$(grep -rnE '^#include "' "$1" --include='*.c' --include='*.h' | grep -vE "#include \"($2)" || true)
    if [ -n "$bad" ]; then
        echo "not ok - includes of $1"
        echo "$bad" | sed 's/^/# /'
        failed=1
    else
        echo "ok - includes of $1"
    fi
}

failed=0
check sandbox 'sandbox/|gavel/sandbox\.h|[a-z_0-9]+\.(h|def)"'
check judge/base 'base/'
check judge/report 'report/|base/|gavel/(report\.h|verdicts\.def)'
check judge/ptx 'ptx/|base/|gavel/(ptx\.h|ptx_traps\.def|ptx_findings\.def)'
check judge/package 'package/|base/|gavel/(problem|report)\.h'
check judge/core 'core/|package/|base/|gavel/'
check judge/verify 'verify/|core/|package/|base/|gavel/'
check judge/cmd 'cmd/|verify/|base/|gavel/'
if grep -rn 'include "' sandbox --include='*.[ch]' | grep -qE '"(base|core|package|report|cmd)/'; then
    echo "not ok - the sandbox stands alone"
    failed=1
else
    echo "ok - the sandbox stands alone"
fi
exit $failed
