//! Several workers on one exploration, and explorations that resume others.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::explorer::{Explorer, Settings};
use crate::fake::{END, Fake, Program, Random, Trace, map, random_program};
use crate::job::{CaseId, Executor, JobResult};
use crate::step::{Next, Past, Ticket};
use crate::strategy::Strategy;
use crate::strategy::catalogue::{STRATEGIES, Situation, Spec};
use crate::strategy::classic::weights::Weights;
use crate::tree::OpenBranch;
use crate::{Budget, StopReason, Verdict};

/// Results that an exploration received.
type Journal = Vec<(Option<OpenBranch>, JobResult, Option<Vec<OpenBranch>>)>;

fn explorer(strategy: &str, n_workers: usize, seed: u64, max_runs: Option<u64>) -> Explorer {
    small_explorer(strategy, n_workers, seed, max_runs, None)
}

fn small_explorer(strategy: &str, n_workers: usize, seed: u64, max_runs: Option<u64>, memory: Option<u64>) -> Explorer {
    let spec = Spec::parse(strategy).expect("a strategy");
    let make = |worker: usize| -> Box<dyn Strategy> {
        spec.make(seed + worker as u64, Weights::default(), Situation::default())
    };
    let settings = Settings { budget: Budget { max_runs, max_time: None }, memory, ..Settings::default() };
    Explorer::with_workers(Arc::new(map()), (0..n_workers).map(make).collect(), settings)
}

/// Explores until the exploration ends or the given number of results was processed. Each worker has at most one job.
/// The job that finishes next is drawn at random.
fn explore(
    explorer: &mut Explorer,
    fake: &mut Fake,
    n_workers: usize,
    random: &mut Random,
    n_results: usize,
) -> (Option<StopReason>, Journal) {
    let mut out: Vec<Option<Ticket>> = (0..n_workers).map(|_| None).collect();
    let mut journal = Vec::new();
    while journal.len() < n_results {
        let worker = below(random, n_workers);
        match out[worker].take() {
            Some(ticket) => {
                let Ok(result) = fake.execute(ticket.job());
                let step = explorer.feed(ticket, &result);
                journal.push((step.target, result, step.compacted));
                for case in step.released {
                    fake.release(case);
                }
            }
            None => match explorer.next_for(worker, Duration::ZERO, false) {
                Next::Job(ticket) => out[worker] = Some(ticket),
                Next::Again => {}
                Next::Wait => assert!(out.iter().any(Option::is_some), "it would wait forever"),
                Next::Done(reason) if out.iter().all(Option::is_none) => return (Some(reason), journal),
                Next::Done(_) => {}
            },
        }
    }
    (None, journal)
}

fn below(random: &mut Random, bound: usize) -> usize {
    random.below(bound as u64) as usize
}

fn program(random: &mut Random, seed: u64) -> (Fake, BTreeSet<Trace>) {
    let n_inputs = 1 + below(random, 40);
    let depth = 1 + random.below(6) as u32;
    let mut fake = Fake::new(n_inputs, random_program(random, n_inputs, depth));
    fake.suffixes = seed.is_multiple_of(2);
    let every = (0..n_inputs).map(|input| fake.trace(input)).collect();
    (fake, every)
}

fn paths(fake: &Fake) -> BTreeSet<Trace> {
    fake.ran.iter().map(|input| fake.trace(*input)).collect()
}

/// Restores the inputs that the exploration needs, as if from a session.
fn restore(fake: &mut Fake, explorer: &Explorer) {
    let cases = (1..).map(CaseId).zip(fake.ran.iter().copied());
    fake.inputs = cases.filter(|(case, _)| explorer.tree().is_needed(*case)).collect();
}

fn solving() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|entry| entry.name).filter(|name| *name != "random-input")
}

#[test]
fn several_workers_find_the_same_paths() {
    for name in solving() {
        for seed in 0..60 {
            let random = &mut Random(seed);
            let (mut fake, every) = program(random, seed);
            let n_workers = 2 + below(random, 3);
            let mut explorer = explorer(name, n_workers, seed, None);
            let (stop, _) = explore(&mut explorer, &mut fake, n_workers, random, usize::MAX);
            assert_eq!(stop, Some(StopReason::Exhausted), "{name} {seed}");
            assert_eq!(paths(&fake), every, "{name} {seed}");
            assert_eq!(fake.ran.len(), every.len(), "{name} {seed}: each path once");
            assert_eq!(explorer.counters().paths + explorer.counters().rejected, every.len() as u64, "{name} {seed}");
            assert_eq!(explorer.verdict(), Verdict::Complete, "{name} {seed}");
        }
    }
}

#[test]
fn several_workers_keep_to_the_budget() {
    for seed in 0..60 {
        let random = &mut Random(seed);
        let (mut fake, every) = program(random, seed);
        let budget = 1 + below(random, every.len()) as u64;
        let mut explorer = explorer("dfs", 3, seed, Some(budget));
        let (stop, _) = explore(&mut explorer, &mut fake, 3, random, usize::MAX);
        assert_eq!(explorer.counters().runs, budget, "{seed}: all of it, and no more");
        let is_all = budget == every.len() as u64;
        assert!(stop == Some(StopReason::MaxRuns) || is_all && stop == Some(StopReason::Exhausted), "{seed} {stop:?}");
    }
}

/// An exploration by any number of workers may be cut off at any point and replayed. The second exploration finds the
/// missing paths, and the counters add up.
#[test]
fn an_exploration_goes_on_where_another_ended() {
    for name in solving() {
        for seed in 0..60 {
            let random = &mut Random(seed);
            let (mut fake, every) = program(random, seed);
            let (before, after) = (1 + below(random, 3), 1 + below(random, 3));
            let n_results = below(random, 2 * every.len() + 1);
            let mut first = explorer(name, before, seed, None);
            let (_, journal) = explore(&mut first, &mut fake, before, random, n_results);
            // Jobs that were out at the end are lost.
            let n_ran = fake.ran.len();
            let mut second = explorer(name, after, seed + 1, None);
            for (target, result, given_up) in &journal {
                let past = Past { target: *target, seed: None, result, given_up: given_up.as_deref() };
                second.replay(&past).expect("a target that is there");
            }
            assert_eq!(second.counters(), first.counters(), "{name} {seed}");
            assert_eq!(second.coverage().n_covered(), first.coverage().n_covered(), "{name} {seed}");
            assert_eq!(second.tree().n_open(), first.tree().n_open(), "{name} {seed}");
            restore(&mut fake, &second);
            let (stop, _) = explore(&mut second, &mut fake, after, random, usize::MAX);
            assert_eq!(stop, Some(StopReason::Exhausted), "{name} {seed}");
            assert_eq!(paths(&fake), every, "{name} {seed}");
            assert_eq!(fake.ran.len(), every.len(), "{name} {seed}: {n_ran} runs before, none again");
            assert_eq!(second.verdict(), Verdict::Complete, "{name} {seed}");
        }
    }
}

#[test]
fn what_is_no_part_of_the_tree_is_not_replayed() {
    let mut explorer = explorer("dfs", 1, 0, None);
    let nowhere = OpenBranch { node: crate::tree::NodeId(3), side_index: 0 };
    let past = Past { target: Some(nowhere), seed: None, result: &JobResult::Unsat, given_up: None };
    assert_eq!(explorer.replay(&past), None);
}

/// `depth` independent bits, the highest first.
fn bits(depth: u32) -> Fake {
    fn level(bit: u32, n_inputs: usize) -> Program {
        let table = (0..n_inputs).map(|input| (input >> bit & 1) as u16).collect();
        let child = || if bit == 0 { END } else { level(bit - 1, n_inputs) };
        Program::Decide(bit % 2, table, vec![child(), child()])
    }
    Fake::new(1 << depth, level(depth - 1, 1 << depth))
}

/// Explores, and returns the maximum size of the tree after a result, in bytes.
fn most_bytes(explorer: &mut Explorer, fake: &mut Fake) -> u64 {
    let mut most = 0;
    while let Next::Job(ticket) = explorer.next(Duration::ZERO, false) {
        let Ok(result) = fake.execute(ticket.job());
        let step = explorer.feed(ticket, &result);
        for case in step.released {
            fake.release(case);
        }
        most = most.max(explorer.tree().bytes());
    }
    most
}

#[test]
fn what_is_explored_takes_no_memory() {
    let whole = most_bytes(&mut explorer("dfs", 1, 0, None), &mut bits(10));
    let memory = whole / 4;
    let (mut small, mut fake) = (small_explorer("dfs", 1, 0, None, Some(memory)), bits(10));
    let most = most_bytes(&mut small, &mut fake);
    assert!(most <= memory, "{most} of {memory}");
    assert_eq!((small.counters().paths, small.counters().dropped), (1024, 0));
    assert_eq!((small.verdict(), fake.ran.len()), (Verdict::Complete, 1024));
    assert!(small.tree().n_nodes() < 300, "{}", small.tree().n_nodes());
}

#[test]
fn what_does_not_fit_is_given_up_and_told() {
    for name in solving() {
        let memory = 12_000;
        let (mut small, mut fake) = (small_explorer(name, 1, 3, None, Some(memory)), bits(10));
        let most = most_bytes(&mut small, &mut fake);
        assert!(most <= memory, "{name}: {most}");
        let (counters, reasons) = (small.counters(), small.reasons());
        let n_reported: u64 = reasons.iter().map(|reason| reason.count).sum();
        assert_eq!(n_reported, counters.dropped, "{name}: {reasons:?}");
        let verdict = if counters.dropped > 0 { Verdict::Bounded } else { Verdict::Complete };
        assert_eq!(small.verdict(), verdict, "{name}");
        assert!(reasons.iter().all(|reason| reason.what.contains("--memory")), "{name}: {reasons:?}");
        assert_eq!(counters.paths == 1024, counters.dropped == 0, "{name}: {counters:?}");
        assert_eq!(paths(&fake).len(), fake.ran.len(), "{name}: none twice");
        assert!(["dfs", "generational"].contains(&name) || counters.dropped > 0, "{name}: {counters:?}");
    }
}

/// Uncovered sides are given up last.
#[test]
fn what_may_cover_something_stays() {
    // Two long paths of identical branches. The second one ends with a switch. Inputs 0 and 1 follow the whole path, 2
    // to 4 take the other sides of the switch, and all others leave on the way.
    const LENGTH: usize = 30;
    let n_inputs = 5 + 2 * LENGTH;
    let chain = |from: usize, end: Program| {
        (0..LENGTH).rev().fold(end, |rest, level| {
            let leaves = |input: usize| u16::from(input == from + level);
            Program::Decide(0, (0..n_inputs).map(leaves).collect(), vec![rest, END])
        })
    };
    let switch = Program::Decide(3, (0..n_inputs).map(|input| input.clamp(1, 4) as u16 - 1).collect(), vec![END; 4]);
    let goes_right = |input: usize| u16::from((1..5 + LENGTH).contains(&input));
    let children = vec![chain(5 + LENGTH, END), chain(5, switch)];
    let program = Program::Decide(1, (0..n_inputs).map(goes_right).collect(), children);
    // Both sides of the identical branches are covered from the start.
    let mut fake = Fake::new(n_inputs, Program::Decide(0, vec![1; n_inputs], vec![END, program]));
    let mut small = small_explorer("bfs", 1, 3, None, Some(4000));
    most_bytes(&mut small, &mut fake);
    assert!(small.counters().dropped > 20, "{:?}", small.counters());
    assert_eq!(small.coverage().n_covered(), 8, "{:?}", small.counters());
}

/// Explorations with small trees and several workers are cut off and replayed. The counters and results do not depend
/// on it.
#[test]
fn small_trees_are_replayed_as_they_were() {
    for name in solving() {
        for seed in 0..60 {
            let random = &mut Random(seed);
            let (mut fake, every) = program(random, seed);
            let memory = Some(600 + random.below(6000));
            let (before, after) = (1 + below(random, 3), 1 + below(random, 3));
            let n_results = below(random, 2 * every.len() + 1);
            let mut first = small_explorer(name, before, seed, None, memory);
            let (_, journal) = explore(&mut first, &mut fake, before, random, n_results);
            let mut second = small_explorer(name, after, seed + 1, None, memory);
            for (target, result, given_up) in &journal {
                let past = Past { target: *target, seed: None, result, given_up: given_up.as_deref() };
                second.replay(&past).expect("a target that is there");
            }
            assert_eq!(second.counters(), first.counters(), "{name} {seed}");
            assert_eq!(second.tree().n_nodes(), first.tree().n_nodes(), "{name} {seed}");
            let given_up = |explorer: &Explorer| {
                let reasons = explorer.reasons().into_iter().filter(|reason| reason.is_bound);
                reasons.collect::<Vec<_>>()
            };
            assert_eq!(given_up(&second), given_up(&first), "{name} {seed}");
            restore(&mut fake, &second);
            explore(&mut second, &mut fake, after, random, usize::MAX);
            assert_eq!(paths(&fake).len(), fake.ran.len(), "{name} {seed}: none twice");
            assert!(paths(&fake) == every || second.counters().dropped > 0, "{name} {seed}: {:?}", second.counters());
        }
    }
}

/// Seed inputs that have not run are run after resuming. The others are not run again.
#[test]
fn seeds_are_run_once() {
    for n_results in 0..8 {
        let settings =
            Settings { n_seeds: 5, budget: Budget { max_runs: Some(6), max_time: None }, ..Settings::default() };
        let explorer = || Explorer::new(Arc::new(map()), Box::new(crate::Dfs::default()), settings);
        let (mut first, mut fake) = (explorer(), bits(4));
        let mut journal = Vec::new();
        while journal.len() < n_results
            && let Next::Job(ticket) = first.next(Duration::ZERO, false)
        {
            let Ok(result) = fake.execute(ticket.job());
            let step = first.feed(ticket, &result);
            journal.push((step, result));
        }
        let mut second = explorer();
        for (step, result) in &journal {
            second.replay(&Past { target: step.target, seed: step.seed, result, given_up: None }).expect("a place");
        }
        most_bytes(&mut second, &mut fake);
        assert_eq!(fake.ran, [0, 0, 1, 2, 3, 4], "the initial run, then the seeds");
    }
}

/// Branches that the solver gave up on are tried again exactly once by the resumed exploration, wherever the first one
/// ended.
#[test]
fn what_was_too_hard_is_tried_again_when_it_goes_on() {
    // Inputs 0 and 1 reach the second decision. Side 1 is hard to find there.
    let inner = Program::Decide(1, vec![0, 1, 0, 0], vec![END, END]);
    let program = Program::Decide(0, vec![0, 0, 1, 1], vec![inner, END]);
    for (n_fails, verdict, unknown) in [(1, Verdict::Complete, 0), (usize::MAX, Verdict::Incomplete, 1)] {
        for n_results in 0..6 {
            let explorer = || explorer("dfs", 1, 0, None);
            let (mut first, mut fake) = (explorer(), Fake::new(4, program.clone()));
            fake.hard = Some((1, n_fails));
            let mut journal = Vec::new();
            while journal.len() < n_results
                && let Next::Job(ticket) = first.next(Duration::ZERO, false)
            {
                let Ok(result) = fake.execute(ticket.job());
                let step = first.feed(ticket, &result);
                journal.push((step.target, result));
            }
            let mut second = explorer();
            for (target, result) in &journal {
                second.replay(&Past { target: *target, seed: None, result, given_up: None }).expect("a place");
            }
            assert_eq!(second.counters(), first.counters(), "{n_results}");
            restore(&mut fake, &second);
            most_bytes(&mut second, &mut fake);
            let counters = second.counters();
            assert_eq!((counters.retried, counters.unknown), (1, unknown), "{n_results}");
            assert_eq!(second.verdict(), verdict, "{n_results}");
        }
    }
}
