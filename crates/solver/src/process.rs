//! An SMT solver in a separate process. If the solver fails, this process continues.
//!
//! The solver dies with the thread that started it. It has its own process group, so Ctrl-C on the terminal does not
//! reach it, and processes that it starts are killed with it. Units do not inherit the socket, which is closed on
//! `exec`.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_expr::Reason;

use crate::Limits;

/// Bytes of a reply after which the solver is killed.
const MAX_REPLY: usize = 64 << 20;
/// Bytes that the solver's allocator keeps for the next query, and bytes that it requests at once. Returning memory
/// after each query and requesting it again takes a tenth of Z3's time.
const KEPT: &str = "1073741824";
const AHEAD: &str = "16777216";
/// Interval at which a waiting thread checks whether to stop.
const LOOK: Duration = Duration::from_millis(20);
/// Additional time on a busy machine, where the process may have to start first.
const GRACE: Duration = Duration::from_millis(500);
/// Exit status of both solvers when memory is exhausted.
const OUT_OF_MEMORY: i32 = 101;

/// Time to wait for a reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    until: Instant,
    stop: Option<&'static AtomicBool>,
}

impl Wait {
    /// Creates the limit for a query that may take `time`. Solvers check the time themselves, but not always. They
    /// therefore get twice the time, but at most until the end of the exploration.
    pub(crate) fn new(limits: &Limits, time: Duration) -> Self {
        let now = Instant::now();
        let late = now + time.saturating_mul(2);
        let end = limits.until.map_or(late, |end| end.max(now + time).min(late));
        Self { until: end + GRACE, stop: limits.stop }
    }

    /// Time until the next check, or `None` if the wait is over.
    fn next(&self) -> Option<Duration> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let left = self.until.saturating_duration_since(Instant::now());
        (!is_stopped && !left.is_zero()).then(|| left.min(LOOK))
    }
}

/// End of a process.
#[derive(Debug)]
pub(crate) enum End {
    /// The process was killed because time was up or the exploration was stopped.
    Late,
    /// The process ended by itself, after it had printed this text.
    Ended(ExitStatus, String),
}

impl End {
    /// The reason why the query has no answer.
    pub(crate) fn reason(&self, solver: &str) -> Reason {
        let (status, printed) = match self {
            End::Late => return Reason::Timeout,
            // The timer that the solver set for itself has expired.
            End::Ended(status, _) if status.signal() == Some(libc::SIGALRM) => return Reason::Timeout,
            End::Ended(status, printed) => (status, printed),
        };
        if status.code() == Some(OUT_OF_MEMORY) || is_out_of_memory(printed) {
            return Reason::Memory;
        }
        let how = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        };
        let last = printed.lines().rfind(|line| !line.trim().is_empty());
        Reason::Crashed(match last {
            Some(last) => format!("{solver} ended with {how}: {}", short(last)),
            None => format!("{solver} ended with {how}"),
        })
    }
}

pub(crate) fn is_out_of_memory(printed: &str) -> bool {
    ["out of memory", "max. memory", "bad_alloc", "Cannot allocate memory"].iter().any(|words| printed.contains(words))
}

/// Shortens a string for a message.
pub(crate) fn short(text: &str) -> String {
    const N_CHARACTERS: usize = 200;
    text.trim().chars().take(N_CHARACTERS).collect()
}

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Standard input, output and error of the child.
    socket: UnixStream,
    /// Current timeout for reading and writing the socket.
    patience: Duration,
    /// Status and CPU time of the process, after it has ended.
    ended: Option<(ExitStatus, Duration)>,
}

impl Process {
    /// Starts a solver that reads requests from its standard input.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        let theirs = OwnedFd::from(theirs);
        command.stdin(theirs.try_clone()?).stdout(theirs.try_clone()?).stderr(theirs);
        command.env("MALLOC_TRIM_THRESHOLD_", KEPT).env("MALLOC_MMAP_THRESHOLD_", KEPT).env("MALLOC_TOP_PAD_", AHEAD);
        let child = command.process_group(0).spawn()?;
        // If the system is short of memory, this process is the one to kill. Best effort.
        let _ = std::fs::write(format!("/proc/{}/oom_score_adj", child.id()), "800");
        Ok(Self { child, socket, patience: Duration::ZERO, ended: None })
    }

    /// Sends a request and reads until `parse` recognises a whole reply.
    pub(crate) fn ask<R>(&mut self, request: &[u8], wait: Wait, parse: impl Fn(&[u8]) -> Option<R>) -> Result<R, End> {
        // The solver may reply even if it does not read the whole request. If it has ended, reading detects this.
        let _ = self.send(request, wait);
        let mut printed = Vec::new();
        let mut block = [0; 1 << 14];
        loop {
            let Some(patience) = wait.next() else {
                self.end();
                return Err(End::Late);
            };
            if printed.len() > MAX_REPLY {
                break;
            }
            match self.be_patient(patience).and_then(|()| self.socket.read(&mut block)) {
                Ok(0) => break,
                Ok(n) => printed.extend_from_slice(&block[..n]),
                Err(why) if is_late(&why) => continue,
                Err(_) => break,
            }
            if let Some(reply) = parse(&printed) {
                return Ok(reply);
            }
        }
        Err(End::Ended(self.end(), String::from_utf8_lossy(&printed).into_owned()))
    }

    fn send(&mut self, mut bytes: &[u8], wait: Wait) -> io::Result<()> {
        while !bytes.is_empty() {
            let patience = wait.next().ok_or(ErrorKind::TimedOut)?;
            self.be_patient(patience)?;
            match self.socket.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(why) if is_late(&why) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    fn be_patient(&mut self, patience: Duration) -> io::Result<()> {
        if self.patience != patience {
            self.socket.set_read_timeout(Some(patience))?;
            self.socket.set_write_timeout(Some(patience))?;
            self.patience = patience;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// CPU time of the solver.
    pub(crate) fn computed(&self) -> Duration {
        self.ended.map_or_else(|| computed(self.child.id()), |(_, computed)| computed)
    }

    /// Kills the solver unless it has ended, and returns its status.
    fn end(&mut self) -> ExitStatus {
        if let Some((status, _)) = self.ended {
            return status;
        }
        let group = -(self.child.id() as libc::pid_t);
        // SAFETY: a system call. The group is that of our child, whose number is not reused before the `wait` below.
        unsafe { libc::kill(group, libc::SIGKILL) };
        let computed = self.computed();
        let status = self.child.wait().unwrap_or(ExitStatus::from_raw(libc::SIGKILL));
        self.ended = Some((status, computed));
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn is_late(why: &io::Error) -> bool {
    matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Makes a foreign program die with this thread, dump no core and use at most `bytes` of address space.
pub(crate) fn restrict(command: &mut Command, bytes: Option<u64>) {
    let parent = std::process::id();
    // SAFETY: only system calls between `fork` and `exec`.
    unsafe { command.pre_exec(move || prepare(parent, bytes)) };
}

fn prepare(parent: u32, bytes: Option<u64>) -> io::Result<()> {
    let limit = |what, bytes| {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        // SAFETY: a system call with a pointer to a live local variable.
        unsafe { libc::setrlimit(what, &raw const limit) };
    };
    limit(libc::RLIMIT_CORE, 0);
    if let Some(bytes) = bytes {
        limit(libc::RLIMIT_AS, bytes);
    }
    // SAFETY: system calls that change and read attributes of this process.
    let orphaned = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::getppid() as u32 != parent
    };
    if orphaned { Err(ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

/// CPU time of a process; zero if it cannot be determined.
pub(crate) fn computed(id: u32) -> Duration {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: system calls that write the two variables.
    let is_known = unsafe {
        libc::clock_getcpuclockid(id as libc::pid_t, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    if is_known { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
}
