// tine-test: fn=linked_by_index
// A list whose links are indices.
#include <tine.h>

int linked_by_index(unsigned a, unsigned b, unsigned c, unsigned d) {
    unsigned next[4] = {a & 3, b & 3, c & 3, d & 3};
    unsigned at = 0;
    for (int k = 0; k < 4; k++)
        at = next[at];
    if (at == 2 && next[0] == 3 && next[3] == 1)                        //~ COVERED
        tine_assert(next[1] != 2);                                      //~ ERROR assertion failure
    if (at == 1 && (a & 3) == 0)
        return -1;                                                      //~ UNREACHABLE
    return 0;
}
