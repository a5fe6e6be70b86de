// tine-test: fn=pair
// CWE-121: a copy to the first member of a structure is as long as the structure.
#include <string.h>

struct named {
    char name[16];
    void *next;
};

static int use(struct named *named) { return named->name[0] + (named->next != 0); }

int bad(unsigned k) {
    struct named named = {"", &named};
    memcpy(named.name, "0123456789abcdef0123456789abcdef", sizeof named); //~ ERROR out-of-bounds write
    return use(&named) + (int)k % 3;
}

int good(unsigned k) {
    struct named named = {"", &named};
    memcpy(named.name, "0123456789abcdef0123456789abcdef", sizeof named.name);
    memset(&named, 0, sizeof named);
    return use(&named) + (int)k % 3;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
