// tine-test: fn=pair
// CWE-476: a member of a null structure lies at a small address. The twin takes only its offset.
#include <stddef.h>

struct wide {
    char skip[64];
    int value;
    struct wide *next;
};

int bad(struct wide *w) {
    if (!w)
        return 0;
    return w->next->value; //~ ERROR null pointer dereference
}

int good(struct wide *w) {
    if (!w || !w->next)
        return (int)offsetof(struct wide, value);
    return w->next->value;
}

int pair(int faulty, struct wide *w) { return faulty ? bad(w) : good(w); }
