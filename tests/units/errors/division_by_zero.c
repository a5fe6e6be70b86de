// tine-test: fn=scale exit=1
// The divisor becomes zero for one input; nothing after it runs then.
#include <tine.h>

int scale(int x) {
    if (x > 0x1000 && x < 0x2000) {
        int q = 10 / (x - 0x1234);          //~ ERROR division by zero
        tine_assert(x != 0x1234);
        return q;
    }
    return x;
}
