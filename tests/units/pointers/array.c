// tine-test: fn=find max-elements=3 verdict=bounded reason=--max-elements
// A pointer is an array where the unit uses it as one.
#include <stdlib.h>

void find(const int *a) {
    if (!a)                     //~ COVERED
        return;
    for (int k = 0; k < 10; k++)
        if (a[k] == 7 * k + 1) { //~ COVERED
            if (k == 2)         //~ COVERED
                abort();        //~ ERROR abort
            return;
        }
}
