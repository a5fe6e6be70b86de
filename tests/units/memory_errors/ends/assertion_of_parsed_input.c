// tine-test: program sym-stdin=4
// CWE-617: a message of the wrong kind reaches an assertion.
#include <assert.h>
#include <stdio.h>

static int kind_of(const unsigned char *m, size_t n) { return n > 2 && m[0] == 'M' ? m[1] - '0' : -1; }

int main(void) {
    unsigned char message[4];
    size_t n = fread(message, 1, sizeof message, stdin);
    int kind = kind_of(message, n);
    if (kind < 0 || kind > 3)
        return 0;
    assert(kind != 3 || n < 4 || message[3] != 'x'); //~ ERROR assertion failure
    assert(kind < 4);
    return 0;
}
