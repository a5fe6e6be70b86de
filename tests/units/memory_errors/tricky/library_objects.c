// tine-test: fn=f
// Objects of the library that only the library sets: locks, sets, expressions, jump buffers, lists of arguments.
#include <pthread.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/select.h>

static int sum(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    va_end(list);
    if (n && va_arg(copy, int) == 3)
        s++;
    va_end(copy);
    return s;
}

int f(int k) {
    int r = 0;
    pthread_mutex_t m;
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (sigismember(&set, SIGUSR1))
        r++;
    regex_t e;
    if (regcomp(&e, "a+b", REG_EXTENDED | REG_NOSUB) == 0) {
        if (regexec(&e, "xaab", 0, NULL, 0) == 0)
            r++;
        regfree(&e);
    }
    fd_set fds;
    FD_ZERO(&fds);
    FD_SET(3, &fds);
    if (FD_ISSET(3, &fds))
        r++;
    div_t d = div(17, 5);
    if (d.rem == 2)
        r++;
    jmp_buf b;
    if (setjmp(b) == 0 && k == 5)
        longjmp(b, 1);
    if (sum(2, 3, 4) == 8)
        r++;
    return r;
}
