//! The fork server (called fork server in the code): a process stopped before the first input of the program, which forks the
//! workers of all later runs there.
//!
//! ```text
//!   worker   main ── start-up ──┬── first input ─▶ … ─▶ end of the run, and of the process
//!                               │ forks
//!   fork server                        └── waits ──┬───────┬─ …      requested by the zygote
//!   workers                                 └▶ run  └▶ run    one each
//! ```
//! Nothing is symbolic before the first input. So the effects of the start-up are memory, which a fork inherits, and
//! some state that is restored in each run: notes, coverage, output, positions in open files. A start-up with other
//! effects (threads, timers, written files, pipes) is repeated in every run. So is a start-up that is shorter than a
//! fork.

use core::sync::atomic::{AtomicU32, Ordering};

use tine_trace::segment::{FLAG_START_ALWAYS_ONCE, FLAG_START_ONCE, Header, NO_FORK_SERVER, SLEEPING_WORKER};

use super::heap::HEAP;
use super::state::{self, State};
use super::{context, worker};
use crate::record;
use crate::segment::Segment;
use crate::sys::{self, nr};

/// Minimum start-up time, in cycles, for a fork server if each run has a separate process anyway …
const WORTH_FRESH: u64 = 200_000;
/// … and if a reset would be sufficient.
const WORTH_LASTING: u64 = 4_000_000;
/// Number of consecutive runs that must exceed this time, or factor by which a single run must exceed it. On a busy
/// machine a single measurement is not reliable.
const SLOW_STARTS: u32 = 3;
const SLOW: u64 = 8;
/// A start-up must take at least this many times as long as a fork.
const WORTH_FORKS: u64 = 3;
/// Number of slow forks after which no fork server is made. On a busy machine a single fork may seem slow.
const MAX_REGRETS: u32 = 3;

/// Called before the unit requests an input.
#[inline]
pub(super) fn before_input() {
    if state::running() && !state::get().has_input.swap(true, Ordering::Relaxed) {
        first_input();
    }
}

#[cold]
fn first_input() {
    let Some(segment) = Segment::get() else { return };
    let worker = state::get();
    if context::thread_pointer() != worker.thread.load(Ordering::Relaxed) || !worker::is_worker() {
        return;
    }
    let spent = context::cycles().wrapping_sub(worker.began.load(Ordering::Relaxed));
    if is_wanted(segment, spent) && carries_over(worker) {
        divide(segment, spent);
    }
}

fn is_wanted(segment: Segment, spent: u64) -> bool {
    let header = worker::header(segment);
    // SAFETY: the engine does not change the limits during a run.
    let flags = unsafe { (*segment.header()).limits.copy() }.flags;
    let fresh =
        state::get().fresh_each_run.load(Ordering::Relaxed) || header.results.dirty.load(Ordering::Relaxed) != 0;
    let least = if fresh { WORTH_FRESH } else { WORTH_LASTING };
    let slow_starts = if spent < least { 0 } else { header.n_slow_starts.load(Ordering::Relaxed).saturating_add(1) };
    header.n_slow_starts.store(slow_starts, Ordering::Relaxed);
    let worth = slow_starts >= SLOW_STARTS || spent >= least * SLOW;
    let wanted = flags & FLAG_START_ALWAYS_ONCE != 0 || flags & FLAG_START_ONCE != 0 && worth;
    wanted && header.fork_server.load(Ordering::Relaxed) == 0
}

/// True if all effects of the start-up are inherited by a fork or restored.
fn carries_over(worker: &State) -> bool {
    worker.filtered.load(Ordering::Relaxed) && !worker.bound.load(Ordering::Relaxed) && has_one_thread()
}

/// Forks the fork server. Returns in this process, and in each worker that the fork server forks.
fn divide(segment: Segment, spent: u64) {
    let header = worker::header(segment);
    // SAFETY: the memory is used only for the fork server, and there is no other reference to it.
    let kept = unsafe { &mut *(state::FORK_SERVER.0 as *mut Kept) };
    let rest = (state::FORK_SERVER.0 + size_of::<Kept>() as u64, state::FORK_SERVER.1 - size_of::<Kept>() as u64);
    let Some(output) = output_len(state::get()) else { return };
    // SAFETY: the same holds for this part of the memory.
    if !kept.note_positions() || !unsafe { record::save(segment, rest) } {
        return;
    }
    let seen = header.fork_request.load(Ordering::SeqCst);
    record::keep_on_fork(true);
    let start = context::cycles();
    let fork_server = fork();
    match fork_server {
        Some(0) => {
            let served = fork_on_request(segment, seen);
            record::keep_on_fork(false);
            resume(segment, served, kept, rest);
        }
        Some(fork_server) => {
            let cost = context::cycles().wrapping_sub(start);
            record::keep_on_fork(false);
            // SAFETY: the engine does not change the limits during a run.
            let always = unsafe { (*segment.header()).limits.copy() }.flags & FLAG_START_ALWAYS_ONCE != 0;
            if !always && spent < cost.saturating_mul(WORTH_FORKS) {
                if header.n_regrets.fetch_add(1, Ordering::Relaxed) + 1 == MAX_REGRETS {
                    header.fork_server.store(NO_FORK_SERVER, Ordering::SeqCst);
                }
                end(fork_server);
                return;
            }
            header.start_output.store(output, Ordering::Relaxed);
            header.n_fork_servers.fetch_add(1, Ordering::Relaxed);
            header.fork_server.store(fork_server as u32, Ordering::SeqCst);
            // The next run is a child of the fork server.
            header.results.dirty.store(1, Ordering::Relaxed);
        }
        None => {
            record::keep_on_fork(false);
            header.fork_server.store(NO_FORK_SERVER, Ordering::SeqCst);
        }
    }
}

/// Loop of the fork server: forks on request. Returns in each fork, with the last request that was served.
fn fork_on_request(segment: Segment, mut seen: u32) -> u32 {
    state::set_running(false);
    let parent = state::get().parent.load(Ordering::Relaxed);
    worker::die_with(parent);
    let header = worker::header(segment);
    loop {
        wait_while(&header.fork_request, seen);
        seen = header.fork_request.load(Ordering::SeqCst);
        let served = header.request.load(Ordering::SeqCst);
        match fork() {
            Some(0) => {
                worker::die_with(parent);
                return served;
            }
            forked => header.forked.store(forked.map_or(0, |pid| pid as u32), Ordering::SeqCst),
        }
        header.fork_done.store(seen, Ordering::SeqCst);
        sys::futex_wake(&header.fork_done);
    }
}

fn wait_while(word: &AtomicU32, value: u32) {
    while word.load(Ordering::SeqCst) == value {
        sys::futex_wait(word, value);
    }
}

/// In a forked worker: waits for its run, and restores the state at the end of the start-up.
fn resume(segment: Segment, served: u32, kept: &Kept, rest: (u64, u64)) {
    let header = worker::header(segment);
    let worker = state::get();
    worker.pid.store(sys::getpid(), Ordering::Relaxed);
    worker.served.store(served, Ordering::Relaxed);
    worker.fresh_each_run.store(true, Ordering::Relaxed);
    header.sleeping.fetch_and(!SLEEPING_WORKER, Ordering::SeqCst);
    worker.request.store(worker::wait_for_request(segment), Ordering::Relaxed);
    HEAP.set_limit(worker::begin(segment));
    kept.restore_positions();
    // SAFETY: saved there before the fork.
    unsafe { record::resume(segment, rest) };
    header.n_forked.fetch_add(1, Ordering::Relaxed);
    state::set_running(true);
}

/// For the zygote: a worker forked by the fork server; `None` if there is no fork server (any more).
pub(super) fn forked(header: &Header) -> Option<i32> {
    const WAIT4: usize = 61;
    const WNOHANG: usize = 1;
    let fork_server = header.fork_server.load(Ordering::SeqCst);
    if fork_server == 0 || fork_server == NO_FORK_SERVER {
        return None;
    }
    let done = header.fork_done.load(Ordering::SeqCst);
    let request = header.fork_request.fetch_add(1, Ordering::SeqCst).wrapping_add(1);
    sys::futex_wake(&header.fork_request);
    while header.fork_done.load(Ordering::SeqCst) != request {
        sys::futex_wait_for(&header.fork_done, done, 20_000_000);
        // SAFETY: queries a child, and reads no status.
        if unsafe { sys::call(WAIT4, [fork_server as usize, 0, WNOHANG, 0, 0, 0]) } != Ok(0) {
            header.fork_server.store(0, Ordering::SeqCst);
            return None;
        }
    }
    // The unit can write there, too. The zygote will end this process, so it must be a living child of the zygote.
    let pid = header.forked.load(Ordering::SeqCst);
    // SAFETY: queries a child, and reads no status.
    let is_child = pid as i32 > 0 && unsafe { sys::call(WAIT4, [pid as usize, 0, WNOHANG, 0, 0, 0]) } == Ok(0);
    is_child.then_some(pid as i32)
}

/// Forks this process as a child of the zygote. Does not use the C library's `fork`, which would run handlers of the
/// unit.
fn fork() -> Option<i32> {
    const CLONE: usize = 56;
    const CLONE_PARENT: usize = 0x8000;
    const CLONE_CHILD_CLEARTID: usize = 0x20_0000;
    const CLONE_CHILD_SETTID: usize = 0x100_0000;
    const SIGCHLD: usize = 17;
    const PR_GET_TID_ADDRESS: usize = 40;
    let mut place = 0usize;
    // SAFETY: writes an address to `place`.
    let known = unsafe { sys::call(nr::PRCTL, [PR_GET_TID_ADDRESS, &raw mut place as usize, 0, 0, 0, 0]) };
    // The word in which the C library stores the thread's number, if the kernel provides it.
    let of_thread = if known.is_ok() && place != 0 { CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID } else { 0 };
    // SAFETY: the new process continues with a copy of this one's memory; there is one thread.
    let pid = unsafe { sys::call(CLONE, [CLONE_PARENT | SIGCHLD | of_thread, 0, 0, place, 0, 0]) };
    pid.ok().map(|pid| pid as i32)
}

fn end(process: i32) {
    const SIGKILL: usize = 9;
    // SAFETY: takes only numbers. The zygote has not waited for it during this run.
    let _ = unsafe { sys::raw(nr::KILL, [process as usize, SIGKILL, 0, 0, 0, 0]) };
}

/// Parts of the kernel's `struct stat`, in words.
const STAT_WORDS: usize = 18;
const DEVICE: usize = 0;
const FILE: usize = 1;
const N_LINKS: usize = 2;
const SIZE: usize = 6;

fn has_one_thread() -> bool {
    const STAT: usize = 4;
    let mut stat = [0u64; STAT_WORDS];
    let path = c"/proc/self/task";
    // SAFETY: the path is a C string, and there is room for the answer.
    let asked = unsafe { sys::call(STAT, [path.as_ptr() as usize, stat.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    // The links are the directory itself, its parent's entry, and one for each thread.
    asked.is_ok() && stat[N_LINKS] == 3
}

fn fstat(descriptor: i32) -> Option<[u64; STAT_WORDS]> {
    const FSTAT: usize = 5;
    let mut stat = [0u64; STAT_WORDS];
    // SAFETY: there is room for the answer.
    unsafe { sys::call(FSTAT, [descriptor as usize, stat.as_mut_ptr() as usize, 0, 0, 0, 0]) }.ok()?;
    Some(stat)
}

/// Notes before the first run which file the engine reads the output from.
pub(super) fn note_output(worker: &State) {
    if let Some(stat) = fstat(1) {
        worker.output[0].store(stat[DEVICE], Ordering::Relaxed);
        worker.output[1].store(stat[FILE], Ordering::Relaxed);
    }
}

fn is_output(worker: &State, stat: &[u64; STAT_WORDS]) -> bool {
    [stat[DEVICE], stat[FILE]] == [0, 1].map(|k| worker.output[k].load(Ordering::Relaxed))
}

/// True if nothing was printed, as far as it is known.
pub(super) fn has_no_output(worker: &State) -> bool {
    output_len(worker) == Some(0)
}

/// Number of bytes that this run has printed; `None` if both streams were redirected.
fn output_len(worker: &State) -> Option<u64> {
    [1, 2].into_iter().filter_map(fstat).find(|stat| is_output(worker, stat)).map(|stat| stat[SIZE])
}

const MAX_POSITIONS: usize = 64;
const MAX_DESCRIPTORS: i32 = 1024;
const LSEEK: usize = 8;

/// Positions in open files, which forked processes share.
#[repr(C)]
struct Kept {
    n_positions: usize,
    positions: [(i32, i64); MAX_POSITIONS],
}

impl Kept {
    /// Notes the positions. Returns false if there are too many.
    fn note_positions(&mut self) -> bool {
        const SEEK_CUR: usize = 1;
        self.n_positions = 0;
        for descriptor in 0..MAX_DESCRIPTORS {
            // SAFETY: touches no memory.
            let at = unsafe { sys::call(LSEEK, [descriptor as usize, 0, SEEK_CUR, 0, 0, 0]) };
            let Ok(at) = at else { continue };
            if fstat(descriptor).is_some_and(|stat| is_output(state::get(), &stat)) {
                continue;
            }
            let Some(slot) = self.positions.get_mut(self.n_positions) else { return false };
            *slot = (descriptor, at as i64);
            self.n_positions += 1;
        }
        true
    }

    fn restore_positions(&self) {
        for (descriptor, at) in &self.positions[..self.n_positions] {
            // SAFETY: touches no memory.
            let _ = unsafe { sys::call(LSEEK, [*descriptor as usize, *at as usize, 0, 0, 0, 0]) };
        }
    }
}
