// tine-test: program args="alpha 42" paths=2
// The program's own arguments are as given.
#include <string.h>
#include <tine.h>

int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "alpha") != 0 || argv[2][0] != '4')
        return 1;                           //~ UNREACHABLE
    tine_assert(tine_int("x") != 42);       //~ ERROR assertion failure
    return 0;
}
