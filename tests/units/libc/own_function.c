// tine-test: program paths=2
// A program that brings its own function keeps it.
#include <tine.h>

typedef __SIZE_TYPE__ size_t;

size_t strlen(const char *s) { return s[0] == '!' ? 99 : 0; }   //~ COVERED

int main(void) {
    char text[2];
    tine_symbolic(text, 2, "text");
    size_t (*function)(const char *) = strlen;
    if (function(text) == 99)                       //~ COVERED
        tine_assert(0);                             //~ ERROR assertion failure
    return 0;
}
