//! Names of system calls (x86-64).

use syscalls::x86_64::Sysno;

/// `unlink`, or `system call 999` for a number that Linux does not have.
pub fn name(number: u32) -> String {
    Sysno::new(number as usize).map_or_else(|| format!("system call {number}"), |call| call.name().to_owned())
}
