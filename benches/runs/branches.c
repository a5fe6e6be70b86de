/* Sixteen inputs, one branch on each: 65,536 paths, and every query is one comparison of one byte. */
#include <tine.h>

int main(void) {
    int set = 0;
    for (int i = 0; i < 16; i++)
        if (tine_uchar("bit") > 127)
            set++;
    return set == 99;
}
