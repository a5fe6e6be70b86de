// tine-test: fn=pair
// CWE-805: the size of a buffer is that of another one.
#include <unistd.h>

int bad(unsigned k) {
    char folder[64];
    return getcwd(folder, 4096) && k; //~ ERROR out-of-bounds write
}

int good(unsigned k) {
    char folder[4096];
    return getcwd(folder, 4096) && k;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
