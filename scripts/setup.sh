#!/usr/bin/env bash
# Installs missing dependencies of tine. Takes a second if nothing is missing. Prints the packages that it could not
# install, and fails only if a required one is among them.
set -u

packages=()      # Debian packages to install
need() {         # need PACKAGE TEST…: PACKAGE is missing unless TEST succeeds
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || packages+=("$package")
}
installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

need clang-22        command -v clang-22             # compiles units
need libclang-rt-22-dev installed libclang-rt-22-dev # tine replay --sanitize
need llvm-22-dev     command -v llvm-config-22       # the instrumenter links LLVM
need g++             command -v g++                  # builds the solver
need make            command -v make
need libgmp-dev      installed libgmp-dev            # the solver's numbers
need libsymfpu-dev   installed libsymfpu-dev         # the solver's floats
need z3              command -v z3                   # second solver, a program that is run when asked for
need gdb             command -v gdb                  # tine replay --gdb
need lld-22          command -v ld.lld-22            # another way of linking, which is tested
need csmith          command -v csmith               # random programs for the differential test
need libcsmith-dev   installed libcsmith-dev
need uthash-dev      installed uthash-dev            # structures to test (tests/structures)
need libbsd-dev      installed libbsd-dev
if [ "${1:-}" = test ]; then                          # exported tests are built with these
    need libclang-rt-22-dev installed libclang-rt-22-dev
    need libgtest-dev    installed libgtest-dev
    need libcmocka-dev   installed libcmocka-dev
    need libcriterion-dev installed libcriterion-dev
    need check           installed check
fi

if [ "${1:-}" = test ]; then                          # readers of what tine writes; tests without them are left out
    need lcov            command -v genhtml
    need libxml2-utils   command -v xmllint
    need nats-server     command -v nats-server      # --hub, tine work
    need tmux            command -v tmux             # the screen of --watch
    need neovim          command -v nvim             # tine lsp
    need chromium        command -v chromium         # pages
    need chromium-driver command -v chromedriver
fi

if [ ${#packages[@]} -gt 0 ]; then
    echo "setup: installing ${packages[*]}"
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get update -q >/dev/null 2>&1 || echo "setup: apt-get update failed; trying with the lists at hand"
    if ! "${as_root[@]}" apt-get install -y -q --no-install-recommends "${packages[@]}" >/dev/null; then
        # An unavailable package must not prevent the installation of the others.
        for package in "${packages[@]}"; do
            "${as_root[@]}" apt-get install -y -q --no-install-recommends "$package" >/dev/null 2>&1 \
                || echo "setup: could not install the Debian package $package"
        done
    fi
fi

if [ "${1:-}" = test ] && ! command -v cargo-deny >/dev/null 2>&1; then
    echo "setup: installing cargo-deny (licences and duplicates of dependencies are checked with it)"
    cargo install --quiet --locked cargo-deny || echo "setup: could not install cargo-deny; that check will be left out"
fi

missing=0
for command in cargo clang-22 llvm-config-22 g++; do
    if ! command -v "$command" >/dev/null 2>&1; then
        echo "setup: $command is still missing, and nothing works without it" >&2
        missing=1
    fi
done
exit $missing
