// tine-test: fn=pair
// A buffer that is sent has bytes that were not set.
#include <string.h>
#include <unistd.h>

static int both(int faulty, int k) {
    char buffer[12];
    memset(buffer, 'x', faulty ? 8 : 12);
    if (k == 20)
        return write(1, buffer, sizeof buffer) == 12; //~ ERROR uninitialised read
    return 0;
}

int pair(int faulty, int k) { return both(faulty, k); }
