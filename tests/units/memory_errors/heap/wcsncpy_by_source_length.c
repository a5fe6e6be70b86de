// tine-test: fn=pair
// CWE-806: the same for wide characters.
#include <stdlib.h>
#include <wchar.h>

static int copy(const wchar_t *from, size_t room) {
    wchar_t *to = malloc(4 * sizeof *to);
    wcsncpy(to, from, room); //~ ERROR out-of-bounds write
    int r = to[0];
    free(to);
    return r;
}

int bad(int k) {
    const wchar_t *s = k == 5 ? L"too long" : L"ok";
    return copy(s, wcslen(s));
}

int good(int k) {
    const wchar_t *s = k == 5 ? L"too long" : L"ok";
    return copy(s, 4);
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
