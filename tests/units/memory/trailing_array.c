// tine-test: fn=trailing cflags=-Wno-array-bounds
// The length of an array at the end of a structure is that of the allocation, as in programs older than `bytes[]`.
#include <stdlib.h>
#include <string.h>

struct text {
    long len;
    char bytes[2];
};

// After `len` there is room for sixteen bytes: two, six of padding, and eight more.
static struct text *make(const char *from, size_t n) {
    struct text *made = malloc(sizeof *made + n);
    memset(made, 0, sizeof *made + n);
    for (size_t i = 0; i < n; i++)
        made->bytes[i] = from[i];
    return made;
}

int trailing(int what, unsigned char i, unsigned char j) {
    struct text *made = make("abcdefgh", 8), *all = calloc(3, sizeof *all), one = {0};
    switch (what) { //~ COVERED
    case 0:
        if (i < 16 && made->bytes[i] == 'h') //~ COVERED
            return made->bytes[15];
        return 0;
    case 1:
        return made->bytes[i]; //~ ERROR array index out of bounds
    case 2:
        return made->bytes[16]; //~ ERROR array index out of bounds
    case 3:
        // Elements of arrays and variables have no room after them.
        if (j < 3)
            return all[j].bytes[i]; //~ ERROR array index out of bounds
        return 0;
    case 4:
        return one.bytes[i]; //~ ERROR array index out of bounds
    }
    return 0;
}
