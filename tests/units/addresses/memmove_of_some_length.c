// tine-test: fn=memmove_of_some_length
// A block of some length is moved inside one array.
#include <string.h>
#include <tine.h>

int memmove_of_some_length(unsigned char to, unsigned char from, unsigned char n) {
    char text[12] = "abcdefghijk";
    if (to > 4 || from > 3 || n > 6)                            //~ COVERED
        return 0;
    memmove(text + to, text + from, n);
    if (text[4] == 'c' && text[8] == 'g')                       //~ COVERED
        tine_assert(to != 4);                                   //~ ERROR assertion failure
    if (text[4] == 'a' && (n == 0 || to + n <= 4))
        return -1;                                              //~ UNREACHABLE
    return 0;
}
