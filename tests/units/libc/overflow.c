// tine-test: program
// Numbers that no `long` holds, from three bytes that are inputs.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <tine.h>

int main(void) {
    char text[] = "92233720368547758??";
    tine_symbolic(text + 17, 2, "digits");
    errno = 0;
    long n = strtol(text, NULL, 10);
    if (errno == ERANGE)                            //~ COVERED
        tine_assert(n == LONG_MAX);
    else
        tine_assert(n != LONG_MAX);                 //~ ERROR assertion failure
    return 0;
}
