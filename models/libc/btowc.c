#include <wchar.h>

wint_t btowc(int c) { return (unsigned)c < 128 ? (wint_t)c : WEOF; }
