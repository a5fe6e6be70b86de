// tine-test: fn=pair
// CWE-467: only as many bytes are cleared as a pointer has.
#include <string.h>

struct wide {
    long first, second;
};

static void clear(struct wide *w) { memset(w, 0, sizeof w); }
static void clear_all(struct wide *w) { memset(w, 0, sizeof *w); }

int bad(int k) {
    struct wide w;
    clear(&w);
    if (k == 2 && w.second) //~ ERROR uninitialised read
        return 1;
    return w.first != 0;
}

int good(int k) {
    struct wide w;
    clear_all(&w);
    if (k == 2 && w.second)
        return 1;
    return w.first != 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
