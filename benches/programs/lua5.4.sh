# The interpreter, on a script from standard input.
prepare() { cp "$source"/src/*.[ch] . && rm -f luac.c; }
build() { $CC -g -DLUA_USE_POSIX -I. l*.c -o lua -lm -ldl && echo lua; }
options() { echo --sym-stdin 16 -- -; }
counts() { [[ $1 == *llex.c || $1 == *lparser.c || $1 == *lcode.c ]]; }
