//! Explorations of small programs whose paths are known.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tine_trace::event::{NoteKind, Site};
use tine_trace::outcome::{ErrorKind, OutcomeKind};

use tine_engine::scheduler::{Observer, run_alone};
use tine_explore::fake::{ACCESS, ASSUME, CALL, END, FAILURE, Fake, Program, Random, map, random_program};
use tine_explore::missed::{Why, missed};
use tine_explore::{
    Budget, CaseId, Control, Dfs, Executor, Explorer, Job, JobResult, Keep, Next, Settings, Step, StopReason, Verdict,
};

/// `x >= 2 ? (x == 3 ? a : b) : c` over inputs 0 … 3.
fn nested() -> Program {
    let inner = Program::Decide(1, vec![0, 0, 0, 1], vec![END, END]);
    Program::Decide(0, vec![0, 0, 1, 1], vec![END, inner])
}

fn explore(fake: &mut Fake, settings: Settings) -> (Explorer, StopReason) {
    let explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), settings);
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::ZERO };
    let over = run_alone(explorer, fake, (), control);
    let Ok(stop) = over.ended;
    (over.explorer, stop)
}

fn reasons(explorer: &Explorer) -> Vec<String> {
    let reasons = explorer.reasons();
    reasons.iter().map(|reason| format!("{} @{} ×{}", reason.what, reason.place.line, reason.count)).collect()
}

/// Seed inputs come first, in order, and seeds that share a path count as one path.
#[test]
fn seeds_come_before_the_search() {
    let mut fake = Fake::new(4, nested());
    let (explorer, stop) = explore(&mut fake, Settings { n_seeds: 3, ..Settings::default() });
    assert_eq!(stop, StopReason::Exhausted);
    let first: Vec<Job> = fake.jobs.iter().take(4).copied().collect();
    assert_eq!(first, [Job::Initial, Job::Seed(0), Job::Seed(1), Job::Seed(2)]);
    let (without, _) = explore(&mut Fake::new(4, nested()), Settings::default());
    assert_eq!(explorer.counters().paths, without.counters().paths);
    assert_eq!(explorer.verdict(), without.verdict());
}

#[test]
fn explores_every_path_and_says_so() {
    let mut fake = Fake::new(4, nested());
    let (explorer, stop) = explore(&mut fake, Settings::default());
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Complete));
    assert_eq!((explorer.counters().runs, explorer.counters().paths), (3, 3));
    assert_eq!(explorer.coverage().n_covered(), 4);
    assert_eq!(explorer.reasons(), []);
    assert_eq!(fake.inputs.len(), 1, "only the last run is still retrievable");
}

#[test]
fn depth_first_goes_deepest_first() {
    // Three independent bits: the runs count up like a binary number.
    let leaf = || Program::Decide(1, (0..8).map(|x| x & 1).collect(), vec![END, END]);
    let middle = || Program::Decide(0, (0..8).map(|x| x >> 1 & 1).collect(), vec![leaf(), leaf()]);
    let top = Program::Decide(1, (0..8).map(|x| x >> 2 & 1).collect(), vec![middle(), middle()]);
    let mut fake = Fake::new(8, top);
    explore(&mut fake, Settings::default());
    assert_eq!(fake.ran, [0, 1, 2, 3, 4, 5, 6, 7]);
    // The last run is always the parent, because an executor still has its trace.
    let parents = fake.jobs.iter().filter_map(|job| match job {
        Job::Flip(flip) | Job::Retry(flip) => Some(flip.parent.0),
        Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Mutate(_) => None,
    });
    assert_eq!(parents.collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn switches_are_tried_side_by_side() {
    let program = Program::Decide(3, vec![2, 0, 1, 2, 0], vec![END, END, END, END]);
    let mut fake = Fake::new(5, program);
    let (explorer, _) = explore(&mut fake, Settings::default());
    assert_eq!(fake.ran, [0, 1, 2]);
    assert_eq!((explorer.counters().infeasible, explorer.verdict()), (1, Verdict::Complete));
    let missed = missed(&explorer);
    assert!(missed.len() > 1 && missed.iter().all(|missed| missed.why == Why::Infeasible), "also at the other sites");
}

#[test]
fn the_depth_bound_bounds_and_says_so() {
    let mut fake = Fake::new(4, nested());
    let (explorer, _) = explore(&mut fake, Settings { max_depth: Some(1), ..Settings::default() });
    assert_eq!((explorer.counters().runs, explorer.verdict()), (2, Verdict::Bounded));
    assert_eq!(reasons(&explorer), ["depth bound reached @11 ×1"]);
    assert_eq!(explorer.counters().deepest, 1);
}

#[test]
fn the_units_own_depth_bound_counts_as_well() {
    let mut fake = Fake::new(4, nested());
    fake.max_decisions = 1;
    let (explorer, _) = explore(&mut fake, Settings::default());
    assert_eq!((explorer.counters().runs, explorer.verdict()), (2, Verdict::Bounded));
    assert_eq!(reasons(&explorer), ["depth bound reached @11 ×1"]);
}

#[test]
fn unknown_answers_forbid_complete() {
    let mut fake = Fake::new(4, nested());
    fake.unknown = Some(1);
    let (explorer, stop) = explore(&mut fake, Settings::default());
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Incomplete));
    assert_eq!(reasons(&explorer), ["solver could not decide: timeout @11 ×1"]);
    let missed = missed(&explorer);
    let count = |why: Why| missed.iter().filter(|missed| missed.why == why).count();
    assert_eq!((count(Why::Open), count(Why::Infeasible)), (1, 0));
    assert!(count(Why::NotReached) > 0, "the other sites");
}

/// Queries that the solver gave up on are tried again at the end, once. They count as unknown only if that fails, too.
#[test]
fn what_was_too_hard_is_tried_again_at_the_end() {
    let mut fake = Fake::new(4, nested());
    fake.hard = Some((1, 1));
    let (explorer, stop) = explore(&mut fake, Settings::default());
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Complete));
    assert_eq!((explorer.counters().paths, explorer.counters().retried, explorer.counters().unknown), (3, 1, 0));
    assert!(matches!(fake.jobs.last(), Some(Job::Retry(_))), "{:?}", fake.jobs);
    assert_eq!(fake.inputs.len(), 1, "only the last run is still retrievable");

    let mut fake = Fake::new(4, nested());
    fake.hard = Some((1, usize::MAX));
    let (explorer, stop) = explore(&mut fake, Settings::default());
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Incomplete));
    assert_eq!((explorer.counters().retried, explorer.counters().unknown), (1, 1));
    assert_eq!(reasons(&explorer), ["solver could not decide: time limit @11 ×1"]);
}

/// A side that the solver always gives up on, but that a restart takes, does not make the result incomplete.
#[test]
fn what_was_too_hard_may_be_taken_by_a_restart() {
    let mut fake = Fake::new(4, nested());
    fake.hard = Some((1, usize::MAX));
    let (explorer, stop) = explore(&mut fake, Settings { restarts: Some(3), ..Settings::default() });
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Complete));
    assert_eq!((explorer.counters().paths, explorer.counters().retried, explorer.counters().unknown), (3, 0, 0));
    assert_eq!(reasons(&explorer), [""; 0]);
}

/// Interrupts the last job by stopping the exploration during it.
struct CutOff<'a> {
    fake: Fake,
    jobs_left: usize,
    stop: &'a AtomicBool,
}

impl Executor for CutOff<'_> {
    type Error = std::convert::Infallible;

    fn execute(&mut self, job: &Job) -> Result<JobResult, Self::Error> {
        self.jobs_left -= 1;
        self.stop.store(self.jobs_left == 0, Ordering::Relaxed);
        self.fake.execute(job)
    }

    fn release(&mut self, case: CaseId) {
        self.fake.release(case);
    }
}

/// An interrupted job is neither an answer of the solver nor a run, so the exploration does not look finished.
#[test]
fn what_is_cut_off_is_no_result() {
    let cut = |mut fake: Fake, hard, n_jobs| {
        let stop = AtomicBool::new(false);
        fake.hard = hard;
        let explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
        let control = Control { stop: &stop, elapsed: &|| Duration::ZERO };
        let over = run_alone(explorer, &mut CutOff { fake, jobs_left: n_jobs, stop: &stop }, (), control);
        let (Ok(reason), explorer) = (over.ended, over.explorer);
        (reason, explorer.counters().runs, explorer.verdict(), reasons(&explorer))
    };
    let interrupted = "open branches not tried: interrupted @0 ×0".to_owned();
    let hard = "solver could not decide: time limit @11 ×1".to_owned();
    // The second attempt, with nothing left after it.
    let (reason, runs, verdict, why) = cut(Fake::new(4, nested()), Some((1, usize::MAX)), 4);
    assert_eq!((reason, runs, verdict), (StopReason::Interrupted, 2, Verdict::Incomplete));
    assert_eq!(why, [interrupted.clone(), hard]);
    // The only run.
    let endless = Program::End(OutcomeKind::Unfinished, 0, Site::NONE);
    let (reason, runs, verdict, why) = cut(Fake::new(1, endless), None, 1);
    assert_eq!((reason, runs, verdict, why), (StopReason::Interrupted, 0, Verdict::Incomplete, vec![interrupted]));
    // A run that shows an error counts.
    let overflow = ErrorKind::SignedOverflow as u32;
    let end = Box::new(Program::End(OutcomeKind::Unfinished, 0, Site::NONE));
    let (_, runs, ..) = cut(Fake::new(1, Program::Note(NoteKind::Error, overflow, FAILURE, end)), None, 1);
    assert_eq!(runs, 1);
}

/// A side that turns out to be infeasible at the second attempt does not make the result incomplete.
#[test]
fn what_was_too_hard_may_be_infeasible() {
    // The inner decision has only one side.
    let inner = Program::Decide(1, vec![0; 4], vec![END, END]);
    let program = Program::Decide(0, vec![0, 1, 1, 1], vec![END, inner]);
    let mut fake = Fake::new(4, program);
    fake.hard = Some((1, 1));
    let (explorer, _) = explore(&mut fake, Settings::default());
    assert_eq!((explorer.verdict(), explorer.counters().infeasible), (Verdict::Complete, 1));
    assert_eq!((explorer.counters().retried, explorer.counters().unknown), (1, 0));
}

/// If no time is left to try again, the side stays unknown.
#[test]
fn a_spent_budget_leaves_what_was_too_hard_unknown() {
    let inner = Program::Decide(1, vec![0, 1, 0, 0], vec![END, END]);
    let mut fake = Fake::new(4, Program::Decide(0, vec![0, 0, 1, 1], vec![inner, END]));
    fake.hard = Some((1, 1));
    let settings = Settings { budget: Budget { max_runs: Some(2), ..Budget::default() }, ..Settings::default() };
    let (explorer, stop) = explore(&mut fake, settings);
    assert_eq!((stop, explorer.verdict()), (StopReason::MaxRuns, Verdict::Incomplete));
    assert_eq!((explorer.counters().retried, explorer.counters().unknown), (0, 1));
}

#[test]
fn a_run_that_strays_is_counted_and_not_tried_for_ever() {
    let mut fake = Fake::new(4, nested());
    fake.stray = Some(1);
    let (explorer, stop) = explore(&mut fake, Settings::default());
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Incomplete));
    assert_eq!((explorer.counters().runs, explorer.counters().paths, explorer.counters().divergences), (2, 1, 1));
    assert_eq!(reasons(&explorer), ["run diverged from its predicted path @10 ×1"]);
}

#[test]
fn concretising_and_notes_forbid_complete() {
    let concretised = Program::Concretise(ACCESS, vec![5, 5, 6, 7], Box::new(nested()));
    let noted = Program::Note(NoteKind::ExternCall, 0, CALL, Box::new(concretised));
    let (explorer, _) = explore(&mut Fake::new(4, noted), Settings::default());
    assert_eq!(explorer.verdict(), Verdict::Incomplete);
    // Inputs 2 and 3 have other addresses, so they cannot be reached from input 0.
    assert_eq!(explorer.counters().runs, 1);
    let expected = ["address depends on the input @18 ×1", "input flows into `sin`, which is not instrumented @19 ×1"];
    assert_eq!(reasons(&explorer), expected);
}

#[test]
fn a_refused_system_call_is_told_and_is_a_bound() {
    let program = Program::Note(NoteKind::Refused, 87, Site::NONE, Box::new(nested()));
    let (explorer, _) = explore(&mut Fake::new(4, program), Settings::default());
    assert_eq!(explorer.verdict(), Verdict::Bounded);
    assert_eq!(reasons(&explorer), ["bound reached: the sandbox refused a system call @0 ×3"]);
    assert_eq!(explorer.refused().collect::<Vec<_>>(), [(87, 3)]);
}

#[test]
fn rejected_runs_are_no_paths_and_their_side_is_no_goal() {
    let rejected = Program::End(OutcomeKind::Rejected, 0, Site::NONE);
    let program = Program::Decide(ASSUME, vec![0, 0, 1, 1], vec![rejected, nested()]);
    let mut fake = Fake::new(4, program);
    let (explorer, _) = explore(&mut fake, Settings::default());
    // Input 0 is rejected; 2 and 3 are not. The rejecting side is not tried again.
    assert_eq!(fake.ran, [0, 2, 3]);
    let counters = explorer.counters();
    assert_eq!((counters.runs, counters.paths, counters.rejected), (3, 2, 1));
    assert_eq!(explorer.verdict(), Verdict::Complete);
}

#[test]
fn a_run_whose_one_decision_needs_nobody_may_still_be_a_parent() {
    let rejected = Program::End(OutcomeKind::Rejected, 0, Site::NONE);
    let accepted = Program::Decide(ASSUME, vec![1; 4], vec![rejected, END]);
    let mut fake = Fake::new(4, Program::Decide(3, vec![0, 1, 2, 3], vec![END, accepted, END, END]));
    let (explorer, _) = explore(&mut fake, Settings::default());
    // The last run is the preferred parent of jobs, so it must not be released.
    assert_eq!((fake.ran.as_slice(), explorer.verdict()), (&[0, 1, 2, 3][..], Verdict::Complete));
}

#[test]
fn errors_count_once_per_kind_and_place() {
    let fails = || Program::End(OutcomeKind::Failed, ErrorKind::AssertionFailure as u32, FAILURE);
    let goes_on = Program::Note(NoteKind::Error, ErrorKind::SignedOverflow as u32, FAILURE, Box::new(fails()));
    let program = Program::Decide(3, vec![0, 1, 2, 3], vec![END, fails(), fails(), goes_on]);
    let (explorer, _) = explore(&mut Fake::new(4, program), Settings::default());
    let found: Vec<_> =
        explorer.errors().iter().map(|error| (error.kind, error.place.line, error.case.0, error.count)).collect();
    assert_eq!(found, [(ErrorKind::AssertionFailure, 16, 2, 3), (ErrorKind::SignedOverflow, 16, 4, 1)]);
}

#[test]
fn a_signal_where_a_check_just_failed_is_the_same_error() {
    let signal = |number, line| Program::Signal(number, line);
    let check = |then| Program::Note(NoteKind::Error, ErrorKind::DivisionByZero as u32, FAILURE, Box::new(then));
    let program = Program::Decide(
        3,
        vec![0, 1, 2, 3],
        vec![check(signal(8, 16)), check(signal(11, 17)), signal(6, 16), signal(9, 1)],
    );
    let (explorer, _) = explore(&mut Fake::new(4, program), Settings::default());
    let found: Vec<_> = explorer.errors().iter().map(|error| (error.kind, error.place.line)).collect();
    let expected = [
        (ErrorKind::DivisionByZero, 16),
        (ErrorKind::InvalidAccess, 17),
        (ErrorKind::Abort, 16),
        (ErrorKind::Signal, 1),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_a_limit_stopped_is_bounded() {
    let program = Program::Decide(
        3,
        vec![0, 1, 2],
        vec![
            Program::End(OutcomeKind::Timeout, 0, Site::NONE),
            Program::End(OutcomeKind::OutOfMemory, 0, Site::NONE),
            Program::End(OutcomeKind::StackOverflow, 0, Site::NONE),
            END,
        ],
    );
    let (explorer, _) = explore(&mut Fake::new(3, program), Settings::default());
    assert_eq!(explorer.verdict(), Verdict::Bounded);
    assert_eq!(reasons(&explorer), ["run stopped at its memory limit @0 ×1", "run stopped at its time limit @0 ×1"]);
    let kinds: Vec<_> = explorer.errors().iter().map(|error| error.kind).collect();
    assert_eq!(kinds, [ErrorKind::EndlessLoop, ErrorKind::OutOfMemory, ErrorKind::StackOverflow]);
}

/// The end of a run over the time limit is known, but not its whole path.
#[test]
fn a_slow_run_is_no_error_and_not_complete() {
    let end = Program::End(OutcomeKind::Exited, 0, Site::NONE);
    let program = Program::Note(NoteKind::TooSlow, 0, Site::NONE, Box::new(end));
    let (explorer, _) = explore(&mut Fake::new(1, program), Settings::default());
    assert_eq!((explorer.errors().len(), explorer.verdict()), (0, Verdict::Bounded));
    assert_eq!(reasons(&explorer), ["bound reached: --run-timeout, run too slow to trace @0 ×1"]);
}

#[test]
fn asking_for_ever_is_no_error() {
    let end = Program::End(OutcomeKind::Timeout, 0, Site::NONE);
    let program = Program::Note(NoteKind::MaxInputs, 0, Site::NONE, Box::new(end));
    let (explorer, _) = explore(&mut Fake::new(1, program), Settings::default());
    assert_eq!((explorer.errors().len(), explorer.verdict()), (0, Verdict::Bounded));
    assert_eq!(reasons(&explorer), ["bound reached: unbounded input requests @0 ×1"]);
}

#[test]
fn budgets_end_it() {
    let budget = Budget { max_runs: Some(2), max_time: None };
    let (explorer, stop) = explore(&mut Fake::new(4, nested()), Settings { budget, ..Settings::default() });
    assert_eq!((stop, explorer.counters().runs, explorer.verdict()), (StopReason::MaxRuns, 2, Verdict::Incomplete));
    assert_eq!(reasons(&explorer), ["open branches not tried: --max-runs reached @0 ×1"]);

    // The budget ends the exploration, but not too early.
    let budget = Budget { max_runs: Some(3), max_time: None };
    let (_, stop) = explore(&mut Fake::new(4, nested()), Settings { budget, ..Settings::default() });
    assert_eq!(stop, StopReason::Exhausted);

    let budget = Budget { max_runs: None, max_time: Some(Duration::ZERO) };
    let (explorer, stop) = explore(&mut Fake::new(4, nested()), Settings { budget, ..Settings::default() });
    assert_eq!((stop, explorer.counters().runs, explorer.verdict()), (StopReason::MaxTime, 0, Verdict::Incomplete));
}

#[test]
fn the_stop_flag_ends_it() {
    let explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
    let control = Control { stop: &AtomicBool::new(true), elapsed: &|| Duration::ZERO };
    let over = run_alone(explorer, &mut Fake::new(4, nested()), (), control);
    let Ok(stop) = over.ended;
    assert_eq!((stop, over.explorer.verdict()), (StopReason::Interrupted, Verdict::Incomplete));
}

#[test]
fn several_jobs_may_be_out() {
    let mut fake = Fake::new(4, nested());
    let mut explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
    let mut out = Vec::new();
    loop {
        match explorer.next(Duration::ZERO, false) {
            Next::Job(ticket) => out.push(ticket),
            Next::Again => {}
            Next::Wait => {
                let ticket = out.remove(0);
                let Ok(result) = fake.execute(ticket.job());
                explorer.feed(ticket, &result).released.iter().for_each(|case| fake.release(*case));
            }
            Next::Done(stop) => {
                assert_eq!(stop, StopReason::Exhausted);
                break;
            }
        }
    }
    assert_eq!((explorer.counters().paths, explorer.verdict()), (3, Verdict::Complete));
}

/// Records why each case was kept, and stops at a given point.
#[derive(Default)]
struct Watch {
    kept: Vec<(u32, Keep)>,
    stop_after: Option<u64>,
}

impl Observer<Fake> for Watch {
    fn step(&mut self, step: Step, result: JobResult, explorer: &Explorer, fake: &mut Fake) -> ControlFlow<()> {
        if let (Some(run), Some(keep)) = (result.run(), step.kept) {
            assert!(fake.inputs.contains_key(&run.case), "its input is still there");
            self.kept.push((run.case.0, keep));
        }
        match self.stop_after {
            Some(runs) if explorer.counters().runs >= runs => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn cases_are_kept_for_a_reason() {
    let fails = Program::End(OutcomeKind::Failed, ErrorKind::ReachError as u32, FAILURE);
    // Checks do not count as coverage, so case 2 shows nothing new.
    let check = |table, failing| Program::Decide(4, table, vec![END, failing]);
    let children = vec![check(vec![0, 1, 0, 0], END), check(vec![0, 0, 0, 1], fails)];
    let program = Program::Decide(0, vec![0, 0, 1, 1], children);
    for (keep_all, expected) in [
        (false, vec![(1, Keep::Coverage), (3, Keep::Coverage), (4, Keep::Error)]),
        (true, vec![(1, Keep::Coverage), (2, Keep::All), (3, Keep::Coverage), (4, Keep::Error)]),
    ] {
        let settings = Settings { keep_all, ..Settings::default() };
        let explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), settings);
        let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::ZERO };
        let over = run_alone(explorer, &mut Fake::new(4, program.clone()), Watch::default(), control);
        assert_eq!(over.observer.kept, expected);
    }
}

#[test]
fn an_observer_may_stop_it() {
    let watch = Watch { stop_after: Some(1), ..Watch::default() };
    let explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::ZERO };
    let over = run_alone(explorer, &mut Fake::new(4, nested()), watch, control);
    let Ok(stop) = over.ended;
    assert_eq!((stop, over.explorer.counters().runs), (StopReason::Interrupted, 1));
}

/// For any program, depth-first search finds exactly the paths that trying every input finds, each once.
#[test]
fn depth_first_finds_what_brute_force_finds() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let n_inputs = 1 + random.below(40) as usize;
        let depth = 1 + random.below(6) as u32;
        let mut fake = Fake::new(n_inputs, random_program(&mut random, n_inputs, depth));
        fake.suffixes = seed % 2 == 0;
        let (explorer, stop) = explore(&mut fake, Settings::default());
        let every: BTreeSet<_> = (0..n_inputs).map(|input| fake.trace(input)).collect();
        let found: Vec<_> = fake.ran.iter().map(|input| fake.trace(*input)).collect();
        assert_eq!(found.len(), every.len(), "seed {seed}: each path once");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), every, "seed {seed}");
        let counters = explorer.counters();
        assert_eq!(counters.paths + counters.rejected, counters.runs);
        assert_eq!((stop, explorer.verdict(), counters.divergences), (StopReason::Exhausted, Verdict::Complete, 0));
        assert_eq!(explorer.tree().n_open(), 0);
        assert_eq!(fake.inputs.len(), 1, "seed {seed}: all but the last were released");
        assert!(fake.most_inputs <= 2 + 4 * depth as usize, "seed {seed}: {} inputs at once", fake.most_inputs);
    }
}

/// Diverging runs are inserted where they went. Only paths that the verdict reports are lost.
#[test]
fn strays_do_not_break_the_tree() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let n_inputs = 20;
        let mut fake = Fake::new(n_inputs, random_program(&mut random, n_inputs, 4));
        fake.stray = Some(1 + random.below(5) as usize);
        fake.suffixes = seed % 2 == 0;
        let (explorer, stop) = explore(&mut fake, Settings::default());
        assert_eq!((stop, explorer.tree().n_open()), (StopReason::Exhausted, 0));
        let found: BTreeSet<_> = fake.ran.iter().map(|input| fake.trace(*input)).collect();
        let counters = explorer.counters();
        let distinct = found.len() as u64;
        assert!(counters.paths + counters.rejected >= distinct && counters.paths <= distinct, "seed {seed}");
        assert_eq!(explorer.verdict() == Verdict::Complete, counters.divergences == 0, "seed {seed}");
    }
}

/// Mutation starts when nothing new was covered for long, and only if it is enabled. It changes only the order.
#[test]
fn inputs_are_mutated_when_nothing_new_is_covered() {
    const N_BITS: usize = 9;
    let mut program = END;
    for bit in 0..N_BITS {
        let table = (0..1 << N_BITS).map(|input| (input >> bit & 1) as u16).collect();
        program = Program::Decide(bit as u32 % 2, table, vec![program.clone(), program]);
    }
    for mutate in [false, true] {
        let mut fake = Fake::new(1 << N_BITS, program.clone());
        let (explorer, stop) = explore(&mut fake, Settings { mutate, ..Settings::default() });
        let is_mutated = |job: &&Job| matches!(job, Job::Mutate(_));
        let mutated = fake.jobs.iter().filter(is_mutated).count();
        assert_eq!(mutated > 0, mutate);
        assert!(mutated * 2 <= fake.jobs.len() && !fake.jobs.iter().take(64).any(|job| is_mutated(&job)));
        assert_eq!((explorer.counters().paths, stop), (1 << N_BITS, StopReason::Exhausted));
        assert_eq!(explorer.verdict(), Verdict::Complete);
    }
}

/// A concretised value hides the other side of a branch; another first value shows it. If nothing was left out, or
/// restarts are off, the exploration ends without restarts.
#[test]
fn an_incomplete_search_restarts_with_other_values() {
    let n_inputs = 8;
    let lost = |table: Vec<u16>| Program::Concretise(ACCESS, (0..n_inputs as u16).collect(), Box::new(sides(table)));
    fn sides(table: Vec<u16>) -> Program {
        Program::Decide(0, table, vec![END, Program::End(OutcomeKind::Failed, 0, FAILURE)])
    }
    let table: Vec<u16> = (0..n_inputs as u16).map(|input| u16::from(input == 5)).collect();
    for (program, restarts, n_errors, ends) in
        [(lost(table.clone()), None, 0, 1), (lost(table.clone()), Some(3), 1, 0), (sides(table), Some(3), 1, 2)]
    {
        let mut fake = Fake::new(n_inputs, program);
        let (explorer, stop) = explore(&mut fake, Settings { restarts, ..Settings::default() });
        assert_eq!((explorer.errors().len(), stop), (n_errors, StopReason::Exhausted));
        assert!(ends == 0 || fake.ran.len() == ends, "{} runs", fake.ran.len());
        assert_eq!(explorer.verdict() == Verdict::Complete, ends == 2);
        assert!(fake.jobs.iter().all(|job| matches!(job, Job::Fresh(_)) <= restarts.is_some()));
    }
}
