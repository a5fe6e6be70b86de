// tine-test: fn=pair
// CWE-126: a string without terminator is printed. Its last byte may be one.
#include <stdio.h>

int bad(unsigned k) {
    char text[4];
    for (int i = 0; i < 4; i++)
        text[i] = (char)(k >> 8 * i);
    puts(text); //~ ERROR out-of-bounds read
    return 0;
}

int good(unsigned k) {
    char text[5];
    for (int i = 0; i < 4; i++)
        text[i] = (char)(k >> 8 * i);
    text[4] = 0;
    puts(text);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
