// tine-test: fn=machine_step
// No call leads to state 7.
#include <assert.h>
struct machine {
    int state;
};
struct machine *machine_new(void) {
    static struct machine machine;
    machine.state = 0;
    return &machine;
}
void machine_step(struct machine *m, int input) {
    assert(m->state != 7);      //~ REQUIRES m != NULL //~ NOT SHOWN REACHABLE
    if (input == 3 && m->state == 0)
        m->state = 1;
}
