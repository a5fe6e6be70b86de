//! Runs several executors on one exploration. Each has its own process and solver, and requests the next job when it
//! has finished one.
//!
//! A lock protects the exploration. It is held to hand out a job and to process its result, not during the job. All
//! workers but the first join when there is enough to do: a small exploration needs no further processes, and is
//! deterministic. From then on each worker has its own core, unless there are two for each (`tine_executor::cores`).

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use tine_executor::cores::{Cores, Kept};
use tine_explore::{Control, Executor, Explorer, Job, JobResult, Next, Step, StopReason, Ticket};

use watchdog::{LOOK, Measure, Watchdog};

pub use watchdog::{Limits, Memory};

mod watchdog;

/// The others join after this many results, once the exploration has taken as long as they need to start …
const JOIN_AFTER: u64 = 64;
const START_TIME: Duration = Duration::from_millis(40);
/// … or after this time.
const JOIN_TIME: Duration = Duration::from_millis(250);
/// Attempts to take the lock before sleeping, about 30 µs. The lock is held for a few µs, and a wake-up takes longer.
const LOOKS: u32 = 2000;
/// Time to wait for the result of an outstanding job before checking for more jobs or the end.
const RESULT_WAIT: Duration = Duration::from_millis(2);

/// Creates an executor in the thread that uses it, because an executor may be bound to its thread.
pub type Make<'a, E> = &'a (dyn Fn() -> Result<E, <E as Executor>::Error> + Sync);

/// Watches an exploration.
pub trait Observer<E: Executor> {
    /// Called after each result, while the executor of the job still has the inputs of released cases. `Break` ends the
    /// exploration.
    fn step(&mut self, step: Step, result: JobResult, explorer: &Explorer, executor: &mut E) -> ControlFlow<()>;

    /// Called when an executor gets no more jobs.
    fn done(&mut self, executor: &E) {
        let _ = executor;
    }
}

/// No observer.
impl<E: Executor> Observer<E> for () {
    fn step(&mut self, _: Step, _: JobResult, _: &Explorer, _: &mut E) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// An exploration that has ended.
#[derive(Debug)]
pub struct Over<O, X> {
    pub explorer: Explorer,
    pub observer: O,
    pub ended: Result<StopReason, X>,
    /// Workers that did not end in time. Their jobs count as not begun. Their threads continue until they notice.
    pub n_left_behind: usize,
}

/// Minimum part of the memory that the tree keeps: 1 / `LEAST_TREE`.
const LEAST_TREE: u64 = 4;

/// Stack size of a worker. Terms may be deep, whatever `ulimit -s` is.
pub const STACK: usize = 64 << 20;

/// Explores until nothing is left, the budget is spent, or the exploration is stopped. `first` is one of the executors,
/// and may be of another type. `make` creates the others, as many as the explorer has workers. One of the threads calls
/// `over` once: when all workers have ended, or when one is abandoned.
pub fn run<F, E, O>(
    explorer: Explorer,
    first: &mut F,
    make: Make<'_, E>,
    observer: O,
    control: Control<'_>,
    limits: Limits<'_>,
    over: &(dyn Fn(Over<O, E::Error>) + Sync),
) where
    E: Executor,
    E::Error: Send,
    F: Executor<Error = E::Error>,
    O: Observer<E> + Observer<F> + Send,
{
    let n_workers = explorer.n_workers();
    let table = Table {
        shared: Mutex::new(Shared {
            exploration: Some(Exploration { explorer, observer }),
            n_results: 0,
            others_join: false,
            n_waiting: 0,
            error: None,
        }),
        changed: Condvar::new(),
        working: Mutex::new(1),
        left: Condvar::new(),
        is_over: AtomicBool::new(false),
        n_sheds: AtomicU64::new(0),
        cores: Cores::of_this_thread(),
        n_workers,
    };
    std::thread::scope(|scope| {
        let thread = || std::thread::Builder::new().stack_size(STACK);
        for worker in 1..n_workers {
            let table = &table;
            *table.working() += 1;
            let work = move || {
                let _leave = Leave(table);
                if !table.wait_to_join() {
                    return;
                }
                match make() {
                    Ok(mut executor) => table.work(worker, &mut executor, control),
                    Err(error) => table.fail(error),
                }
            };
            // If no thread can be created, the other workers do the work.
            if thread().spawn_scoped(scope, work).is_err() {
                *table.working() -= 1;
            }
        }
        let _ = thread().spawn_scoped(scope, || table.watch(control, limits, over));
        let _leave = Leave(&table);
        table.work(0, first, control);
    });
    let mut shared = table.lock();
    if let Some(Exploration { explorer, observer }) = shared.exploration.take() {
        let ended = shared.error.take().map_or(Ok(explorer.stopped()), Err);
        over(Over { explorer, observer, ended, n_left_behind: 0 });
    }
}

/// Explores with one executor and without additional limits.
///
/// # Panics
/// If the explorer has several workers.
pub fn run_alone<E, O>(explorer: Explorer, executor: &mut E, observer: O, control: Control<'_>) -> Over<O, E::Error>
where
    E: Executor,
    E::Error: Send,
    O: Observer<E> + Send,
{
    assert_eq!(explorer.n_workers(), 1);
    let ended = Mutex::new(None);
    let none = || unreachable!("there is one worker");
    run(explorer, executor, &none, observer, control, Limits::NONE, &|over| {
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(over);
    });
    ended.into_inner().unwrap_or_else(PoisonError::into_inner).expect("an exploration ends")
}

/// The state that workers share.
struct Table<X, O> {
    shared: Mutex<Shared<X, O>>,
    /// Signalled when a result was handed in or the exploration has ended.
    changed: Condvar,
    /// Number of workers that have not ended, and a signal when one does. Not under the lock, so that reading it does
    /// not block.
    working: Mutex<usize>,
    left: Condvar,
    is_over: AtomicBool,
    /// Number of requests to workers to free memory.
    n_sheds: AtomicU64,
    cores: Cores,
    n_workers: usize,
}

struct Shared<X, O> {
    /// `None` once a worker was abandoned.
    exploration: Option<Exploration<O>>,
    n_results: u64,
    others_join: bool,
    /// Number of workers that wait for a change.
    n_waiting: usize,
    error: Option<X>,
}

struct Exploration<O> {
    explorer: Explorer,
    observer: O,
}

/// Ends the exploration when a worker ends for any reason.
struct Leave<'a, X, O>(&'a Table<X, O>);

impl<X, O> Drop for Leave<'_, X, O> {
    fn drop(&mut self) {
        self.0.end();
        *self.0.working() -= 1;
        self.0.left.notify_all();
    }
}

impl<X, O> Table<X, O> {
    fn lock(&self) -> MutexGuard<'_, Shared<X, O>> {
        // A worker that panicked has ended the exploration, so its state is only used to end.
        for _ in 0..LOOKS {
            match self.shared.try_lock() {
                Ok(shared) => return shared,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
            }
        }
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'b>(&self, mut shared: MutexGuard<'b, Shared<X, O>>) -> MutexGuard<'b, Shared<X, O>> {
        shared.n_waiting += 1;
        let mut shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        shared.n_waiting -= 1;
        shared
    }

    /// Wakes waiting workers.
    fn tell(&self, shared: &Shared<X, O>) {
        if shared.n_waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits. True if there is work for another worker.
    fn wait_to_join(&self) -> bool {
        let mut shared = self.lock();
        while !self.is_over() && !shared.others_join {
            shared = self.wait(shared);
        }
        !self.is_over()
    }

    fn working(&self) -> MutexGuard<'_, usize> {
        self.working.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Ends the exploration: no more jobs.
    fn end(&self) {
        let shared = self.lock();
        self.is_over.store(true, Ordering::Release);
        self.tell(&shared);
    }

    fn fail(&self, error: X) {
        self.lock().error.get_or_insert(error);
        self.end();
    }
}

impl<X, O> Table<X, O> {
    /// Does job after job until the exploration has ended.
    fn work<E>(&self, worker: usize, executor: &mut E, control: Control<'_>)
    where
        E: Executor<Error = X>,
        O: Observer<E>,
    {
        if executor.window().is_some() {
            self.send_away(worker, executor, control);
        } else {
            self.execute_here(worker, executor, control);
        }
        if let Some(exploration) = &mut self.lock().exploration {
            exploration.observer.done(executor);
        }
    }

    fn execute_here<E>(&self, worker: usize, executor: &mut E, control: Control<'_>)
    where
        E: Executor<Error = X>,
        O: Observer<E>,
    {
        let mut kept = None;
        let mut n_sheds = 0;
        let mut shared = self.lock();
        while !self.is_over() {
            let to_shed = self.n_sheds.load(Ordering::Relaxed);
            if std::mem::replace(&mut n_sheds, to_shed) != to_shed {
                drop(shared);
                executor.free_memory();
                shared = self.lock();
                continue;
            }
            let mut tickets = match self.tickets(&mut shared, worker, executor.appetite(), control) {
                Taken::Jobs(tickets) => tickets,
                Taken::None => {
                    shared = self.wait(shared);
                    continue;
                }
                Taken::Done => break,
            };
            self.let_join(&mut shared, control);
            let all_work = shared.others_join;
            drop(shared);
            if all_work
                && kept.is_none()
                && let Some(core) = self.cores.for_worker(worker, self.n_workers)
            {
                kept = Some(Kept::to(core));
                executor.keep_to(core);
            }
            let jobs: Vec<Job> = tickets.iter().map(|ticket| *ticket.job()).collect();
            tickets.reverse();
            executor.execute_all(&jobs, &mut |result, executor| {
                let ticket = tickets.pop().expect("a result for each job");
                self.hand_in(ticket, result, executor, control)
            });
            shared = self.lock();
        }
    }

    /// Keeps as many jobs outstanding as the executor's window allows. Results arrive in any order.
    fn send_away<E>(&self, worker: usize, executor: &mut E, control: Control<'_>)
    where
        E: Executor<Error = X>,
        O: Observer<E>,
    {
        let mut out = BTreeMap::new();
        let mut n_sent = 0;
        let mut n_sheds = 0;
        while !self.is_over() {
            let to_shed = self.n_sheds.load(Ordering::Relaxed);
            if std::mem::replace(&mut n_sheds, to_shed) != to_shed {
                executor.free_memory();
            }
            let mut shared = self.lock();
            let Some(Exploration { explorer, .. }) = &mut shared.exploration else { return };
            let stop = control.stop.load(Ordering::Relaxed);
            if explorer.end_if_spent((control.elapsed)(), stop).is_some() {
                return;
            }
            let window = executor.window().unwrap_or(1);
            let mut jobs = Vec::new();
            let mut is_done = false;
            while out.len() < window && !is_done {
                match explorer.next_for(worker, (control.elapsed)(), stop) {
                    Next::Job(ticket) => {
                        n_sent += 1;
                        jobs.push((n_sent, *ticket.job()));
                        out.insert(n_sent, ticket);
                    }
                    Next::Again => {}
                    Next::Wait => break,
                    Next::Done(_) => is_done = true,
                }
            }
            if out.is_empty() {
                if is_done {
                    return;
                }
                drop(self.wait(shared));
                continue;
            }
            self.let_join(&mut shared, control);
            drop(shared);
            executor.send(&jobs);
            let mut wait = RESULT_WAIT;
            while let Some((number, result)) = executor.receive(wait) {
                wait = Duration::ZERO;
                let Some(ticket) = out.remove(&number) else { continue };
                if self.hand_in(ticket, result, executor, control).is_break() {
                    return;
                }
            }
        }
    }

    /// Lets the other workers join when there is enough to do.
    fn let_join(&self, shared: &mut Shared<X, O>, control: Control<'_>) {
        let elapsed = (control.elapsed)();
        let is_worth_it = shared.n_results >= JOIN_AFTER && elapsed >= START_TIME || elapsed >= JOIN_TIME;
        if !shared.others_join && (self.n_workers == 1 || is_worth_it) {
            shared.others_join = true;
            self.tell(shared);
        }
    }

    /// Takes jobs for a worker. Several at a time only if there are several workers, and enough jobs for all of them.
    fn tickets(&self, shared: &mut Shared<X, O>, worker: usize, appetite: usize, control: Control<'_>) -> Taken {
        let Some(Exploration { explorer, .. }) = &mut shared.exploration else { return Taken::Done };
        let share = explorer.tree().n_open() / self.n_workers as u64;
        let most = if self.n_workers == 1 { 1 } else { appetite.min(share as usize).max(1) };
        let mut tickets = Vec::with_capacity(most);
        while tickets.len() < most {
            let stop = control.stop.load(Ordering::Relaxed);
            match explorer.next_for(worker, (control.elapsed)(), stop) {
                Next::Job(ticket) => tickets.push(ticket),
                Next::Again => {}
                Next::Wait if tickets.is_empty() => return Taken::None,
                Next::Done(_) if tickets.is_empty() => return Taken::Done,
                Next::Wait | Next::Done(_) => break,
            }
        }
        Taken::Jobs(tickets)
    }

    /// Processes the result of a job.
    fn hand_in<E>(
        &self,
        ticket: Ticket,
        result: Result<JobResult, X>,
        executor: &mut E,
        control: Control<'_>,
    ) -> ControlFlow<()>
    where
        E: Executor<Error = X>,
        O: Observer<E>,
    {
        let mut shared = self.lock();
        let Shared { exploration, n_results, error, .. } = &mut *shared;
        let Some(Exploration { explorer, observer }) = exploration else { return ControlFlow::Break(()) };
        match result {
            Err(why) => {
                error.get_or_insert(why);
                self.is_over.store(true, Ordering::Release);
            }
            Ok(result) if let Some(reason) = explorer.cut_off(&result, control) => {
                explorer.abandon(ticket, reason);
            }
            Ok(result) => {
                *n_results += 1;
                let step = explorer.feed(ticket, &result);
                let released = step.released.clone();
                let flow = observer.step(step, result, explorer, executor);
                for case in &released {
                    executor.release(*case);
                }
                if flow.is_break() {
                    explorer.end(StopReason::Interrupted);
                    self.is_over.store(true, Ordering::Release);
                }
            }
        }
        self.tell(&shared);
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Enforces the limits until all workers have ended, or should have.
    fn watch(&self, control: Control<'_>, limits: Limits<'_>, over: &dyn Fn(Over<O, X>)) {
        let mut watchdog = Watchdog::new(limits);
        loop {
            let working = self.working();
            let waited = self.left.wait_timeout_while(working, LOOK, |working| *working > 0);
            let n_working = *waited.unwrap_or_else(PoisonError::into_inner).0;
            if n_working == 0 {
                return;
            }
            let is_interrupted = control.stop.load(Ordering::Relaxed);
            let is_late = limits.max_time.is_some_and(|max| (control.elapsed)() >= max);
            match watchdog.look(Instant::now(), is_interrupted || is_late || self.is_over()) {
                Measure::Nothing => {}
                Measure::Shed => {
                    self.n_sheds.fetch_add(1, Ordering::Relaxed);
                }
                Measure::Tighten => {
                    if let Some(exploration) = &mut self.lock().exploration {
                        exploration.explorer.tighten(limits.memory.map_or(0, |memory| memory.bytes / LEAST_TREE));
                    }
                    self.n_sheds.fetch_add(1, Ordering::Relaxed);
                }
                Measure::Stop => {
                    if let Some(exploration) = &mut self.lock().exploration {
                        exploration.explorer.end(StopReason::MaxMemory);
                    }
                    self.end();
                }
                Measure::Leave => {
                    let reason = if is_late { StopReason::MaxTime } else { StopReason::Interrupted };
                    return self.leave(reason, over);
                }
            }
        }
    }

    /// Ends the exploration and abandons the workers that are still busy.
    fn leave(&self, reason: StopReason, over: &dyn Fn(Over<O, X>)) {
        self.end();
        let mut shared = self.lock();
        let Some(Exploration { mut explorer, observer }) = shared.exploration.take() else { return };
        explorer.end(reason);
        let ended = shared.error.take().map_or(Ok(explorer.stopped()), Err);
        drop(shared);
        over(Over { explorer, observer, ended, n_left_behind: *self.working() });
    }
}

/// Jobs for a worker.
enum Taken {
    Jobs(Vec<Ticket>),
    /// None until others are finished.
    None,
    Done,
}

#[cfg(test)]
mod tests;
