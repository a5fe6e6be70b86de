// tine-test: fn=hash paths=1
// C defines what unsigned operations do: nothing is reported by default.
#include <stdint.h>

uint32_t hash(uint32_t x, int y) {
    unsigned char low = y;
    return (x * 2654435761u + low) - 0x9e3779b9u;
}
