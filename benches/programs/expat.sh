# expat's parser of XML.
prepare() {
    cp "$source"/expat/lib/*.[ch] . 2>/dev/null || cp "$source"/lib/*.[ch] .
    printf '#define XML_DTD 1\n#define XML_NS 1\n#define XML_GE 1\n#define XML_CONTEXT_BYTES 1024\n#define BYTEORDER 1234\n#define XML_POOR_ENTROPY 1\n' >expat_config.h
}
build() { $CC -g -DHAVE_EXPAT_CONFIG_H -I. xmlparse.c xmlrole.c xmltok.c "$inputs/main.c" -o parse -lm && echo parse; }
options() { echo --sym-stdin 24; }
counts() { [[ $1 == *xmlparse.c || $1 == *xmltok_impl.c || $1 == *xmlrole.c ]]; }
