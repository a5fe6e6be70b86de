// tine-test: program sym-stdin=8
// CWE-121: `read` is given a larger length than the buffer has.
#include <unistd.h>

static int bad(void) {
    char data[4];
    long n = read(0, data, 6); //~ ERROR out-of-bounds write
    return n > 0 ? data[0] : 0;
}

static int good(void) {
    char data[4];
    long n = read(0, data, sizeof data);
    return n > 0 ? data[n - 1] : 0;
}

int main(void) {
    char c;
    if (read(0, &c, 1) != 1)
        return 0;
    return c == 'f' ? bad() : good(), 0;
}
