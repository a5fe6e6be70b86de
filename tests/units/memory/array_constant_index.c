// tine-test: fn=array_constant_index
// Symbolic elements at known places.
#include <tine.h>

int array_constant_index(int a, int b, int c) {
    int v[5] = {0};
    v[1] = a;
    v[2] = b;
    v[4] = c;
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += v[i] > 100;
    if (sum == 3 && v[1] == v[2] && v[2] < v[4])        //~ COVERED
        tine_assert(a != 101 || c != 102);              //~ ERROR assertion failure
    if (sum > 3)
        return -1;                                      //~ UNREACHABLE
    return v[0] + v[3];
}
