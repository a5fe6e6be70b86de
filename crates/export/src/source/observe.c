/* Writes what a test observes to the file that TINE_OBSERVED names: a phase (b before the call, a after it), the number
 * of the leaf, and its value. Compiled by itself, so that names of the unit do not matter. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int __asan_address_is_poisoned(void const volatile *address) __attribute__((weak));

static int file = -1, phase = 'b', probe[2] = { -1, -1 };
static struct { const volatile char *start; unsigned long size; } objects[256];
static int n_objects;

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...) {
    char text[9000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (write(file, text, (size_t)length) != length)
        _exit(97);
}

void tine_o_begin(void) {
    const char *path = getenv("TINE_OBSERVED");
    file = path ? open(path, O_WRONLY | O_APPEND) : -1;
    if (file < 0 || pipe(probe) < 0)
        _exit(97);
}

void tine_o_object(const volatile void *start, unsigned long size) {
    if (n_objects < 256) {
        objects[n_objects].start = start;
        objects[n_objects++].size = size;
    }
}

int tine_o_readable(const volatile void *address, unsigned long size) {
    const volatile char *start = address;
    if (!start || !size)
        return 0;
    if (__asan_address_is_poisoned)
        for (unsigned long k = 0; k < size && k < 4096; k++)
            if (__asan_address_is_poisoned(start + k))
                return 0;
    char byte;
    for (int end = 0; end < 2; end++) {
        if (write(probe[1], (const void *)(start + (end ? size - 1 : 0)), 1) != 1)
            return 0;
        if (read(probe[0], &byte, 1) != 1)
            return 0;
    }
    return 1;
}

static int object_of(const volatile void *address) {
    for (int k = 0; k < n_objects; k++)
        if ((const volatile char *)address >= objects[k].start
            && (const volatile char *)address <= objects[k].start + objects[k].size)
            return k;
    return -1;
}

int tine_o_fresh(const volatile void *address, unsigned long size) {
    return address && object_of(address) < 0 && tine_o_readable(address, size);
}

void tine_o_signed(int leaf, long long value) { line("%c %d i %lld\n", phase, leaf, value); }
void tine_o_unsigned(int leaf, unsigned long long value) { line("%c %d u %llu\n", phase, leaf, value); }

void tine_o_float(int leaf, double value) {
    unsigned long long bits;
    memcpy(&bits, &value, 8);
    line("%c %d f %llu\n", phase, leaf, bits);
}

void tine_o_pointer(int leaf, const volatile void *value) {
    int object = object_of(value);
    if (!value)
        line("%c %d n 0\n", phase, leaf);
    else if (object >= 0)
        line("%c %d o %d %ld\n", phase, leaf, object, (long)((const volatile char *)value - objects[object].start));
    else
        line("%c %d p %d\n", phase, leaf, tine_o_readable(value, 1));
}

void tine_o_bytes(int leaf, const volatile void *start, unsigned long size) {
    char text[8300];
    unsigned long k = 0;
    for (; k < size && k < 4096; k++)
        sprintf(text + 2 * k, "%02x", ((const volatile unsigned char *)start)[k]);
    text[2 * k] = 0;
    line("%c %d x %s\n", phase, leaf, text);
}

/* Characters up to a NUL. */
void tine_o_text(int leaf, const volatile void *value) {
    const volatile char *start = value;
    unsigned long length = 0;
    tine_o_pointer(leaf, value);
    if (!value || object_of(value) >= 0)
        return;
    while (length < 1000) {
        if (!tine_o_readable(start + length, 1))
            return;
        if (!start[length])
            break;
        length++;
    }
    if (length < 1000)
        tine_o_bytes(leaf, value, length + 1);
}

void tine_o_call(void) { phase = 'c'; }

void tine_o_returned(void) {
    fflush(stdout);
    line("r 0 r 0\n");
    phase = 'a';
}
