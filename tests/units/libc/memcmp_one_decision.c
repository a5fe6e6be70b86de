// tine-test: program paths=4
// Equal, less, more: the bytes of `memcmp` are one expression, however many they are.
#include <string.h>
#include <tine.h>

int main(void) {
    char text[16];
    tine_symbolic(text, 16, "text");
    int order = memcmp(text, "sixteen bytes!!!", 16);
    if (order == 0)                                 //~ COVERED
        return 1;
    if (order < 0)                                  //~ COVERED
        return 2;
    tine_assert(memcmp(text, "sixteen bytes~~\n", 16) != 0);    //~ ERROR assertion failure
    return 3;
}
