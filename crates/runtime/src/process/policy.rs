//! Policy for each system call of the unit. The order of the lists has no meaning.
//!
//! The principle: calls that leave no trace in the kernel pass. Calls that change only this process are performed, and
//! the process is replaced after the run. Calls that affect anything beyond it are refused and reported.

/// Action of the trap for a call that the filter does not let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Passes the filter untrapped.
    Pass,
    /// Performed; the process is replaced afterwards.
    Perform,
    /// As `Perform`, for calls that change files: Landlock decides, and a refusal is noted.
    Write,
    /// Fails with EPERM and is noted.
    Refuse,
    /// Opening of a file: `Perform` for reading, otherwise `Write`.
    Open,
    /// A signal: performed for this process itself, otherwise refused.
    Signal,
    /// The end of the process, which ends the run.
    Exit,
    /// Performed by editing the mask that the trap returns to.
    SetMask,
    /// The sandbox keeps its own signal; other actions are performed.
    SetAction,
    /// Claims success: signal handlers need the existing stack.
    SignalStack,
    /// Threads are created (by the older `clone`, whose arguments the filter can examine); processes are refused.
    Clone3,
    /// Depends on its first argument.
    Prctl,
    /// Waits, in virtual time ([`super::clock`]). The filter lets calls pass that cannot wait.
    Wait,
    /// Reads a clock, in virtual time.
    Clock,
    /// As `Perform`, for timers.
    Timer,
    /// As `Perform`. The engine's filter examines the arguments, and its refusal is noted.
    Checked,
    /// A call that names a process by the argument of this index: for this process itself as `Checked`, otherwise
    /// refused.
    Own(u8),
    /// Depends on its command.
    Fcntl,
    /// Claims success: no other process locks the files of a run, and real locks would affect programs outside.
    Lock,
    /// Performed by calls whose arguments the engine's filter can examine.
    SendMessage,
}

/// Numbers of x86-64.
pub(super) mod call {
    pub(crate) const OPEN: u32 = 2;
    pub(crate) const POLL: u32 = 7;
    pub(crate) const RT_SIGACTION: u32 = 13;
    pub(crate) const RT_SIGPROCMASK: u32 = 14;
    pub(crate) const IOCTL: u32 = 16;
    pub(crate) const SENDTO: u32 = 44;
    pub(crate) const SENDMSG: u32 = 46;
    pub(crate) const SOCKETPAIR: u32 = 53;
    pub(crate) const CLONE: u32 = 56;
    pub(crate) const KILL: u32 = 62;
    pub(crate) const FCNTL: u32 = 72;
    pub(crate) const FLOCK: u32 = 73;
    pub(crate) const RENAME: u32 = 82;
    pub(crate) const CREAT: u32 = 85;
    pub(crate) const UNLINK: u32 = 87;
    pub(crate) const SIGALTSTACK: u32 = 131;
    pub(crate) const SETPRIORITY: u32 = 141;
    pub(crate) const SCHED_SETPARAM: u32 = 142;
    pub(crate) const SCHED_SETSCHEDULER: u32 = 144;
    pub(crate) const PRCTL: u32 = 157;
    pub(crate) const TKILL: u32 = 200;
    pub(crate) const FUTEX: u32 = 202;
    pub(crate) const SCHED_SETAFFINITY: u32 = 203;
    pub(crate) const EXIT_GROUP: u32 = 231;
    pub(crate) const EPOLL_WAIT: u32 = 232;
    pub(crate) const OPENAT: u32 = 257;
    pub(crate) const UNLINKAT: u32 = 263;
    pub(crate) const RENAMEAT: u32 = 264;
    pub(crate) const EPOLL_PWAIT: u32 = 281;
    pub(crate) const PRLIMIT64: u32 = 302;
    pub(crate) const CLONE3: u32 = 435;
    pub(crate) const OPENAT2: u32 = 437;
}
use call::*;

const RT_SIGQUEUEINFO: u32 = 129;
const TGKILL: u32 = 234;
const RT_TGSIGQUEUEINFO: u32 = 297;

/// Calls that pass. Frequent ones come first, because the filter tests them in this order.
pub(super) const PASS: &[u32] = &[
    0,   // read
    1,   // write
    15,  // rt_sigreturn
    5,   // fstat
    262, // newfstatat
    8,   // lseek
    17,  // pread64
    18,  // pwrite64
    19,  // readv
    20,  // writev
    4,   // stat
    6,   // lstat
    21,  // access
    24,  // sched_yield
    26,  // msync
    27,  // mincore
    28,  // madvise
    36,  // getitimer
    39,  // getpid
    40,  // sendfile
    45,  // recvfrom
    47,  // recvmsg
    48,  // shutdown
    51,  // getsockname
    52,  // getpeername
    54,  // setsockopt
    55,  // getsockopt
    60,  // exit, of a thread
    61,  // wait4
    63,  // uname
    74,  // fsync
    75,  // fdatasync
    78,  // getdents
    79,  // getcwd
    89,  // readlink
    97,  // getrlimit
    98,  // getrusage
    99,  // sysinfo
    102, // getuid
    104, // getgid
    107, // geteuid
    108, // getegid
    110, // getppid
    111, // getpgrp
    115, // getgroups
    118, // getresuid
    120, // getresgid
    121, // getpgid
    124, // getsid
    127, // rt_sigpending
    137, // statfs
    138, // fstatfs
    140, // getpriority
    143, // sched_getparam
    145, // sched_getscheduler
    146, // sched_get_priority_max
    147, // sched_get_priority_min
    148, // sched_rr_get_interval
    186, // gettid
    187, // readahead
    191, // getxattr
    192, // lgetxattr
    193, // fgetxattr
    194, // listxattr
    195, // llistxattr
    196, // flistxattr
    204, // sched_getaffinity
    217, // getdents64
    218, // set_tid_address
    219, // restart_syscall
    221, // fadvise64
    229, // clock_getres
    247, // waitid
    267, // readlinkat
    269, // faccessat
    273, // set_robust_list
    277, // sync_file_range
    295, // preadv
    296, // pwritev
    299, // recvmmsg
    309, // getcpu
    318, // getrandom
    324, // membarrier
    327, // preadv2
    328, // pwritev2
    332, // statx
    334, // rseq
    439, // faccessat2
    449, // futex_waitv
];

const PERFORM: &[u32] = &[
    3,   // close
    9,   // mmap
    10,  // mprotect
    11,  // munmap
    12,  // brk
    22,  // pipe
    25,  // mremap
    32,  // dup
    33,  // dup2
    37,  // alarm
    38,  // setitimer
    77,  // ftruncate
    80,  // chdir
    81,  // fchdir
    95,  // umask
    149, // mlock
    150, // munlock
    151, // mlockall
    152, // munlockall
    158, // arch_prctl
    160, // setrlimit
    213, // epoll_create
    216, // remap_file_pages
    224, // timer_gettime
    225, // timer_getoverrun
    233, // epoll_ctl
    253, // inotify_init
    254, // inotify_add_watch
    255, // inotify_rm_watch
    275, // splice
    276, // tee
    278, // vmsplice
    282, // signalfd
    284, // eventfd
    285, // fallocate
    287, // timerfd_gettime
    289, // signalfd4
    290, // eventfd2
    291, // epoll_create1
    292, // dup3
    293, // pipe2
    294, // inotify_init1
    319, // memfd_create
    325, // mlock2
    326, // copy_file_range
    329, // pkey_mprotect
    330, // pkey_alloc
    331, // pkey_free
    436, // close_range
];

const WRITE: &[u32] = &[
    76, // truncate
    RENAME, 83, // mkdir
    84, // rmdir
    86, // link
    UNLINK, 88,  // symlink
    133, // mknod
    258, // mkdirat
    259, // mknodat
    UNLINKAT, RENAMEAT, 265, // linkat
    266, // symlinkat
    316, // renameat2
];

const WAIT: &[u32] = &[
    POLL,
    23,  // select
    34,  // pause
    35,  // nanosleep
    128, // rt_sigtimedwait
    130, // rt_sigsuspend
    FUTEX,
    230, // clock_nanosleep
    EPOLL_WAIT,
    270, // pselect6
    271, // ppoll
    EPOLL_PWAIT,
    441, // epoll_pwait2
];

const CLOCK: &[u32] = &[
    96,  // gettimeofday
    100, // times
    201, // time
    228, // clock_gettime
];

const TIMER: &[u32] = &[
    222, // timer_create
    223, // timer_settime
    226, // timer_delete
    283, // timerfd_create
    286, // timerfd_settime
];

const SPECIAL: &[(u32, Policy)] = &[
    (OPEN, Policy::Open),
    (CREAT, Policy::Write),
    (OPENAT, Policy::Open),
    (OPENAT2, Policy::Open),
    (KILL, Policy::Signal),
    (TKILL, Policy::Signal),
    (TGKILL, Policy::Signal),
    (RT_SIGQUEUEINFO, Policy::Signal),
    (RT_TGSIGQUEUEINFO, Policy::Signal),
    (EXIT_GROUP, Policy::Exit),
    (RT_SIGPROCMASK, Policy::SetMask),
    (RT_SIGACTION, Policy::SetAction),
    (SIGALTSTACK, Policy::SignalStack),
    (CLONE3, Policy::Clone3),
    (PRCTL, Policy::Prctl),
    (SENDTO, Policy::Checked),
    (SOCKETPAIR, Policy::Checked),
    (PRLIMIT64, Policy::Own(0)),
    (SETPRIORITY, Policy::Own(1)),
    (SCHED_SETPARAM, Policy::Own(0)),
    (SCHED_SETSCHEDULER, Policy::Own(0)),
    (SCHED_SETAFFINITY, Policy::Own(0)),
    (FCNTL, Policy::Fcntl),
    (FLOCK, Policy::Lock),
    (SENDMSG, Policy::SendMessage),
];

/// The performed calls whose effect a forked process inherits.
const CARRIED: &[u32] = &[
    3,         // close
    10,        // mprotect
    11,        // munmap
    12,        // brk
    25,        // mremap
    32,        // dup
    33,        // dup2
    80,        // chdir
    81,        // fchdir
    95,        // umask
    160,       // setrlimit
    292,       // dup3
    PRLIMIT64, // for itself
];

/// See [`CARRIED`].
pub(super) fn carries_over(number: usize) -> bool {
    CARRIED.contains(&(number as u32))
}

/// The same for the commands of `fcntl`. Locks are not inherited.
pub(super) fn carries_over_fcntl(command: usize) -> bool {
    const F_DUPFD: usize = 0;
    const F_SETFD: usize = 2;
    const F_GETFL: usize = 3;
    const F_SETFL: usize = 4;
    const F_DUPFD_CLOEXEC: usize = 1030;
    matches!(command, F_DUPFD | F_SETFD | F_GETFL | F_SETFL | F_DUPFD_CLOEXEC)
}

const N_CALLS: usize = 512;

const TABLE: [Policy; N_CALLS] = {
    let mut table = [Policy::Refuse; N_CALLS];
    let lists: [(&[u32], Policy); 6] = [
        (PASS, Policy::Pass),
        (PERFORM, Policy::Perform),
        (WRITE, Policy::Write),
        (WAIT, Policy::Wait),
        (CLOCK, Policy::Clock),
        (TIMER, Policy::Timer),
    ];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].0.len() {
            let slot = &mut table[lists[list].0[i] as usize];
            assert!(matches!(*slot, Policy::Refuse), "a system call is listed twice");
            *slot = lists[list].1;
            i += 1;
        }
        list += 1;
    }
    let mut i = 0;
    while i < SPECIAL.len() {
        let slot = &mut table[SPECIAL[i].0 as usize];
        assert!(matches!(*slot, Policy::Refuse), "a system call is listed twice");
        *slot = SPECIAL[i].1;
        i += 1;
    }
    table
};

/// Policy for system call `number`. Unlisted calls are refused.
pub(super) fn policy(number: usize) -> Policy {
    TABLE.get(number).copied().unwrap_or(Policy::Refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harm_is_refused() {
        // execve, fork, vfork, clone, socket, connect, ptrace, setuid, mount, chmod, io_uring_setup, unshare
        for number in [59, 57, 58, 56, 41, 42, 101, 105, 165, 90, 425, 272, 9999] {
            assert_eq!(policy(number), Policy::Refuse, "{number}");
        }
    }

    #[test]
    fn everyday_calls_pass() {
        for number in [0, 1, 5, 39] {
            assert_eq!(policy(number), Policy::Pass, "{number}");
        }
    }
}
