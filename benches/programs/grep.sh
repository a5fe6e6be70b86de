# grep with options, a symbolic pattern and text. Configured like Debian's, with the C library's regular expressions.
# GREP_REGEX=--with-included-regex uses those of its own sources, which are then explored, too (in a separate
# TINE_BENCH_DIR, because the configuration is kept).
prepare() {
    "$source/configure" CFLAGS='-g -O0' --disable-nls --disable-perl-regexp "${GREP_REGEX:---without-included-regex}" ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: MAKEINFO=:
    printf 'include Makefile\nbuilt: $(BUILT_SOURCES)\n' >lib/built.mk
    make -C lib -f built.mk built
}
build() { make -j"$(nproc)" CC="$CC" WERROR_CFLAGS= >&2 && echo src/grep; }
options() { echo --sym-argv 2,8 --sym-stdin 16; }
search_options() { echo "${GREP_OPTIONS:---sym-argv 3,20 --sym-stdin 40 --locale C.UTF-8 --sym-fail 1}"; }
# Files for -r.
environment_files() { mkdir -p d/e && printf 'abc\nxyz\n' >f && printf 'bin\0ary\n' >d/g && ln -sf ../f d/l && : >d/e/h; }
counts() { [[ $1 == *src/grep.c || $1 == grep.c || $1 == *dfasearch.c || $1 == *kwsearch.c || $1 == *searchutils.c || $1 == *dfa.c ]]; }
