//! Teams of executors without processes, on a program that decides each bit of its input.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tine_explore::{
    Budget, CaseId, Decision, Dfs, Flip, Job, JobResult, Prefix, ProgramMap, Run, RunEnd, Settings, Step, Strategy,
};
use tine_trace::event::{EventKind, PREFIX_HASH_START, Site, prefix_hash};
use tine_trace::outcome::OutcomeKind;

use super::*;

const N_BITS: u32 = 9;

/// What the executors share.
#[derive(Default)]
struct Store {
    inputs: Mutex<HashMap<CaseId, u32>>,
    last: AtomicU32,
    n_made: AtomicU32,
    /// Cores that executors were told to keep to.
    kept: Mutex<Vec<usize>>,
}

struct Bits<'a> {
    store: &'a Store,
    /// The run of this input goes wrong.
    fails_at: Option<u32>,
    panics: bool,
    appetite: usize,
}

impl<'a> Bits<'a> {
    fn new(store: &'a Store) -> Bits<'a> {
        Bits { store, fails_at: None, panics: false, appetite: 1 }
    }
}

impl Bits<'_> {
    fn run(&self, input: u32) -> Run {
        let case = CaseId(self.store.last.fetch_add(1, Ordering::Relaxed) + 1);
        self.store.inputs.lock().unwrap().insert(case, input);
        let mut before = PREFIX_HASH_START;
        let decide = |event: u32| {
            let alternative = (input >> event & 1) as u16;
            let decision =
                Decision { kind: EventKind::Branch, site: Site(0), alternative, n_alternatives: 2, event, before };
            before = prefix_hash(before, EventKind::Branch as u8, 0, alternative);
            decision
        };
        Run {
            case,
            size: 4,
            prefix: Prefix::Whole,
            decisions: (0..N_BITS).map(decide).collect(),
            pins: Vec::new(),
            states: Vec::new(),
            notes: Vec::new(),
            end: RunEnd { kind: OutcomeKind::Exited, code: 0, site: Site::NONE, place: None },
            new_edges: Vec::new(),
        }
    }
}

impl Executor for Bits<'_> {
    type Error = &'static str;

    fn execute(&mut self, job: &Job) -> Result<JobResult, &'static str> {
        let input = match job {
            Job::Flip(Flip { parent, decision, .. }) | Job::Retry(Flip { parent, decision, .. }) => {
                let parent = self.store.inputs.lock().unwrap()[parent];
                // What follows is anything: here, zeros.
                (parent ^ 1 << decision) & ((2 << decision) - 1)
            }
            Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Vary(_) => 0,
        };
        std::thread::yield_now();
        assert!(!(self.panics && self.fails_at == Some(input)), "as it was to");
        if self.fails_at == Some(input) { Err("went wrong") } else { Ok(JobResult::Ran(Box::new(self.run(input)))) }
    }

    fn release(&mut self, case: CaseId) {
        self.store.inputs.lock().unwrap().remove(&case).expect("released twice");
    }

    fn appetite(&self) -> usize {
        self.appetite
    }

    fn keep_to(&mut self, core: usize) {
        self.store.kept.lock().unwrap().push(core);
    }
}

/// Which cases ran, and how many executors were told that there is no more.
#[derive(Default)]
struct Seen {
    inputs: Vec<u32>,
    n_done: u32,
    stop_after: Option<usize>,
    /// Of the executors.
    appetite: usize,
}

impl Observer<Bits<'_>> for Seen {
    fn step(&mut self, _: &Step, result: &JobResult, _: &Explorer, executor: &Bits<'_>) -> ControlFlow<()> {
        let run = result.run().expect("every job is a run");
        self.inputs.push(executor.store.inputs.lock().unwrap()[&run.case]);
        if self.stop_after.is_some_and(|n| self.inputs.len() >= n) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn done(&mut self, _: &Bits<'_>) {
        self.n_done += 1;
    }
}

fn explore(
    n_workers: usize,
    max_runs: Option<u64>,
    fails_at: Option<u32>,
    mut seen: Seen,
) -> (Result<StopReason, &'static str>, Seen, u32) {
    let store = Store::default();
    let strategies = (0..n_workers).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
    let settings = Settings { budget: Budget { max_runs, max_time: None }, ..Settings::default() };
    let mut explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, settings);
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| START_TIME };
    let appetite = seen.appetite.max(1);
    let make = || {
        store.n_made.fetch_add(1, Ordering::Relaxed);
        Ok(Bits { fails_at, appetite, ..Bits::new(&store) })
    };
    let first = &mut Bits { fails_at, appetite, ..Bits::new(&store) };
    let ended = run(&mut explorer, first, &make, &mut seen, control);
    (ended, seen, store.n_made.load(Ordering::Relaxed))
}

#[test]
fn together_they_find_each_path_once() {
    for n_workers in 1..=4 {
        let (ended, seen, n_made) = explore(n_workers, None, None, Seen::default());
        assert_eq!(ended, Ok(StopReason::Exhausted));
        assert_eq!(seen.inputs.len(), 1 << N_BITS, "{n_workers}");
        assert_eq!(seen.inputs.iter().collect::<BTreeSet<_>>().len(), 1 << N_BITS, "{n_workers}");
        assert!(n_made < n_workers as u32 && seen.n_done <= n_workers as u32);
    }
}

#[test]
fn several_jobs_at_once_are_the_same_paths_and_budget() {
    for n_workers in 1..=3 {
        let hungry = || Seen { appetite: 7, ..Seen::default() };
        let (ended, seen, _) = explore(n_workers, None, None, hungry());
        assert_eq!(ended, Ok(StopReason::Exhausted));
        assert_eq!(seen.inputs.len(), 1 << N_BITS, "{n_workers}");
        assert_eq!(seen.inputs.iter().collect::<BTreeSet<_>>().len(), 1 << N_BITS, "{n_workers}");
        let (ended, seen, _) = explore(n_workers, Some(300), None, hungry());
        assert_eq!((ended, seen.inputs.len()), (Ok(StopReason::MaxRuns), 300));
        let (ended, _, _) = explore(n_workers, None, Some(77), hungry());
        assert_eq!(ended, Err("went wrong"));
    }
    // One worker takes them one by one: what it does next is to follow from all that it knows.
    let order = |appetite| explore(1, None, None, Seen { appetite, ..Seen::default() }).1.inputs;
    assert_eq!(order(7), order(1));
}

#[test]
fn a_small_exploration_has_one_worker_and_one_order() {
    let orders: Vec<_> = (1..=4).map(|n_workers| explore(n_workers, Some(60), None, Seen::default())).collect();
    for (ended, seen, n_made) in &orders {
        assert_eq!((ended, n_made, seen.n_done), (&Ok(StopReason::MaxRuns), &0, 1));
        assert_eq!(seen.inputs, orders[0].1.inputs);
    }
}

#[test]
fn a_fast_exploration_has_one_worker() {
    let store = Store::default();
    let strategies = (0..2).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
    let mut explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| START_TIME / 2 };
    let make = || panic!("it is over before another is there");
    let first = &mut Bits::new(&store);
    assert_eq!(run(&mut explorer, first, &make, &mut (), control), Ok(StopReason::Exhausted));
    assert_eq!(explorer.counters().paths, 1 << N_BITS);
}

#[test]
fn crowded_workers_keep_to_a_core_each() {
    let cores = Cores::of_this_thread();
    for n_workers in [1, 2, 64] {
        let store = Store::default();
        let strategies = (0..n_workers).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
        let mut explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
        let control = Control { stop: &AtomicBool::new(false), elapsed: &|| JOIN_TIME };
        let make = || Ok(Bits::new(&store));
        let first = &mut Bits::new(&store);
        run(&mut explorer, first, &make, &mut (), control).unwrap();
        let kept = store.kept.into_inner().unwrap();
        let expected: Vec<_> = (0..n_workers).filter_map(|worker| cores.for_worker(worker, n_workers)).collect();
        // Those that came too late for a job are not told.
        assert!(kept.len() <= expected.len() && kept.iter().all(|core| expected.contains(core)), "{kept:?}");
        assert_eq!(kept.is_empty(), expected.is_empty(), "{n_workers}");
        assert_eq!(Cores::of_this_thread(), cores, "afterwards this thread may go anywhere again");
    }
}

#[test]
fn the_budget_is_for_all() {
    let (ended, seen, _) = explore(3, Some(300), None, Seen::default());
    assert_eq!((ended, seen.inputs.len()), (Ok(StopReason::MaxRuns), 300));
}

#[test]
fn what_ends_one_ends_all() {
    for fails_at in [0, 77, 300] {
        let (ended, _, _) = explore(3, None, Some(fails_at), Seen::default());
        assert_eq!(ended, Err("went wrong"));
    }
    let seen = Seen { stop_after: Some(100), ..Seen::default() };
    let (ended, seen, _) = explore(3, None, None, seen);
    assert_eq!(ended, Ok(StopReason::Interrupted));
    assert!((100..103).contains(&seen.inputs.len()), "at most what the others were at: {}", seen.inputs.len());
}

#[test]
fn who_cannot_be_made_ends_all() {
    let store = Store::default();
    let strategies = (0..2).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
    let mut explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::from_secs(1) };
    let make = || Err("no process");
    let first = &mut Bits::new(&store);
    let ended = run(&mut explorer, first, &make, &mut Seen::default(), control);
    // It may have been over before.
    assert!(ended == Err("no process") || ended == Ok(StopReason::Exhausted), "{ended:?}");
}

#[test]
fn a_panic_leaves_nobody_waiting() {
    let panicked = std::panic::catch_unwind(|| {
        let store = Store::default();
        let strategies = (0..3).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
        let mut explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
        let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::from_secs(1) };
        let make = || Ok(Bits { fails_at: Some(5), panics: true, ..Bits::new(&store) });
        let first = &mut Bits { fails_at: Some(5), panics: true, ..Bits::new(&store) };
        let _ = run(&mut explorer, first, &make, &mut Seen::default(), control);
    });
    assert!(panicked.is_err());
}
