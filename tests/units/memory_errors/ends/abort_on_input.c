// tine-test: fn=pair
// CWE-617: the default of a switch aborts.
#include <stdlib.h>

int bad(int x) {
    switch (x & 3) {
    case 0: return 1;
    case 1: return 2;
    case 2: return 3;
    default: abort(); //~ ERROR abort
    }
}

int good(int x) {
    switch (x & 1) {
    case 0: return 1;
    case 1: return 2;
    default: abort();
    }
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
