// tine-test: fn=pair
// CWE-122: a flexible array is allocated without its elements. The twin also uses the old form, `data[1]`.
#include <stdlib.h>

struct packet {
    unsigned length;
    unsigned char data[];
};

struct old_packet {
    unsigned length;
    unsigned char data[1];
};

int bad(unsigned n) {
    if (n > 5)
        return 0;
    struct packet *p = malloc(sizeof *p);
    p->length = n;
    for (unsigned i = 0; i < n; i++)
        p->data[i] = 1; //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(unsigned n) {
    if (n > 5)
        return 0;
    struct packet *p = malloc(sizeof *p + n);
    struct old_packet *q = malloc(sizeof *q + n);
    for (unsigned i = 0; i < n; i++)
        p->data[i] = q->data[i] = 1;
    free(p);
    free(q);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
