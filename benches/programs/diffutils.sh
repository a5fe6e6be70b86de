# diff of two symbolic files, with a symbolic option.
prepare() {
    "$source/configure" CFLAGS='-g -O0' --disable-nls ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: MAKEINFO=:
    printf 'include Makefile\nbuilt: $(BUILT_SOURCES)\n' >lib/built.mk
    make -C lib -f built.mk built
    make -C src version.h || true
}
build() { make -j"$(nproc)" -C lib CC="$CC" WERROR_CFLAGS= >&2 && make -C src CC="$CC" WERROR_CFLAGS= diff >&2 && echo src/diff; }
options() { echo --sym-file a,8 --sym-file b,8 --sym-argv 1,4 -- a b; }
counts() { [[ $1 == *src/diff.c || $1 == *src/analyze.c || $1 == *src/io.c || $1 == *src/normal.c || $1 == diff.c || $1 == analyze.c || $1 == io.c || $1 == normal.c ]]; }
