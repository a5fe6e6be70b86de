// tine-test: program
// Choices and inputs in one run; which inputs there are depends on the choice.
#include <tine.h>

int main(void) {
    if (tine_choice(2, "kind") == 0) {      //~ COVERED
        long l = tine_long("l");
        if (l == 1L << 40)                  //~ COVERED
            return 1;
        return 0;
    }
    unsigned char c = tine_uchar("c");
    unsigned char d = tine_uchar("d");
    tine_assert(c * d != 221 || c > d);     //~ ERROR assertion failure
    return 0;
}
