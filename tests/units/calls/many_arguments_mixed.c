// tine-test: fn=many_arguments_mixed
// Integers and doubles go different ways, and both overflow onto the stack.
#include <tine.h>

static double sum(int a, double b, int c, double d, int e, float f, int g, double h, int i, double j, int k, double l,
                  int m, double n, double o, double p, double q) {
    double rest = b + c + e + f + g + h + i + j + k + l + n + o + q;
    return a + d + m + p + rest;
}

int many_arguments_mixed(short x, short y) {
    double dx = x, dy = y;
    double s = sum(1, 0, 0, dx, 0, 0, 0, 0, 0, 0, 0, 0, x, 0, 0, dy, 0);
    if (s == 1001.0) {                      //~ COVERED
        tine_assert(y != 600);              //~ ERROR assertion failure
        return 1;
    }
    return 0;
}
