// tine-test: fn=pair
// CWE-126: `memchr` searches more bytes than there are. It stops where it finds the byte, and the twin relies on that.
#include <string.h>

int bad(char c) {
    char text[4] = {'a', 'b', 'c', 'd'};
    return memchr(text, c, 6) != NULL; //~ ERROR out-of-bounds read
}

int good(char c) {
    char text[5] = {'a', 'b', 'c', 'd', c};
    return memchr(text, c, 5) != NULL;
}

int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
