// tine-test: program
// What headers call for fortified sources is modelled like the function itself.
#include <string.h>
#include <tine.h>

int main(void) {
    char text[4], to[4];
    tine_symbolic(text, 3, "text");
    text[3] = 0;
    __builtin___strcpy_chk(to, text, sizeof to);
    tine_assert(strcmp(to, "abc") != 0);                    //~ ERROR assertion failure
    return 0;
}
