// tine-test: fn=indirect_sort
// Indices are sorted by what they lead to.
#include <tine.h>

int indirect_sort(signed char a, signed char b, signed char c) {
    signed char key[3] = {a, b, c};
    unsigned char order[3] = {0, 1, 2};
    for (int n = 2; n > 0; n--)
        for (int k = 0; k < n; k++)
            if (key[order[k]] > key[order[k + 1]]) {
                unsigned char kept = order[k];
                order[k] = order[k + 1];
                order[k + 1] = kept;
            }
    tine_assert(key[order[0]] <= key[order[1]] && key[order[1]] <= key[order[2]]);
    if (order[0] == 2 && order[1] == 1)                                 //~ COVERED
        tine_assert(a < b || b <= c);                                   //~ ERROR assertion failure
    return 0;
}
