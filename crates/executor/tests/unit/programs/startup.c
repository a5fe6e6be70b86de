// A long start-up, an input, and the state after the start-up. The first line of the output identifies the start-up.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "tine_interface.h"

static unsigned table[1 << 12];
static volatile int caught;
static void on_signal(int signal) { caught += signal; }
static void at_exit(void) { printf("atexit %u\n", table[1]); }
static void *nothing(void *argument) { return argument; }

int main(int argc, char **argv) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    char line[64];
    int n = snprintf(line, sizeof line, "%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    if (write(1, line, (size_t)n) != n) return 99;
    for (unsigned i = 0; i < 1 << 24; i++) table[i & 0xfff] = table[(i * 7) & 0xfff] * 31 + i;
    char *heap = malloc(100000);
    memset(heap, 'h', 100000);
    int file = open(argv[1], O_RDONLY);
    char part[5] = {0};
    if (file < 0 || read(file, part, 4) != 4) return 98;
    FILE *stream = fopen(argv[1], "r");
    char word[16];
    if (!stream || fscanf(stream, "%15s", word) != 1) return 97;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    atexit(at_exit);
    printf("%d buffered %s %s\n", argc, part, word);
#if defined THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
#elif defined WRITES
    int written = open("made-by-startup", O_CREAT | O_WRONLY, 0600);
    close(written);
#elif defined TIMER
    alarm(1000);
#elif defined PIPE
    int ends[2];
    if (pipe(ends)) return 96;
#elif defined SHARED
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#elif defined SILENT
    close(1), close(2);
#else
    (void)nothing;
#endif
    int k;
    __tine_input(&k, sizeof k, "k", 3);
    if (read(file, part, 4) != 4 || fscanf(stream, "%15s", word) != 1) return 95;
    printf("%s %s %u %c%c", part, word, table[k & 0xfff]++, heap[0], heap[99999]);
    heap[0] = 'x';
    heap = realloc(heap, 200000);
    char *other = malloc((size_t)k % 1000);
    printf(" %c %p %p\n", heap[0], (void *)heap, (void *)other);
    raise(SIGUSR1);
    printf("caught %d\n", caught);
    switch (k % 4) {
    case 0: abort();
    case 1: { volatile int *p = NULL; *p = k; break; }
    case 2: fclose(stream); close(file); exit(k & 0x7f);
    default: fprintf(stderr, "done\n");
    }
    return 3;
}
