// tine-test: program
// Copies carry expressions.
#include <stdlib.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char text[4], to[16] = "<";
    tine_symbolic(text, 3, "text");
    text[3] = 0;
    strcat(to, text);
    strncat(to, ">>>", 1);
    if (strlen(to) == 4)                            //~ COVERED
        tine_assert(strcmp(to, "<ok>") != 0);       //~ ERROR assertion failure
    char *copy = strdup(text);
    if (copy[0] == 'x')                             //~ COVERED
        tine_assert(text[0] == 'x');
    free(copy);
    void *(*function)(void *, const void *, size_t) = memcpy;
    function(to, text, 3);
    if (to[2] == '9')                               //~ COVERED
        tine_assert(text[2] == '9');
    return 0;
}
