// tine-test: program
// Numbers in text are expressions of their digits.
#include <stdlib.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char text[5];
    tine_symbolic(text, 4, "text");
    text[4] = 0;
    tine_assert(atoi(text) != 4711);                //~ ERROR assertion failure
    if (text[0] == '-')                             //~ COVERED
        tine_assert(strtol(text, NULL, 10) <= 0);
    char *end;
    unsigned long n = strtoul(text, &end, 0);
    if (n == 0xab && !*end)                         //~ COVERED
        tine_assert(text[1] != 'x');                //~ ERROR assertion failure
    return 0;
}
