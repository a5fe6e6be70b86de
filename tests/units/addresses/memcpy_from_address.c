// tine-test: fn=memcpy_from_address
// A block is copied from a place that an input chooses.
#include <string.h>
#include <tine.h>

int memcpy_from_address(unsigned i) {
    static const char text[] = "the quick brown fox";
    char word[4] = "";
    memcpy(word, text + i % 17, 3);
    if (memcmp(word, "bro", 3) == 0)                            //~ COVERED
        tine_assert(i % 17 != 10);                              //~ ERROR assertion failure
    if (word[0] == 'q' && word[1] != 'u')
        return -1;                                              //~ UNREACHABLE
    return word[3];
}
