// tine-test: fn=insertion_by_rank
// Every value goes where its rank says.
#include <tine.h>

int insertion_by_rank(unsigned char a, unsigned char b, unsigned char c) {
    unsigned char in[3] = {a, b, c}, out[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        int rank = 0;
        for (int j = 0; j < 3; j++)
            rank += in[j] < in[i] || (in[j] == in[i] && j < i);
        out[rank] = in[i];
    }
    tine_assert(out[0] <= out[1] && out[1] <= out[2]);
    tine_assert(out[0] + out[1] + out[2] == a + b + c);
    if (out[1] == 17 && out[2] == 18 && a == 18)                        //~ COVERED
        tine_assert(b != 17);                                           //~ ERROR assertion failure
    return 0;
}
