// tine-test: fn=pair
// CWE-122: only the small variant of a union was allocated.
#include <stdlib.h>

struct small {
    char tag;
    char value;
};
struct large {
    char tag;
    long value[2];
};
union any {
    char tag;
    struct small small;
    struct large large;
};

int bad(int k) {
    union any *a = malloc(sizeof(struct small));
    a->tag = k == 3 ? 'l' : 's';
    if (a->tag == 'l')
        a->large.value[1] = 5; //~ ERROR out-of-bounds write
    free(a);
    return 0;
}

int good(int k) {
    char tag = k == 3 ? 'l' : 's';
    union any *a = malloc(tag == 'l' ? sizeof(struct large) : sizeof(struct small));
    a->tag = tag;
    if (a->tag == 'l')
        a->large.value[1] = 5;
    else
        a->small.value = 5;
    free(a);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
