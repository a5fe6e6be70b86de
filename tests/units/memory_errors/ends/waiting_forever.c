// tine-test: fn=pair run-timeout=50ms verdict=bounded reason="time limit"
// CWE-835: a flag that is never set. The twin's is set by a handler.
#include <signal.h>

static volatile sig_atomic_t ready;
static void set(int number) { ready = number; }

static int wait_for(int k, int send) {
    ready = k;
    signal(SIGUSR1, set);
    if (send)
        raise(SIGUSR1);
    while (!ready) //~ ERROR endless loop
        ;
    return ready;
}

int bad(int k) { return wait_for(k, 0); }
int good(int k) { return wait_for(k, 1); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
