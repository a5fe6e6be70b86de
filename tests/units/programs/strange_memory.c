// tine-test: program args="alpha beta" verdict=incomplete reason="address depends on the input"
// A table leads to an object of the program and to memory that was not registered: no access is wrong.
#include <tine.h>

static char own[] = "gamma";
static char *table[3] = {own};

static int length(const char *p) {
    int n = 0;
    while (*p++)                            //~ COVERED
        n++;
    return n;
}

int main(int argc, char **argv) {
    table[1] = argv[1], table[2] = argv[argc - 1];
    unsigned i = tine_uint("i");
    tine_assume(i < 3);
    if (length(table[i]) == 5)              //~ COVERED true
        return 1;
    return 0;
}
