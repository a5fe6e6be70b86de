// tine-test: fn=words paths=6
// A word is one decision away, however long it is, and so is each of a table.
#include <string.h>
#include <strings.h>

struct line {
    char text[16];
};

int words(struct line line) {
    static const char *const table[] = {"continue", "break", "return"};
    line.text[15] = 0;
    for (int i = 0; i < 3; i++)
        if (strcmp(line.text, table[i]) == 0)
            return i;                                   //~ COVERED
    if (strncmp(line.text, "default:", 8) == 0)
        return 3;                                       //~ COVERED
    if (strcasecmp("Switch", line.text) == 0)
        return 4;                                       //~ COVERED
    return -1;                                          //~ COVERED
}
