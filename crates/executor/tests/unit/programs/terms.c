// Instrumented by hand: a decision for each bit of `x`, then one whose number differs on each of the 256 paths.
#include "tine_interface.h"

static unsigned char coverage[1];
static struct {
    unsigned long coverage;
    unsigned site_base, n_sites, edge_base, n_edges;
    unsigned long map, map_len, next, reserved[2];
} module = {(unsigned long)coverage, 0, 2, 0, 1, 0, 0, 0, {0, 0}};

void __tine_register(void *module);
unsigned __tine_load(unsigned long address, unsigned size, unsigned long low, unsigned long high);
unsigned __tine_binary(unsigned op, unsigned sa, unsigned sb, unsigned long a, unsigned long b, unsigned long r);
void __tine_branch(void *module, unsigned site, unsigned condition, unsigned taken);

__attribute__((constructor)) static void before(void) { __tine_register(&module); }

int main(void) {
    unsigned char x;
    unsigned y;
    __tine_input(&x, sizeof x, "x", 4);
    __tine_input(&y, sizeof y, "y", 4);
    unsigned shadow = __tine_load((unsigned long)&x, 1, x, 0);
    for (unsigned mask = 1; mask < 256; mask *= 2) {
        unsigned taken = (x & mask) == mask;
        unsigned masked = shadow ? __tine_binary(AND | 8 << 8, shadow, 0, x, mask, x & mask) : 0;
        unsigned condition = masked ? __tine_binary(EQ | 8 << 8, masked, 0, x & mask, mask, taken) : 0;
        if (condition) __tine_branch(&module, 0, condition, taken);
    }
    shadow = __tine_load((unsigned long)&y, 4, y, 0);
    if (shadow) {
        unsigned condition = __tine_binary(EQ | 32 << 8, shadow, 0, y, 1000 + x, y == 1000 + x);
        if (condition) __tine_branch(&module, 1, condition, y == 1000 + x);
    }
    return 0;
}
