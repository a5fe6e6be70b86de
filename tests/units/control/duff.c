// tine-test: fn=duff
// A switch that jumps into a loop.
#include <tine.h>

int duff(unsigned n) {
    int steps = 0;
    int rounds = 2;
    switch (n % 5u) {                       //~ COVERED
    case 0:
        do {
            steps++;
            __attribute__((fallthrough));
    case 3:
            steps++;
            __attribute__((fallthrough));
    case 2:
            steps++;
            __attribute__((fallthrough));
    case 1:
            steps++;
        } while (--rounds > 0);
    }
    tine_assert(n != 7u || steps == 0);     //~ ERROR assertion failure
    return steps;
}
