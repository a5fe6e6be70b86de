// tine-test: fn=pair verdict=incomplete
// A read may deliver less than was asked for.
#include <string.h>
#include <unistd.h>

static int receive(int k, int checks) {
    int ends[2], r = 0;
    char buffer[16];
    if (pipe(ends) < 0)
        return -1;
    if (write(ends[1], "abc", 3) != 3)
        return -1;
    ssize_t n = read(ends[0], buffer, sizeof buffer);
    close(ends[0]);
    close(ends[1]);
    if (checks && n < 5)
        return 0;
    if (k == 3 && buffer[4] == 'x') //~ ERROR uninitialised read
        r = 1;
    return r;
}

int pair(int faulty, int k) { return receive(k, !faulty); }
