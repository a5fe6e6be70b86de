// tine-test: fn=crc32_guard input="a = 116, b = 101, c = 115, d = 116"
// A checksum by table over four bytes, broken.
#include <stdint.h>
#include <tine.h>

static uint32_t table[256];

static void make(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[n] = c;
    }
}

int crc32_guard(unsigned char a, unsigned char b, unsigned char c, unsigned char d) {
    make();
    unsigned char text[4] = {a, b, c, d};
    uint32_t crc = 0xffffffffu;
    for (int k = 0; k < 4; k++)
        crc = table[(crc ^ text[k]) & 0xff] ^ (crc >> 8);
    if (~crc == 0xd87f7e0cu)                            //~ COVERED
        tine_assert(a != 't');                          //~ ERROR assertion failure
    return 0;
}
