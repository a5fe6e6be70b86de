// tine-test: program paths=3 exit=0
// A program may return what it likes.
#include <tine.h>

int main(void) {
    int x = tine_int("x");
    if (x > 0)                              //~ COVERED
        return 1;
    if (x < 0)                              //~ COVERED
        return 255;
    return 0;
}
