//! Names of system calls that a sandbox is likely to refuse (x86-64).

const NAMES: [(u32, &str); 40] = [
    (2, "open"),
    (41, "socket"),
    (42, "connect"),
    (49, "bind"),
    (53, "socketpair"),
    (56, "clone"),
    (57, "fork"),
    (58, "vfork"),
    (59, "execve"),
    (62, "kill"),
    (76, "truncate"),
    (82, "rename"),
    (83, "mkdir"),
    (84, "rmdir"),
    (85, "creat"),
    (86, "link"),
    (87, "unlink"),
    (88, "symlink"),
    (90, "chmod"),
    (92, "chown"),
    (94, "lchown"),
    (101, "ptrace"),
    (105, "setuid"),
    (106, "setgid"),
    (133, "mknod"),
    (161, "chroot"),
    (165, "mount"),
    (169, "reboot"),
    (200, "tkill"),
    (234, "tgkill"),
    (257, "openat"),
    (258, "mkdirat"),
    (259, "mknodat"),
    (260, "fchownat"),
    (263, "unlinkat"),
    (264, "renameat"),
    (265, "linkat"),
    (266, "symlinkat"),
    (322, "execveat"),
    (435, "clone3"),
];

/// `unlink`, or `system call 999`.
pub fn name(number: u32) -> String {
    let known = NAMES.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("system call {number}"), |(_, name)| (*name).to_string())
}
