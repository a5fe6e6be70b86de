// tine-test: program
// Comparing with a literal, byte by byte: one path for each length of the common prefix.
#include <tine.h>

static int same(const char *a, const char *b) {
    while (*a && *a == *b) {                //~ COVERED
        a++;
        b++;
    }
    return *a == *b;
}

int main(void) {
    char word[5];
    tine_symbolic(word, sizeof word, "word");
    if (same("tine", word))                 //~ COVERED
        tine_assert(word[3] != 'e');        //~ ERROR assertion failure
    if (same("fork", word))                 //~ COVERED
        return 1;
    return 0;
}
