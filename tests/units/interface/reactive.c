// tine-test: program max-runs=400 run-timeout=100ms verdict=incomplete reason="unbounded input requests"
// A program that requests inputs without end, unless an input tells it to stop. Zeros do not.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int opened = 0;
    for (;;) {
        switch (__VERIFIER_nondet_int()) { //~ COVERED
        case 1:
            opened++;
            break;
        case 2:
            if (opened == 2) //~ COVERED
                abort(); //~ ERROR abort
            break;
        case 1007:
            return 0;
        }
    }
}
