// tine-test: fn=pair
// CWE-121: the sign needs room, too.
#include <stdio.h>

int bad(signed char x) {
    char text[4];
    sprintf(text, "%d", x); //~ ERROR out-of-bounds write
    return text[0];
}

int good(signed char x) {
    char text[5];
    sprintf(text, "%d", x);
    char cut[2];
    int wanted = snprintf(cut, sizeof cut, "%d", x);
    return text[0] == cut[0] && wanted > 0;
}

int pair(int faulty, signed char x) { return faulty ? bad(x) : good(x); }
