// tine-test: fn=machine_step
// Two calls before lead to state 2. Errors without an object of that type stay as they are.
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
    assert(input != 77);        //~ ERROR assertion failure
    assert(m->state != 2);      //~ ERROR assertion failure //~ REQUIRES m != NULL
    if (m->state < 2 && input == 3 + (m->state & 1))
        m->state++;
}
