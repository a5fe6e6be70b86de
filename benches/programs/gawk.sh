# gawk: 60,000 lines, with a symbolic program and a symbolic input line.
prepare() { "$source/configure" CFLAGS='-g -O0' --disable-nls --disable-mpfr --disable-extensions --without-readline --disable-pma; }
build() { make -C support -j"$(nproc)" CC="$CC" >&2 && make -j"$(nproc)" CC="$CC" gawk >&2 && echo gawk; }
options() { echo --sym-argv 1,16 --sym-stdin 16; }
counts() { [[ $1 != */support/* ]]; }
