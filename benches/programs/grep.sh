# grep with a pattern and a text of its own making.
prepare() {
    "$source/configure" CFLAGS='-g -O0' --disable-nls --disable-perl-regexp --with-included-regex ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: MAKEINFO=:
    printf 'include Makefile\nbuilt: $(BUILT_SOURCES)\n' >lib/built.mk
    make -C lib -f built.mk built
}
build() { make -j"$(nproc)" CC="$CC" WERROR_CFLAGS= >&2 && echo src/grep; }
options() { echo --sym-argv 2,8 --sym-stdin 16; }
search_options() { echo --sym-argv 1,20 --sym-stdin 40; }
counts() { [[ $1 == *src/grep.c || $1 == grep.c || $1 == *dfasearch.c || $1 == *kwsearch.c || $1 == *searchutils.c || $1 == *dfa.c ]]; }
