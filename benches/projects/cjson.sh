# cJSON: cmake, a shared and a static library, a test suite of small programs.

prepare() {
    cmake -S . -B out -DCMAKE_BUILD_TYPE=Release -DENABLE_CJSON_TEST=On -DENABLE_CJSON_UTILS=On \
        -DBUILD_SHARED_AND_STATIC_LIBS=On -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,defs
}

build() {
    cmake --build out --parallel "$(nproc)"
}

check() {
    (cd out && ctest -V) | sed -E '/^(UpdateCTest|Parsing|Test project|Constructing|Done|Total Test time|[0-9]+: Test timeout)/d
        s/ +[0-9.]+ sec//; s/ in [0-9.]+ s//'
    ! ldd out/tests/parse_examples | grep 'not found'
    test -e out/libcjson.a
}
