// tine-test: fn=pair verdict=incomplete reason="another thread"
// CWE-562: a thread gets the address of a local variable. The twin waits for the thread before it returns.
#include <pthread.h>

static void *work(void *p) {
    int local[4] = {1, 2, 3, 4}, s = 0;
    for (int i = 0; i < 4; i++)
        s += local[i];
    *(int *)p = s;
    return p;
}

static int *start(void) {
    int result = 0;
    void *same = &result;
    pthread_t t;
    pthread_create(&t, 0, work, &result);
    pthread_join(t, &same);
    return same;
}

int bad(int k) {
    int *p = start();
    return k == 3 ? *p : 0; //~ ERROR use after return
}

int good(int k) {
    int results[2] = {0};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, &results[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return k == 3 ? results[1] : results[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
