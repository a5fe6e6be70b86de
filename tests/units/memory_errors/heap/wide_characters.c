// tine-test: fn=pair
// CWE-122: a length in characters is taken for one in bytes.
#include <stdlib.h>
#include <wchar.h>

int bad(int k) {
    const wchar_t *s = k == 7 ? L"long text" : L"";
    wchar_t *copy = malloc(wcslen(s) + 4);
    wmemcpy(copy, s, wcslen(s) + 1); //~ ERROR out-of-bounds write
    int r = copy[0];
    free(copy);
    return r;
}

int good(int k) {
    const wchar_t *s = k == 7 ? L"long text" : L"";
    wchar_t *copy = malloc((wcslen(s) + 1) * sizeof *copy);
    wmemcpy(copy, s, wcslen(s) + 1);
    int r = copy[wcslen(s)];
    free(copy);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
