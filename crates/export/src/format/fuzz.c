/* Made by `tine export`. Memory from the bytes of a fuzzer.
 *
 *   value     its bytes, then a code for each pointer in it
 *   pointer   0: NULL     1 to 127: a new object with that many elements, which follow
 *             128 + k: object k, if it has the type
 *
 * Missing bytes are zeros, so every input of a fuzzer is an input of the function. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <sanitizer/allocator_interface.h>

#define MAX_OBJECTS 64
#define BYTES 0xffffffffu

static struct {
    void *start;
    unsigned type;
} objects[MAX_OBJECTS];
static unsigned n_objects;

/* A function need not free what it makes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

static void take(struct input *in, void *to, size_t size) {
    size_t n = size < in->size ? size : in->size;
    memset(to, 0, size);
    if (n)
        memcpy(to, in->data, n);
    in->data += n;
    in->size -= n;
}

unsigned read_code(struct input *in) {
    unsigned char byte;
    take(in, &byte, 1);
    return byte;
}

static void fill(struct input *in, char *to, const struct type *type);

static void *object(struct input *in, unsigned type, long count) {
    unsigned first = read_code(in);
    if (first == 0)
        return NULL;
    if (first >= 128) {
        unsigned known = first - 128;
        return known < n_objects && objects[known].type == type ? objects[known].start : NULL;
    }
    if (n_objects == MAX_OBJECTS)
        return NULL;
    size_t n = count < 0 ? first : (size_t)(count < MAX_COUNT ? count : MAX_COUNT);
    size_t size = type == BYTES ? 1 : types[type].size;
    /* Characters end with a NUL unless their number is given. */
    size_t extra = type == BYTES ? 0 : types[type].tail;
    char *start = malloc(n * size + extra ? n * size + extra : 1);
    if (!start)
        abort();
    memset(start, 0, n * size + extra);
    objects[n_objects].start = start;
    objects[n_objects].type = type;
    n_objects++;
    if (type == BYTES)
        take(in, start, count < 0 ? n - 1 : n);
    else
        for (size_t k = 0; k < n; k++)
            fill(in, start + k * size, &types[type]);
    return start;
}

static void fill_cell(struct input *in, char *to, const struct cell *cell) {
    void *pointer;
    long long number;
    switch (cell->kind) {
    case TO_OBJECT:
        pointer = object(in, cell->detail, -1);
        memcpy(to, &pointer, sizeof pointer);
        break;
    case TO_BYTES:
        pointer = object(in, BYTES, -1);
        memcpy(to, &pointer, sizeof pointer);
        break;
    case TO_FUNCTION: {
        unsigned which = read_code(in);
        void (*function)(void) = which > 0 && which <= n_functions ? functions[which - 1] : NULL;
        memcpy(to, &function, sizeof function);
        break;
    }
    case IS_BOOL:
        *to &= 1;
        break;
    case IS_ENUM: {
        const struct enumerators *of = &enumerations[cell->detail];
        number = 0;
        memcpy(&number, to, of->size);
        number = of->values[(unsigned long long)number % of->n_values];
        memcpy(to, &number, of->size);
        break;
    }
    case IS_ZERO:
        memset(to, 0, cell->detail);
        break;
    }
}

static void fill(struct input *in, char *to, const struct type *type) {
    take(in, to, type->size);
    for (unsigned k = 0; k < type->n_cells; k++)
        fill_cell(in, to + type->cells[k].offset, &type->cells[k]);
}

void read_value(struct input *in, void *to, unsigned type) { fill(in, to, &types[type]); }

void *read_array(struct input *in, unsigned type, long count) { return object(in, type, count); }

void *read_bytes(struct input *in, long count) { return object(in, BYTES, count); }

void release_objects(void) {
    for (unsigned k = 0; k < n_objects; k++)
        if (__sanitizer_get_ownership(objects[k].start))
            free(objects[k].start);
    n_objects = 0;
}
