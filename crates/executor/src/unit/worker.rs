//! Handle on the process that currently runs the unit.

use std::fs;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

use crate::cores;
use crate::sandbox::usage::Status;

/// The worker. Signals use a process descriptor, so that they never reach another process with a reused number.
#[derive(Debug)]
pub(super) struct Worker {
    pid: u32,
    process: Option<OwnedFd>,
    /// Bytes of shared memory, which do not count as its own.
    segment: u64,
}

impl Worker {
    /// The process with this number, if it is a child of `parent`. `segment` is the size of the shared segment.
    pub(super) fn new(pid: u32, parent: u32, segment: u64) -> Option<Worker> {
        // SAFETY: takes numbers and gives a new descriptor.
        let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        // SAFETY: a new descriptor without another owner.
        let process = (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd as i32) });
        // Check this after the descriptor is open: the number then cannot pass to another process.
        (parent_of(pid)? == parent).then_some(Worker { pid, process, segment })
    }

    pub(super) fn signal(&self, signal: i32) {
        if let Some(process) = &self.process {
            // SAFETY: without further information nothing is read.
            unsafe { libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), signal, 0, 0) };
        }
    }

    pub(super) fn keep_to(&self, core: usize) {
        cores::keep(self.pid as i32, core);
    }

    /// Processor time; zero if unknown.
    pub(super) fn computed(&self) -> Duration {
        let (mut clock, mut time) = (0, libc::timespec { tv_sec: 0, tv_nsec: 0 });
        // SAFETY: system calls that write only the two variables.
        let is_known = unsafe {
            libc::clock_getcpuclockid(self.pid as libc::pid_t, &raw mut clock) == 0
                && libc::clock_gettime(clock, &raw mut time) == 0
        };
        if is_known { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
    }

    /// True if it sleeps in the kernel. On a busy machine a computing process may also get little time.
    pub(super) fn is_asleep(&self) -> bool {
        let Ok(text) = fs::read_to_string(format!("/proc/{}/stat", self.pid)) else { return false };
        // `123 (name) S …`; the name may contain any character.
        text.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('S'))
    }

    /// Resident bytes of its own memory, including the shadow.
    pub(super) fn resident(&self) -> u64 {
        let status = Status::of(self.pid);
        status.memory + status.shared.saturating_sub(self.segment)
    }
}

/// Parent of a process, as the kernel reports it. The name in parentheses may contain anything.
fn parent_of(pid: u32) -> Option<u32> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let name_end = text.iter().rposition(|byte| *byte == b')')?;
    std::str::from_utf8(&text[name_end + 1..]).ok()?.split_whitespace().nth(1)?.parse().ok()
}
