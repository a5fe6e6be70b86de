// tine-test: fn=pair
// CWE-121: a handler counts into an array of the interrupted function, one signal too often.
#include <signal.h>

static int *next;
static void count(int number) { *next++ = number; } //~ ERROR out-of-bounds write

static int run(int n) {
    int seen[2] = {0};
    next = seen;
    signal(SIGUSR1, count);
    for (int i = 0; i < n; i++)
        raise(SIGUSR1);
    return seen[0];
}

int bad(int n) { return run(n == 3 ? 3 : 1); }
int good(int n) { return run(n == 3 ? 2 : 1); }
int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
