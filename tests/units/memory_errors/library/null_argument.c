// tine-test: fn=pair
// CWE-476: `strlen` of a variable of the environment that is not set.
#include <stdlib.h>
#include <string.h>

int bad(int k) {
    setenv("SURELY_SET", "x", 1);
    const char *home = getenv(k == 3 ? "SURELY_NOT_SET" : "SURELY_SET");
    return (int)strlen(home); //~ ERROR null passed where non-null is required
}

int good(int k) {
    setenv("SURELY_SET", "x", 1);
    const char *home = getenv(k == 3 ? "SURELY_NOT_SET" : "SURELY_SET");
    return home ? (int)strlen(home) : 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
