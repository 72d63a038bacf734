#!/bin/bash
# For a machine with cgroup v2: what `make portable` built, run as root, as a plain user, and as a plain user in a
# delegated control group. Usage: tests/results/device.sh COMMIT > tests/results/NAME.txt
set -u
cd "$(dirname "$0")/../.."
gavel=build/portable/gavel
export GAVEL_CACHE=/tmp/gavel-device-cache
echo "commit $1"
echo "date $(date -u +%F)"
echo "machine $(nproc) cores, $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release), kernel $(uname -r), $(gcc --version | head -1)"
$gavel doctor --problems problems
echo "== every solution of islands"
for source in problems/islands/submissions/*/*; do
    $gavel judge islands "$source" --quiet --problems problems
done
echo "== sandbox corpus"
tests/sandbox/run --portable 2>&1 | grep -E '^(==|not ok|# |[0-9]+ passed)|PASSED|FAILED'
echo "== as a plain user in a delegated control group"
group=/sys/fs/cgroup/gavel-delegated-test
mkdir "$group" && chown -R 61234:61234 "$group"
bash -c "echo \$\$ > $group/cgroup.procs && exec setpriv --reuid 61234 --regid 61234 --clear-groups \
    env HOME=/tmp XDG_RUNTIME_DIR= bash -c 'build/portable/gavel-sandbox doctor; build/portable/tests/sandbox/runner build/portable/tests/sandbox/programs tests/sandbox'" 2>&1 |
    grep -vE '^(ok|skip) '
for child in "$group"/*/; do [ -d "$child" ] && rmdir "$child"; done
rmdir "$group" && echo "the delegated group is empty again"
echo "== overhead"
build/portable/sandbox-bench build/portable/bench-true
echo "== left behind: $(find /sys/fs/cgroup -name 'gavel*' | wc -l) control groups"
