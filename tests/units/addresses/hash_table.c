// tine-test: fn=hash_table
// Two keys in a table with open addressing.
#include <tine.h>

static unsigned char keys[8];
static int values[8];

static void put(unsigned char key, int value) {
    unsigned at = (key * 5u) & 7;
    while (keys[at] && keys[at] != key)
        at = (at + 1) & 7;
    keys[at] = key;
    values[at] = value;
}

static int get(unsigned char key) {
    unsigned at = (key * 5u) & 7;
    while (keys[at] && keys[at] != key)
        at = (at + 1) & 7;
    return keys[at] ? values[at] : -1;
}

int hash_table(unsigned char a, unsigned char b) {
    tine_assume(a != 0 && b != 0);
    put(a, 1);
    put(b, 2);
    tine_assert(get(b) == 2);
    if (get(a) == 2)                                                    //~ COVERED
        tine_assert(a != b);                                            //~ ERROR assertion failure
    else
        tine_assert(a != b);
    return 0;
}
