// tine-test: program verdict=incomplete reason="atoi"
// The bytes that a pointer points to go into code that tine has not compiled.
#include <stdlib.h>
#include <tine.h>

/* The library's own, not the model. */
int to_number(const char *) __asm__("\01atoi");

int main(void) {
    char text[4];
    tine_symbolic(text, 3, "text");
    text[3] = 0;
    if (text[0] == '-')                     //~ COVERED
        return 1;
    return to_number(text) < 0;
}
