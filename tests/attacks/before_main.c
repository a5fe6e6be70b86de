/* Attacks before `main`: from the resolver of an indirect function and from a constructor.
   -DVICTIM="…": a directory of the host with a file `kept`; -DPROCESS=…: a process of the host. */
#include "attack.h"

static void attack(const char *made) {
    call(SYS_unlink, (long)(VICTIM "/kept"), 0, 0, 0, 0, 0);
    call(SYS_chmod, (long)(VICTIM "/kept"), 0777, 0, 0, 0, 0);
    call(SYS_open, (long)made, O_CREAT | O_WRONLY, 0666, 0, 0, 0);
    call(SYS_kill, PROCESS, SIGKILL, 0, 0, 0, 0);
    const char *const arguments[] = {"sh", "-c", "touch " VICTIM "/executed", 0};
    long child = call(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
    if (child <= 0) {
        call(SYS_execve, (long)"/bin/sh", (long)arguments, 0, 0, 0, 0);
        call(SYS_execveat, -100, (long)"/bin/sh", (long)arguments, 0, 0, 0);
    }
    if (child == 0) _exit(0);
}

/* Resolvers run before anything is linked, so they call nothing. */
static inline __attribute__((always_inline)) long plain(long n, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
static int two(void) { return 2; }
static int (*resolve(void))(void) {
    plain(SYS_unlink, (long)(VICTIM "/kept"), 0, 0);
    plain(SYS_chmod, (long)(VICTIM "/kept"), 0777, 0);
    plain(SYS_open, (long)(VICTIM "/made_by_resolver"), O_CREAT | O_WRONLY, 0666);
    plain(SYS_kill, PROCESS, SIGKILL, 0);
    return two;
}
int resolved(void) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void before(void) { attack(VICTIM "/made_by_constructor"); }

int main(void) {
    if (resolved() == 2) end();
    return 0;
}
