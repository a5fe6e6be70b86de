// tine-test: fn=second max-elements=4
// The second element of an array, and pointers inside it.
#include <stdlib.h>

struct pair {
    unsigned key;
    const unsigned *value;
};

void second(const struct pair *pairs) {
    if (!pairs || pairs[1].key != 5 || !pairs[1].value)         //~ COVERED
        return;
    if (*pairs[1].value == pairs[0].key + pairs[1].key)         //~ COVERED
        abort();                                                //~ ERROR abort
}
