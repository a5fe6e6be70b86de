// tine-test: fn=midpoint
// The middle of an interval of floats, halved after the addition. It stays inside for all ordinary numbers, and
// leaves the interval when the sum of its ends is too large for a float. The search has to find such ends by
// reasoning about floats bit by bit: their sum must round to infinity.
//
// tine explores it completely: both assertions fail, each for ends beyond half of the largest float.
#include <tine.h>

float midpoint(float low, float high) {
    tine_assume(low <= high);               // no NaN
    float middle = (low + high) / 2.0f;
    tine_assert(middle <= high);            //~ ERROR assertion failure
    tine_assert(middle >= low);             //~ ERROR assertion failure
    return middle;                          //~ GCOV suite
}
