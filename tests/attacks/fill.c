/* Argument: how the disk or the memory is filled. 1: many files; 2: files without a name; 3: files in memory; 4: mapped files; 5: threads;
   6: shared memory. */
#include "attack.h"
#include <pthread.h>
#include <sys/mman.h>

static void *sleeps(void *unused) {
    static int word;
    for (;;) call(SYS_futex, (long)&word, 0 /* wait */, 0, 0, 0, 0);
    return unused;
}

int main(int argc, char **argv) {
    const long size = 8 << 20;
    int way = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 100000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        int fd = way == 1 ? open(name, O_CREAT | O_WRONLY, 0600)
               : way == 3 ? (int)call(SYS_memfd_create, (long)name, 0, 0, 0, 0, 0)
               : way == 2 || way == 4 ? open(".", O_TMPFILE | O_RDWR, 0600) : -1;
        if (fd >= 0 && call(SYS_fallocate, fd, 0, 0, size, 0, 0) < 0) {
            static char zeros[1 << 20];
            for (int k = 0; k < 8; k++) if (write(fd, zeros, sizeof zeros) < 0) break;
        }
        if (way == 1) close(fd);
        if (way == 4) {
            if (mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED) break;
            close(fd);
        }
        pthread_t thread;
        if (way == 5 && pthread_create(&thread, 0, sleeps, 0)) usleep(1000);
        if (way == 6) {
            char *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (at != MAP_FAILED) memset(at, 1, size);
        }
    }
    printf("SUCCEEDED filling %d\n", way);
    return 0;
}
