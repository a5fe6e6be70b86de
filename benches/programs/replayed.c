/* Linked into a native build that replays inputs for gcov, so that it goes the way that the run of tine went. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* gcov's counts are written at the program's end; here also when `timeout` stops it, by a signal that programs leave alone: one
   with a handler for it would do what it does not do in tine, and its counts would be lost. */
void __gcov_dump(void);

static void dump(int number) {
    __gcov_dump();
    _exit(128 + number);
}

__attribute__((constructor)) static void catch(void) {
    signal(SIGSYS, dump);
}

/* A single allocation that is larger than a run's memory (--memory, as it is if not given) fails. */
#define MEMORY ((size_t)1 << 30)

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static void *none(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t len) {
    return len > MEMORY ? none() : __libc_malloc(len);
}

void *calloc(size_t n, size_t len) {
    return len && n > MEMORY / len ? none() : __libc_calloc(n, len);
}

void *realloc(void *old, size_t len) {
    return len > MEMORY ? none() : __libc_realloc(old, len);
}

void *reallocarray(void *old, size_t n, size_t len) {
    return len && n > MEMORY / len ? none() : __libc_realloc(old, n * len);
}
