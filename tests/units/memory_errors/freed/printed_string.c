// tine-test: fn=pair
// CWE-416: a freed name is handed to the library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bad(int k) {
    char *name = strdup("name"), text[16];
    if (k == 17)
        free(name);
    snprintf(text, sizeof text, "<%s>", name); //~ ERROR use after free
    if (k != 17)
        free(name);
    return text[1];
}

int good(int k) {
    char *name = strdup("name"), text[16];
    if (k == 17) {
        free(name);
        name = "constant";
    }
    snprintf(text, sizeof text, "<%s>", name);
    if (k != 17)
        free(name);
    return text[1];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
