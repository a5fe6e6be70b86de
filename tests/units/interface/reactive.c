// tine-test: program max-runs=400 run-timeout=100ms verdict=incomplete reason="asks for ever"
// A program that asks for its next input for ever, unless one says that it is to end: zeros do not.
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
