/* A guard by checksum over four bytes, computed through a table of 256 words. */
#include <stdint.h>
#include <stdlib.h>

static uint32_t table[256];

static uint32_t crc32(const unsigned char *bytes, int n) {
    uint32_t crc = ~0u;
    while (n--)
        crc = table[(crc ^ *bytes++) & 255] ^ crc >> 8;
    return ~crc;
}

void guard(unsigned char a, unsigned char b, unsigned char c, unsigned char d) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t word = i;
        for (int bit = 0; bit < 8; bit++)
            word = word & 1 ? 0xedb88320u ^ word >> 1 : word >> 1;
        table[i] = word;
    }
    unsigned char bytes[4] = {a, b, c, d};
    if (crc32(bytes, 4) == 0xdeadbeefu)
        abort();
}
