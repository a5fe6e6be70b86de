// tine-test: program
// A table of functions, indexed by a choice: the choice decides, so the index is a plain number.
#include <tine.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static int (*const table[])(int, int) = {add, subtract, multiply};

int main(void) {
    int x = tine_short("x");
    int r = table[tine_choice(3, "operation")](x, 12);
    if (r == 144)                               //~ COVERED
        tine_assert(x != 12 && x != 156);       //~ ERROR assertion failure
    return 0;
}
