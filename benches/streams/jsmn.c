/* jsmn (libjsmn-dev): the tokens of a JSON text of sixteen bytes. */
#include "tine.h"
#include "jsmn.h"

int main(void) {
    char text[16];
    jsmn_parser parser;
    jsmntok_t tokens[8];
    tine_symbolic(text, sizeof text, "text");
    jsmn_init(&parser);
    return jsmn_parse(&parser, text, sizeof text, tokens, 8) < 0;
}
