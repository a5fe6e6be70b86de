// tine-test: fn=pair
// CWE-823: from one member to another by pointer arithmetic. The twin goes back to the whole by `container_of`.
#include <stddef.h>

struct two {
    int first;
    int second;
};

int bad(int k) {
    struct two t[2] = {{1, 2}, {3, 4}};
    int *p = &t[1].second;
    return k == 9 ? p[1] : p[0]; //~ ERROR out-of-bounds read
}

int good(int k) {
    struct two t[2] = {{1, 2}, {3, 4}};
    int *p = &t[1].second;
    struct two *whole = (struct two *)((char *)p - offsetof(struct two, second));
    return k == 9 ? whole[-1].first : whole->first;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
