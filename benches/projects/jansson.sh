# Jansson: cmake, a shared library, test programs, and a program that reads the files of the test suites.

prepare() {
    cmake -S . -B out -DCMAKE_BUILD_TYPE=Release -DJANSSON_BUILD_SHARED_LIBS=On -DJANSSON_BUILD_DOCS=Off \
        -DJANSSON_EXAMPLES=Off -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--no-undefined
}

build() {
    cmake --build out --parallel "$(nproc)"
}

check() {
    (cd out && ctest -V) | sed -E '/^(UpdateCTest|Parsing|Test project|Constructing|Done|Total Test time|[0-9]+: Test timeout)/d
        s/ +[0-9.]+ sec//; s/ in [0-9.]+ s//'
}
