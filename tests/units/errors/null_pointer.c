// tine-test: fn=null exit=1
// Reading, writing and looking for a member through NULL.
#include <stddef.h>

struct item {
    int key;
    int value;
};

int null(int x) {
    struct item *none = NULL;
    if (x == 11)                            //~ COVERED
        return none->value;                 //~ ERROR null pointer dereference
    if (x == 12)                            //~ COVERED
        none->key = 1;                      //~ ERROR null pointer dereference
    int *p = NULL;
    if (x == 13)                            //~ COVERED
        return *p;                          //~ ERROR null pointer dereference
    return 0;
}
