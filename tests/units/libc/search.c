// tine-test: program
// What is found, and where: strchr, strrchr, strstr, strspn, strpbrk, memchr.
#include <string.h>
#include <tine.h>

int main(void) {
    char text[5];
    tine_symbolic(text, 4, "text");
    text[4] = 0;
    char *first = strchr(text, '/'), *last = strrchr(text, '/');
    if (first && last - first == 2)                         //~ COVERED
        tine_assert(text[0] == '/' || first[1] != '.');     //~ ERROR assertion failure
    if (strstr(text, "ab") == text + 2)                     //~ COVERED
        tine_assert(text[0] != 'a' || text[1] != 'a');      //~ ERROR assertion failure
    if (strspn(text, "0123456789") == 4)                    //~ COVERED
        tine_assert(text[0] >= '0' && text[3] <= '9');
    if (strpbrk(text, ";,") == text + 1)                    //~ COVERED
        tine_assert(text[1] == ';' || text[1] == ',');
    if (memchr(text, '%', 3) == text + 2)                   //~ COVERED
        tine_assert(text[0] != '%' && text[1] != '%');
    return 0;
}
