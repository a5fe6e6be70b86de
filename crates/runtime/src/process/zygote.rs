//! The zygote: started by the engine, initialised once, then forks workers. It never runs unit code, except for
//! constructors, which run before it.

use core::sync::atomic::Ordering;

use tine_trace::segment::{COMMAND_FORK, DIED, Fixed, Header};

use super::native::Line;
use super::state::{self, Role};
use super::worker::{self, Arguments};
use super::{fork_server, sandbox};
use crate::record;
use crate::segment::Segment;
use crate::sys::{self, Errno, nr};

/// Descriptors that the engine passes to the unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Engine {
    pub(super) segment: i32,
    pub(super) control: i32,
    pub(super) maps: i32,
    /// Directory to which writes are restricted, with a terminating zero byte.
    pub(super) scratch: Option<&'static [u8]>,
    /// Bits of `SANDBOX_*`.
    pub(super) sandbox: u32,
}

/// Serves the engine until it disconnects.
pub(super) fn serve(engine: Engine, arguments: Arguments, fork: unsafe extern "C" fn() -> i32) -> ! {
    let segment = map_segment(engine.segment);
    record::init();
    record::attach_modules(segment);
    write_maps(engine.maps);
    state::set_role(Role::Zygote);
    watch(segment, &engine);
    let mut current = None;
    let mut habit = Habit::default();
    loop {
        match wait(engine.control, current.as_ref()) {
            Event::Command(COMMAND_FORK) => {
                // The engine no longer needs the old one, which may still be ending.
                reap(segment, current.take());
                let lasting = habit.next_lasts(segment);
                current = Some(start_worker(segment, &engine, arguments, lasting, fork));
            }
            // The engine uses another protocol.
            Event::Command(_) => sys::exit_group(4),
            Event::WorkerEnded => reap(segment, current.take()),
            Event::HungUp => {
                reap(segment, current.take());
                sys::exit_group(0);
            }
        }
    }
}

/// Writes the maps of all modules, one after the other, and closes the descriptor.
fn write_maps(fd: i32) {
    for module in record::modules() {
        // SAFETY: modules registered before the program runs are loaded.
        let map = unsafe { record::map_of(module) };
        if sys::write_all(fd, map).is_err() {
            break;
        }
    }
    sys::close(fd);
}

fn map_segment(fd: i32) -> Segment {
    let Some(segment) = try_map_segment(fd) else {
        Line::new().text("tine: the engine's segment cannot be used (another version of tine?)").write();
        sys::exit_group(4);
    };
    sys::close(fd);
    segment
}

fn try_map_segment(fd: i32) -> Option<Segment> {
    use sys::{MAP_FIXED_NOREPLACE, MAP_SHARED, PROT_READ, PROT_WRITE};
    let map = |len| {
        // SAFETY: never replaces a mapping.
        unsafe { sys::mmap(state::SEGMENT_BASE, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0) }
    };
    let header = map(tine_trace::segment::HEADER_LEN).ok()?.cast::<Header>();
    // SAFETY: mapped just now.
    let Fixed { magic, version, len, .. } = unsafe { (*header).fixed.copy() };
    if magic != tine_trace::segment::MAGIC || version != tine_trace::VERSION {
        return None;
    }
    // SAFETY: the small mapping is no longer used.
    unsafe { sys::munmap(state::SEGMENT_BASE, tine_trace::segment::HEADER_LEN) }.ok()?;
    let header = map(len).ok()?.cast::<Header>();
    // SAFETY: completely mapped, stays mapped, and made by the engine.
    unsafe { Segment::install(header) };
    Segment::get()
}

/// Installs the trap, for this process and all workers.
fn watch(segment: Segment, engine: &Engine) {
    let sandbox = sandbox::watch_program(engine.scratch, engine.sandbox);
    // SAFETY: an installed segment is mapped.
    unsafe { (*segment.header()).sandbox.store(sandbox, Ordering::Release) };
}

/// Tells if workers of this unit serve more than one run. Otherwise they need not prepare for it.
#[derive(Debug, Default)]
struct Habit {
    /// Number of requests when the last worker was started.
    started_at: u32,
    /// Number of consecutive workers that served one run.
    short: u32,
}

impl Habit {
    fn next_lasts(&mut self, segment: Segment) -> bool {
        const ENOUGH: u32 = 8;
        /// One of this many workers is prepared for more runs anyway.
        const CHANCE: u32 = 64;
        // SAFETY: an installed segment is mapped; the part used here is atomic.
        let requests = unsafe { (*segment.header()).request.load(Ordering::SeqCst) };
        let served = requests.wrapping_sub(self.started_at);
        self.started_at = requests;
        self.short = if served == 1 { self.short.wrapping_add(1) } else { 0 };
        self.short < ENOUGH || self.short.is_multiple_of(CHANCE)
    }
}

/// The process that currently runs units.
#[derive(Debug)]
struct Current {
    pid: i32,
    /// A descriptor that becomes readable when it ends.
    process: i32,
}

/// Forks a worker, or lets the fork server fork one, and informs the engine.
fn start_worker(
    segment: Segment,
    engine: &Engine,
    arguments: Arguments,
    lasting: bool,
    fork: unsafe extern "C" fn() -> i32,
) -> Current {
    // SAFETY: an installed segment is mapped; the part used here is atomic.
    let header = unsafe { &*segment.header() };
    let served = header.request.load(Ordering::SeqCst);
    header.died.store(0, Ordering::SeqCst);
    let resumed = fork_server::forked(header);
    header.is_forked.store(resumed.is_some().into(), Ordering::SeqCst);
    let pid = resumed.unwrap_or_else(|| {
        let zygote = sys::getpid();
        // The C library's `fork`, so that its own state is correct in the new process.
        // SAFETY: this process has one thread.
        let pid = unsafe { fork() };
        if pid == 0 {
            sys::close(engine.control);
            worker::become_worker(segment, arguments, served, lasting, zygote);
        }
        pid
    });
    header.worker.store(pid.max(0) as u32, Ordering::SeqCst);
    // SAFETY: takes numbers only.
    let process = unsafe { sys::call(nr::PIDFD_OPEN, [pid as usize, 0, 0, 0, 0, 0]) };
    let (1.., Ok(process)) = (pid, process) else {
        Line::new().text("tine: the zygote cannot fork (too many processes?)").write();
        sys::exit_group(4);
    };
    if sys::write_all(engine.control, &[COMMAND_FORK]).is_err() {
        sys::exit_group(0);
    }
    Current { pid, process: process as i32 }
}

/// Ends the current worker, informs the engine, and waits for it and for earlier ones.
fn reap(segment: Segment, current: Option<Current>) {
    const WAIT4: usize = 61;
    const WNOHANG: usize = 1;
    const SIGKILL: usize = 9;
    let current = current.map(|Current { pid, process }| {
        sys::close(process);
        // SAFETY: a child of this process that was not waited for. If it has ended, the signal has no effect.
        unsafe { sys::raw(nr::KILL, [pid as usize, SIGKILL, 0, 0, 0, 0]) };
        pid
    });
    // SAFETY: an installed segment is mapped; the part used here is atomic.
    let header = unsafe { &*segment.header() };
    let fork_server = header.fork_server.load(Ordering::SeqCst);
    loop {
        let mut status = 0u32;
        // SAFETY: writes the status only.
        let ended = unsafe { sys::call(WAIT4, [-1isize as usize, &raw mut status as usize, WNOHANG, 0, 0, 0]) };
        match ended {
            Ok(0) => break,
            Ok(pid) if current == Some(pid as i32) => publish(segment, status),
            Ok(pid) if fork_server == pid as u32 => header.fork_server.store(0, Ordering::SeqCst),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => break,
        }
    }
}

/// Informs the engine that the worker ended.
fn publish(segment: Segment, status: u32) {
    // SAFETY: an installed segment is mapped; the part used here is atomic.
    let header = unsafe { &*segment.header() };
    // The order matters: the engine reads `died` after its request. So either it sees the death, or the request is seen
    // here and answered.
    header.died.store(status | DIED, Ordering::SeqCst);
    header.done.store(header.request.load(Ordering::SeqCst), Ordering::SeqCst);
    sys::futex_wake(&header.done);
}

/// Events that the zygote waits for.
enum Event {
    Command(u8),
    WorkerEnded,
    /// The engine has ended.
    HungUp,
}

fn wait(control: i32, current: Option<&Current>) -> Event {
    #[repr(C)]
    struct Poll {
        fd: i32,
        wanted: u16,
        found: u16,
    }
    const READABLE: u16 = 1;
    loop {
        let worker = current.map_or(-1, |current| current.process);
        let mut polls =
            [Poll { fd: worker, wanted: READABLE, found: 0 }, Poll { fd: control, wanted: READABLE, found: 0 }];
        // SAFETY: the array lives for the call.
        let result =
            unsafe { sys::call(nr::POLL, [polls.as_mut_ptr() as usize, polls.len(), -1isize as usize, 0, 0, 0]) };
        if result.is_err() {
            continue;
        }
        // The death comes first: a command that arrived meanwhile is about the next worker.
        if polls[0].found != 0 {
            return Event::WorkerEnded;
        }
        if polls[1].found != 0 {
            let mut command = [0];
            return match sys::read(control, &mut command) {
                Ok(1) => Event::Command(command[0]),
                _ => Event::HungUp,
            };
        }
    }
}
