// tine-test: fn=write_through_alias
// Two names for one object; `char` pointers see every object's bytes.
#include <tine.h>

int write_through_alias(int x, int y) {
    int cell = x;
    int *same = &cell;
    unsigned char *bytes = (unsigned char *)&cell;
    *same = y;
    if (cell != y)
        return -1;                          //~ UNREACHABLE
    bytes[3] = 0;
    if (cell < 0)
        return -2;                          //~ UNREACHABLE
    if (cell == 0x00abcdef)                 //~ COVERED
        tine_assert(y != (int)0xffabcdef);  //~ ERROR assertion failure
    return 0;
}
