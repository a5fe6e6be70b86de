// tine-test: fn=assert_macro exit=1
// A failed assert of <assert.h>.
#include <assert.h>

int assert_macro(int x, int y) {
    assert(x != 1000 || y != x + 5);        //~ ERROR assertion failure
    assert(sizeof(int) == 4);
    return 0;
}
