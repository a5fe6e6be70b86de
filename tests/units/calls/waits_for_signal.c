// tine-test: program
// A loop that does nothing is not endless when something else will end it.
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <tine.h>

static void wake(int signal) {
    (void)signal;
    exit(0);
}

int main(void) {
    struct itimerval soon = {.it_value = {.tv_usec = 1000}};
    if (tine_int("x") == 4711) {            //~ COVERED
        signal(SIGALRM, wake);
        setitimer(ITIMER_REAL, &soon, NULL);
        for (;;)
            ;
    }
    return 0;
}
