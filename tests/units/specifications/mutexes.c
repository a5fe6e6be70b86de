// tine-test: fn=update spec=libc/mutex
// The specification of mutexes that ships with tine.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

int update(int by) {
    pthread_mutex_lock(&lock);
    value += by & 7;
    if (value == 5) {
        pthread_mutex_unlock(&lock);
        value = 0;
    }
    pthread_mutex_unlock(&lock); //~ ERROR specification violated
    return value;
}
