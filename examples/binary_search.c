// tine-test: fn=search depth=14 verdict=bounded reason="depth"
// Binary search with the mistake that went unnoticed for decades: (low + high) / 2 overflows when the range is
// large, and the element before the array is read. The array is a function of the index, so that it can have
// two billion elements.
//
// tine finds the overflow and what follows from it. Up to 31 rounds make too many paths to try all: the number
// of decisions is bounded, and the verdict says so.
#include <tine.h>

static long element(int index) { return 2L * index + 1; }

int search(int low, int high, long key) {
    if (low < 0 || low > high)              //~ COVERED
        return -1;
    while (low <= high) {
        int middle = (low + high) / 2;      //~ ERROR signed integer overflow
        tine_assert(middle >= low);         //~ ERROR assertion failure
        if (element(middle) < key)          //~ COVERED
            low = middle + 1;
        else if (element(middle) > key)     //~ COVERED
            high = middle - 1;
        else
            return middle;
    }
    return -1;
}
