/* What all attackers share: system calls in two ways, and a line for each that succeeds. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef ENTRY
extern long __tine_syscall(long n, long a, long b, long c, long d, long e, long f);
#endif

static long call(long n, long a, long b, long c, long d, long e, long f) {
#ifdef ENTRY
    return __tine_syscall(n, a, b, c, d, e, f);
#else
    long result = syscall(n, a, b, c, d, e, f);
    return result < 0 ? -errno : result;
#endif
}

static void said(const char *name, long result) {
    if (result >= 0) {
        printf("SUCCEEDED %s (%ld)\n", name, result);
        fflush(stdout);
    }
}

#define ATTACK(name, n, a, b, c, d, e, f) \
    said(name, call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)))

/* tine shows the output of cases with errors. */
static void end(void) {
    printf("all attacks were made\n");
    fflush(stdout);
    abort();
}
