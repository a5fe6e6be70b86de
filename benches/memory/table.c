/* One of 65,536 entries of a table. */
#include <stdint.h>
#include <stdlib.h>

static uint32_t table[65536];

void look_up(uint16_t i, uint16_t j) {
    for (uint32_t k = 0; k < 65536; k++)
        table[k] = k * 2654435761u;
    if (table[i] == 40503u * 2654435761u && table[j] == table[i] + 2654435761u)
        abort();
}
