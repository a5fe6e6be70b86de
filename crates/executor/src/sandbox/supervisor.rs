//! The supervisor: a thread of the engine that decides the system calls forwarded by the doorman. The doorman is the
//! filter for starting a program or a process, and for sending a signal where Landlock does not confine signals. The
//! supervisor also polls the unit's files and threads, and kills processes that exceed a limit.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::usage::{self, Excess, Quota};

/// Interval between checks of the unit's resources, in milliseconds.
const LOOK_MS: i32 = 50;

/// Ends the supervisor when dropped: the thread ends, and the kernel answers all further requests with an error.
#[derive(Debug)]
pub struct Supervisor {
    state: Arc<State>,
    _life: UnixStream,
}

#[derive(Debug, Default)]
struct State {
    /// A doorman exists, and its listener has arrived.
    is_asked: AtomicBool,
    /// Number of processes that may still be forked.
    n_forks: AtomicU32,
    /// The program's first process, and its process group; 0 before it is known.
    process: AtomicU32,
    /// The exceeded limit ([`Excess`]) for which processes were killed, or 0.
    excess: AtomicU32,
}

impl Supervisor {
    /// Waits for the listener on `report`, if one is expected, and answers until the end.
    pub(super) fn start(report: UnixStream, n_forks: u32, will_be_asked: bool, quota: Quota) -> io::Result<Supervisor> {
        let state = Arc::new(State { n_forks: AtomicU32::new(n_forks), ..State::default() });
        let (life, theirs) = UnixStream::pair()?;
        let shared = Arc::clone(&state);
        thread::Builder::new().name("supervisor".to_owned()).spawn(move || {
            let listener = if will_be_asked { receive(&report) } else { None };
            drop(report);
            shared.is_asked.store(listener.is_some(), Ordering::Release);
            supervise(listener.as_ref(), &theirs, &shared, &quota);
        })?;
        Ok(Supervisor { state, _life: life })
    }

    /// Lets the unit fork once more.
    pub fn allow_fork(&self) {
        self.state.n_forks.fetch_add(1, Ordering::Release);
    }

    /// The limit for which processes were killed since the last call.
    pub fn take_excess(&self) -> Option<Excess> {
        Excess::from_number(self.state.excess.swap(0, Ordering::AcqRel))
    }

    pub(super) fn is_asked(&self) -> bool {
        self.state.is_asked.load(Ordering::Acquire)
    }

    pub(super) fn know(&self, process: u32) {
        self.state.process.store(process, Ordering::Release);
    }
}

/// The kernel's `struct seccomp_notif`, with room for a larger one.
#[repr(C)]
struct Question {
    id: u64,
    process: u32,
    flags: u32,
    number: i32,
    architecture: u32,
    instruction: u64,
    arguments: [u64; 6],
    _room: [u64; 16],
}

/// The kernel's `struct seccomp_notif_resp`, likewise.
#[repr(C)]
struct Answer {
    id: u64,
    value: i64,
    error: i32,
    flags: u32,
    _room: [u64; 16],
}

fn supervise(listener: Option<&OwnedFd>, life: &UnixStream, state: &State, quota: &Quota) {
    const SET_FLAGS: libc::c_ulong = 0x4008_2104;
    const SYNC_WAKE_UP: libc::c_ulong = 1;
    if let Some(listener) = listener {
        // The unit waits for the answer, so the kernel may run this thread in its place. Older kernels ignore the
        // request.
        // SAFETY: takes only numbers.
        unsafe { libc::ioctl(listener.as_raw_fd(), SET_FLAGS, SYNC_WAKE_UP) };
    }
    let mut is_started = false;
    let mut n_excessive = 0;
    let mut looked = Instant::now();
    loop {
        let wanted = |fd: RawFd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // `poll` ignores negative descriptors.
        let mut polls = [wanted(listener.map_or(-1, AsRawFd::as_raw_fd)), wanted(life.as_raw_fd())];
        // SAFETY: the array lives for the call.
        let n = unsafe { libc::poll(polls.as_mut_ptr(), 2, LOOK_MS) };
        if n < 0 && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
        if looked.elapsed() >= Duration::from_millis(LOOK_MS as u64) {
            look(state, quota, &mut n_excessive);
            looked = Instant::now();
        }
        match (listener, polls[0].revents, polls[1].revents) {
            _ if n <= 0 => {}
            (Some(listener), found, _) if found & libc::POLLIN != 0 => answer_one(listener, state, &mut is_started),
            // The engine has dropped the unit, or all of its processes have ended.
            _ => return,
        }
    }
}

/// Number of checks after which a unit that still exceeds a limit is killed as a whole.
const MAX_EXCESSIVE: u32 = 4;

/// Kills processes of a unit that exceeds a limit: all but the first, if there are others and that helps.
fn look(state: &State, quota: &Quota, n_excessive: &mut u32) {
    let first = state.process.load(Ordering::Acquire);
    if first == 0 {
        return;
    }
    let processes = usage::processes(first);
    let Some(excess) = usage::excess(&processes, quota) else {
        *n_excessive = 0;
        return;
    };
    *n_excessive += 1;
    state.excess.store(excess as u32, Ordering::Release);
    let spared = usize::from(processes.len() > 1 && *n_excessive < MAX_EXCESSIVE);
    for process in processes[spared..].iter().rev() {
        if is_ours(*process as i32, state) {
            // SAFETY: takes only numbers. The first process waits for the others, and the engine for the first, so the
            // numbers are still theirs.
            unsafe { libc::kill(*process as i32, libc::SIGKILL) };
        }
    }
}

fn answer_one(listener: &OwnedFd, state: &State, is_started: &mut bool) {
    const RECEIVE: libc::c_ulong = 0xc050_2100;
    const SEND: libc::c_ulong = 0xc018_2101;
    const GO_ON: u32 = 1;
    // SAFETY: the structure has only numbers.
    let mut question: Question = unsafe { std::mem::zeroed() };
    // SAFETY: there is room for the request. The call fails if the process has ended meanwhile.
    if unsafe { libc::ioctl(listener.as_raw_fd(), RECEIVE, &raw mut question) } < 0 {
        return;
    }
    let may = match i64::from(question.number) {
        libc::SYS_execve => !std::mem::replace(is_started, true),
        libc::SYS_clone => {
            let one_less = |n: u32| n.checked_sub(1);
            state.n_forks.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_less).is_ok()
        }
        _ => is_ours(question.arguments[0] as i32, state),
    };
    let (error, flags) = if may { (0, GO_ON) } else { (-libc::EPERM, 0) };
    let answer = Answer { id: question.id, value: 0, error, flags, _room: [0; 16] };
    // SAFETY: the answer lives for the call.
    unsafe { libc::ioctl(listener.as_raw_fd(), SEND, &raw const answer) };
}

/// True if a process or thread belongs to the unit. Its processes cannot leave their process group.
fn is_ours(process: i32, state: &State) -> bool {
    let first = state.process.load(Ordering::Acquire) as i32;
    // SAFETY: takes only a number.
    first > 0 && process > 0 && (process == first || unsafe { libc::getpgid(process) } == first)
}

/// Room for one descriptor as aligned control data.
type Control = [u64; 4];

/// Sends the listener from the new process and closes it. Makes only system calls.
pub(super) fn hand_over(report: RawFd, listener: RawFd) -> io::Result<()> {
    let mut byte = 1u8;
    let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let mut control: Control = [0; 4];
    // SAFETY: numbers and pointers to data that lives for the call. There is room for one descriptor.
    unsafe {
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(size_of::<RawFd>() as u32) as usize;
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
        libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(listener);
        let sent = libc::sendmsg(report, &raw const message, 0);
        libc::close(listener);
        if sent < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// Receives the listener. `None` if the new process has none, or failed earlier.
fn receive(report: &UnixStream) -> Option<OwnedFd> {
    let mut byte = 0u8;
    let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let mut control: Control = [0; 4];
    // SAFETY: as in `hand_over`. The received descriptor has no other owner.
    unsafe {
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of::<Control>();
        let mut n = -1;
        while n < 0 {
            n = libc::recvmsg(report.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC);
            if n < 0 && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return None;
            }
        }
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if n == 0 || header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
            return None;
        }
        Some(OwnedFd::from_raw_fd(libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned()))
    }
}
