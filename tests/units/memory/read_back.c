// tine-test: fn=file_in_memory verdict=incomplete reason="reads back"
// tine-test: fn=by_number verdict=incomplete reason="reads back"
// tine-test: fn=counter verdict=incomplete reason="reads back"
// tine-test: fn=mapped verdict=incomplete reason="reads back"
// What goes through the kernel comes back without its dependence on the input.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int file_in_memory(int x) {
    int file = memfd_create("f", 0), y = 0;
    write(file, &x, sizeof x);
    lseek(file, 0, SEEK_SET);
    read(file, &y, sizeof y);
    if (y == 4711) abort();
    return 0;
}
int by_number(int x) {
    int file = syscall(SYS_memfd_create, "f", 0), y = 0;
    write(file, &x, sizeof x);
    pread(file, &y, sizeof y, 0);
    if (y == 4711) abort();
    return 0;
}
int counter(unsigned char x) {
    int counter = eventfd(0, 0);
    uint64_t n = x + 1;
    write(counter, &n, sizeof n);
    read(counter, &n, sizeof n);
    if (n == 77) abort();
    return 0;
}
int mapped(int x) {
    int file = memfd_create("f", 0);
    pwrite(file, &x, sizeof x, 0);
    int *y = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (*y == 4711) abort();
    return 0;
}
