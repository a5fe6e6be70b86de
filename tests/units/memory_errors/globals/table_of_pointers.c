// tine-test: fn=pair
// CWE-125: a table of names lacks its end. The twin's ends with NULL.
#include <string.h>

static const char *const open_table[] = {"red", "green"};
static const char *const ended_table[] = {"red", "green", NULL};

static int find(const char *const *table, char first) {
    for (int i = 0; table[i]; i++) //~ ERROR out-of-bounds read
        if (table[i][0] == first)
            return i;
    return -1;
}

int bad(char c) { return find(open_table, c); }
int good(char c) { return find(ended_table, c); }
int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
