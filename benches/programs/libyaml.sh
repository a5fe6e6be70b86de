# libyaml's scanner and parser.
prepare() {
    cp "$source"/src/*.[ch] "$source"/include/yaml.h .
    printf '#define YAML_VERSION_MAJOR 0\n#define YAML_VERSION_MINOR 2\n#define YAML_VERSION_PATCH 5\n#define YAML_VERSION_STRING "0.2.5"\n' >config.h
}
build() { $CC -g -DHAVE_CONFIG_H -I. [a-z]*.c "$inputs/main.c" -o parse && echo parse; }
options() { echo --sym-stdin 24; }
counts() { [[ $1 == *scanner.c || $1 == *parser.c || $1 == *reader.c ]]; }
