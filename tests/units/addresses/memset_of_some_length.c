// tine-test: fn=memset_of_some_length
// A fill of some length, at a place that an input chooses.
#include <string.h>
#include <tine.h>

int memset_of_some_length(unsigned char at, unsigned char n, unsigned char with) {
    unsigned char text[12] = "abcdefghijk";
    if (at > 5 || n > 4)                                        //~ COVERED
        return 0;
    memset(text + at, with, n);
    if (text[6] == 0x81 && text[3] == 'd')                      //~ COVERED
        tine_assert(at != 4);                                   //~ ERROR assertion failure
    tine_assert(text[9] == 'j');
    return 0;
}
