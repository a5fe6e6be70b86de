/* Streams that are inputs: the targets of input pointers to FILE (`tine test`). Reads return input bytes, up to the
 * size of the input. Writes have no effect and do not move the read position.
 *
 * If models of stream functions are linked, the streams are theirs (`../posix/files.h`). The native program has none.
 * There is no buffering, so that both read at the same moments. All streams become inputs at the first read of one.
 */
#define _GNU_SOURCE
#pragma weak __tine_files
#pragma weak __tine_ask
#include "../posix/ask.h"

static struct input {
    struct __tine_file file;
    unsigned long position;
} inputs[MAX_STREAMS];
static unsigned n_inputs;

static void ask(void) {
    for (unsigned i = 0; i < n_inputs; i++)
        ask_for(&inputs[i].file);
}

static ssize_t read_input(void *cookie, char *to, size_t n) {
    struct input *input = cookie;
    size_t done = 0;
    ask();
    for (; done < n && input->position < input->file.size; done++)
        to[done] = input->file.bytes[input->position++];
    return done;
}

static ssize_t write_nowhere(void *cookie, const char *from, size_t n) {
    (void)cookie, (void)from;
    return n;
}

static int seek_input(void *cookie, off64_t *to, int whence) {
    struct input *input = cookie;
    if (whence == SEEK_END)
        ask();
    long start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)input->position : (long)input->file.size;
    if (start + *to < 0)
        return -1;
    *to = input->position = start + *to;
    return 0;
}

/* A stream that was closed earlier is no longer an input. */
static int close_input(void *cookie) {
    ((struct input *)cookie)->file.asked = 1;
    return 0;
}

static FILE *open_for_models(const struct __tine_file *what) {
    if (__tine_files.n_files == MAX_FILES)
        return NULL;
    struct __tine_file *file = &__tine_files.files[__tine_files.n_files++];
    *file = *what;
    int descriptor = open_file(file);
    if (descriptor < 0)
        return NULL;
    cookie_io_functions_t functions = {cookie_read, write_nowhere};
    FILE *handle = fopencookie(__tine_files.descriptors[descriptor], "r+", functions);
    return handle && new_stream(handle, descriptor) ? handle : NULL;
}

void *library_calloc(size_t n, size_t size) LIBRARY(calloc);

/* `most` limits the number of bytes that are read. */
FILE *__tine_stream(const char *name, unsigned most) {
    unsigned char *bytes = library_calloc(1, sizeof(unsigned) + most + 1);
    struct __tine_file file = {
        .shown = name, .bytes = bytes + sizeof(unsigned), .capacity = most + 1, .in_memory = 1, .bounded = 1};
    FILE *handle = NULL;
    if (&__tine_files) {
        handle = open_for_models(&file);
    } else if (n_inputs < MAX_STREAMS) {
        inputs[n_inputs].file = file;
        cookie_io_functions_t functions = {read_input, write_nowhere, seek_input, close_input};
        handle = fopencookie(&inputs[n_inputs++], "r+", functions);
    }
    if (handle)
        setvbuf(handle, NULL, _IONBF, 0);
    return handle;
}
