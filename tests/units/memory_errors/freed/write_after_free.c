// tine-test: fn=pair
// CWE-416: the error path frees, and the common end writes.
#include <stdlib.h>

int bad(int code) {
    int *state = calloc(1, sizeof *state);
    if (code == -3)
        free(state);
    *state = code; //~ ERROR use after free
    if (code != -3)
        free(state);
    return 0;
}

int good(int code) {
    int *state = calloc(1, sizeof *state);
    if (code == -3) {
        free(state);
        state = calloc(1, sizeof *state); /* perhaps at the same address */
    }
    *state = code;
    free(state);
    return 0;
}

int pair(int faulty, int code) { return faulty ? bad(code) : good(code); }
