#include <stdio.h>
#include <wchar.h>

int wctob(wint_t c) { return c < 128 ? (int)c : EOF; }
