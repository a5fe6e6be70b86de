// tine-test: program sym-stdin=9
// CWE-805: size and count of `fread` make more bytes than there are.
#include <stdio.h>

static short data[3];

static size_t bad(void) { return fread(data, sizeof *data, 4, stdin); } //~ ERROR out-of-bounds write
static size_t good(void) { return fread(data, sizeof *data, 3, stdin); }

int main(void) { return (int)(getchar() == 'f' ? bad() : good()); }
