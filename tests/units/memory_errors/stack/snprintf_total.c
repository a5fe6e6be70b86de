// tine-test: fn=pair
// CWE-121: `snprintf` returns what it would have written, not what it wrote.
#include <stdio.h>

int bad(int k) {
    char text[8];
    int n = snprintf(text, sizeof text, "%s", k == 4 ? "much too long" : "short");
    text[n] = '.'; //~ ERROR array index out of bounds
    return text[0];
}

int good(int k) {
    char text[8];
    int n = snprintf(text, sizeof text, "%s", k == 4 ? "much too long" : "short");
    if (n >= (int)sizeof text)
        n = sizeof text - 1;
    text[n] = '.';
    return text[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
