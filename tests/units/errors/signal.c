// tine-test: fn=raise_signal exit=1
// A signal that ends the process.
#include <signal.h>

int raise_signal(int x) {
    if (x == 15)                            //~ COVERED
        raise(SIGTERM);                     //~ ERROR killed by a signal
    return 0;
}
