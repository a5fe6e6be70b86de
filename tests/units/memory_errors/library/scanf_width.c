// tine-test: program sym-stdin=6
// CWE-120: `%s` without a width. The twin's width leaves room for the terminator.
#include <stdio.h>

static int bad(void) {
    char word[3];
    return scanf("%s", word) == 1 ? word[0] : 0; //~ ERROR out-of-bounds write
}

static int good(void) {
    char word[3];
    return scanf("%2s", word) == 1 ? word[0] : 0;
}

int main(void) { return getchar() == 'f' ? bad() : good(), 0; }
