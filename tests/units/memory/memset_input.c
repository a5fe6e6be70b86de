// tine-test: fn=memset_input
// Filling with a byte that is an input.
#include <string.h>
#include <tine.h>

int memset_input(int c) {
    unsigned words[3];
    memset(words, c, sizeof words);
    if ((words[0] & 0xff) != (words[2] >> 24))
        return -1;                          //~ UNREACHABLE
    if (words[1] == 0x7e7e7e7eu)            //~ COVERED
        tine_assert(c != 0x127e);           //~ ERROR assertion failure
    memset(words, 0, 4);
    if (words[0] != 0)
        return -2;                          //~ UNREACHABLE
    return 0;
}
