// tine-test: fn=unlock paths=2
// A checksum guards the way in. The CRC-32 is computed bit by bit, without a table and without a branch, so
// the whole of it is one expression; it maps the 32 bits of the key one to one, so one key in four billion fits.
//
// tine explores it completely: two paths, one error, key 0x656e6974 (the letters "tine").
#include <tine.h>

static unsigned crc32(unsigned key) {
    unsigned crc = ~0u;
    for (int byte = 0; byte < 4; byte++) {
        crc ^= key >> (8 * byte) & 0xffu;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1u));
    }
    return ~crc;
}

int unlock(unsigned key) {
    tine_assert(crc32(key) != 0x44b9cb86u);     //~ ERROR assertion failure
    return 0;                                   //~ GCOV suite
}
