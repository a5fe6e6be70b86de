//! Teams of executors without processes, on a program that branches on each bit of its input.

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

/// State shared by the executors.
#[derive(Default)]
struct Store {
    inputs: Mutex<HashMap<CaseId, u32>>,
    last: AtomicU32,
    n_made: AtomicU32,
    /// Cores that executors were assigned to.
    kept: Mutex<Vec<usize>>,
}

struct Bits<'a> {
    store: &'a Store,
    /// The run of this input fails.
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
            let side_index = (input >> event & 1) as u16;
            let decision =
                Decision { kind: EventKind::Branch, site: Site(0), side_index, n_sides: 2, event, before, distance: 0 };
            before = prefix_hash(before, EventKind::Branch as u8, 0, side_index);
            decision
        };
        Run {
            case,
            size: 4,
            prefix: Prefix::Whole,
            decisions: (0..N_BITS).map(decide).collect(),
            concretisations: Vec::new(),
            states: Vec::new(),
            notes: Vec::new(),
            end: RunEnd {
                kind: OutcomeKind::Exited,
                code: 0,
                site: Site::NONE,
                place: None,
                about: "".into(),
                callers: Arc::default(),
            },
            new_edges: Vec::new(),
            requirement: None,
        }
    }
}

impl Executor for Bits<'_> {
    type Error = &'static str;

    fn execute(&mut self, job: &Job) -> Result<JobResult, &'static str> {
        let input = match job {
            Job::Flip(Flip { parent, decision, .. }) | Job::Retry(Flip { parent, decision, .. }) => {
                let parent = self.store.inputs.lock().unwrap()[parent];
                // The remaining bits are arbitrary: zeros here.
                (parent ^ 1 << decision) & ((2 << decision) - 1)
            }
            Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Mutate(_) => 0,
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

/// Cases that ran, and number of executors that were notified of the end.
#[derive(Default)]
struct Seen {
    inputs: Vec<u32>,
    n_done: u32,
    stop_after: Option<usize>,
    /// Number of jobs that an executor takes at a time.
    appetite: usize,
}

impl Observer<Bits<'_>> for Seen {
    fn step(&mut self, _: Step, result: JobResult, _: &Explorer, executor: &mut Bits<'_>) -> ControlFlow<()> {
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

/// Runs a team until the end.
fn run_all<E, O>(
    explorer: Explorer,
    first: &mut E,
    make: Make<'_, E>,
    observer: O,
    control: Control<'_>,
) -> Over<O, E::Error>
where
    E: Executor,
    E::Error: Send,
    O: Observer<E> + Send,
{
    let ended = Mutex::new(Vec::new());
    run(explorer, first, make, observer, control, Limits::NONE, &|over| ended.lock().unwrap().push(over));
    let mut ended = ended.into_inner().unwrap();
    assert_eq!(ended.len(), 1, "it ends once");
    ended.remove(0)
}

fn explore(
    n_workers: usize,
    max_runs: Option<u64>,
    fails_at: Option<u32>,
    seen: Seen,
) -> (Result<StopReason, &'static str>, Seen, u32) {
    let store = Store::default();
    let strategies = (0..n_workers).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
    let settings = Settings { budget: Budget { max_runs, max_time: None }, ..Settings::default() };
    let explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, settings);
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| START_TIME };
    let appetite = seen.appetite.max(1);
    let make = || {
        store.n_made.fetch_add(1, Ordering::Relaxed);
        Ok(Bits { fails_at, appetite, ..Bits::new(&store) })
    };
    let first = &mut Bits { fails_at, appetite, ..Bits::new(&store) };
    let over = run_all(explorer, first, &make, seen, control);
    assert_eq!(over.n_left_behind, 0);
    (over.ended, over.observer, store.n_made.load(Ordering::Relaxed))
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
    // One worker takes jobs one by one, so that each choice uses all results.
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
    let explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| START_TIME / 2 };
    let make = || panic!("it is over before another is there");
    let first = &mut Bits::new(&store);
    let over = run_all(explorer, first, &make, (), control);
    assert_eq!((over.ended, over.explorer.counters().paths), (Ok(StopReason::Exhausted), 1 << N_BITS));
}

#[test]
fn crowded_workers_keep_to_a_core_each() {
    let cores = Cores::of_this_thread();
    for n_workers in [1, 2, 64] {
        let store = Store::default();
        let strategies = (0..n_workers).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
        let explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
        let control = Control { stop: &AtomicBool::new(false), elapsed: &|| JOIN_TIME };
        let make = || Ok(Bits::new(&store));
        let first = &mut Bits::new(&store);
        run_all(explorer, first, &make, (), control).ended.unwrap();
        let kept = store.kept.into_inner().unwrap();
        let expected: Vec<_> = (0..n_workers).filter_map(|worker| cores.for_worker(worker, n_workers)).collect();
        // Workers that started too late for a job have no entry.
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
    let explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::from_secs(1) };
    let make = || Err("no process");
    let first = &mut Bits::new(&store);
    let ended = run_all(explorer, first, &make, Seen::default(), control).ended;
    // The exploration may have ended before.
    assert!(ended == Err("no process") || ended == Ok(StopReason::Exhausted), "{ended:?}");
}

#[test]
fn a_panic_leaves_nobody_waiting() {
    let panicked = std::panic::catch_unwind(|| {
        let store = Store::default();
        let strategies = (0..3).map(|_| Box::new(Dfs::default()) as Box<dyn Strategy>).collect();
        let explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), strategies, Settings::default());
        let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::from_secs(1) };
        let make = || Ok(Bits { fails_at: Some(5), panics: true, ..Bits::new(&store) });
        let first = &mut Bits { fails_at: Some(5), panics: true, ..Bits::new(&store) };
        let _ = run_all(explorer, first, &make, Seen::default(), control);
    });
    assert!(panicked.is_err());
}

/// An executor whose fifth job blocks until it is released.
struct Stuck<'a> {
    bits: Bits<'a>,
    n_jobs: u32,
    lets_go: &'a AtomicBool,
    n_freed: &'a AtomicU32,
}

impl Executor for Stuck<'_> {
    type Error = &'static str;

    fn execute(&mut self, job: &Job) -> Result<JobResult, &'static str> {
        self.n_jobs += 1;
        while self.n_jobs == 5 && !self.lets_go.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        self.bits.execute(job)
    }

    fn free_memory(&mut self) {
        self.n_freed.fetch_add(1, Ordering::Relaxed);
    }
}

/// Ends an exploration with a stuck worker. Earlier results are available then, whether the worker ends or not.
fn stuck(
    stop: &AtomicBool,
    elapsed: &(dyn Fn() -> Duration + Sync),
    memory: Option<Memory<'_>>,
) -> (StopReason, u64, u32) {
    let (store, lets_go, n_freed) = (Store::default(), AtomicBool::new(false), AtomicU32::new(0));
    let max_time = Some(Duration::from_secs(10));
    let settings = Settings { budget: Budget { max_runs: None, max_time }, ..Settings::default() };
    let explorer = Explorer::with_workers(Arc::new(ProgramMap::default()), vec![Box::new(Dfs::default())], settings);
    let control = Control { stop, elapsed };
    let ended = Mutex::new(None);
    let first = &mut Stuck { bits: Bits::new(&store), n_jobs: 0, lets_go: &lets_go, n_freed: &n_freed };
    let limits = Limits { max_time, grace: Duration::from_millis(50), memory };
    run(explorer, first, &|| Err::<Stuck<'_>, _>("there is one"), (), control, limits, &|over: Over<(), _>| {
        let paths = over.explorer.counters().paths;
        assert_eq!((over.n_left_behind, paths), (1, 4), "and it goes on");
        *ended.lock().unwrap() = Some((over.ended.unwrap(), over.explorer.tree().n_open()));
        lets_go.store(true, Ordering::Relaxed);
    });
    let (reason, n_open) = ended.into_inner().unwrap().expect("it ended");
    (reason, n_open, n_freed.into_inner())
}

#[test]
fn who_does_not_end_in_time_is_left_behind() {
    let start = Instant::now();
    let (no, yes) = (AtomicBool::new(false), AtomicBool::new(false));
    let late = || if start.elapsed() > Duration::from_millis(100) { Duration::from_secs(10) } else { Duration::ZERO };
    let (reason, n_open, _) = stuck(&no, &late, None);
    assert_eq!(reason, StopReason::MaxTime);
    assert!(n_open > 0, "what it was at counts as not begun");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            yes.store(true, Ordering::Relaxed);
        });
        assert_eq!(stuck(&yes, &|| Duration::ZERO, None).0, StopReason::Interrupted);
    });
}

#[test]
fn too_much_memory_is_the_end() {
    let held = || 1 << 40;
    let memory = Some(Memory { bytes: 1 << 20, held: &held });
    assert_eq!(stuck(&AtomicBool::new(false), &|| Duration::ZERO, memory).0, StopReason::MaxMemory);
}

/// Slightly too much memory is freed between jobs, and the exploration continues to its end.
#[test]
fn memory_is_freed_between_jobs() {
    let (store, n_freed) = (Store::default(), AtomicU32::new(0));
    let lets_go = AtomicBool::new(false);
    let explorer =
        Explorer::with_workers(Arc::new(ProgramMap::default()), vec![Box::new(Dfs::default())], Settings::default());
    let held = || {
        // Permanently: a busy machine may have freed memory before the fifth job.
        lets_go.store(true, Ordering::Relaxed);
        if n_freed.load(Ordering::Relaxed) == 0 { 110 << 20 } else { 90 << 20 }
    };
    let first = &mut Stuck { bits: Bits::new(&store), n_jobs: 0, lets_go: &lets_go, n_freed: &n_freed };
    let limits = Limits { memory: Some(Memory { bytes: 100 << 20, held: &held }), ..Limits::NONE };
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::ZERO };
    let ended = Mutex::new(None);
    run(explorer, first, &|| Err::<Stuck<'_>, _>("there is one"), (), control, limits, &|over: Over<(), _>| {
        *ended.lock().unwrap() = Some((over.ended, over.explorer.counters().paths));
    });
    assert_eq!(ended.into_inner().unwrap(), Some((Ok(StopReason::Exhausted), 1 << N_BITS)));
    assert_eq!(n_freed.into_inner(), 1);
}
