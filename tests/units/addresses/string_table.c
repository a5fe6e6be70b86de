// tine-test: fn=string_table
// A letter of a word, both chosen by inputs.
#include <tine.h>

int string_table(unsigned i, unsigned j) {
    static const char *const words[4] = {"north", "east", "south", "west"};
    const char *w = words[i & 3];
    if (w[0] == 's' && w[j & 3] == 'u')                 //~ COVERED
        tine_assert((i & 3) != 2 || (j & 3) != 2);      //~ ERROR assertion failure
    if (w[j & 3] == 'x')
        return -1;                                      //~ UNREACHABLE
    return 0;
}
