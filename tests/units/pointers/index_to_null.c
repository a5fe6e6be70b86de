// tine-test: fn=put verdict=bounded reason=--max-
// No index leads from an object to address 0; any index into a null pointer is an error.
#include <stddef.h>

struct buffer {
    char *text;
    size_t n;
};

int put(struct buffer *b, unsigned long i) {
    if (!b || i > 3)
        return 0;
    if (b->text)
        return b->text[b->n] == 'x' && b->text[i] == 'y'; //~ COVERED
    return b->text[i]; //~ ERROR null pointer dereference
}
