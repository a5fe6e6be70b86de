// A lot of writable memory: full of data, or untouched.
#include "tine_interface.h"
#ifdef DATA
static volatile int memory[4 << 20] = {[0 ... (4 << 20) - 1] = 1};
#define FRESH 1
#else
static volatile int memory[16 << 20];
#define FRESH 0
#endif

int main(void) {
    int k;
    __tine_input(&k, sizeof k, "k", 3);
    int n = sizeof memory / sizeof memory[0];
    // More pages in some runs than in others.
    for (int i = 0; i < (k % 10) * 30 + 1; i++) {
        int at = (int)((i * 977l + k) * 4099 % n);
        if (memory[at] != FRESH) return 1;
        memory[at] = 2;
    }
    return 0;
}
