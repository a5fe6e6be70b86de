// Uses all kinds of state that a run could leave for the next. The output shows if it was fresh.
// Every fifth input crashes in some way.
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tine_interface.h"

static int counter;
static int table[5000]; // untouched pages
static char text[] = "a,b;c";
static __thread int own = 7;
static char *kept;
static FILE *stream;
static jmp_buf somewhere;

__attribute__((constructor)) static void before(void) { kept = malloc(100); strcpy(kept, "kept"); }
__attribute__((destructor)) static void after(void) { printf("destructor %d\n", counter); }
static void at_exit(void) { printf("atexit %d %s\n", counter, kept); }
static void at_exit_too(void) { fprintf(stderr, "bye\n"); }

static int deep(int n) {
    volatile char pad[2000];
    pad[n % 2000] = (char)n;
    return n == 0 ? 0 : deep(n - 1) + pad[n % 2000];
}

int main(int argc, char **argv) {
    int k;
    __tine_input(&k, sizeof k, "k", 3);
    atexit(at_exit);
    if (k & 1) atexit(at_exit_too);
    printf("%d %s counter %d own %d errno %d\n", argc, argv[1], ++counter, own++, errno);
    argv[1][0] = 'X';
    for (char *part = strtok(text, ",;"); part; part = strtok(NULL, ",;")) printf("[%s]", part);
    printf(" rand %d %d\n", rand(), rand());
    srand((unsigned)k);
    printf("table %d\n", table[k % 5000]++);
    for (int i = 0; i < 20; i++) {
        char *block = malloc((size_t)(i * 37 + k % 100));
        memset(block, k, (size_t)(i * 37 + k % 100));
        if (i % 3) free(block);
    }
    kept = realloc(kept, 200);
    kept[0] = 'K';
    strcat(kept, "+");
    if (k % 7 == 0) { free(kept); kept = "gone"; }
    printf("deep %d\n", deep(k % 50));
    volatile double three = 3;
    printf("float %a round %d\n", 1 / three, fegetround());
    fesetround(FE_UPWARD);
    printf("float %a\n", 1 / three);
    if (k % 13 == 0 && !stream) stream = fopen("/dev/null", "r");
    if (k % 11 == 3) setlocale(LC_ALL, "C");
    printf("stream %d\n", stream ? 1 : 0);
    if (setjmp(somewhere) == 0) longjmp(somewhere, 1);
    errno = k;
    putenv("TINE_TEST_PUT=1");
    getenv("HOME");
    fprintf(stderr, "unflushed ");
    switch (k % 5) {
    case 0:
        switch (k / 5 % 6) {
        case 0: { volatile int *p = NULL; *p = k; break; }
        case 1: abort();
        case 2: { volatile int zero = 0; printf("%d", 1 / zero); break; }
        case 3: __builtin_trap();
        case 4: { volatile int *p = (int *)0x1234567812345678; *p = k; break; }
        default: raise(11);
        }
        break;
    case 1: exit(k & 0xff);
    case 2: _Exit(3);
    case 3: return k & 0x7f;
    default: printf("no newline at the end");
    }
    return 0;
}
