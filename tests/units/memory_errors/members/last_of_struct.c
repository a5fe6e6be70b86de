// tine-test: fn=pair
// CWE-121: a trailing array of one element, in a structure that has no room after it. The twin allocates more.
#include <stdlib.h>

struct message {
    int length;
    char text[1];
};

static void fill(struct message *m, int n) {
    for (int i = 0; i < n; i++)
        m->text[i] = 'x'; //~ ERROR out-of-bounds write
}

int bad(int n) {
    struct message m = {0, ""};
    if (n >= 0 && n < 6)
        fill(&m, n);
    return m.text[0];
}

int good(int n) {
    struct message *m = malloc(sizeof *m + 5);
    m->text[0] = 0;
    if (n >= 0 && n < 6)
        fill(m, n);
    int r = m->text[0];
    free(m);
    return r;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
