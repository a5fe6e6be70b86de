// tine-test: fn=pair verdict=bounded
// CWE-121: copies of constant odd sizes, which the compiler makes of a few wider ones.
#include <string.h>

struct seven {
    char c[7];
};

static void copy(struct seven *to, const struct seven *from) { *to = *from; } //~ ERROR out-of-bounds write

int bad(int k) {
    struct seven s = {"abcdef"};
    char room[13];
    copy((struct seven *)room, &s);
    copy((struct seven *)(room + (k == 7 ? 7 : 6)), &s);
    return room[6];
}

int good(int k) {
    struct seven s = {"abcdef"};
    char room[13];
    copy((struct seven *)room, &s);
    copy((struct seven *)(room + (k == 7 ? 6 : 5)), &s);
    memcpy(room + 10, "xyz", 3);
    return room[6];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
