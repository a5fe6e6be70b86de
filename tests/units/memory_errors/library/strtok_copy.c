// tine-test: fn=pair
// CWE-121: the parts of a string are copied without looking at their length.
#include <string.h>

static int words(const char *source, size_t limit) {
    char text[12], word[4];
    int n = 0;
    strcpy(text, source);
    for (char *t = strtok(text, " "); t; t = strtok(NULL, " ")) {
        if (strlen(t) > limit)
            continue;
        strcpy(word, t); //~ ERROR out-of-bounds write
        n += word[0] != 0;
    }
    return n;
}

int bad(int k) { return words(k == 8 ? "one four x" : "a bc def", 4); }
int good(int k) { return words(k == 8 ? "one four x" : "a bc def", 3); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
