//! Several executors on one exploration: each has its own process and solver, and asks for the next job when it is
//! done with one.
//!
//! The exploration is behind a lock, which is held to hand out a job and to take in its result, not while it is done. All but
//! the first worker join when there is enough to do: a small exploration costs no further process, and goes the same way
//! every time.

use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tine_explore::{Control, Executor, Explorer, Next, Observer, StopReason};

/// Results after which the others join …
const JOIN_AFTER: u64 = 64;
/// … or time.
const JOIN_TIME: Duration = Duration::from_millis(250);

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
            is_over: false,
            error: None,
        }),
        changed: Condvar::new(),
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
}

struct Shared<'a, E: Executor, O> {
    explorer: &'a mut Explorer,
    observer: &'a mut O,
    n_results: u64,
    others_join: bool,
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
        self.0.lock().is_over = true;
        self.0.changed.notify_all();
    }
}

impl<'a, E: Executor, O> Table<'a, E, O> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a, E, O>> {
        // A worker that panicked has ended it for all: what it left is not used but to end.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'b>(&self, shared: MutexGuard<'b, Shared<'a, E, O>>) -> MutexGuard<'b, Shared<'a, E, O>> {
        self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner)
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
        let mut shared = self.lock();
        while !shared.is_over {
            let elapsed = (control.elapsed)();
            let stop = control.stop.load(Ordering::Relaxed);
            let ticket = match shared.explorer.next_for(worker, elapsed, stop) {
                Next::Job(ticket) => ticket,
                Next::Wait => {
                    shared = self.wait(shared);
                    continue;
                }
                Next::Done(_) => break,
            };
            if !shared.others_join && (shared.n_results >= JOIN_AFTER || elapsed >= JOIN_TIME) {
                shared.others_join = true;
                self.changed.notify_all();
            }
            drop(shared);
            let result = executor.execute(ticket.job());
            shared = self.lock();
            match result {
                Err(error) => shared.fail(error),
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
            self.changed.notify_all();
        }
        shared.observer.done(executor);
    }
}

#[cfg(test)]
mod tests;
