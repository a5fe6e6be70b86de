//! A program under test: start it once, run it many times.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_trace::event::Site;
use tine_trace::outcome::{ErrorKind, Outcome, OutcomeKind};
use tine_trace::segment::{
    DIED, FLAG_RECORD, FLAGS_OF_START, Limits, NOT_BEGUN, SANDBOX_TIME, SLEEPING_ENGINE, SLEEPING_WORKER,
};

use tine_types::Input;

use super::error::UnitError;
use super::output::Output;
use super::patience::{Allowance, Patience};
use super::records::Integrity;
use super::segment::{Segment, SegmentSizes};
use super::spawn::Zygote;
use super::worker::Worker;
use crate::sandbox::{Excess, Protections};

/// Settings for running a unit.
#[derive(Debug)]
pub struct UnitOptions {
    /// Directory that the unit may write below; emptied after each run that may have written there.
    pub scratch: Option<PathBuf>,
    /// Working directory; by default the current one.
    pub directory: Option<PathBuf>,
    /// The program's `argv[0]`; by default the path that starts it.
    pub name: Option<OsString>,
    /// Contents of stdin, read from the start in each run; empty by default.
    pub stdin: Option<File>,
    /// Arguments, variables and files that are inputs ([`tine_trace::segment::INPUTS_VARIABLE`]).
    pub inputs: Option<String>,
    /// Changes of the unit's environment variables: a new value, or `None` to remove one.
    pub variables: Vec<(&'static str, Option<String>)>,
    pub run_timeout: Duration,
    /// A run ends as [`OutcomeKind::Unfinished`] once this is set, or after this deadline.
    pub stop: Option<&'static AtomicBool>,
    pub until: Option<Instant>,
    /// Time limit of constructors before `main`.
    pub start_timeout: Duration,
    /// Bytes that a run may print, and maximum size of any file that it writes.
    pub output_limit: u64,
    /// Lets the unit start processes and open sockets.
    pub allow_processes: bool,
    pub sizes: SegmentSizes,
}

impl Default for UnitOptions {
    fn default() -> UnitOptions {
        UnitOptions {
            scratch: None,
            directory: None,
            name: None,
            stdin: None,
            inputs: None,
            variables: Vec::new(),
            run_timeout: Duration::from_secs(1),
            stop: None,
            until: None,
            start_timeout: Duration::from_secs(10),
            output_limit: 16 << 20,
            allow_processes: false,
            sizes: SegmentSizes::default(),
        }
    }
}

impl UnitOptions {
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// End of a run. Its records are in [`Unit::segment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEnd {
    pub outcome: Outcome,
    /// Number of bytes that it printed.
    pub output_len: u64,
    /// True if its process could not be used for another run.
    pub replaced: bool,
}

/// Runs that did not start at `main` but from a fork server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Starts {
    /// Number of start-ups after which a process was kept as a fork server.
    pub kept: u64,
    /// Number of runs that started from it.
    pub forked: u64,
}

/// A started program.
#[derive(Debug)]
pub struct Unit {
    program: PathBuf,
    arguments: Vec<OsString>,
    options: UnitOptions,
    segment: Segment,
    output: Output,
    output_len: u64,
    patience: Patience,
    zygote: Zygote,
    worker: WorkerState,
    /// Number of the last request.
    request: u32,
    /// Number of runs of the last batch whose records the unit put aside.
    n_aside: usize,
    /// Number of runs of the last batch whose records are available. Another run overwrites the last of them.
    n_over: usize,
    /// Number of batches that run singly after one that ended early.
    n_single: u32,
    /// True if the run spent its whole time limit waiting.
    has_waited: bool,
    /// Number of requests of the run, as polled during the run.
    asked: Asked,
}

/// Number of requests that a run had made after half of its time, and at its end.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    by_half_time: Option<u32>,
    at_last: u32,
}

#[derive(Debug)]
enum WorkerState {
    Ready(Worker),
    /// Requested, but not there yet.
    Coming,
}

/// Time for which the engine polls for the end of a run before it sleeps: the cost of a few wake-ups.
const SPIN: Duration = Duration::from_micros(50);
/// Interval at which the engine checks a long run.
const LOOK: Duration = Duration::from_millis(20);
/// Time between the signal that the time is up and the kill.
const GRACE: Duration = Duration::from_millis(100);
/// Attempts at a run whose worker ends before the run begins.
const TRIES: u32 = 5;
/// Number of single runs after a batch that ended early, because the next batches might, too.
const SINGLE: u32 = 64;
/// Bytes of output that are kept.
const OUTPUT_CAP: usize = 1 << 20;

impl Unit {
    /// Starts the program, which must be linked by `tine cc`, up to its `main`.
    pub fn start(program: &Path, arguments: &[OsString], options: UnitOptions) -> Result<Unit, UnitError> {
        let mut segment = Segment::new(&options.sizes)?;
        let output = Output::new()?;
        let zygote = Zygote::start(program, arguments, &options, &segment, &output)?;
        let worker = WorkerState::Ready(worker_of(&zygote, &segment)?);
        segment.take_modules();
        let (program, arguments) = (program.to_owned(), arguments.to_vec());
        Ok(Unit {
            program,
            arguments,
            options,
            segment,
            output,
            output_len: 0,
            patience: Patience::default(),
            zygote,
            worker,
            request: 0,
            n_aside: 0,
            n_over: 0,
            n_single: 0,
            has_waited: false,
            asked: Asked::default(),
        })
    }

    /// Maps of all modules of the program (`tine_trace::map`), concatenated in order of registration.
    pub fn maps(&self) -> &[u8] {
        &self.zygote.maps
    }

    /// Addresses of the program's variables and functions.
    pub fn memory(&self) -> Vec<Range<u64>> {
        self.zygote.memory()
    }

    /// Protections of the unit's sandbox.
    pub fn protections(&self) -> Protections {
        self.zygote.protections
    }

    /// Restricts the unit to this core, which the engine also uses. With short runs that is cheapest if there is no
    /// spare core for polling.
    pub fn keep_to(&mut self, core: usize) {
        self.segment.header().one_core.store(1, Ordering::SeqCst);
        // New workers are children of the zygote, and a new zygote is a child of the engine, so both inherit the core.
        self.zygote.keep_to(core);
        if let WorkerState::Ready(worker) = &self.worker {
            worker.keep_to(core);
        }
    }

    /// Records of the last run.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// The memory shared with the unit.
    pub fn segment_mut(&mut self) -> &mut Segment {
        &mut self.segment
    }

    /// Number of fork servers, and number of runs that started from them.
    pub fn starts(&self) -> Starts {
        let header = self.segment.header();
        let read = |count: &std::sync::atomic::AtomicU32| u64::from(count.load(Ordering::Relaxed));
        Starts { kept: read(&header.n_fork_servers), forked: read(&header.n_forked) }
    }

    /// Output of the last run on stdout and stderr, truncated if long.
    pub fn output(&self) -> Vec<u8> {
        self.output.read(OUTPUT_CAP.min(self.output_len as usize))
    }

    /// Makes one run with this input.
    pub fn run(&mut self, input: &Input, limits: &Limits) -> Result<RunEnd, UnitError> {
        let end = self.run_for(input, limits, Allowance::of(self.patience.limit(self.options.run_timeout)))?;
        if end.outcome.kind == OutcomeKind::Timeout as u32 {
            self.patience.timed_out();
        }
        Ok(end)
    }

    /// True if the last run was stopped, and requested input in the second half of its time.
    pub fn was_asking(&self) -> bool {
        self.asked.by_half_time.is_none_or(|asked| self.asked.at_last > asked)
    }

    /// Repeats a run that took too long, with limits that do not record it. `is_patient`: with the longest time limit,
    /// even if endless loops are known.
    pub fn run_unrecorded(&mut self, input: &Input, limits: &Limits, is_patient: bool) -> Result<RunEnd, UnitError> {
        let all = self.options.run_timeout;
        let allowance = if is_patient { Allowance::unrecorded(all) } else { Allowance::of(self.patience.limit(all)) };
        let end = self.run_for(input, limits, allowance)?;
        if end.outcome.kind != OutcomeKind::Timeout as u32 {
            self.patience.was_slow();
        }
        Ok(end)
    }

    /// Makes several runs for one request. Returns how many of them, in order, have records that [`Unit::show`] can
    /// show. The others count as not made.
    pub fn run_batch<'a>(
        &mut self,
        inputs: impl Iterator<Item = &'a Input>,
        limits: &Limits,
    ) -> Result<usize, UnitError> {
        self.ensure_worker()?;
        (self.n_aside, self.n_over) = (0, 0);
        let is_forked = self.segment.header().is_forked.load(Ordering::SeqCst) != 0;
        if is_forked || self.options.stdin.is_some() || self.n_single > 0 {
            self.n_single = self.n_single.saturating_sub(1);
            return Ok(0);
        }
        let n = self.segment.write_plans(inputs);
        if n < 2 {
            return Ok(0);
        }
        let limits = Limits { flags: limits.flags & !FLAGS_OF_START, ..*limits };
        self.segment.set_limits(&limits);
        self.output.keep(0, self.output_len);
        self.segment.header().n_batch.store(n as u32, Ordering::Relaxed);
        let forced = self.ask(&limits, Allowance::of(self.patience.limit(self.options.run_timeout)));
        let header = self.segment.header();
        header.n_batch.store(0, Ordering::Relaxed);
        self.n_aside = (header.n_aside.load(Ordering::Acquire) as usize).min(n - 1);
        let died = header.died.load(Ordering::SeqCst) != 0;
        self.output_len = self.output.len();
        let end = self.finish(&limits, forced);
        if end.is_none() {
            self.replace_worker();
        }
        // A worker that died may have done so between two runs.
        self.n_over = self.n_aside + usize::from(end.is_some() && forced.is_none() && !died);
        if self.n_over < n {
            self.n_single = SINGLE;
        }
        Ok(self.n_over)
    }

    /// Makes [`Unit::segment`] show this run of the last batch, if its records are available.
    pub fn show(&mut self, run: usize) -> bool {
        if run >= self.n_over {
            return false;
        }
        if run < self.n_aside {
            return self.segment.show_aside(run);
        }
        self.show_last();
        true
    }

    /// Discards the records of the last batch.
    pub fn forget_batch(&mut self) {
        self.n_over = 0;
    }

    /// Makes [`Unit::segment`] show the last run.
    pub fn show_last(&mut self) {
        self.segment.show_last();
    }

    /// Makes the next run use a fresh process.
    pub fn renew(&mut self) {
        if let WorkerState::Ready(worker) = &self.worker {
            worker.signal(libc::SIGKILL);
            self.replace_worker();
        }
    }

    fn run_for(&mut self, input: &Input, limits: &Limits, allowance: Allowance) -> Result<RunEnd, UnitError> {
        self.n_over = self.n_over.min(self.n_aside);
        for _ in 0..TRIES {
            self.ensure_worker()?;
            self.segment.write_plan(input)?;
            self.segment.set_limits(limits);
            self.output.keep(self.started_output(), self.output_len);
            if let Some(stdin) = &mut self.options.stdin {
                // A pipe cannot be rewound. Later runs then see its end.
                let _ = stdin.seek(SeekFrom::Start(0));
            }
            let end = self.run_once(limits, allowance);
            self.output_len = self.output.len();
            match end {
                Some((outcome, replaced)) => return Ok(RunEnd { outcome, output_len: self.output_len, replaced }),
                None => self.replace_worker(),
            }
        }
        let output = String::from_utf8_lossy(&self.output()).into_owned();
        Err(UnitError::Unusable { output })
    }

    /// Length of the program's output before its first input, if the fork server exists.
    fn started_output(&self) -> u64 {
        let header = self.segment.header();
        if header.is_forked.load(Ordering::SeqCst) == 0 { 0 } else { header.start_output.load(Ordering::SeqCst) }
    }

    /// Makes one attempt at a run. `None` if the worker ended before the run began: that says nothing about the run.
    fn run_once(&mut self, limits: &Limits, allowance: Allowance) -> Option<(Outcome, bool)> {
        let forced = self.ask(limits, allowance);
        self.finish(limits, forced)
    }

    /// Requests the planned run, and waits for it. Returns the outcome if the engine had to stop it.
    fn ask(&mut self, limits: &Limits, allowance: Allowance) -> Option<OutcomeKind> {
        self.segment.set_outcome(&Outcome { kind: NOT_BEGUN, ..Outcome::default() });
        self.request = self.request.wrapping_add(1);
        let request = self.request;
        let header = self.segment.header();
        header.results.dirty.store(0, Ordering::Relaxed);
        header.results.seal.store(0, Ordering::Relaxed);
        header.request.store(request, Ordering::SeqCst);
        if header.sleeping.load(Ordering::SeqCst) & SLEEPING_WORKER != 0 {
            futex_wake(&header.request);
        }
        self.wait(request, limits, allowance)
    }

    /// Returns the outcome that the unit reports, or that follows from the end of its process. Copies the records of
    /// the run.
    fn finish(&mut self, limits: &Limits, forced: Option<OutcomeKind>) -> Option<(Outcome, bool)> {
        let is_intact = self.segment.restore_header(self.request);
        let header = self.segment.header();
        let died = header.died.load(Ordering::SeqCst);
        let dirty = header.results.dirty.load(Ordering::Acquire) != 0;
        let mut outcome = self.segment.told_outcome();
        let has_ended = OutcomeKind::from_number(outcome.kind).is_some_and(|kind| kind != OutcomeKind::Unfinished);
        if !has_ended {
            if is_intact && forced.is_none() && (outcome.kind == NOT_BEGUN || died == 0) {
                return None;
            }
            outcome = Outcome { site: Site::NONE.0, ..Outcome::default() };
            match forced {
                Some(kind) => outcome.kind = kind as u32,
                None => {
                    (outcome.kind, outcome.code) = match self.zygote.take_excess() {
                        Some(Excess::Files) => (OutcomeKind::Signal as u32, libc::SIGXFSZ as u32),
                        Some(Excess::Memory) => (OutcomeKind::OutOfMemory as u32, 0),
                        None => from_status(died & !DIED),
                    }
                }
            }
        }
        if std::mem::take(&mut self.has_waited) && outcome.kind == OutcomeKind::Timeout as u32 {
            // With virtual time, the run did not wait for real time to pass.
            let is_virtual = header.sandbox.load(Ordering::Acquire) & SANDBOX_TIME != 0;
            (outcome.kind, outcome.code) = if is_virtual {
                (OutcomeKind::Failed as u32, ErrorKind::Blocked as u32)
            } else {
                (OutcomeKind::Unfinished as u32, 0)
            };
        }
        self.segment.take_records(&outcome);
        // A run that got the signal but ended by itself is not over: the signal may still be pending.
        let is_over = forced.is_none() && died == 0 && !dirty;
        let is_recorded = limits.flags & FLAG_RECORD != 0;
        if !is_intact || is_over && is_recorded && self.segment.integrity() == Integrity::Unsealed {
            self.segment.set_destroyed();
        }
        // Code that wrote there may still run.
        let is_destroyed = self.segment.integrity() == Integrity::Destroyed;
        if is_over && !is_destroyed {
            return Some((outcome, false));
        }
        if (forced.is_some() || is_destroyed)
            && let WorkerState::Ready(worker) = &self.worker
        {
            worker.signal(libc::SIGKILL);
        }
        self.replace_worker();
        Some((outcome, true))
    }

    /// Waits until the run is over. Returns the outcome if the engine had to stop it.
    fn wait(&mut self, request: u32, limits: &Limits, allowance: Allowance) -> Option<OutcomeKind> {
        let header = self.segment.header();
        let start = Instant::now();
        let spin = if header.one_core.load(Ordering::Relaxed) == 0 { SPIN } else { Duration::ZERO };
        while start.elapsed() < spin {
            for _ in 0..16 {
                if header.done.load(Ordering::Acquire) == request {
                    return None;
                }
                std::hint::spin_loop();
            }
        }
        let mut forced = None;
        let mut killed = false;
        let mut deadline = start + allowance.time();
        self.asked = Asked::default();
        loop {
            if forced.is_none() {
                self.asked.at_last = self.segment.n_requests();
                if self.asked.by_half_time.is_none() && self.is_half_time(start, allowance) {
                    self.asked.by_half_time = Some(self.asked.at_last);
                }
            }
            self.sleep(request, LOOK.min(deadline.saturating_duration_since(Instant::now())));
            if self.segment.header().done.load(Ordering::Acquire) == request || self.has_died_unseen(request) {
                if forced.is_none() {
                    self.patience.ended_after(start.elapsed());
                }
                return forced;
            }
            if self.zygote.has_ended() {
                // The zygote was killed from outside, and the worker with it. That says nothing about the run.
                return None;
            }
            let WorkerState::Ready(worker) = &self.worker else { return forced };
            if forced.is_none() && limits.memory != 0 && worker.resident() > resident_limit(limits.memory) {
                forced = Some(OutcomeKind::OutOfMemory);
                worker.signal(libc::SIGKILL);
                killed = true;
            }
            if forced.is_none() && self.options.is_over() {
                forced = Some(OutcomeKind::Unfinished);
                worker.signal(libc::SIGKILL);
                killed = true;
                deadline = Instant::now() + self.options.start_timeout;
            }
            if Instant::now() < deadline {
                continue;
            }
            // Only a run in a fresh process may go on, because the previous run took too long.
            if forced.is_none() && allowance.goes_on(start.elapsed(), || worker.computed()) {
                deadline = Instant::now() + LOOK;
                continue;
            }
            if forced.is_none() {
                forced = Some(OutcomeKind::Timeout);
                self.has_waited = worker.is_asleep() && allowance.has_waited(start.elapsed(), || worker.computed());
                // The unit cannot handle this signal.
                worker.signal(libc::SIGSYS);
                deadline = Instant::now() + GRACE;
            } else if !killed {
                worker.signal(libc::SIGKILL);
                killed = true;
                deadline = Instant::now() + self.options.start_timeout;
            } else {
                // The process cannot be killed. The next worker has another number.
                return forced;
            }
        }
    }

    /// True if the worker has ended, but the zygote answered another request: the unit overwrote its number.
    fn has_died_unseen(&self, request: u32) -> bool {
        let header = self.segment.header();
        header.died.load(Ordering::SeqCst) != 0 && header.request.load(Ordering::SeqCst) != request
    }

    /// True if a run has used half of its time. On a busy machine it may have started late.
    fn is_half_time(&self, start: Instant, allowance: Allowance) -> bool {
        let WorkerState::Ready(worker) = &self.worker else { return false };
        start.elapsed() >= allowance.time() / 2 && worker.computed() >= allowance.computing() / 2
    }

    /// Sleeps until the run is over, for at most `time`.
    fn sleep(&self, request: u32, time: Duration) {
        let header = self.segment.header();
        header.sleeping.fetch_or(SLEEPING_ENGINE, Ordering::SeqCst);
        let done = header.done.load(Ordering::SeqCst);
        if done != request {
            futex_wait(&header.done, done, time);
        }
        header.sleeping.fetch_and(!SLEEPING_ENGINE, Ordering::SeqCst);
    }

    /// Requests a new worker without waiting for it.
    fn replace_worker(&mut self) {
        self.worker = WorkerState::Coming;
        // If the zygote is gone, waiting for its answer will show that.
        let _ = self.zygote.ask_for_fork();
    }

    fn ensure_worker(&mut self) -> Result<(), UnitError> {
        if let WorkerState::Ready(_) = self.worker {
            if self.segment.header().died.load(Ordering::SeqCst) == 0 {
                return Ok(());
            }
            self.replace_worker();
        }
        if self.zygote.wait_for_fork(self.options.start_timeout).is_err() {
            // The zygote itself is gone, killed from outside or out of memory, and the fork server with it.
            let header = self.segment.header();
            header.fork_server.store(0, Ordering::SeqCst);
            header.is_forked.store(0, Ordering::SeqCst);
            self.start_zygote()?;
        }
        if let Some(scratch) = &self.options.scratch {
            empty(scratch);
        }
        let worker = match worker_of(&self.zygote, &self.segment) {
            Ok(worker) => worker,
            Err(_) => {
                self.start_zygote()?;
                worker_of(&self.zygote, &self.segment)?
            }
        };
        self.worker = WorkerState::Ready(worker);
        Ok(())
    }

    fn start_zygote(&mut self) -> Result<(), UnitError> {
        self.segment.restore_header(self.request);
        self.zygote = Zygote::start(&self.program, &self.arguments, &self.options, &self.segment, &self.output)?;
        Ok(())
    }
}

/// The process that the segment names as the worker. The unit can write there, so it must be a child of the zygote.
/// Otherwise the engine could kill a process of another user.
fn worker_of(zygote: &Zygote, segment: &Segment) -> Result<Worker, UnitError> {
    let pid = segment.header().worker.load(Ordering::Acquire);
    Worker::new(pid, zygote.process(), segment.len()).ok_or_else(|| UnitError::Unusable { output: String::new() })
}

/// Limit on resident memory. Each byte has up to four bytes of shadow, and the program itself needs memory, too.
fn resident_limit(memory: u64) -> u64 {
    memory.saturating_mul(2).saturating_add(256 << 20)
}

/// Outcome kind and code of a process that ended by itself, by an `_exit` that the runtime did not see, or by a signal
/// that cannot be caught.
fn from_status(status: u32) -> (u32, u32) {
    let signal = status & 0x7f;
    if signal == 0 { (OutcomeKind::Exited as u32, status >> 8 & 0xff) } else { (OutcomeKind::Signal as u32, signal) }
}

/// Removes the contents of a directory as far as possible.
fn empty(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(path),
            _ => fs::remove_file(path),
        };
    }
}

fn futex_wake(word: &std::sync::atomic::AtomicU32) {
    // SAFETY: the kernel uses the word only as an address here.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
}

fn futex_wait(word: &std::sync::atomic::AtomicU32, value: u32, time: Duration) {
    let time = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    // SAFETY: the word is alive and aligned, the time lives for the call.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &time) };
}
