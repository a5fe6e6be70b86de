// tine-test: fn=mutual_recursion
// Two functions that call each other, and locals that each call has for itself.
#include <tine.h>

static int odd(unsigned char n);

static int even(unsigned char n) {
    unsigned char mine = n;
    int r = n == 0 || odd((unsigned char)(n - 1));      //~ COVERED
    tine_assert(mine == n);
    return r;
}

static int odd(unsigned char n) {
    return n != 0 && even((unsigned char)(n - 1));
}

int mutual_recursion(unsigned char n) {
    if (n > 6)                              //~ COVERED
        return 0;
    if (even(n) && odd(n))
        return -1;                          //~ UNREACHABLE
    tine_assert(!even(n) || n != 6);        //~ ERROR assertion failure
    return 0;
}
