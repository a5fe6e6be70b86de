//! Each strategy on small trees with known results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tine_engine::scheduler::run_alone;
use tine_explore::fake::{END, Fake, Program, Random, map, random_program};
use tine_explore::strategy::catalogue::{STRATEGIES, Situation, Spec};
use tine_explore::strategy::classic::weights::Weights;
use tine_explore::strategy::{Action, Added, Choice, Happened, PARTS, Postponed, RandomPath, View, auto};
use tine_explore::tree::{Inserted, Untaken};
use tine_explore::{Budget, Control, Dfs, Explorer, Job, OpenBranch, Settings, StopReason, Strategy, Verdict};

fn explore(fake: &mut Fake, strategy: Box<dyn Strategy>, max_runs: Option<u64>) -> (Explorer, StopReason) {
    let settings = Settings { budget: Budget { max_runs, max_time: None }, ..Settings::default() };
    let explorer = Explorer::new(Arc::new(map()), strategy, settings);
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::ZERO };
    let over = run_alone(explorer, fake, (), control);
    let Ok(stop) = over.ended;
    (over.explorer, stop)
}

fn strategy(text: &str, seed: u64) -> Box<dyn Strategy> {
    Spec::parse(text).expect("a strategy").make(seed, Weights::default(), Situation::default())
}

/// `depth` independent bits, the highest first.
fn bits(depth: u32) -> Program {
    fn level(bit: u32, n_inputs: usize) -> Program {
        let table = (0..n_inputs).map(|input| (input >> bit & 1) as u16).collect();
        let child = || if bit == 0 { END } else { level(bit - 1, n_inputs) };
        Program::Decide(bit % 2, table, vec![child(), child()])
    }
    level(depth - 1, 1 << depth)
}

/// A chain: each branch ends the path or continues.
fn chain(length: u16) -> Program {
    (0..length).rev().fold(END, |rest, level| {
        let table = (0..=length).map(|input| u16::from(input > level)).collect();
        Program::Decide(u32::from(level % 2), table, vec![END, rest])
    })
}

/// Any order gives the same paths, each once, and the same verdict.
#[test]
fn every_strategy_finds_every_path() {
    let names = STRATEGIES.iter().map(|entry| entry.name.to_owned()).filter(|name| name != "random-input");
    for spec in names.chain(PARTS.iter().map(|part| format!("auto:without={part}"))) {
        for seed in 0..120 {
            let mut random = Random(seed);
            let n_inputs = 1 + random.below(40) as usize;
            let depth = 1 + random.below(6) as u32;
            let mut fake = Fake::new(n_inputs, random_program(&mut random, n_inputs, depth));
            fake.suffixes = seed % 2 == 0;
            let (explorer, stop) = explore(&mut fake, strategy(&spec, seed), None);
            let name = spec.split(':').next().unwrap_or(&spec);
            let every: BTreeSet<_> = (0..n_inputs).map(|input| fake.trace(input)).collect();
            let found: Vec<_> = fake.ran.iter().map(|input| fake.trace(*input)).collect();
            assert_eq!(found.len(), every.len(), "{name}, seed {seed}: each path once");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), every, "{name}, seed {seed}");
            assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Complete), "{name}, seed {seed}");
            assert_eq!(explorer.strategy(), name);
        }
    }
}

/// Depth first, but one of three decisions is deferred.
struct Reluctant(Dfs, Random);

impl Strategy for Reluctant {
    fn name(&self) -> &'static str {
        "reluctant"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        if let Some(branch) = view.waiting
            && self.1.below(6) == 0
        {
            return Some(Action::Resume(branch).into());
        }
        let choice = self.0.next(view)?;
        let Action::Try(branch) = choice.action else { return Some(choice) };
        Some(match self.1.below(6) {
            0 => Action::Postpone(branch, Postponed::Unlikely).into(),
            1 => Action::Postpone(branch, Postponed::Expensive).into(),
            _ => choice,
        })
    }

    fn happened(&mut self, event: &Happened<'_>) {
        self.0.happened(event);
    }
}

/// Deferred branch sides come last, but they are tried.
#[test]
fn postponed_sides_are_not_lost() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let n_inputs = 1 + random.below(40) as usize;
        let depth = 1 + random.below(6) as u32;
        let mut fake = Fake::new(n_inputs, random_program(&mut random, n_inputs, depth));
        let (explorer, stop) = explore(&mut fake, Box::new(Reluctant(Dfs::default(), random)), None);
        let every: BTreeSet<_> = (0..n_inputs).map(|input| fake.trace(input)).collect();
        let found: Vec<_> = fake.ran.iter().map(|input| fake.trace(*input)).collect();
        assert_eq!(found.len(), every.len(), "seed {seed}: each path once");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), every, "seed {seed}");
        assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Complete), "seed {seed}");
    }
}

/// If the tree is too large, deferred sides are dropped first, and are counted.
#[test]
fn postponed_sides_take_no_more_memory_than_the_rest() {
    let settings = Settings { memory: Some(12_000), ..Settings::default() };
    let explorer = Explorer::new(Arc::new(map()), Box::new(Reluctant(Dfs::default(), Random(5))), settings);
    let control = Control { stop: &AtomicBool::new(false), elapsed: &|| Duration::ZERO };
    let mut fake = Fake::new(1024, bits(10));
    let over = run_alone(explorer, &mut fake, (), control);
    let (Ok(stop), explorer) = (over.ended, over.explorer);
    assert!(explorer.tree().bytes() <= 12_000, "{}", explorer.tree().bytes());
    let counters = explorer.counters();
    assert!(counters.dropped > 0 && counters.paths < 1024, "{counters:?}");
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Bounded));
    assert_eq!(explorer.tree().n_open(), 0);
}

#[test]
fn the_same_seed_is_the_same_exploration() {
    for entry in STRATEGIES {
        let run = |seed| {
            let mut fake = Fake::new(64, bits(6));
            explore(&mut fake, strategy(entry.name, seed), Some(40));
            fake.jobs
        };
        assert_eq!(run(7), run(7), "{}", entry.name);
        if entry.name.starts_with("random") || ["priority", "probabilistic"].contains(&entry.name) {
            assert_ne!(run(7), run(8), "{}", entry.name);
        }
    }
}

/// One run with six decisions whose other sides are open.
fn after_one_run() -> Explorer {
    explore(&mut Fake::new(64, bits(6)), strategy("dfs", 0), Some(1)).0
}

/// The strategy `auto` for the state after one run, which it requested.
struct World<'a> {
    explorer: &'a Explorer,
    inserted: Inserted,
    auto: Box<dyn Strategy>,
}

impl<'a> World<'a> {
    fn new(explorer: &'a Explorer) -> World<'a> {
        let n_nodes = explorer.tree().n_nodes() as u32;
        let inserted = Inserted { new: true, new_nodes: 0..n_nodes, divergence: None, cut: None };
        let auto = auto(0, Situation { by_calls: true, ..Situation::default() }, |_| true);
        let mut world = World { explorer, inserted, auto };
        world.ran(false);
        world.inserted.new_nodes = 0..0;
        world
    }

    fn ran(&mut self, is_slow: bool) {
        let (tree, map, coverage) = (self.explorer.tree(), self.explorer.map(), self.explorer.coverage());
        let inserted = &self.inserted;
        self.auto.happened(&Happened::Ran(Added {
            inserted,
            own: true,
            is_slow,
            covered: &[],
            n_states: 0,
            tree,
            map,
            coverage,
        }));
    }

    fn next(&mut self, for_another: bool, waiting: Option<OpenBranch>) -> Action {
        let (tree, map, coverage) = (self.explorer.tree(), self.explorer.map(), self.explorer.coverage());
        self.auto.next(&View { tree, map, coverage, for_another, waiting }).expect("six are open").action
    }
}

/// Sides below one that is too hard are probably hard, too: `auto` continues at the other end of the tree.
#[test]
fn after_something_too_hard_the_start_of_the_tree_is_next() {
    let explorer = after_one_run();
    let mut world = World::new(&explorer);
    let mut depth_of_next = |why: Option<Untaken>| {
        let Action::Try(branch) = world.next(false, None) else { panic!("nothing failed often") };
        if let Some(why) = why {
            world.auto.happened(&Happened::Untaken { branch, why });
        }
        explorer.tree().node(branch.node).depth
    };
    assert_eq!(depth_of_next(Some(Untaken::Infeasible)), 5);
    assert_eq!(depth_of_next(Some(Untaken::Unknown)), 4);
    assert_eq!(depth_of_next(None), 0);
}

/// Jobs for another worker are deferred like all others.
#[test]
fn sides_that_fail_often_are_postponed_for_others_too() {
    let explorer = after_one_run();
    let mut world = World::new(&explorer);
    let mut n_postponed = 0;
    for _ in 0..500 {
        match world.next(true, None) {
            Action::Postpone(_, Postponed::Unlikely) => n_postponed += 1,
            Action::Try(branch) => world.auto.happened(&Happened::Untaken { branch, why: Untaken::Infeasible }),
            other => panic!("{other:?}"),
        }
    }
    assert!((300..450).contains(&n_postponed), "{n_postponed}");
}

/// Few sides that cause runs over the time limit are tried, until everything else together has cost many times as much.
#[test]
fn expensive_sides_wait() {
    let explorer = after_one_run();
    let mut world = World::new(&explorer);
    // The run is repeated as a slow one, so that its decisions are expensive.
    world.inserted.new_nodes = 0..explorer.tree().n_nodes() as u32;
    let Action::Try(first) = world.next(true, None) else { panic!("nothing is expensive") };
    world.ran(true);
    world.inserted.new_nodes = 0..0;
    let mut n_slow = 1;
    while world.next(true, None) == Action::Try(first) && n_slow < 100 {
        world.ran(true);
        n_slow += 1;
    }
    let postponed = Action::Postpone(first, Postponed::Expensive);
    assert_eq!((n_slow, world.next(true, None), world.next(true, Some(first))), (4, postponed, postponed));
    let n_decisions = explorer.tree().last_path().len() as u64;
    let mut others = 0;
    while world.next(true, Some(first)) != Action::Resume(first) && others < 10_000_000 {
        world.ran(false);
        others += n_decisions;
    }
    assert!((1_000_000..2_000_000).contains(&others), "{others}");
    assert_eq!(world.next(true, None), Action::Try(first));
}

/// An option that is read first, and code that does the same with and without it.
#[test]
fn what_is_rare_gets_its_share() {
    let bit = |bit: u32| (0..128).map(|input: u32| (input >> bit & 1) as u16).collect::<Vec<_>>();
    let rest = (0..6).fold(END, |rest, level| Program::Decide(1, bit(level), vec![rest.clone(), rest]));
    let program = Program::Decide(0, bit(6), vec![rest.clone(), rest]);
    let n_with_option = |name: &str, seed: u64| {
        let mut fake = Fake::new(128, program.clone());
        explore(&mut fake, strategy(name, seed), Some(24));
        fake.ran.iter().filter(|input| **input >= 64).count()
    };
    let with_option: usize = (0..20).map(|seed| n_with_option("rare", seed)).sum();
    assert!((120..360).contains(&with_option), "{with_option} of 480");
    assert_eq!(n_with_option("dfs", 0), 0);
}

/// Many decisions at one place, and a last one elsewhere: each uncovered side is tried next.
#[test]
fn uncovered_sides_come_first() {
    let bit = |bit: u32| (0..256).map(|input: u32| (input >> bit & 1) as u16).collect::<Vec<_>>();
    let last = Program::Decide(1, bit(0), vec![END, END]);
    let program = (1..8).fold(last, |rest, level| Program::Decide(0, bit(level), vec![rest.clone(), rest]));
    let n_covered = |name: &str, seed: u64| {
        let mut fake = Fake::new(256, program.clone());
        explore(&mut fake, strategy(name, seed), Some(3)).0.coverage().n_covered()
    };
    assert!((0..20).all(|seed| n_covered("uncovered", seed) == 4));
    assert_eq!(n_covered("bfs", 0), 3);
}

#[test]
fn breadth_first_goes_level_by_level() {
    let mut fake = Fake::new(8, bits(3));
    explore(&mut fake, strategy("bfs", 0), None);
    assert_eq!(fake.ran, [0, 4, 2, 6, 1, 5, 3, 7]);
}

#[test]
fn generations_flip_every_branch_of_a_run_first() {
    let mut fake = Fake::new(8, bits(3));
    explore(&mut fake, strategy("generational", 0), None);
    // 4, 2 and 1 are the children of 0; only then the children of 4, then that of 2.
    assert_eq!(fake.ran, [0, 4, 2, 1, 6, 5, 3, 7]);
}

/// CREST §2.4: with the bound d exactly 2^d - 1 branches are forced before anything deeper.
#[test]
fn bounded_depth_first_forces_so_many() {
    for bound in 1..5 {
        let mut fake = Fake::new(256, bits(8));
        let (explorer, _) = explore(&mut fake, strategy(&format!("bounded-dfs:bound={bound}"), 0), None);
        assert_eq!(explorer.counters().paths, 256, "with the bound doubled, all");
        let within = 1 << bound;
        // The first `bound` levels are the highest bits. No branch below them was flipped.
        let first: BTreeSet<_> = fake.ran[..within].iter().map(|input| input >> (8 - bound)).collect();
        assert_eq!(first.len(), within, "{:?}", &fake.ran[..within]);
        assert!(fake.ran[..within].iter().all(|input| input % (1 << (8 - bound)) == 0));
    }
}

/// CREST §3.1: a path with k branches is drawn with probability 2^-k.
#[test]
fn random_paths_are_drawn_by_their_length() {
    let mut fake = Fake::new(6, chain(5));
    let (explorer, _) = explore(&mut fake, strategy("dfs", 0), None);
    let mut walker = RandomPath::new(42, false);
    const DRAWS: u32 = 1 << 16;
    let mut counts = BTreeMap::<Vec<u16>, u32>::new();
    for _ in 0..DRAWS {
        *counts.entry(walker.draw(explorer.tree())).or_default() += 1;
    }
    assert_eq!(counts.len(), 6);
    for (path, count) in counts {
        let expected = f64::from(DRAWS) * 0.5f64.powi(path.len() as i32);
        // Five standard deviations.
        let slack = 5.0 * expected.sqrt();
        assert!((f64::from(count) - expected).abs() < slack, "{path:?}: {count}, expected {expected}");
    }
}

/// The same during an exploration: the first flip is at the j-th branch of the first path with probability 2^-j.
#[test]
fn the_first_flip_of_a_random_path_is_by_its_length() {
    let mut counts = BTreeMap::<u32, u32>::new();
    for seed in 0..4096 {
        let mut fake = Fake::new(32, bits(5));
        explore(&mut fake, strategy("random-path", seed), Some(2));
        let Some(Job::Flip(flip)) = fake.jobs.get(1) else { panic!("a flip") };
        *counts.entry(flip.decision).or_default() += 1;
    }
    for (decision, count) in counts {
        // A walk without a flip starts again: the others share its 1/32.
        let expected = 4096.0 * 0.5f64.powi(decision as i32 + 1) * 32.0 / 31.0;
        assert!(
            (f64::from(count) - expected).abs() < 5.0 * expected.sqrt(),
            "{decision}: {count}, expected {expected}"
        );
    }
}

#[test]
fn random_branches_are_drawn_evenly() {
    let mut counts = [0u32; 4];
    for seed in 0..4000 {
        let mut fake = Fake::new(16, bits(4));
        explore(&mut fake, strategy("random-branch", seed), Some(2));
        let Some(Job::Flip(flip)) = fake.jobs.get(1) else { panic!("a flip") };
        counts[flip.decision as usize] += 1;
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
}

#[test]
fn random_input_solves_nothing_and_is_incomplete() {
    let mut fake = Fake::new(4, bits(2));
    let (explorer, stop) = explore(&mut fake, strategy("random-input:patience=50", 3), None);
    assert!(fake.jobs.iter().skip(1).all(|job| matches!(job, Job::Fresh(_))));
    assert_eq!((stop, explorer.counters().paths), (StopReason::Exhausted, 4), "all of them by chance");

    let mut fake = Fake::new(101, chain(100));
    let (explorer, stop) = explore(&mut fake, strategy("random-input:patience=3", 3), None);
    assert_eq!((stop, explorer.verdict()), (StopReason::Exhausted, Verdict::Incomplete));
    assert_eq!(explorer.reasons()[0].what, "open branches not tried");
}

/// Weight 1 for the even bits, 0 for the odd ones: from the deepest up, the even ones become true, and the odd ones do
/// not change.
#[test]
fn weights_pull() {
    let weights = Weights::parse("f.c:10 1 # the even bits\nf.c:11 0.0\n").expect("weights");
    let spec = Spec::parse("probabilistic:weights=w").expect("a strategy");
    assert_eq!(spec.weights_file(), Some("w"));
    let mut fake = Fake::new(16, bits(4));
    explore(&mut fake, spec.make(1, weights, Situation::default()), Some(4));
    assert_eq!(fake.ran, [0, 1, 4, 5]);
    assert_eq!(Weights::parse("f.c:10 1\nother.c:3 0.5").unwrap().unused(&map()), ["other.c:3"]);
}

#[test]
fn wrong_weights_are_named_by_line() {
    for (text, expected) in [
        ("f.c:10 1\nf.c 0.5", "line 2: `f.c` is not of the form FILE:LINE"),
        ("\n\nf.c:0 0.5", "line 3: `f.c:0` is not of the form FILE:LINE"),
        ("f.c:1 1.5", "line 1: `1.5` is not a probability (expected a number from 0 to 1)"),
        ("f.c:1 nan", "line 1: `nan` is not a probability (expected a number from 0 to 1)"),
        ("f.c:1", "line 1: write FILE:LINE and a probability"),
        ("f.c:1 0.1 0.2", "line 1: write FILE:LINE and a probability"),
    ] {
        assert_eq!(Weights::parse(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn names_and_options_are_checked() {
    for (text, expected) in [
        ("dsf", "there is no strategy `dsf`; did you mean `dfs`? `tine strategies` lists them all"),
        (
            "randompath",
            "there is no strategy `randompath`; did you mean `random-path`? `tine strategies` lists them all",
        ),
        ("dfs:bound=3", "dfs has no option `bound`; `tine strategies` lists all options"),
        ("bounded-dfs:bound=0", "`bound` of bounded-dfs takes a number from 1 on, not `0`"),
        ("priority:random=101", "`random` of priority takes a number from 0 to 100, not `101`"),
        ("probabilistic:weights", "`weights` of probabilistic takes a file, not ``"),
        ("auto:without=dfs", "`without` of auto takes one of its parts, not `dfs`"),
    ] {
        assert_eq!(Spec::parse(text).unwrap_err().to_string(), expected);
    }
    assert_eq!(Spec::parse("bounded-dfs:bound=3").unwrap().to_string(), "bounded-dfs:bound=3");
}
