// Instrumented by hand: a module with one site, `x == 42`.
#include <stdio.h>
#include "tine_interface.h"

struct module {
    unsigned long coverage;
    unsigned site_base, n_sites, edge_base, n_edges;
    unsigned long map, map_len, next, reserved[2];
};

static const char map[] = "this would be the map";
static unsigned char private_coverage[2];
static struct module module = {(unsigned long)private_coverage, 0, 1, 0, 2, (unsigned long)map, sizeof map - 1, 0, {0, 0}};

void __tine_register(struct module *module);
unsigned __tine_load(unsigned long address, unsigned size, unsigned long low, unsigned long high);
unsigned __tine_binary(unsigned op, unsigned sa, unsigned sb, unsigned long a, unsigned long b, unsigned long r);
void __tine_branch(struct module *module, unsigned site, unsigned condition, unsigned taken);

__attribute__((constructor)) static void before(void) { __tine_register(&module); }

int main(void) {
    unsigned x;
    __tine_input(&x, sizeof x, "x", 4);
    unsigned taken = x == 42;
    unsigned shadow = __tine_load((unsigned long)&x, 4, x, 0);
    if (shadow) {
        unsigned condition = __tine_binary(EQ | 32 << 8, shadow, 0, x, 42, taken);
        if (condition) __tine_branch(&module, 0, condition, taken);
    }
    ((unsigned char *)module.coverage)[taken] = 1;
#ifndef QUIET
    printf("%s\n", taken ? "yes" : "no");
#endif
    return 0;
}
