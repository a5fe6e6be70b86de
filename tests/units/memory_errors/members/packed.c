// tine-test: fn=pair
// CWE-126: a packed header is smaller than the same members with padding.
#include <stdint.h>
#include <stdlib.h>

struct __attribute__((packed)) header {
    uint8_t kind;
    uint32_t length;
};
struct padded {
    uint8_t kind;
    uint32_t length;
};

int bad(int k) {
    unsigned char *data = calloc(1, sizeof(struct header));
    int r = k == 5 ? (int)((struct padded *)data)->length : 0; //~ ERROR out-of-bounds read
    free(data);
    return r;
}

int good(int k) {
    unsigned char *data = calloc(1, sizeof(struct header));
    int r = k == 5 ? (int)((struct header *)data)->length : 0;
    free(data);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
