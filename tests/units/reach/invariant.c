// tine-test: fn=buffer_put verdict=bounded
// A buffer that `buffer_init` made always has room where its length says so.
#include <stdlib.h>
struct buffer {
    unsigned length, size;
    char *bytes;
};
void buffer_init(struct buffer *b) {
    b->length = 0;
    b->size = 4;
    b->bytes = malloc(4);
    if (!b->bytes)
        abort();
}
void buffer_put(struct buffer *b, char c) {
    if (b->length == b->size)   //~ REQUIRES b != NULL
        b->length = 0;
    b->bytes[b->length++] = c;  //~ NOT SHOWN REACHABLE
}
