// tine-test: fn=pair
// CWE-805: the size of the structure, the address of its second member.
#include <string.h>

static struct {
    int tag;
    char text[12];
} record;
static int after = 5;

static void clear(void *p, size_t n) {
    memset(p, 0, n); //~ ERROR out-of-bounds write
}

int bad(int k) {
    clear(record.text, k == 2 ? sizeof record : sizeof record.text);
    return after;
}

int good(int k) {
    clear(k == 2 ? (void *)&record : record.text, k == 2 ? sizeof record : sizeof record.text);
    return after;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
