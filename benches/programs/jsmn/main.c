#include <stdio.h>

#define JSMN_PARENT_LINKS
#define JSMN_STRICT
#include "jsmn.h"

int main(void) {
    static char text[4096];
    jsmntok_t tokens[64];
    jsmn_parser parser;
    size_t n = fread(text, 1, sizeof text - 1, stdin);
    jsmn_init(&parser);
    return jsmn_parse(&parser, text, n, tokens, sizeof tokens / sizeof *tokens) < 0;
}
