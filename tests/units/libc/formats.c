// tine-test: program
// Numbers and strings keep their expressions in text that is made of them.
#include <stdio.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char text[32];
    int n = tine_int("n");
    tine_assume(n > -1000 && n < 1000);
    snprintf(text, sizeof text, "[%4d|%x]", n, n & 0xff);
    tine_assert(strcmp(text, "[ -42|d6]") != 0);    //~ ERROR assertion failure
    if (sprintf(text, "%d", n) == 3)                //~ COVERED
        tine_assert(n >= 100 || n < -9);
    return 0;
}
