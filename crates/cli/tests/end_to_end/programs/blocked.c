/* Waits without end. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int ends[2];
    char byte;
    switch (getchar()) {
    case 'p':
        pause();
        break;
    case 'q':
        poll(0, 0, -1);
        break;
    case 'r':
        pipe(ends);
        read(ends[0], &byte, 1);
        break;
    case 's':
        pthread_mutex_lock(&lock);
        pthread_mutex_lock(&lock);
        break;
    case 't':
        /* This one ends. */
        alarm(1000000);
        pause();
    }
    return 0;
}
