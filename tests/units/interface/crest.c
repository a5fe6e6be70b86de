// tine-test: program
// A program written for CREST.
#include <crest.h>
#include <stdio.h>

int main(void) {
    int a, b, c, d;
    unsigned char uc;
    CREST_int(a);
    CREST_int(b);
    CREST_int(c);
    CREST_int(d);
    CREST_unsigned_char(uc);
    if (a == 5) {                           //~ COVERED
        if (b == 19) {                      //~ COVERED
            if (c == 7) {                   //~ COVERED
                if (d == 4 && uc == 200) {  //~ COVERED
                    printf("goal\n");
                    tine_assert(a + b != 24);       //~ ERROR assertion failure
                }
            }
        }
    }
    return 0;
}
