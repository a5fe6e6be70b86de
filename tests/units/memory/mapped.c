// tine-test: fn=f
// Shadows follow mappings: new memory has none, and memory that moves takes them along.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define N 4096
static int *fresh(void) { return mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
static int moved(int x) {
    int *a = fresh(), *b = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *a = x;
    int *c = mremap(a, N, N, MREMAP_MAYMOVE | MREMAP_FIXED, b);
    if (*c == 4711)
        abort(); //~ ERROR abort
    return 0;
}
static int again(int x) {
    int *a = fresh();
    *a = x;
    munmap(a, N);
    int *b = mmap(a, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (*b == 4711)
        abort(); //~ UNREACHABLE
    return 0;
}
static int single(int x) {
    int *a = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *a = x;
    if (*a == 4711)
        abort(); //~ ERROR abort
    return 0;
}
static int into(int x) {
    int file = open("/dev/zero", O_RDONLY);
    read(file, &x, sizeof x);
    if (x == 4711)
        abort(); //~ UNREACHABLE
    return 0;
}
int f(unsigned which, int x) {
    switch (which) {
    case 0:
        return moved(x);
    case 1:
        return again(x);
    case 2:
        return single(x);
    case 3:
        return into(x);
    }
    return 0;
}
