// tine-test: fn=struct_large
// More than 16 bytes by value: the callee has a copy of its own.
#include <tine.h>

struct large {
    int head;
    long body[4];
    short tail;
};

static long consume(struct large s, int factor) {
    long r = s.body[2] + s.tail * factor;
    s.body[2] = 0;
    s.tail = 0;
    return r;
}

int struct_large(int x, short y) {
    struct large s = {.head = 1, .body = {[2] = x}, .tail = y};
    long r = consume(s, 1000);
    if (s.body[2] != x || s.tail != y)
        return -1;                          //~ UNREACHABLE
    if (r == 54321 && y == 54)              //~ COVERED
        tine_assert(x != 321);              //~ ERROR assertion failure
    return 0;
}
