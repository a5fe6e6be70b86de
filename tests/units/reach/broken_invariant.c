// tine-test: fn=buffer_put verdict=bounded
// The same with an error that calls show: the third byte is beyond the end.
#include <stdlib.h>
struct buffer {
    unsigned length, size;
    char *bytes;
};
void buffer_init(struct buffer *b) {
    b->length = 0;
    b->size = 4;
    b->bytes = malloc(2);
    if (!b->bytes)
        abort();
}
void buffer_put(struct buffer *b, char c) {
    if (b->length == b->size)   //~ REQUIRES b != NULL
        b->length = 0;
    b->bytes[b->length++] = c;  //~ ERROR out-of-bounds write
}
