// tine-test: fn=pair
// CWE-562: the text of one case is used after the switch.
#include <stdio.h>

int bad(int k) {
    const char *name = "none";
    switch (k) {
    case 7: {
        char text[8];
        snprintf(text, sizeof text, "%d", k);
        name = text;
        break;
    }
    default:
        break;
    }
    return name[0]; //~ ERROR use after scope
}

int good(int k) {
    const char *name = "none";
    char text[8];
    switch (k) {
    case 7:
        snprintf(text, sizeof text, "%d", k);
        name = text;
        break;
    default:
        break;
    }
    return name[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
