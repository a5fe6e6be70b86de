/* The smallest unit: one input, one branch on it, two paths. */
#include <tine.h>

int main(void) {
    if (tine_int("x") > 1000)
        return 1;
    return 0;
}
