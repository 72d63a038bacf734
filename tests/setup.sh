#!/bin/sh
# Installs the Debian packages named as arguments, as far as they are missing. Says what it does; does nothing when
# everything is there, with or without a network.
set -eu

is_installed() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not Debian or Ubuntu; please install the equivalents of: $*" >&2
    echo "setup: going on, since the build will say what it misses" >&2
    exit 0
fi

missing=
for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "setup: all packages are installed"
    exit 0
fi

echo "setup: installing$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: missing packages:$missing; run as root or install sudo" >&2
        exit 1
    fi
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# An old package list may name versions that are gone, so refresh it first; a failure shows in the install below.
$as_root apt-get -qq update >/dev/null 2>&1 || true
# shellcheck disable=SC2086 # word splitting of the package list is meant
if ! $as_root apt-get -qq install -y --no-install-recommends $missing >/dev/null; then
    echo "setup: could not install$missing; is the network up? These packages are needed to build Gavel" >&2
    exit 1
fi
echo "setup: installed$missing"
