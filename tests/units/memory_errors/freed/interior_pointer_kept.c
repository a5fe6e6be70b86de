// tine-test: fn=pair
// CWE-416: a token points into a line that is freed before the token is read.
#include <stdlib.h>
#include <string.h>

static char *second_word(char *line) {
    char *blank = strchr(line, ' ');
    return blank ? blank + 1 : NULL;
}

int bad(int k) {
    char *line = strdup(k == 2 ? "get it" : "get");
    char *word = second_word(line);
    free(line);
    return word ? word[0] : 0; //~ ERROR use after free
}

int good(int k) {
    char *line = strdup(k == 2 ? "get it" : "get");
    char *word = second_word(line), first = word ? word[0] : 0;
    free(line);
    return word ? first : 0; /* only the value of the pointer is used */
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
