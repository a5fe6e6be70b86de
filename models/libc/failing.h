/* Calls that fail because an input says so (`--sym-fail`). Which of them does is one number: see `__tine_failing.c`. */
#include <errno.h>
#include <stddef.h>

/* What can fail, by the numbers of tine's trace format (`FAILING`). */
#define ALLOCATION 1
#define OPENING 2
#define READ 3
#define WRITE 4
#define KINDS 5

extern struct __tine_failing {
    /* Calls that may still fail; 0 without the option. */
    unsigned left;
    /* A bit for each kind of call that may. */
    unsigned kinds;
    /* Calls of each kind so far. */
    unsigned calls[KINDS];
} __tine_failing;

int __tine_call_fails(unsigned kind);

/* Whether this call of the program's fails. What a model calls for itself does not count. */
static inline int call_fails(unsigned kind) {
    return __tine_failing.left && __tine_failing.kinds >> kind & 1 && __tine_call_fails(kind);
}

/* Likewise, and says why. */
static inline int fails_with(unsigned kind, int why) {
    if (!call_fails(kind))
        return 0;
    errno = why;
    return 1;
}

static inline int allocation_fails(void) { return fails_with(ALLOCATION, ENOMEM); }

/* Around what a model does for itself. */
static inline unsigned suspend_failing(void) {
    unsigned left = __tine_failing.left;
    __tine_failing.left = 0;
    return left;
}

static inline void resume_failing(unsigned left) { __tine_failing.left = left; }

void *malloc(size_t size);

static inline void *own_malloc(size_t size) {
    unsigned left = suspend_failing();
    void *object = malloc(size);
    resume_failing(left);
    return object;
}
