// tine-test: fn=pair
// CWE-457: the terminator is missing, and what follows was never set.
#include <string.h>

int bad(char c) {
    char text[8];
    text[0] = c;
    text[1] = 'b';
    if (c != 'x')
        text[2] = 0;
    return strlen(text) > 1; //~ ERROR uninitialised read
}

int good(char c) {
    char text[8];
    text[0] = c;
    text[1] = 'b';
    if (c != 'x')
        text[2] = 0;
    return strnlen(text, 2) == 2;
}

int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
