// tine-test: fn=stack_block
// Blocks from the stack in a loop: each is fresh, the old ones stay.
#include <tine.h>

int stack_block(int x) {
    int *block[3];
    for (int i = 0; i < 3; i++) {
        block[i] = __builtin_alloca(2 * sizeof(int));
        block[i][0] = i == 1 ? x : i;
        block[i][1] = 0;
    }
    if (block[0][0] != 0 || block[2][0] != 2 || block[1][1] != 0)
        return -1;                          //~ UNREACHABLE
    tine_assert(block[1][0] != -12345);     //~ ERROR assertion failure
    return 0;
}
