// tine-test: program paths=7
// A string of up to n bytes has n + 1 lengths, and each length is one path.
#include <string.h>
#include <tine.h>

int main(void) {
    char text[5];
    tine_symbolic(text, 4, "text");
    text[4] = 0;
    if (strlen(text) == 3)                          //~ COVERED
        tine_assert(text[2] != 'x');                //~ ERROR assertion failure
    if (strnlen(text, 2) == 2)                      //~ COVERED
        tine_assert(text[0] != 0);
    size_t (*function)(const char *) = strlen;
    if (function(text) == 4)                        //~ COVERED
        tine_assert(memcmp(text, "abcd", 4) != 0);  //~ ERROR assertion failure
    return 0;
}
