//! The wall: the system calls, by number and arguments, that cannot affect anything outside of the unit's processes and
//! its scratch directory. The doorman: the calls that the engine decides one by one.

use super::{ALLOW, AND, ENOSYS, EOPNOTSUPP, EPERM, JUMP_EQUAL, JUMP_GREATER, NOTIFY, Program, argument, fail};

/// Calls that are harmless for all arguments.
const HARMLESS: &[u32] = &[
    0, 1, 3, 5, 7, 8, // read write close fstat poll lseek
    9, 10, 11, 12, // mmap mprotect munmap brk
    13, 14, 15, // rt_sigaction rt_sigprocmask rt_sigreturn
    17, 18, 19, 20, // pread64 pwrite64 readv writev
    202, 228, 262, // futex clock_gettime newfstatat
    4, 6, 21, 22, 23, 24, // stat lstat access pipe select sched_yield
    25, 26, 27, 28, // mremap msync mincore madvise
    32, 33, 34, 35, 36, 37, 38, 39, 40, // dup dup2 pause nanosleep getitimer alarm setitimer getpid sendfile
    45, 47, 48, 51, 52, 54, 55, // recvfrom recvmsg shutdown getsockname getpeername setsockopt getsockopt
    60, 61, 63, // exit wait4 uname
    74, 75, 77, 78, 79, 80, 81, // fsync fdatasync ftruncate getdents getcwd chdir fchdir
    89, 95, 96, 97, 98, 99, 100, // readlink umask gettimeofday getrlimit getrusage sysinfo times
    102, 104, 107, 108, 110, 111, 115, 118, 120, 121, 124, // get*id
    127, 128, 130, 131, // rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
    137, 138, 140, 143, 145, 146, 147, 148, // statfs fstatfs getpriority sched_get*
    149, 150, 151, 152, 158, 160, // mlock munlock mlockall munlockall arch_prctl setrlimit
    186, 187, 191, 192, 193, 194, 195, 196, // gettid readahead getxattr … flistxattr
    201, 204, 213, 216, 217, 218,
    219, // time sched_getaffinity epoll_create remap_file_pages getdents64 set_tid_address restart_syscall
    221, 222, 223, 224, 225, 226, // fadvise64 timer_*
    229, 230, 231, 232, 233, 247, // clock_getres clock_nanosleep exit_group epoll_wait epoll_ctl waitid
    253, 254, 255, 267, 269, 270, 271, 273, // inotify_* readlinkat faccessat pselect6 ppoll set_robust_list
    275, 276, 277, 278, // splice tee sync_file_range vmsplice
    281, 282, 283, 284, 286, 287, 289, 290, 291, 292, 293,
    294, // epoll, signalfd, timerfd, eventfd, dup3, pipe2, inotify_init1
    295, 296, 299, 309, 318, 319, 324, 325, 326, 327,
    328, // preadv pwritev recvmmsg getcpu getrandom memfd_create membarrier mlock2 copy_file_range preadv2 pwritev2
    329, 330, 331, 332, 334, // pkey_* statx rseq
    434, // pidfd_open: every call that acts on such a descriptor is refused
    436, 439, 441, 449, // close_range faccessat2 epoll_pwait2 futex_waitv
    451, 453, 454, 455, 456, 462, // cachestat map_shadow_stack futex_wake futex_wait futex_requeue mseal
];

/// Calls that change files by path: Landlock confines them to the scratch directory.
const CHANGE_FILES: &[u32] = &[
    82, 83, 84, 85, 86, 87, 88, // rename mkdir rmdir creat link unlink symlink
    133, 258, 259, 263, 264, 265, 266, 316, // mknod mkdirat mknodat unlinkat renameat linkat symlinkat renameat2
];

/// TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD: queries.
pub const IOCTL_QUERIES: [u32; 4] = [0x5401, 0x540f, 0x5413, 0x541b];

/// Commands of `fcntl`. Excluded are owners and signals of asynchronous I/O, leases, notifications, and locks. Locks
/// are excluded because files of the user can be locked by opening them for reading.
const FCNTL_COMMANDS: &[u32] = &[
    0, 1, 2, 3, 5, // F_DUPFD F_GETFD F_SETFD F_GETFL F_GETLK
    9, 11, 16, 36, // F_GETOWN F_GETSIG F_GETOWN_EX F_OFD_GETLK
    1025, 1027, 1028, 1030, 1031, 1032, 1033, 1034, // F_GETLEASE, queries, F_DUPFD_CLOEXEC, pipe sizes, seals
];

/// Operations of `prctl` that affect only the calling process.
const PRCTL_OPERATIONS: &[u32] = &[
    1,
    2,
    3,
    15,
    16, // PR_SET_PDEATHSIG … PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME
    7,
    21,
    23,
    25,
    26,
    27, // PR_GET_KEEPCAPS PR_GET_SECCOMP PR_CAPBSET_READ PR_GET_TSC PR_SET_TSC PR_GET_SECUREBITS
    29,
    30,
    38,
    39,
    40,
    41,
    42, // timer slack, PR_*_NO_NEW_PRIVS, PR_GET_TID_ADDRESS, huge pages
    52,
    65,
    66,
    0x5356_4d41, // PR_GET_SPECULATION_CTRL PR_SET_MDWE PR_GET_MDWE PR_SET_VMA
];

mod call {
    pub(super) const OPEN: u32 = 2;
    pub(super) const IOCTL: u32 = 16;
    pub(super) const SENDTO: u32 = 44;
    pub(super) const SOCKETPAIR: u32 = 53;
    pub(super) const CLONE: u32 = 56;
    pub(super) const EXECVE: u32 = 59;
    pub(super) const KILL: u32 = 62;
    pub(super) const FCNTL: u32 = 72;
    pub(super) const TRUNCATE: u32 = 76;
    pub(super) const RT_SIGQUEUEINFO: u32 = 129;
    pub(super) const PERSONALITY: u32 = 135;
    pub(super) const SETPRIORITY: u32 = 141;
    pub(super) const SCHED_SETPARAM: u32 = 142;
    pub(super) const SCHED_SETSCHEDULER: u32 = 144;
    pub(super) const PRCTL: u32 = 157;
    pub(super) const TKILL: u32 = 200;
    pub(super) const SCHED_SETAFFINITY: u32 = 203;
    pub(super) const TGKILL: u32 = 234;
    pub(super) const OPENAT: u32 = 257;
    pub(super) const FALLOCATE: u32 = 285;
    pub(super) const RT_TGSIGQUEUEINFO: u32 = 297;
    pub(super) const PRLIMIT64: u32 = 302;
    pub(super) const SECCOMP: u32 = 317;
    pub(super) const CLONE3: u32 = 435;
    pub(super) const OPENAT2: u32 = 437;
    /// Numbers above are newer than this list. Programs fall back to older calls when a new one does not exist.
    pub(super) const LAST_KNOWN: u32 = 450;
}
use call::*;

/// Calls that send signals, all with the receiver as their first argument.
const SIGNALS: [u32; 5] = [KILL, TKILL, TGKILL, RT_SIGQUEUEINFO, RT_TGSIGQUEUEINFO];

const CLONE_THREAD: u32 = 0x1_0000;
/// New namespaces, and being traced by the parent's tracer.
const CLONE_ISOLATED: u32 = 0x7e02_2000;
/// Flags of a plain fork: SIGCHLD, the thread's number in memory, the parent's parent.
const CLONE_FORK: u32 = 0x11 | 0x100_0000 | 0x20_0000 | 0x8000;

const O_WRITES: u32 = 0o3;
const O_CREAT: u32 = 0o100;
const O_TRUNC: u32 = 0o1000;
const O_ASYNC: u32 = 0o2_0000;

/// Form of the wall, which depends on the other protections that the kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Version of Landlock, 0 for none.
    pub landlock: u32,
}

impl Wall {
    /// The filter program of this part.
    pub fn program(self) -> Program {
        let mut wall = Program::new(fail(ENOSYS));
        wall.allow_numbers(HARMLESS);
        if self.landlock > 0 {
            wall.allow_numbers(CHANGE_FILES);
        }
        // Older versions do not cover truncation.
        if self.landlock >= 3 {
            wall.allow_numbers(&[OPEN, OPENAT, OPENAT2, TRUNCATE]);
        }
        // The first program is the unit itself; the doorman refuses others.
        wall.allow_numbers(&[EXECVE]);
        if self.landlock < 3 {
            self.open(&mut wall, OPEN, 1);
            self.open(&mut wall, OPENAT, 2);
        }
        processes(&mut wall);
        descriptors(&mut wall);
        // The number is already loaded.
        wall.answer_if_equal(CLONE3, fail(ENOSYS));
        wall.answer_if_equal(OPENAT2, fail(ENOSYS));
        // It would fill the disk before a size check could stop it. Programs fall back to writing.
        wall.answer_if_equal(FALLOCATE, fail(EOPNOTSUPP));
        wall.push(JUMP_GREATER, LAST_KNOWN, 0, 1);
        wall.answer(fail(ENOSYS));
        wall.answer(fail(EPERM));
        wall
    }

    /// Handles the opening of files without a complete Landlock.
    fn open(self, wall: &mut Program, number: u32, flags: u32) {
        wall.with_argument(number, flags, |wall| {
            if self.landlock == 0 {
                wall.answer_if_any_bit(O_WRITES | O_CREAT | O_TRUNC, fail(EPERM));
                wall.answer(ALLOW);
            } else {
                // Landlock checks writing. A file opened for reading must not be truncated.
                wall.answer_if_any_bit(O_WRITES, ALLOW);
                wall.answer_if_any_bit(O_TRUNC, fail(EPERM));
                wall.answer(ALLOW);
            }
        });
    }
}

/// Handles calls that may name another process.
fn processes(wall: &mut Program) {
    const PRIO_PROCESS: u32 = 0;
    const NEGATIVE: u32 = 1 << 31;
    wall.with_argument(CLONE, 0, |wall| {
        wall.answer_if_any_bit(CLONE_ISOLATED, fail(EPERM));
        wall.answer_if_any_bit(CLONE_THREAD, ALLOW);
        wall.answer_if_any_bit(!CLONE_FORK, fail(EPERM));
        wall.answer(ALLOW);
    });
    // Landlock, otherwise the doorman, keeps signals within the unit's processes. Process groups would escape both.
    for number in SIGNALS {
        wall.with_argument(number, 0, |wall| {
            wall.answer_if_equal(0, fail(EPERM));
            wall.answer_if_any_bit(NEGATIVE, fail(EPERM));
            wall.answer(ALLOW);
        });
    }
    for number in [PRLIMIT64, SCHED_SETAFFINITY, SCHED_SETPARAM] {
        wall.with_argument(number, 0, |wall| wall.answer_if_equal(0, ALLOW));
    }
    wall.with_argument(SCHED_SETSCHEDULER, 0, |wall| {
        wall.push(JUMP_EQUAL, 0, 1, 0);
        wall.answer(fail(EPERM));
        wall.load(argument(1));
        // SCHED_OTHER, SCHED_BATCH and SCHED_IDLE; the other classes take the processor from all other processes.
        [0, 3, 5].into_iter().for_each(|class| wall.answer_if_equal(class, ALLOW));
    });
    wall.with_argument(SETPRIORITY, 0, |wall| {
        wall.push(JUMP_EQUAL, PRIO_PROCESS, 1, 0);
        wall.answer(fail(EPERM));
        wall.load(argument(1));
        wall.push(JUMP_EQUAL, 0, 1, 0);
        wall.answer(fail(EPERM));
        wall.load(argument(2));
        wall.answer_if_any_bit(NEGATIVE, fail(EPERM));
        wall.answer(ALLOW);
    });
    wall.with_argument(PRCTL, 0, |wall| {
        PRCTL_OPERATIONS.iter().for_each(|operation| wall.answer_if_equal(*operation, ALLOW));
    });
    wall.with_argument(PERSONALITY, 0, |wall| wall.answer_if_equal(u32::MAX, ALLOW));
    // Further filters can only refuse more. The runtime installs its own filter this way.
    wall.with_argument(SECCOMP, 0, |wall| {
        const SECCOMP_SET_MODE_FILTER: u32 = 1;
        const SPEC_ALLOW: u32 = 4;
        wall.push(JUMP_EQUAL, SECCOMP_SET_MODE_FILTER, 1, 0);
        wall.answer(fail(EPERM));
        wall.load(argument(1));
        wall.answer_if_equal(SPEC_ALLOW, ALLOW);
    });
}

/// Handles calls on descriptors that depend on their arguments.
fn descriptors(wall: &mut Program) {
    const F_SETFL: u32 = 4;
    const AF_UNIX: u32 = 1;
    wall.with_argument(FCNTL, 1, |wall| {
        FCNTL_COMMANDS.iter().for_each(|command| wall.answer_if_equal(*command, ALLOW));
        wall.push(JUMP_EQUAL, F_SETFL, 1, 0);
        wall.answer(fail(EPERM));
        wall.load(argument(2));
        wall.answer_if_any_bit(O_ASYNC, fail(EPERM));
        wall.answer(ALLOW);
    });
    wall.with_argument(IOCTL, 1, |wall| {
        IOCTL_QUERIES.into_iter().for_each(|query| wall.answer_if_equal(query, ALLOW));
    });
    wall.with_argument(SOCKETPAIR, 0, |wall| wall.answer_if_equal(AF_UNIX, ALLOW));
    // Only to the other end of a pair. With an address, other receivers would be possible, and `sendmsg` has its
    // address in memory.
    wall.with_argument(SENDTO, 4, |wall| {
        wall.push(JUMP_EQUAL, 0, 1, 0);
        wall.answer(fail(EPERM));
        wall.load(argument(4) + 4);
        wall.answer_if_equal(0, ALLOW);
    });
}

/// A filter that asks the engine before a program or process is started, and before a signal is sent if `asks_for_signals`.
pub fn doorman(asks_for_signals: bool) -> Program {
    let mut doorman = Program::new(ALLOW);
    doorman.answer_if_equal(EXECVE, NOTIFY);
    doorman.with_argument(CLONE, 0, |doorman| {
        doorman.push(AND, CLONE_THREAD, 0, 0);
        doorman.answer_if_equal(0, NOTIFY);
    });
    if asks_for_signals {
        SIGNALS.into_iter().for_each(|number| doorman.answer_if_equal(number, NOTIFY));
    }
    doorman.answer(ALLOW);
    doorman
}

#[cfg(test)]
mod tests {
    use super::super::X86_64;
    use super::*;

    const FULL: Wall = Wall { landlock: 7 };

    fn answer(wall: Wall, number: u32, arguments: [u64; 6]) -> u32 {
        wall.program().run(X86_64, number, arguments, 0x5555_0000_1234)
    }

    #[track_caller]
    fn refused(number: u32, arguments: [u64; 6]) {
        assert_eq!(answer(FULL, number, arguments), fail(EPERM), "{number} {arguments:x?}");
    }

    #[track_caller]
    fn allowed(number: u32, arguments: [u64; 6]) {
        assert_eq!(answer(FULL, number, arguments), ALLOW, "{number} {arguments:x?}");
    }

    const fn args(first: &[u64]) -> [u64; 6] {
        let mut all = [0; 6];
        let mut i = 0;
        while i < first.len() {
            all[i] = first[i];
            i += 1;
        }
        all
    }

    #[test]
    fn every_call_that_reaches_beyond_the_unit_is_refused() {
        // fork vfork socket connect accept bind ptrace setuid mount chmod unshare keyctl shmget msgget mq_open
        // perf_event_open process_vm_readv kcmp setns bpf userfaultfd io_uring_setup pidfd_send_signal pidfd_getfd sendmsg
        // sendmmsg execveat setsid setpgid migrate_pages move_pages get_robust_list ioprio_set flock open_by_handle_at
        for number in [
            57, 58, 41, 42, 43, 49, 101, 105, 165, 90, 272, 250, 29, 68, 240, 298, 310, 312, 308, 321, 323, 425, 424,
            438, 46, 307, 322, 112, 109, 256, 279, 274, 251, 73, 304, 314, 155, 161, 175, 169, 167, 179, 300, 163, 440,
            448,
        ] {
            refused(number, [0; 6]);
        }
    }

    #[test]
    fn other_processes_cannot_be_named() {
        for number in [PRLIMIT64, SCHED_SETAFFINITY, SCHED_SETPARAM, SCHED_SETSCHEDULER] {
            allowed(number, [0; 6]);
            refused(number, args(&[77]));
        }
        refused(SCHED_SETSCHEDULER, args(&[0, 1]));
        allowed(SETPRIORITY, args(&[0, 0, 5]));
        for arguments in [&[0, 77, 5][..], &[1, 0, 5], &[2, 0, 5], &[0, 0, -5i64 as u64]] {
            refused(SETPRIORITY, args(arguments));
        }
        for number in SIGNALS {
            allowed(number, args(&[77, 77, 9]));
            refused(number, args(&[0, 9]));
            refused(number, args(&[-1i64 as u64, 9]));
            refused(number, args(&[u64::from(u32::MAX), 9]));
        }
    }

    #[test]
    fn processes_are_plain_forks() {
        allowed(CLONE, args(&[0x003d_0f00]));
        allowed(CLONE, args(&[0x0120_0011]));
        allowed(CLONE, args(&[0x0120_8011]));
        for flags in [0x4111, 0x1000_0011, 0x2000_0011, 0x4000_0011, 0x0802_0011, 0x003d_2f00, 0x1001_0000] {
            refused(CLONE, args(&[flags]));
        }
        assert_eq!(answer(FULL, CLONE3, [0; 6]), fail(ENOSYS));
    }

    #[test]
    fn addresses_and_asynchronous_signals_are_refused() {
        allowed(SENDTO, args(&[3, 0x1000, 3, 0, 0, 0]));
        refused(SENDTO, args(&[3, 0x1000, 3, 0, 0x7fff_0000_0000, 110]));
        refused(SENDTO, args(&[3, 0x1000, 3, 0, 0x1000, 110]));
        allowed(SOCKETPAIR, args(&[1, 2]));
        refused(SOCKETPAIR, args(&[2, 2]));
        for command in [6, 7, 8, 10, 15, 37, 38, 1024, 1026] {
            refused(FCNTL, args(&[3, command]));
        }
        allowed(FCNTL, args(&[3, 4, 0o4000]));
        refused(FCNTL, args(&[3, 4, 0o2_4000]));
        for request in [0x5412, 0x5452, 0x8901, 0x8902, 0x540e] {
            refused(IOCTL, args(&[0, request]));
        }
    }

    #[test]
    fn unknown_calls_and_other_architectures_do_not_exist() {
        for number in [460, 467, 500, 9999, 0x4000_0000, 0x4000_0001, 0x4000_003b] {
            assert_eq!(answer(FULL, number, [0; 6]), fail(ENOSYS), "{number:#x}");
        }
        assert_eq!(FULL.program().run(0x4000_0003, 4, [0; 6], 0), fail(ENOSYS));
    }

    #[test]
    fn files_are_protected_without_landlock() {
        let none = Wall { landlock: 0 };
        let old = Wall { landlock: 1 };
        for number in CHANGE_FILES.iter().copied().chain([TRUNCATE]) {
            assert_eq!(answer(none, number, [0; 6]), fail(EPERM), "{number}");
        }
        assert_eq!(answer(old, TRUNCATE, [0; 6]), fail(EPERM));
        for flags in [1, 2, 3, 0o100, 0o1000] {
            assert_eq!(answer(none, OPENAT, args(&[0, 0, flags])), fail(EPERM), "{flags:o}");
            assert_eq!(answer(none, OPEN, args(&[0, flags])), fail(EPERM), "{flags:o}");
        }
        assert_eq!(answer(old, OPENAT, args(&[0, 0, 0o1000])), fail(EPERM));
        assert_eq!(answer(old, OPENAT, args(&[0, 0, 0o1001])), ALLOW);
        assert_eq!(answer(none, OPENAT, args(&[0, 0, 0o200_0000])), ALLOW);
        assert_eq!(answer(none, OPENAT2, [0; 6]), fail(ENOSYS));
    }

    #[test]
    fn the_doorman_asks_about_programs_and_processes() {
        let asks = |signals, number, first| doorman(signals).run(X86_64, number, args(&[first]), 0) == NOTIFY;
        assert!(asks(false, EXECVE, 0) && asks(false, CLONE, 0x11) && !asks(false, CLONE, 0x1_0f00));
        assert!(!asks(false, KILL, 1) && asks(true, KILL, 1) && asks(true, TGKILL, 1) && !asks(true, 0, 0));
    }

    #[test]
    fn no_call_is_listed_twice() {
        for (i, number) in HARMLESS.iter().enumerate() {
            assert!(!HARMLESS[..i].contains(number) && !CHANGE_FILES.contains(number), "{number}");
        }
    }
}
