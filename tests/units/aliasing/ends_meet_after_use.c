// tine-test: fn=ends_meet
// tine-test: fn=counted
// tine-test: fn=behind_a_structure
// tine-test: fn=written_between verdict=incomplete reason="input arrays that overlap"
// Two pointers that were used lead to different objects, but one object may end where the other begins.
#include <tine.h>

int ends_meet(int *a, int *b) {
    if (!a || !b)
        return 0;
    *a = 1;
    *b = 2;
    tine_assert(a + 2 != b);                                            //~ ERROR assertion failure
    return 1;
}

int counted(int *a, int *b, int n) {
    if (!a || !b || n < 0 || n > 5)
        return 0;
    *a = 1;
    *b = 2;
    if (a + n == b) {                                                   //~ COVERED
        tine_assert(n != 4);                                            //~ ERROR assertion failure
        if (n == 0 && *a == 1)
            return -1;                                                  //~ UNREACHABLE
    }
    return 1;
}

struct triple { int x, y, z; };

int behind_a_structure(struct triple *a, int *b) {
    if (!a || !b)
        return 0;
    a->x = 1;
    *b = 2;
    tine_assert((int *)(a + 1) != b);                                   //~ ERROR assertion failure
    if (&a->z == b)                                                     //~ COVERED
        return a->z == 2;
    return 1;
}

int written_between(int *a, int *b) {
    if (!a || !b)
        return 0;
    a[3] = 1;
    *b = 2;
    if (a + 2 == b && a[3] == 2)
        return -1;                                                      //~ UNREACHABLE
    return 1;
}
