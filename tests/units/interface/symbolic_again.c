// tine-test: program paths=4
// The same object made an input twice has two independent values.
#include <tine.h>

int main(void) {
    int x = 5;
    tine_symbolic(&x, sizeof x, "x");
    int first = x;
    tine_symbolic(&x, sizeof x, "x");
    if (first == 1000)                      //~ COVERED
        tine_assert(x != 2000);             //~ ERROR assertion failure
    if (x == 2000)                          //~ COVERED
        return 1;
    return 0;
}
