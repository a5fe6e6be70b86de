// tine-test: fn=pair
// CWE-475: `strcpy` shifts a string by one character. The twin moves it.
#include <string.h>

int bad(unsigned k) {
    char text[16] = "abcdefgh";
    if (k == 7)
        strcpy(text, text + 1); //~ ERROR overlapping copy
    return text[0];
}

int good(unsigned k) {
    char text[16] = "abcdefgh";
    if (k == 7)
        memmove(text, text + 1, strlen(text));
    return text[0];
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
