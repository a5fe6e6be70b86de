# A program that replaces text, written for this benchmark: two patterns of ten characters, a line of twenty.
unpacked=
prepare() { :; }
build() { $CC -g "$inputs/main.c" -o replace && echo replace; }
options() { echo --sym-argv 2,10 --sym-stdin 20; }
counts() { [[ $1 == *main.c ]]; }
