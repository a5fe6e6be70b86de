// tine-test: fn=pair
// CWE-121: `wcscpy` with a limit in bytes.
#include <wchar.h>

static void copy(wchar_t *to, size_t limit, const wchar_t *from) {
    if (wcslen(from) < limit)
        wcscpy(to, from); //~ ERROR out-of-bounds write
}

int bad(int k) {
    wchar_t name[4];
    copy(name, sizeof name, k == 5 ? L"seven.." : L"no");
    return 0;
}

int good(int k) {
    wchar_t name[4];
    copy(name, sizeof name / sizeof *name, k == 5 ? L"seven.." : L"no");
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
