//! A program that reads commands and prints replies, in a process of its own: whatever becomes of it, this process goes on.
//!
//! It neither outlives the thread that started it nor hears of the terminal: it has a process group of its own, and with it
//! end the processes that it may have started. Units do not inherit the socket, which is closed on `exec`.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// One that prints more than this in reply is out of its mind.
const MAX_PRINTED: usize = 64 << 20;

/// So many bytes the process's allocator keeps for the next query, and asks for at once.
const KEPT: &str = "1073741824";
const AHEAD: &str = "16777216";

/// Whoever waits for a reply looks this often whether anybody still wants it.
const LOOK: Duration = Duration::from_millis(20);

/// How long a reply is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) until: Instant,
    pub(super) stop: Option<&'static AtomicBool>,
}

impl Wait {
    /// Until the next look; none if the wait is over.
    fn next(&self) -> Option<Duration> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let left = self.until.saturating_duration_since(Instant::now());
        (!is_stopped && !left.is_zero()).then(|| left.min(LOOK))
    }
}

/// How a process came to its end, which it has when this is told.
#[derive(Debug)]
pub(super) enum End {
    /// It took too long, or nobody waited any more, and it was killed.
    Late,
    /// It ended by itself, after it had printed this.
    Ended(ExitStatus, String),
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// What it reads and prints.
    socket: UnixStream,
    /// How it ended, once it has.
    ended: Option<(ExitStatus, Duration)>,
}

impl Process {
    /// Starts a program that may have so many bytes of addresses.
    pub(super) fn start(program: &OsStr, arguments: &[String], bytes: Option<u64>) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        let theirs = OwnedFd::from(theirs);
        let mut command = Command::new(program);
        command.args(arguments).stdin(theirs.try_clone()?).stdout(theirs.try_clone()?).stderr(theirs);
        // The allocator keeps what it got: giving it back after each query and asking again takes a tenth of Z3's time.
        command.env("MALLOC_TRIM_THRESHOLD_", KEPT).env("MALLOC_MMAP_THRESHOLD_", KEPT).env("MALLOC_TOP_PAD_", AHEAD);
        // Ctrl-C is for us.
        command.process_group(0);
        let parent = std::process::id();
        // SAFETY: only system calls between `fork` and `exec`.
        unsafe { command.pre_exec(move || prepare(parent, bytes)) };
        let child = command.spawn()?;
        // Where the system is short of memory, it is this process that is to end. Best effort.
        let _ = std::fs::write(format!("/proc/{}/oom_score_adj", child.id()), "800");
        Ok(Self { child, socket, ended: None })
    }

    /// Runs commands, the last of which prints `last` as a line, and gives back what the others print.
    pub(super) fn ask(&mut self, commands: &str, last: &str, wait: Wait) -> Result<String, End> {
        // What it does not read, it may still have an answer to: that it has ended shows below.
        let _ = self.send(commands.as_bytes(), wait);
        let mut printed = Vec::new();
        let mut block = [0; 1 << 14];
        loop {
            let Some(patience) = wait.next() else {
                self.end();
                return Err(End::Late);
            };
            if printed.len() > MAX_PRINTED {
                break;
            }
            match self.socket.set_read_timeout(Some(patience)).and_then(|()| self.socket.read(&mut block)) {
                Ok(0) => break,
                Ok(n) => printed.extend_from_slice(&block[..n]),
                Err(why) if is_late(&why) || why.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
            let before = printed.strip_suffix(b"\n").and_then(|text| text.strip_suffix(last.as_bytes()));
            if let Some(before) = before.filter(|before| before.is_empty() || before.ends_with(b"\n")) {
                return Ok(String::from_utf8_lossy(before).into_owned());
            }
        }
        Err(End::Ended(self.end(), String::from_utf8_lossy(&printed).into_owned()))
    }

    fn send(&mut self, mut text: &[u8], wait: Wait) -> io::Result<()> {
        while !text.is_empty() {
            let patience = wait.next().ok_or(ErrorKind::TimedOut)?;
            self.socket.set_write_timeout(Some(patience))?;
            match self.socket.write(text) {
                Ok(n) => text = &text[n..],
                Err(why) if is_late(&why) || why.kind() == ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// How long it has computed.
    pub(super) fn computed(&self) -> Duration {
        self.ended.map_or_else(|| computed(self.child.id()), |(_, computed)| computed)
    }

    /// Ends it, if it has not ended, and says how it did.
    fn end(&mut self) -> ExitStatus {
        if let Some((status, _)) = self.ended {
            return status;
        }
        let group = -(self.child.id() as libc::pid_t);
        // SAFETY: a system call; the group is that of our child, which nobody has waited for yet.
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
    matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// What the process does before it becomes another program.
fn prepare(parent: u32, bytes: Option<u64>) -> io::Result<()> {
    let limit = |what, bytes| {
        let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
        // SAFETY: a system call, with a limit that lives for it.
        unsafe { libc::setrlimit(what, &raw const limit) };
    };
    limit(libc::RLIMIT_CORE, 0);
    if let Some(bytes) = bytes {
        limit(libc::RLIMIT_AS, bytes);
    }
    // SAFETY: system calls that change and read numbers of this process.
    let orphaned = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::getppid() as u32 != parent
    };
    if orphaned { Err(ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

/// How long a process has computed; none if it cannot be told.
pub(super) fn computed(id: u32) -> Duration {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: system calls that write the two variables.
    let told = unsafe {
        libc::clock_getcpuclockid(id as libc::pid_t, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    if told { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
}
