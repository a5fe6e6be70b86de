// tine-test: fn=pair
// CWE-122: bit-fields beyond the bytes that were allocated. The twin's last bit is in the last byte.
#include <stdlib.h>

struct bits {
    unsigned char a : 3, b : 5;
    unsigned char c : 8;
    unsigned char d : 1;
};

int bad(int k) {
    struct bits *p = calloc(2, 1);
    if (k == 6)
        p->d = 1; //~ ERROR out-of-bounds read
    free(p);
    return 0;
}

int good(int k) {
    struct bits *p = calloc(3, 1);
    if (k == 6)
        p->d = 1;
    int r = p->d;
    free(p);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
