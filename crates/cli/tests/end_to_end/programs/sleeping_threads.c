/* The clock jumps only when every thread waits, and to the earliest wake-up. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int done, order[3], n;

static void *compute(void *unused) {
    for (volatile long i = 0; i < 3000000; i++) {
    }
    done = 1;
    return unused;
}

static void *sleep_for(void *seconds) {
    sleep((long)seconds);
    order[n++] = (long)seconds;
    return NULL;
}

int main(void) {
    pthread_t computing, sleeping[3];
    pthread_create(&computing, NULL, compute, NULL);
    sleep(1000);
    assert(done);
    pthread_join(computing, NULL);
    for (long i = 0; i < 3; i++)
        pthread_create(&sleeping[i], NULL, sleep_for, (void *)((3 - i) * 100));
    for (int i = 0; i < 3; i++)
        pthread_join(sleeping[i], NULL);
    assert(order[0] == 100 && order[1] == 200 && order[2] == 300);
    return getchar() == 'x';
}
