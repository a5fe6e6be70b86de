/* Where `longjmp` leads nobody takes over what is known of the value. So a value that depends on inputs becomes a number: a
 * decision for each of the small ones, which are what programs pass. The rest is pinned, and counted. */
#include <setjmp.h>

#include "library.h"

#define FEW 64

static inline int as_number(int value) {
    for (int k = 0; k < FEW; k++)
        if (value == k)
            return k;
    return value;
}
