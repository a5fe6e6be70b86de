/* All kinds of waiting use virtual time, and all clocks agree. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static int alarms;
static void on_alarm(int signal) { (void)signal; alarms++; }
static double real(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }
static int passed(double since, double least) { double d = real() - since; return d >= least && d < least + 5; }

int main(void) {
    int c = getchar();
    double start = real();
    time_t t0 = time(NULL), t1;
    struct timeval tv, tv0; gettimeofday(&tv0, NULL);
    struct tms tms; clock_t ticks = times(&tms);
    assert(sleep(3600) == 0);
    assert(passed(start, 3600));
    t1 = time(NULL); assert(t1 - t0 >= 3600 && t1 - t0 < 3605);
    gettimeofday(&tv, NULL); assert(tv.tv_sec - tv0.tv_sec >= 3599 && tv.tv_sec - tv0.tv_sec < 3605);
    assert(times(&tms) - ticks >= 359990);
    struct timespec ts; assert(timespec_get(&ts, TIME_UTC) && ts.tv_sec - t0 >= 3600);
    assert(syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts) == 0 && ts.tv_sec - t0 >= 3600);
    assert(clock() < CLOCKS_PER_SEC * 10);
    start = real(); usleep(2000000); assert(passed(start, 2));
    struct timespec two = {2, 5}, rest; start = real(); assert(!nanosleep(&two, &rest)); assert(passed(start, 2));
    two.tv_nsec = 1000000000; assert(nanosleep(&two, &rest) == -1 && errno == EINVAL);
    clock_gettime(CLOCK_REALTIME, &two); two.tv_sec += 100; start = real();
    assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &two, NULL) == 0); assert(passed(start, 100));
    /* descriptors */
    int p[2]; assert(!pipe(p));
    struct pollfd fd = {p[0], POLLIN, 0};
    start = real(); assert(poll(&fd, 1, 5000) == 0); assert(passed(start, 5));
    tv = (struct timeval){7, 0}; fd_set set; FD_ZERO(&set); FD_SET(p[0], &set);
    start = real(); assert(select(p[0] + 1, &set, NULL, NULL, &tv) == 0 && !FD_ISSET(p[0], &set) && !tv.tv_sec); assert(passed(start, 7));
    two = (struct timespec){8, 0}; FD_SET(p[0], &set);
    start = real(); assert(pselect(p[0] + 1, &set, NULL, NULL, &two, NULL) == 0); assert(passed(start, 8));
    start = real(); assert(ppoll(&fd, 1, &two, NULL) == 0); assert(passed(start, 8));
    int e = epoll_create1(0); struct epoll_event event = {EPOLLIN}; assert(!epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event));
    start = real(); assert(epoll_wait(e, &event, 1, 9000) == 0); assert(passed(start, 9));
    assert(write(p[1], "x", 1) == 1);
    start = real(); assert(poll(&fd, 1, -1) == 1 && epoll_wait(e, &event, 1, -1) == 1); assert(passed(start, 0));
    FD_SET(p[0], &set); assert(select(p[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(p[0], &set));
    /* signals */
    struct sigaction action = {.sa_handler = on_alarm}; sigaction(SIGALRM, &action, NULL);
    start = real(); alarm(50); assert(pause() == -1 && errno == EINTR && alarms == 1); assert(passed(start, 50));
    alarm(10); assert((sleep(30) + 1) / 2 == 10 && alarms == 2);
    struct itimerval every = {{3, 0}, {5, 0}}; setitimer(ITIMER_REAL, &every, NULL);
    sigset_t none; sigemptyset(&none); start = real();
    for (int i = 0; i < 3; i++) assert(sigsuspend(&none) == -1);
    assert(alarms == 5); assert(passed(start, 11));
    memset(&every, 0, sizeof every); setitimer(ITIMER_REAL, &every, NULL);
    alarm(100); sleep(40); assert((alarm(0) + 1) / 2 == 30);
    sigset_t alrm; sigemptyset(&alrm); sigaddset(&alrm, SIGALRM); sigprocmask(SIG_BLOCK, &alrm, NULL);
    two = (struct timespec){4, 0}; start = real(); assert(sigtimedwait(&alrm, NULL, &two) == -1 && errno == EAGAIN); assert(passed(start, 4));
    alarm(2); assert(sigtimedwait(&alrm, NULL, &two) == SIGALRM);
    alarm(2); int got; assert(!sigwait(&alrm, &got) && got == SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alrm, NULL);
    timer_t timer; assert(!timer_create(CLOCK_MONOTONIC, NULL, &timer));
    struct itimerspec when = {{0, 0}, {20, 0}}; start = real(); alarms = 0; assert(!timer_settime(timer, 0, &when, NULL)); pause(); assert(alarms == 1); assert(passed(start, 20));
    clock_gettime(CLOCK_MONOTONIC, &when.it_value); when.it_value.tv_sec += 30; start = real();
    assert(!timer_settime(timer, TIMER_ABSTIME, &when, NULL)); pause(); assert(alarms == 2); assert(passed(start, 30));
    timer_delete(timer);
    int tfd = timerfd_create(CLOCK_MONOTONIC, 0); when = (struct itimerspec){{0, 0}, {25, 0}}; timerfd_settime(tfd, 0, &when, NULL);
    fd.fd = tfd; start = real(); assert(poll(&fd, 1, -1) == 1); assert(passed(start, 25)); unsigned long long n; assert(read(tfd, &n, 8) == 8 && n == 1);
    /* synchronisation */
    sem_t sem; sem_init(&sem, 0, 0); clock_gettime(CLOCK_REALTIME, &two); two.tv_sec += 60; start = real();
    assert(sem_timedwait(&sem, &two) == -1 && errno == ETIMEDOUT); assert(passed(start, 60));
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t cond = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(&m);
    clock_gettime(CLOCK_REALTIME, &two); two.tv_sec += 70; start = real();
    assert(pthread_cond_timedwait(&cond, &m, &two) == ETIMEDOUT); assert(passed(start, 70));
    if (c == 'x') abort();
    return 0;
}
