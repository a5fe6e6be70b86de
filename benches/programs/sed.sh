# sed with a symbolic script and text.
prepare() {
    "$source/configure" CFLAGS='-g -O0' --disable-nls --disable-acl --without-selinux ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: MAKEINFO=:
    printf 'include Makefile\nbuilt: $(BUILT_SOURCES)\n' >built.mk
    make -f built.mk built
}
build() { make -j"$(nproc)" CC="$CC" WERROR_CFLAGS= >&2 && echo sed/sed; }
options() { echo --sym-argv 1,8 --sym-stdin 16; }
counts() { [[ $1 == *sed/compile.c || $1 == *sed/execute.c || $1 == *sed/regexp.c || $1 == *sed/sed.c || $1 == compile.c || $1 == execute.c || $1 == sed.c ]]; }
