// tine-test: fn=twice verdict=incomplete reason="reads back"
// tine-test: fn=readfile verdict=incomplete reason="reads back"
// tine-test: fn=doubled verdict=incomplete reason="reads back"
// tine-test: fn=mem verdict=incomplete reason="reads back"
// What is visible at two addresses, or read through a file, is not followed there.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define N 4096
int twice(int x) {
    int file = memfd_create("f", 0);
    ftruncate(file, N);
    int *a = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), *b = mmap(NULL, N, PROT_READ, MAP_SHARED, file, 0);
    *a = x;
    if (*b == 4711) abort();
    return 0;
}
int readfile(int x) {
    int file = memfd_create("f", 0), y = 0;
    ftruncate(file, N);
    int *a = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    *a = x;
    munmap(a, N);
    pread(file, &y, sizeof y, 0);
    if (y == 4711) abort();
    return 0;
}
int doubled(int x) {
    int *a = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), *b = mremap(a, 0, N, MREMAP_MAYMOVE);
    *a = x;
    if (*b == 4711) abort();
    return 0;
}
int mem(int x) {
    int y = 0, file = open("/proc/self/mem", O_RDONLY);
    pread(file, &y, 4, (off_t)&x);
    if (y == 4711) abort();
    return 0;
}
