// tine-test: fn=pointer_beside_numbers verdict=bounded
// A pointer changes in a table whose numbers, half as wide, are what is read next.
#include <stdlib.h>
#include <tine.h>

struct state {
    char *text;
    int kind, more;
};

int pointer_beside_numbers(unsigned n) {
    struct state *states = calloc(4, sizeof *states);
    if (!states)
        exit(0);
    for (int k = 0; k < 4; k++) {
        states[k].text = malloc(4 + k);
        if (!states[k].text)
            exit(0);
        states[k].text[1] = (char)k;
        states[k].kind = 1;
    }
    n &= 3;
    int kinds = states[n].kind;
    states[2].text = malloc(64);
    if (!states[2].text)
        exit(0);
    states[2].text[1] = 7;
    kinds += states[n].kind;
    tine_assert(kinds == 2);
    if (states[n].text[1] == 7)                             //~ COVERED
        tine_assert(n != 2);                                //~ ERROR assertion failure
    return 0;
}
