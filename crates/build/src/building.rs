//! Limits of building: its time (`--build-timeout`) and Ctrl-C. The compiler runs in its own process group, so that the
//! whole group can be killed.

use std::cell::Cell;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Error;

/// Interval at which a running compiler is checked.
const LOOK: Duration = Duration::from_millis(5);

/// The time limit of building one program.
#[derive(Debug)]
pub(crate) struct BuildLimit {
    timeout: Duration,
    stop: &'static AtomicBool,
    until: Cell<Instant>,
}

impl BuildLimit {
    /// Starts the clock.
    pub(crate) fn new(timeout: Duration, stop: &'static AtomicBool) -> BuildLimit {
        BuildLimit { timeout, stop, until: Cell::new(Instant::now() + timeout) }
    }

    /// Restarts the clock for another program.
    pub(crate) fn restart(&self) {
        self.until.set(Instant::now() + self.timeout);
    }

    /// Runs a command to its end. On timeout or interruption, kills its whole process group.
    pub(crate) fn run(&self, command: &mut Command) -> Result<ExitStatus, Error> {
        let cannot = |why| Error::request(format!("cannot run the compiler: {why}"), "see `ulimit -a`, then try again");
        let mut running = Group(command.process_group(0).spawn().map_err(cannot)?);
        loop {
            if let Some(status) = running.0.try_wait().map_err(cannot)? {
                return Ok(status);
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            if Instant::now() >= self.until.get() {
                return Err(Error::Unit {
                    what: format!("building took longer than {:?}, the limit of --build-timeout", self.timeout),
                    help: Some("give a longer --build-timeout, or fewer or smaller files".to_owned()),
                });
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// The command that sets a limit of the system too small for a compiler, if there is one.
pub(crate) fn small_limit() -> Option<&'static str> {
    const NEEDED: [(libc::__rlimit_resource_t, u64, &str); 3] = [
        (libc::RLIMIT_NOFILE, 64, "ulimit -n"),
        (libc::RLIMIT_STACK, 1 << 20, "ulimit -s"),
        (libc::RLIMIT_FSIZE, 64 << 20, "ulimit -f"),
    ];
    let is_small = |resource, needed| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: writes the structure.
        unsafe { libc::getrlimit(resource, &raw mut limit) == 0 && limit.rlim_cur < needed }
    };
    NEEDED.into_iter().find(|(resource, needed, _)| is_small(*resource, *needed)).map(|(_, _, name)| name)
}

/// A process that leads a group. The group is killed when this is dropped.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(None)) {
            return;
        }
        // SAFETY: the child leads its group and has not been waited for, so the number still belongs to it.
        unsafe { libc::kill(-(self.0.id() as i32), libc::SIGKILL) };
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    #[test]
    fn what_takes_too_long_is_killed_with_all_that_it_started() {
        let limit = BuildLimit::new(Duration::from_millis(300), &NEVER);
        let folder = tempfile::tempdir().expect("a temporary directory");
        let started = Instant::now();
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 60 & echo $! > pid; wait"]).current_dir(folder.path());
        let failure = limit.run(&mut shell).expect_err("it takes a minute");
        assert!(failure.to_string().contains("--build-timeout"), "{failure}");
        assert!(started.elapsed() < Duration::from_secs(20));
        let pid = std::fs::read_to_string(folder.path().join("pid")).expect("written within the time");
        // It may exist for a moment, until its new parent has waited for it.
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        let is_gone = |state: String| state.is_empty() || state.contains(") Z ") || !state.contains("(sleep)");
        assert!((0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            is_gone(state())
        }));
    }

    #[test]
    fn what_ends_in_time_ends_as_it_does() {
        let limit = BuildLimit::new(Duration::from_secs(60), &NEVER);
        let status = limit.run(Command::new("sh").args(["-c", "exit 7"])).expect("it ends");
        assert_eq!(status.code(), Some(7));
    }
}
