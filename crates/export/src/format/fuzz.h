/* Made by `tine export`. Memory from the bytes of a fuzzer. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>

/* A part of a value that is not just bytes. */
enum cell_kind { TO_OBJECT, TO_BYTES, TO_FUNCTION, IS_BOOL, IS_ENUM, IS_ZERO };

struct cell {
    size_t offset;
    enum cell_kind kind;
    /* A type, a list of enumerators, or a number of bytes. */
    unsigned detail;
};

struct type {
    size_t size;
    /* Bytes of an array at the end, whose length the type does not say. */
    size_t tail;
    unsigned n_cells;
    const struct cell *cells;
};

struct enumerators {
    unsigned size, n_values;
    const long long *values;
};

/* What the harness says about the unit. */
extern const struct type types[];
extern const struct enumerators enumerations[];
extern void (*const functions[])(void);
extern const unsigned n_functions;

struct input {
    const unsigned char *data;
    size_t size;
};

/* Reads one byte. */
unsigned read_code(struct input *in);

/* Reads a value. Pointers in it lead to new objects, or to one that is there already. */
void read_value(struct input *in, void *to, unsigned type);

/* Elements of an array, at most. */
#define MAX_COUNT 4096
#define COUNT(n) ((n) < 0 ? 0 : (long)(n))

/* Reads a pointer to an array of `count` elements, or to some elements if `count` is negative. */
void *read_array(struct input *in, unsigned type, long count);
void *read_bytes(struct input *in, long count);

/* Frees the objects that the function has not freed. */
void release_objects(void);

#endif
