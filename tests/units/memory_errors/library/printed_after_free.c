// tine-test: fn=pair
// CWE-416: a freed text is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bad(unsigned k) {
    char *text = malloc(8);
    if (!text)
        return 0;
    strcpy(text, "text");
    free(text);
    printf("%u %s\n", k, text); //~ ERROR use after free
    return 0;
}

int good(unsigned k) {
    char *text = malloc(8);
    if (!text)
        return 0;
    strcpy(text, "text");
    printf("%u %s\n", k, text);
    free(text);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
