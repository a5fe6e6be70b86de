// tine-test: fn=parse max-string=3 max-elements=3 max-objects=3 verdict=bounded
// An array of strings that ends with NULL.
#include <stdlib.h>

int parse(char **argv) {
    if (!argv)                                          //~ COVERED
        return -1;
    int n = 0;
    for (; argv[n]; n++)                                //~ COVERED
        if (argv[n][0] == '-' && argv[n][1] == 'v' && argv[n][2] == 0) //~ COVERED
            if (n == 1)                                 //~ COVERED
                abort();                                //~ ERROR abort
    return n;
}
