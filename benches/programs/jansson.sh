# jansson's parser.
prepare() {
    cmake -S "$source" -B . -DJANSSON_BUILD_DOCS=Off -DJANSSON_WITHOUT_TESTS=On -DJANSSON_EXAMPLES=Off
    cp "$source"/src/*.[ch] .
}
build() { $CC -g -DHAVE_CONFIG_H -Iprivate_include -Iinclude -I. [a-z]*.c "$inputs/main.c" -o parse -lm && echo parse; }
options() { echo --sym-stdin 24; }
# The file also has loaders for files and callbacks.
functions='^(parse_|lex_|stream_|decode_|json_loadb|buffer_get|error_set)'
counts() { [[ $1 == */load.c || $1 == load.c ]]; }
