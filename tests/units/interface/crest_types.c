// tine-test: program paths=6
// All of CREST's types, also by the functions that implement the macros.
#include <crest.h>

void __CrestInt(int *x);

int main(void) {
    unsigned short us;
    unsigned int ui;
    char c;
    short s;
    int i;
    CREST_unsigned_short(us);
    CREST_unsigned_int(ui);
    CREST_char(c);
    CREST_short(s);
    __CrestInt(&i);
    if (us != 60000)                        //~ COVERED
        return 1;
    if (ui != 4000000000u)                  //~ COVERED
        return 2;
    if (c != 'k')                           //~ COVERED
        return 3;
    if (s != -3)                            //~ COVERED
        return 4;
    if (i != -1000000)                      //~ COVERED
        return 5;
    tine_assert(0);                         //~ ERROR assertion failure
    return 0;
}
