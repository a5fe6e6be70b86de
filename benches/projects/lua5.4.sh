# Lua: make and libtool, an interpreter that loads modules written in C, the byte code compiler. The sources have no
# test suite, so programs run that use every part of the language and its library.

prepare() {
    mkdir debian/libtool
    cp debian/configure.ac debian/libtool
    (cd debian/libtool && LIBTOOLIZE='libtoolize -i' autoreconf -f -i && ./configure)
    printf '#define DEB_HOST_MULTIARCH "%s"\n' "$(dpkg-architecture -qDEB_HOST_MULTIARCH)" >src/lua5.4-deb-multiarch.h
    # C++ is not tested here.
    CXX=clang++-22
}

build() {
    make linux LIBTOOL="$PWD/debian/libtool/libtool" CC="$CC -std=gnu99" CXX="$CXX"
}

check() {
    $CC -O2 -fPIC -shared -Isrc "$inputs/counter.c" -o counter.so
    export LUA_CPATH="$PWD/?.so" LUA_PATH="$inputs/?.lua" LUA_INIT=
    local program
    for program in "$inputs"/*.lua; do
        echo "== ${program##*/}"
        src/lua5.4 "$program" 2>&1 || echo "exit code $?"
    done
    # Listings without the addresses of functions.
    for program in "$inputs"/*.lua; do
        src/luac5.4 -l -l -p "$program" | sed -E 's/0x[0-9a-f]+/ADDRESS/g'
    done
    src/luac5.4 -s -o all.luac "$inputs/language.lua" && src/lua5.4 all.luac
    echo 'print(1 +' | src/lua5.4 - 2>&1 || echo "exit code $?"
}
