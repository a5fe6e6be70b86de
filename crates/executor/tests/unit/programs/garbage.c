// Reads unwritten memory: undefined in C, but the same in every run with the same input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tine_interface.h"

static unsigned long mix(unsigned long hash, const volatile unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

__attribute__((noinline)) static unsigned long stack(unsigned long hash, int k) {
    volatile unsigned char unset[50000];
    hash = mix(hash, unset, sizeof unset);
    memset((void *)unset, k, sizeof unset);
    return hash;
}

__attribute__((noinline)) static unsigned long recursion(unsigned long hash, int depth) {
    volatile unsigned char unset[3000];
    hash = mix(hash, unset, sizeof unset);
    memset((void *)unset, depth, sizeof unset);
    return depth == 0 ? hash : recursion(hash, depth - 1);
}

int main(void) {
    int k;
    __tine_input(&k, sizeof k, "k", 3);
    unsigned long hash = stack(14695981039346656037ul, k);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 60; i++) {
            size_t size = (size_t)(i * i * (k % 90 + 1));
            unsigned char *block = malloc(size);
            hash = (hash ^ (unsigned long)block) * 31;
            hash = mix(hash, block, size > 4000 ? 4000 : size);
            memset(block, i, size);
            if ((i + k) % 3) free(block);
        }
    }
    hash = recursion(hash, k * 13 % 1000);
    hash = stack(hash, k + 1);
    printf("%lx\n", hash);
    return 0;
}
