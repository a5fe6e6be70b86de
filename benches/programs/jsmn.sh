# jsmn, a parser in a header. Its source package is not always available; a binary package has the header.
unpacked=
prepare() {
    apt-get download -q libjsmn-dev
    dpkg -x libjsmn-dev_*.deb .
    cp usr/include/jsmn.h .
}
build() { $CC -g -I. "$inputs/main.c" -o parse && echo parse; }
options() { echo --sym-stdin 24; }
counts() { [[ $1 == *jsmn.h ]]; }
