//! An executor without processes, for tests: small decision programs over few inputs, "solved" by trying every input.
//! The expected result of an exploration is therefore known.

use std::collections::BTreeMap;
use std::sync::Arc;

use tine_trace::event::{ConcretiseReason, EventKind, NoteKind, PREFIX_HASH_START, Site, prefix_hash};
use tine_trace::map::SiteKind;
use tine_trace::outcome::{ErrorKind, OutcomeKind};

use crate::job::{
    CaseId, Concretisation, Decision, Executor, Flip, Job, JobResult, NoteSeen, Place, Prefix, Run, RunEnd,
};
use crate::map::maker::Maker;
use crate::map::{Edge, ProgramMap};

/// A program: its behaviour for each of its inputs 0, 1, 2 ….
#[derive(Clone, Debug)]
pub enum Program {
    /// End of the run: outcome, code, and site of a failure. `Signal` has a signal number and a line.
    End(OutcomeKind, u32, Site),
    Signal(u32, u32),
    /// Input `i` takes side `table[i]`.
    Decide(u32, Vec<u16>, Vec<Program>),
    /// Input `i` is concretised to `table[i]` here.
    Concretise(u32, Vec<u16>, Box<Program>),
    Note(NoteKind, u32, Site, Box<Program>),
}

/// A program that exits.
pub const END: Program = Program::End(OutcomeKind::Exited, 0, Site::NONE);

/// Trace of a run, events as numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trace {
    /// (is a decision, site, side or concretised value)
    pub events: Vec<(bool, u32, u16)>,
}

/// Sites of all programs here, by number: kind and number of sides.
pub const SITES: [(SiteKind, u16); 10] = [
    (SiteKind::Branch, 2),
    (SiteKind::Branch, 2),
    (SiteKind::Switch, 3),
    (SiteKind::Switch, 4),
    (SiteKind::Check, 2),
    (SiteKind::Assume, 2),
    (SiteKind::Failure, 0),
    (SiteKind::Failure, 0),
    (SiteKind::Access, 0),
    (SiteKind::Call, 0),
];
/// Rejects when false.
pub const ASSUME: u32 = 5;
/// Site of failing calls.
pub const FAILURE: Site = Site(6);
/// Site of an access.
pub const ACCESS: u32 = 8;
/// Site of a call.
pub const CALL: Site = Site(9);

/// The map of [`SITES`]. Site k is in line 10 + k.
pub fn map() -> ProgramMap {
    let mut maker = Maker::default();
    maker.function("f", "f.c", 0);
    for (number, (kind, n_sides)) in SITES.iter().enumerate() {
        maker.site(*kind, "f.c", 10 + number as u32, *n_sides);
    }
    let callee = maker.text("sin");
    maker.module.sites[CALL.0 as usize].text = callee;
    maker.map()
}

/// Explores a [`Program`].
#[derive(Debug)]
pub struct Fake {
    map: ProgramMap,
    program: Program,
    n_inputs: usize,
    /// Inputs of the cases that have not been released.
    pub inputs: BTreeMap<CaseId, usize>,
    pub most_inputs: usize,
    n_cases: u32,
    covered: Vec<bool>,
    /// All jobs, in order.
    pub jobs: Vec<Job>,
    /// Inputs of all runs, in order.
    pub ran: Vec<usize>,
    /// Runs report their decisions only from the flipped one on.
    pub suffixes: bool,
    /// Queries about this site are unknown.
    pub unknown: Option<u32>,
    /// Site whose queries are given up on, until this many of them have been retried.
    pub hard: Option<(u32, usize)>,
    /// The job with this number runs input 0 instead of the solved input.
    pub stray: Option<usize>,
    /// Maximum number of decisions that the unit logs.
    pub max_decisions: usize,
}

impl Fake {
    /// An executor of a program with this many inputs.
    pub fn new(n_inputs: usize, program: Program) -> Fake {
        let map = map();
        Fake {
            covered: vec![false; map.n_edges()],
            map,
            program,
            n_inputs,
            inputs: BTreeMap::new(),
            most_inputs: 0,
            n_cases: 0,
            jobs: Vec::new(),
            ran: Vec::new(),
            suffixes: false,
            unknown: None,
            hard: None,
            stray: None,
            max_decisions: usize::MAX,
        }
    }

    /// Runs the program on an input.
    pub fn trace(&self, input: usize) -> Trace {
        self.follow(input).0
    }

    fn follow(&self, input: usize) -> (Trace, RunEnd, Vec<NoteSeen>) {
        let mut events = Vec::new();
        let mut notes = Vec::new();
        let mut at = &self.program;
        loop {
            match at {
                Program::End(kind, code, site) => {
                    return (
                        Trace { events },
                        RunEnd {
                            kind: *kind,
                            code: *code,
                            site: *site,
                            place: None,
                            about: "".into(),
                            callers: Arc::default(),
                        },
                        notes,
                    );
                }
                Program::Signal(number, line) => {
                    let place = Place { line: *line, file: "f.c".into(), ..Place::unknown() };
                    let end = RunEnd {
                        kind: OutcomeKind::Signal,
                        code: *number,
                        site: Site::NONE,
                        place: Some(place),
                        about: "".into(),
                        callers: Arc::default(),
                    };
                    return (Trace { events }, end, notes);
                }
                Program::Decide(site, table, children) => {
                    let taken = table[input];
                    at = &children[taken as usize];
                    if events.iter().filter(|event: &&(bool, _, _)| event.0).count() < self.max_decisions {
                        events.push((true, *site, taken));
                    } else {
                        note(&mut notes, NoteKind::Depth, 0, Site(*site));
                    }
                }
                Program::Concretise(site, table, child) => {
                    events.push((false, *site, table[input]));
                    at = child;
                }
                Program::Note(kind, detail, site, child) => {
                    note(&mut notes, *kind, *detail, *site);
                    at = child;
                }
            }
        }
    }

    fn run(&mut self, input: usize, flip: Option<(&Flip, u64)>) -> Run {
        let (trace, end, notes) = self.follow(input);
        let mut before = PREFIX_HASH_START;
        let (mut decisions, mut concretisations) = (Vec::new(), Vec::new());
        let mut new_edges = Vec::new();
        for (event, (decides, site, side_index)) in trace.events.into_iter().enumerate() {
            let (kind, taken) = hashed(decides, side_index);
            if decides {
                let n_sides = SITES[site as usize].1;
                let event = event as u32;
                decisions.push(Decision { kind, site: Site(site), side_index, n_sides, event, before, distance: 0 });
                let info = &self.map.sites()[site as usize];
                let edge = Edge(info.first_edge.0 + u32::from(side_index));
                if info.kind.covers()
                    && end.kind != OutcomeKind::Rejected
                    && !std::mem::replace(&mut self.covered[edge.index()], true)
                {
                    new_edges.push(edge);
                }
            } else {
                concretisations.push(Concretisation { site: Site(site), reason: ConcretiseReason::Address });
            }
            before = prefix_hash(before, kind as u8, site, taken);
        }
        let mut prefix = Prefix::Whole;
        let followed = |decision: &Decision| {
            flip.is_some_and(|(flip, before)| {
                (decision.event, decision.before, decision.side_index) == (flip.decision, before, flip.side_index)
            })
        };
        if let Some(index) = decisions.iter().position(followed).filter(|_| self.suffixes) {
            decisions.drain(..index);
            prefix = Prefix::Parent;
        }
        self.n_cases += 1;
        let case = CaseId(self.n_cases);
        self.inputs.insert(case, input);
        self.most_inputs = self.most_inputs.max(self.inputs.len());
        self.ran.push(input);
        Run {
            case,
            size: 100,
            prefix,
            decisions,
            concretisations,
            states: Vec::new(),
            notes,
            end,
            new_edges,
            requirement: None,
        }
    }
}

/// The hashed part of an event: decisions, but not concretised values.
fn hashed(decides: bool, side_index: u16) -> (EventKind, u16) {
    if decides { (EventKind::Branch, side_index) } else { (EventKind::Concretise, 0) }
}

fn note(notes: &mut Vec<NoteSeen>, kind: NoteKind, detail: u32, site: Site) {
    match notes.iter_mut().find(|note| (note.kind, note.detail, note.site) == (kind, detail, site)) {
        Some(note) => note.count += 1,
        None => notes.push(NoteSeen::new(kind, site, detail, 1, None)),
    }
}

impl Executor for Fake {
    type Error = std::convert::Infallible;

    fn execute(&mut self, job: &Job) -> Result<JobResult, Self::Error> {
        self.jobs.push(*job);
        let flip = match job {
            Job::Initial => return Ok(JobResult::Ran(Box::new(self.run(0, None)))),
            Job::Seed(seed) => return Ok(JobResult::Ran(Box::new(self.run(*seed as usize % self.n_inputs, None)))),
            Job::Fresh(seed) | Job::Mutate(seed) => {
                let input = (*seed >> 1) as usize % self.n_inputs;
                return Ok(JobResult::Ran(Box::new(self.run(input, None))));
            }
            Job::Flip(flip) | Job::Retry(flip) => flip,
        };
        let parent = *self.inputs.get(&flip.parent).expect("a parent that was released");
        let known = self.trace(parent).events;
        let (before, (decides, site, taken)) = (&known[..flip.decision as usize], known[flip.decision as usize]);
        assert!(decides && taken != flip.side_index, "{flip:?} flips nothing of {known:?}");
        if self.unknown == Some(site) {
            return Ok(JobResult::Unknown("timeout".to_string()));
        }
        let n_retries = self.jobs.iter().filter(|job| matches!(job, Job::Retry(_))).count();
        if self.hard.is_some_and(|(hard, until)| hard == site && n_retries < until) {
            return Ok(JobResult::GaveUp("time limit".to_string()));
        }
        let goal: Vec<_> = before.iter().copied().chain([(true, site, flip.side_index)]).collect();
        let Some(input) = (0..self.n_inputs).find(|input| self.trace(*input).events.starts_with(&goal)) else {
            return Ok(JobResult::Unsat);
        };
        let strays = self.stray == Some(self.jobs.len() - 1);
        let hash = before.iter().fold(PREFIX_HASH_START, |hash, &(decides, site, taken)| {
            let (kind, taken) = hashed(decides, taken);
            prefix_hash(hash, kind as u8, site, taken)
        });
        Ok(JobResult::Ran(Box::new(self.run(if strays { 0 } else { input }, Some((flip, hash))))))
    }

    fn release(&mut self, case: CaseId) {
        self.inputs.remove(&case).expect("released twice");
    }
}

/// Deterministic pseudo-random numbers.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A random program.
pub fn random_program(random: &mut Random, n_inputs: usize, depth: u32) -> Program {
    if depth == 0 || random.below(6) == 0 {
        return match random.below(8) {
            0 => Program::End(OutcomeKind::Failed, ErrorKind::AssertionFailure as u32, FAILURE),
            1 => Program::End(OutcomeKind::Rejected, 0, Site::NONE),
            _ => END,
        };
    }
    let site = random.below(5) as u32;
    let n = SITES[site as usize].1;
    let table = (0..n_inputs).map(|_| random.below(u64::from(n)) as u16).collect();
    let children = (0..n).map(|_| random_program(random, n_inputs, depth - 1)).collect();
    Program::Decide(site, table, children)
}
