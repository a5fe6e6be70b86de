// tine-test: fn=state_machine
// Three symbols through a table of transitions.
#include <tine.h>

int state_machine(unsigned char a, unsigned char b, unsigned char c) {
    static const unsigned char next[4][3] = {{1, 0, 0}, {1, 2, 0}, {3, 0, 0}, {3, 3, 0}};
    unsigned s = 0;
    s = next[s][a % 3];
    s = next[s][b % 3];
    s = next[s][c % 3];
    if (s == 3)                                                 //~ COVERED
        tine_assert(a % 3 != 0 || b % 3 != 1 || c % 3 != 0);    //~ ERROR assertion failure
    if (s == 3 && c % 3 == 2)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
