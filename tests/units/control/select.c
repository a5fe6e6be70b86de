// tine-test: fn=choose paths=2
// ?: of plain values is one `select`: no branch, but an expression that depends on the condition.
#include <tine.h>

int choose(int x, int y) {
    int larger = x > y ? x : y;
    int smaller = x > y ? y : x;
    int sign = x > 0 ? 100 : 200;
    tine_assert(!((larger == 77) & (smaller == -3) & (sign == 200)));  //~ ERROR assertion failure
    return larger;
}
