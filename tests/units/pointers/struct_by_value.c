// tine-test: fn=area
// A struct that is passed by value, with a pointer in it.
#include <stdlib.h>

struct shape {
    unsigned char width, height;
    const int *limit;
};

int area(struct shape s) {
    int a = s.width * s.height;
    if (s.limit && a == *s.limit && a == 143)   //~ COVERED
        abort();                                //~ ERROR abort
    return a;
}
