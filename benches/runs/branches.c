/* Sixteen bytes, a branch on each: 65,536 paths, and every query is one comparison of one byte. */
#include <tine.h>

int main(void) {
    unsigned char bytes[16];
    int set = 0;
    tine_symbolic(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 16; i++)
        if (bytes[i] > 127)
            set++;
    return set == 99;
}
