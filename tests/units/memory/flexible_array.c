// tine-test: fn=flexible_array
// A structure with a tail of any length.
#include <stdlib.h>
#include <tine.h>

struct packet {
    unsigned length;
    unsigned char data[];
};

int flexible_array(unsigned char x) {
    struct packet *p = malloc(sizeof *p + 4);
    if (!p)
        exit(0);
    p->length = 4;
    unsigned sum = 0;
    for (unsigned i = 0; i < p->length; i++) {
        p->data[i] = (unsigned char)(x + i);
        sum += p->data[i];
    }
    if (sum == 254u + 255u + 0u + 1u)       //~ COVERED
        tine_assert(x != 254);              //~ ERROR assertion failure
    free(p);
    return 0;
}
