// tine-test: fn=compare
// A string that was not written is compared.
#include <string.h>

static int whole(void) {
    char name[8];
    return strcmp(name, "root") == 0;           //~ ERROR uninitialised read
}

static int beginning(void) {
    char name[8];
    return strncmp(name, "abc", 3) == 0;        //~ ERROR uninitialised read
}

static int member(int n) {
    struct {
        int number;
        char name[8];
    } entry;
    entry.number = n;
    return !strcmp(entry.name, "root");         //~ ERROR uninitialised read
}

static int after_its_end(char c) {
    char text[8];
    text[0] = c;
    text[1] = 0;
    return strcmp(text, "x") == 0;
}

int compare(unsigned which, int n) {
    switch (which) {
    case 0: return whole();
    case 1: return beginning();
    case 2: return member(n);
    case 3: return after_its_end((char)n);
    default: return 0;
    }
}
