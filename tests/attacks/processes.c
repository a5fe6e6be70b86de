/* Arguments: a process of the host. Attacks on it with every call that names a process. */
#include "attack.h"
#include <linux/ioprio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/uio.h>

#ifndef IOPRIO_WHO_PROCESS
#define IOPRIO_WHO_PROCESS 1
#endif

int main(int argc, char **argv) {
    long victim = argc > 1 ? atol(argv[1]) : 0;
    if (victim < 2) return 1;
    struct rlimit one = {1, 1};
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    struct sched_param parameter = {0}, high = {99};
    char buffer[64];
    struct iovec local = {buffer, sizeof buffer}, remote = {(void *)0x400000, sizeof buffer};
    siginfo_t info = {0};
    ATTACK("prlimit64", SYS_prlimit64, victim, RLIMIT_NOFILE, &one, 0, 0, 0);
    ATTACK("prlimit64 of the parent", SYS_prlimit64, getppid(), RLIMIT_NOFILE, &one, 0, 0, 0);
    ATTACK("setpriority", SYS_setpriority, PRIO_PROCESS, victim, 19, 0, 0, 0);
    ATTACK("setpriority of a group", SYS_setpriority, PRIO_PGRP, 0, 19, 0, 0, 0);
    ATTACK("setpriority of a user", SYS_setpriority, PRIO_USER, 0, 19, 0, 0, 0);
    ATTACK("setpriority, higher", SYS_setpriority, PRIO_PROCESS, 0, -20, 0, 0, 0);
    ATTACK("sched_setaffinity", SYS_sched_setaffinity, victim, sizeof cores, &cores, 0, 0, 0);
    ATTACK("sched_setscheduler", SYS_sched_setscheduler, victim, SCHED_IDLE, &parameter, 0, 0, 0);
    ATTACK("sched_setscheduler, real time", SYS_sched_setscheduler, 0, SCHED_FIFO, &high, 0, 0, 0);
    ATTACK("sched_setparam", SYS_sched_setparam, victim, &parameter, 0, 0, 0, 0);
    ATTACK("sched_setattr", SYS_sched_setattr, victim, buffer, 0, 0, 0, 0);
    ATTACK("kill", SYS_kill, victim, SIGSTOP, 0, 0, 0, 0);
    ATTACK("kill -1", SYS_kill, -1, SIGCONT, 0, 0, 0, 0);
    ATTACK("kill 0", SYS_kill, 0, SIGCONT, 0, 0, 0, 0);
    ATTACK("kill a group", SYS_kill, -victim, SIGCONT, 0, 0, 0, 0);
    ATTACK("tkill", SYS_tkill, victim, SIGSTOP, 0, 0, 0, 0);
    ATTACK("tgkill", SYS_tgkill, victim, victim, SIGSTOP, 0, 0, 0);
    ATTACK("rt_sigqueueinfo", SYS_rt_sigqueueinfo, victim, SIGSTOP, &info, 0, 0, 0);
    ATTACK("ptrace attach", SYS_ptrace, 16, victim, 0, 0, 0, 0);
    ATTACK("process_vm_readv", SYS_process_vm_readv, victim, &local, 1, &remote, 1, 0);
    ATTACK("process_vm_writev", SYS_process_vm_writev, victim, &local, 1, &remote, 1, 0);
    ATTACK("ioprio_set", SYS_ioprio_set, IOPRIO_WHO_PROCESS, victim, 0x4000, 0, 0, 0);
    ATTACK("migrate_pages", SYS_migrate_pages, victim, 0, 0, 0, 0, 0);
    ATTACK("move_pages", SYS_move_pages, victim, 0, 0, 0, 0, 0);
    ATTACK("get_robust_list", SYS_get_robust_list, victim, buffer, buffer + 8, 0, 0, 0);
    ATTACK("kcmp", SYS_kcmp, victim, victim, 0, 0, 0, 0);
    ATTACK("perf_event_open", SYS_perf_event_open, buffer, victim, -1, -1, 0, 0);
    ATTACK("setpgid", SYS_setpgid, 0, 0, 0, 0, 0, 0);
    ATTACK("setsid", SYS_setsid, 0, 0, 0, 0, 0, 0);
    long process = call(SYS_pidfd_open, victim, 0, 0, 0, 0, 0);
    ATTACK("pidfd_send_signal", SYS_pidfd_send_signal, process, SIGSTOP, 0, 0, 0, 0);
    ATTACK("pidfd_getfd", SYS_pidfd_getfd, process, 0, 0, 0, 0, 0);
    ATTACK("process_madvise", SYS_process_madvise, process, &remote, 1, 4, 0, 0);
    int ends[2];
    if (pipe(ends)) return 1;
    ATTACK("F_SETOWN", SYS_fcntl, ends[0], F_SETOWN, victim, 0, 0, 0);
    ATTACK("F_SETSIG", SYS_fcntl, ends[0], F_SETSIG, SIGKILL, 0, 0, 0);
    ATTACK("O_ASYNC", SYS_fcntl, ends[0], F_SETFL, O_ASYNC, 0, 0, 0);
    int on = 1;
    ATTACK("FIOASYNC", SYS_ioctl, ends[0], FIOASYNC, &on, 0, 0, 0);
    ATTACK("TIOCSTI", SYS_ioctl, 0, TIOCSTI, "x", 0, 0, 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/mem", victim);
    ATTACK("memory by /proc", SYS_open, path, O_RDWR, 0, 0, 0, 0);
    snprintf(path, sizeof path, "/proc/%ld/environ", victim);
    char environment[16];
    long fd = call(SYS_open, (long)path, O_RDONLY, 0, 0, 0, 0);
    if (fd >= 0 && call(SYS_read, fd, (long)environment, sizeof environment, 0, 0, 0) > 0) said("environment by /proc", fd);
    snprintf(path, sizeof path, "/proc/%ld/oom_score_adj", victim);
    fd = call(SYS_open, (long)path, O_WRONLY, 0, 0, 0, 0);
    if (fd >= 0 && call(SYS_write, fd, (long)"1000", 4, 0, 0, 0) > 0) said("oom_score_adj", fd);
    int children = 0;
    for (int i = 0; i < 100; i++) {
        long child = call(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
        if (child == 0) for (;;) pause();
        children += child > 0;
    }
    /* The runtime may fork a few processes to keep a start-up, and so may who takes its place. */
#ifdef ENTRY
    if (children > 4) said("fork", children);
#else
    if (children > 0) said("fork", children);
#endif
    end();
    return 0;
}
