// tine-test: fn=choose paths=2
// ?: of constants is one `select`: no branch, but an expression that depends on the condition.
#include <tine.h>

int choose(int x, int y) {
    int sign = x > 0 ? 100 : 200;
    int weight = y == 9 ? -5 : 7;
    tine_assert(sign + weight != 195);      //~ ERROR assertion failure
    return sign;
}
