/* Calls that fail because an input says so (`--sym-fail`). One number selects the call: see `__tine_failing.c`. */
#include <errno.h>
#include <stddef.h>

/* Kinds of calls that can fail, by the numbers of tine's trace format (`FAILING`). */
#define ALLOCATION 1
#define OPENING 2
#define READ 3
#define WRITE 4
#define KINDS 5

extern struct __tine_failing {
    /* Number of calls that may still fail; 0 without the option. */
    unsigned left;
    /* One bit for each kind of call that may fail. */
    unsigned kinds;
    /* Number of calls of each kind so far. */
    unsigned calls[KINDS];
} __tine_failing;

int __tine_call_fails(unsigned kind);

/* True if this call of the program fails. Calls made by a model itself do not count. */
static inline int call_fails(unsigned kind) {
    return __tine_failing.left && __tine_failing.kinds >> kind & 1 && __tine_call_fails(kind);
}

/* The same; sets the error number `why`. */
static inline int fails_with(unsigned kind, int why) {
    if (!call_fails(kind))
        return 0;
    errno = why;
    return 1;
}

static inline int allocation_fails(void) { return fails_with(ALLOCATION, ENOMEM); }

/* Used around calls that a model makes itself. */
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
