/* A jump returns to setjmp, with a value. */
#include <setjmp.h>
static jmp_buf place;
static void leave(int v) {
    if (v > 3)                      //~ DECIDES INFLUENCED: the analysis does not know that r is not 0 then
        longjmp(place, v);
}
int f(int a, int b) {
    if (b)                          //~ UNRELATED
        b = 2;
    int r = setjmp(place);
    if (r == 0)                     //~ DECIDES INFLUENCED
        leave(a + 1);               //~ TARGET
    if (r == 9)                     //~ INFLUENCED
        return 1;
    return 0;
}
