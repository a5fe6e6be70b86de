//! Several executors on one exploration: each has its own process and solver, and asks for the next job when it is
//! done with one.
//!
//! The exploration is behind a lock, which is held to hand out a job and to take in its result, not while it is done. All but
//! the first worker join when there is enough to do: a small exploration costs no further process, and goes the same way
//! every time. From then on each has its own core, if there are not two for each (`cores`).

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use tine_explore::{Control, Executor, Explorer, Job, JobResult, Next, Observer, StopReason, Ticket};

use crate::cores::{Cores, Kept};

/// The others join after that many results, once it took as long as they need to start …
const JOIN_AFTER: u64 = 64;
const START_TIME: Duration = Duration::from_millis(40);
/// … or after this time.
const JOIN_TIME: Duration = Duration::from_millis(250);
/// Looks at the lock before sleep: some 30 µs. It is held for a few, and a wake-up takes longer.
const LOOKS: u32 = 2000;

/// Makes an executor, in the thread that it works in: it may be bound to that.
pub type Make<'a, E> = &'a (dyn Fn() -> Result<E, <E as Executor>::Error> + Sync);

/// Explores until there is nothing left, the budget is spent or someone stops it. `first` is one of the executors; `make`
/// gives the others, as many as the explorer has workers.
pub fn run<E, O>(
    explorer: &mut Explorer,
    first: &mut E,
    make: Make<'_, E>,
    observer: &mut O,
    control: Control<'_>,
) -> Result<StopReason, E::Error>
where
    E: Executor,
    E::Error: Send,
    O: Observer<E> + Send,
{
    let n_workers = explorer.n_workers();
    let table = Table {
        shared: Mutex::new(Shared {
            explorer,
            observer,
            n_results: 0,
            others_join: false,
            n_waiting: 0,
            is_over: false,
            error: None,
        }),
        changed: Condvar::new(),
        cores: Cores::of_this_thread(),
        n_workers,
    };
    std::thread::scope(|scope| {
        for worker in 1..n_workers {
            let table = &table;
            scope.spawn(move || {
                let _leave = Leave(table);
                if !table.wait_to_join() {
                    return;
                }
                match make() {
                    Ok(mut executor) => table.work(worker, &mut executor, control),
                    Err(error) => table.lock().fail(error),
                }
            });
        }
        let _leave = Leave(&table);
        table.work(0, first, control);
    });
    let shared = table.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match shared.error {
        Some(error) => Err(error),
        None => Ok(shared.explorer.stopped()),
    }
}

/// Where the workers meet.
struct Table<'a, E: Executor, O> {
    shared: Mutex<Shared<'a, E, O>>,
    /// Something was handed in, or it is over.
    changed: Condvar,
    cores: Cores,
    n_workers: usize,
}

struct Shared<'a, E: Executor, O> {
    explorer: &'a mut Explorer,
    observer: &'a mut O,
    n_results: u64,
    others_join: bool,
    /// For something to change.
    n_waiting: usize,
    is_over: bool,
    error: Option<E::Error>,
}

impl<E: Executor, O> Shared<'_, E, O> {
    fn fail(&mut self, error: E::Error) {
        self.is_over = true;
        self.error.get_or_insert(error);
    }
}

/// Nobody waits for a worker that is gone, however it went: what ends one ends all.
struct Leave<'a, 'b, E: Executor, O>(&'a Table<'b, E, O>);

impl<E: Executor, O> Drop for Leave<'_, '_, E, O> {
    fn drop(&mut self) {
        let mut shared = self.0.lock();
        shared.is_over = true;
        self.0.tell(&shared);
    }
}

impl<'a, E: Executor, O> Table<'a, E, O> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a, E, O>> {
        // A worker that panicked has ended it for all: what it left is not used but to end.
        for _ in 0..LOOKS {
            match self.shared.try_lock() {
                Ok(shared) => return shared,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
            }
        }
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'b>(&self, mut shared: MutexGuard<'b, Shared<'a, E, O>>) -> MutexGuard<'b, Shared<'a, E, O>> {
        shared.n_waiting += 1;
        let mut shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        shared.n_waiting -= 1;
        shared
    }

    /// Whoever waits looks again.
    fn tell(&self, shared: &Shared<'a, E, O>) {
        if shared.n_waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Whether there is work for another.
    fn wait_to_join(&self) -> bool {
        let mut shared = self.lock();
        while !shared.is_over && !shared.others_join {
            shared = self.wait(shared);
        }
        !shared.is_over
    }
}

impl<E: Executor, O: Observer<E>> Table<'_, E, O> {
    /// Job after job until it is over.
    fn work(&self, worker: usize, executor: &mut E, control: Control<'_>) {
        let mut kept = None;
        let mut shared = self.lock();
        while !shared.is_over {
            let elapsed = (control.elapsed)();
            let is_worth_it = shared.n_results >= JOIN_AFTER && elapsed >= START_TIME || elapsed >= JOIN_TIME;
            let mut tickets = match self.tickets(&mut shared, worker, executor.appetite(), control) {
                Taken::Jobs(tickets) => tickets,
                Taken::None => {
                    shared = self.wait(shared);
                    continue;
                }
                Taken::Done => break,
            };
            if !shared.others_join && (self.n_workers == 1 || is_worth_it) {
                shared.others_join = true;
                self.tell(&shared);
            }
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
        shared.observer.done(executor);
    }

    /// Several jobs at a time are for several workers, and only where there is enough for all of them.
    fn tickets(&self, shared: &mut Shared<'_, E, O>, worker: usize, appetite: usize, control: Control<'_>) -> Taken {
        let share = shared.explorer.tree().n_open() / self.n_workers as u64;
        let most = if self.n_workers == 1 { 1 } else { appetite.min(share as usize).max(1) };
        let mut tickets = Vec::with_capacity(most);
        while tickets.len() < most {
            let stop = control.stop.load(Ordering::Relaxed);
            match shared.explorer.next_for(worker, (control.elapsed)(), stop) {
                Next::Job(ticket) => tickets.push(ticket),
                Next::Wait if tickets.is_empty() => return Taken::None,
                Next::Done(_) if tickets.is_empty() => return Taken::Done,
                Next::Wait | Next::Done(_) => break,
            }
        }
        Taken::Jobs(tickets)
    }

    /// Takes in what became of a job.
    fn hand_in(
        &self,
        ticket: Ticket,
        result: Result<JobResult, E::Error>,
        executor: &mut E,
        control: Control<'_>,
    ) -> ControlFlow<()> {
        let mut shared = self.lock();
        match result {
            Err(error) => shared.fail(error),
            Ok(result) if let Some(reason) = shared.explorer.cut_off(&result, control) => {
                shared.explorer.abandon(ticket, reason);
            }
            Ok(result) => {
                let Shared { explorer, observer, n_results, is_over, .. } = &mut *shared;
                *n_results += 1;
                let step = explorer.feed(ticket, &result);
                let flow = observer.step(&step, &result, explorer, executor);
                for case in &step.released {
                    executor.release(*case);
                }
                if flow.is_break() {
                    explorer.interrupt();
                    *is_over = true;
                }
            }
        }
        self.tell(&shared);
        if shared.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What there is to do.
enum Taken {
    Jobs(Vec<Ticket>),
    /// Nothing before others are done.
    None,
    Done,
}

#[cfg(test)]
mod tests;
