# A tool of coreutils. Only its own source file counts.
prepare() {
    FORCE_UNSAFE_CONFIGURE=1 "$source/configure" CFLAGS='-g -O0' --disable-nls --without-selinux --disable-acl --disable-xattr --disable-libcap \
        --without-libgmp --without-openssl ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: MAKEINFO=:
    printf 'include Makefile\nbuilt: $(BUILT_SOURCES)\n' >built.mk
    make -f built.mk built
}
build() { make -j"$(nproc)" CC="$CC" WERROR_CFLAGS= "src/$tool" >&2 && echo "src/$tool"; }
options() { echo --sym-argv 2,8 --sym-stdin 16; }
counts() { [[ $1 == */"$tool.c" || $1 == "$tool.c" ]]; }
