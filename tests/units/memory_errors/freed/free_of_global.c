// tine-test: fn=pair
// CWE-590: a default value must not be freed like the values that replace it.
#include <stdlib.h>
#include <string.h>

static char standard[] = "standard";
static char *name = standard;

static void set(const char *to, int check) {
    if (!check || name != standard)
        free(name); //~ ERROR invalid free
    name = strdup(to);
}

static int run(int k, int check) {
    name = standard;
    if (k == 25)
        set("other", check);
    int r = name[0];
    if (name != standard)
        free(name);
    return r;
}

int bad(int k) { return run(k, 0); }
int good(int k) { return run(k, 1); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
