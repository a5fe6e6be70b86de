// Ends in a different way for each value of its input.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tine_interface.h"

static int runs;

static void exit_in_handler(void) { _exit(42); }
static void code_in_handler(void) { exit(43); }
static void caught(int signal) { printf("caught %d\n", signal); }
static void leave(int signal) { _exit(100 + signal); }

__attribute__((noinline)) static int overflow(volatile int *n) {
    volatile char frame[20000];
    frame[*n % 20000] = 1;
    ++*n;
    return overflow(n) + frame[0];
}

static void *thread(void *argument) { return (void *)((long)argument + 1); }
static void *thread_exits(void *argument) { exit((int)(long)argument); }
static void *thread_crashes(void *argument) { volatile int *p = argument; *p = 1; return NULL; }
static void *thread_loops(void *argument) { for (;;) *(volatile int *)&runs; return argument; }

static void refused(const char *what, int failed) { printf("%s %s\n", what, failed ? "refused" : "DONE"); }

int main(int argc, char **argv) {
    (void)argc;
    int k;
    pthread_t id;
    void *result = NULL;
    __tine_input(&k, sizeof k, "k", 3);
    if (++runs != 1) { printf("not fresh\n"); return 99; }
    switch (k) {
    case 0: return 0;
    case 1: return 300;
    case 2: exit(7);
    case 3: _exit(8);
    case 4: atexit(exit_in_handler); return 1;
    case 5: atexit(code_in_handler); return 1;
    case 6: quick_exit(9);
    case 7: printf("half"); fflush(stdout); abort();
    case 8: { volatile int n = 0; return overflow(&n); }
    case 9: for (;;) { }
    case 10: { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); for (;;) { } }
    case 11: for (int fd = 0; fd < 1024; fd++) close(fd); return printf("this is lost") < 0 ? 1 : 2;
    case 12: signal(SIGSEGV, leave); *(volatile int *)8 = 1; return 1;
    case 13: signal(SIGUSR1, caught); raise(SIGUSR1); return 4;
    case 14:
        if (pthread_create(&id, NULL, thread, (void *)20)) return 1;
        pthread_join(id, &result);
        return (int)(long)result;
    case 15: pthread_create(&id, NULL, thread_exits, (void *)31); pthread_join(id, &result); return 1;
    case 16: pthread_create(&id, NULL, thread_crashes, (void *)64); pthread_join(id, &result); return 1;
    case 17: pthread_create(&id, NULL, thread_loops, NULL); return 5;
    case 18: pthread_exit(NULL);
    case 19: for (;;) printf("an endless story\n");
    case 20: { char *volatile p = malloc(2ul << 30); printf("%s\n", p ? "got it" : strerror(errno)); return p != NULL; }
    case 21: for (;;) { char *volatile p = malloc(1 << 20); if (!p) return 1; memset(p, 1, 1 << 20); }
    case 22: {
        char *p = mmap(NULL, 8ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        for (;;) for (long i = 0; i < 8l << 30; i += 4096) p[i]++;
    }
    case 23: raise(SIGKILL); return 1;
    case 24: raise(SIGTERM); return 1;
    case 25: raise(SIGSYS); return 1;
    case 26: chdir("/"); umask(0); return 0;
    case 27: { char where[100]; getcwd(where, sizeof where); return strcmp(where, "/") == 0; }
    case 28: alarm(1); return 0;
    case 29: { char *p = malloc(8); free(p); free(p); return 1; }
    case 30: { int *p = malloc(40); free(p + 1); return 1; }
    case 31: { volatile char *p = realloc(calloc(10, 10), 4000); for (int i = 100; i < 4000; i++) if (p[i]) return 1; return 3; }
    case 32: { void *p; if (posix_memalign(&p, 4096, 10)) return 1; return (long)p % 4096 ? 1 : 6; }
    case 33: sleep(1000); return 0;
    case 34: kill(getpid(), SIGSTOP); return 1;
    case 35: { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigprocmask(SIG_BLOCK, &s, NULL); raise(SIGUSR1); return 10; }
    case 40:
        refused("system", system("echo harm") != 0);
        refused("fork", fork() < 0);
        refused("vfork", vfork() < 0);
        refused("execve", execve("/bin/true", (char *[]){"true", NULL}, NULL) < 0);
        char *arguments[] = {"true", NULL};
        pid_t pid;
        refused("posix_spawn", posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, NULL) != 0);
        refused("popen", popen("true", "r") == NULL);
        refused("kill", kill(getppid(), SIGTERM) < 0);
        refused("kill all", kill(-1, SIGTERM) < 0);
        refused("socket", socket(AF_INET, SOCK_STREAM, 0) < 0);
        refused("unlink", unlink(argv[1]) < 0);
        refused("rename", rename(argv[1], "/tmp/elsewhere") < 0);
        refused("truncate", truncate(argv[1], 0) < 0);
        refused("open to write", open(argv[1], O_WRONLY) < 0);
        refused("open to truncate", open(argv[1], O_RDONLY | O_TRUNC) < 0);
        refused("fopen", fopen(argv[1], "a") == NULL);
        refused("chmod", chmod(argv[1], 0) < 0);
        refused("mkdir", mkdir("/tmp/tine-harm", 0700) < 0);
        refused("remove", remove(argv[1]) < 0);
        refused("symlink", symlink("/", "/tmp/tine-harm") < 0);
        refused("setuid", setuid(1) < 0);
        refused("ptrace", syscall(SYS_ptrace, 0, 0, 0, 0) < 0);
        return 11;
    case 41: {
        FILE *home = fopen(argv[1], "r");
        char line[100] = "";
        if (!home || !fgets(line, sizeof line, home)) return 1;
        printf("read: %s", line);
        FILE *null = fopen("/dev/null", "w");
        return null && fprintf(null, "x") == 1 && fclose(null) == 0 ? 12 : 2;
    }
    case 42: {
        char path[4096];
        snprintf(path, sizeof path, "%s/new", argv[2]);
        if (access(path, F_OK) == 0) return 1;
        FILE *file = fopen(path, "w");
        if (!file) return 2;
        fprintf(file, "scratch");
        return fclose(file) == 0 ? 13 : 3;
    }
    case 43: {
        stack_t stack = {.ss_sp = malloc(20000), .ss_size = 20000};
        struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
        sigfillset(&action.sa_mask);
        if (sigaltstack(&stack, NULL) || sigaction(SIGSEGV, &action, NULL)) return 1;
        volatile int n = 0;
        return overflow(&n);
    }
    case 44: __tine_reject();
    case 45: __tine_fail(1, "k != 45", "endings.c", 45); return 0;
    case 46: { char c; return read(0, &c, 1) == 1 ? c : 1; }
    case 47: for (int number = 1; number < 65; number++) signal(number, leave); for (;;) { }
    case 48: raise(SIGXCPU); return 1;
    case 49: signal(SIGXCPU, caught); raise(SIGXCPU); return 14;
    default: return 98;
    }
}
