// tine-test: fn=pair
// CWE-475: the source and the destination of `memcpy` overlap. The twin moves.
#include <string.h>

int bad(unsigned k) {
    char text[16] = "abcdefgh";
    if (k < 8)
        memcpy(text + k, text, 8); //~ ERROR overlapping copy
    return text[0];
}

int good(unsigned k) {
    char text[16] = "abcdefgh";
    if (k < 8)
        memmove(text + k, text, 8);
    return text[0];
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
