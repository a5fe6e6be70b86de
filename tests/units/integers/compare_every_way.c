// tine-test: fn=compare_every_way paths=6
// All six relations, until one value is left.
#include <tine.h>

int compare_every_way(int x) {
    if (x > 41)                         //~ COVERED
        if (x >= 42)
            if (x < 44)                 //~ COVERED
                if (x <= 43)
                    if (x != 43)        //~ COVERED
                        if (x == 42)
                            tine_assert(x == 7);    //~ ERROR assertion failure
    if (x < -1)                         //~ COVERED
        return 1;
    if (x <= -1)                        //~ COVERED
        return 2;
    return x == 0 ? 3 : 4;
}
