// tine-test: fn=f
// A handler sets what the program then reads.
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t seen;
static void handler(int number) { seen = number; }

int f(int k) {
    struct sigaction a, old;
    memset(&a, 0, sizeof a);
    a.sa_handler = handler;
    sigemptyset(&a.sa_mask);
    if (sigaction(SIGUSR1, &a, &old) < 0)
        return -1;
    if (k == 3)
        raise(SIGUSR1);
    sigaction(SIGUSR1, &old, NULL);
    return seen == SIGUSR1;
}
