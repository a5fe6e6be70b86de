// tine-test: fn=handle
// A handler sees what was stored before the signal.
#include <signal.h>
#include <stdlib.h>

static int stored;

static void handler(int signal) {
    (void)signal;
    if (stored == 99)
        abort();                                //~ ERROR abort
}

int handle(int x) {
    stored = x;
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    return 0;
}
