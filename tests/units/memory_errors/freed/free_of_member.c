// tine-test: fn=pair
// CWE-590: the first member has the address of the structure, the second has not.
#include <stdlib.h>

struct item {
    int first;
    int second;
};

int bad(int k) {
    struct item *i = malloc(sizeof *i);
    free(k == 44 ? &i->second : &i->first); //~ ERROR invalid free
    return 0;
}

int good(int k) {
    struct item *i = malloc(sizeof *i);
    free(k == 44 ? (void *)&i->first : (void *)i);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
