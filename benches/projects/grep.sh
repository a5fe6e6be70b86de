# grep: configure with hundreds of small test programs, gnulib, a test suite of shell scripts.

prepare() {
    # The output of autoconf, automake and makeinfo exists, but looks outdated because of patches.
    ./configure CFLAGS='-O2 -g' LDFLAGS=-Wl,-z,defs --disable-nls --disable-perl-regexp \
        ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: MAKEINFO=:
}

build() {
    make -j"$(nproc)"
}

check() {
    # Many tests need this locale, and are skipped without it.
    mkdir locales
    localedef -i en_US -f UTF-8 locales/en_US.UTF-8 || true
    export LOCPATH=$PWD/locales
    make -C tests check -j"$(nproc)" >check.log 2>&1 || true
    sed -nE 's/^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): /&/p' check.log | sort
    local text=$inputs/text
    LC_ALL=C src/grep -nE '(a|b)+c{2,}|^$' "$text"
    LC_ALL=C src/grep -ciw 'the' "$text"
    LC_ALL=C src/grep -ob '[[:digit:]]\{3\}' "$text"
    LC_ALL=C src/grep -E '(.)(.)\2\1' "$text"
    LC_ALL=C src/grep -F -f "$inputs/words" -A1 "$text"
    LC_ALL=C src/grep -E '(' "$text" 2>&1 || echo "exit code $?"
}
