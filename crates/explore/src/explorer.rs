//! The exploration itself: asks the strategy, hands jobs out, feeds results into tree, coverage, errors and
//! reasons.
//!
//! [`Explorer::next`] and [`Explorer::feed`] are the whole of it; several jobs may be out at a time.
//! [`Explorer::run`] is the loop for one executor, with one stream of [`Step`]s for whoever watches.
//!
//! Several workers have a strategy each, which sees the decisions that its worker's runs made: a worker has the traces of
//! its own runs at hand. Who finds nothing open takes from another. With one worker it is one strategy that sees all.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tine_trace::event::Site;
use tine_trace::map::SiteKind;
use tine_trace::outcome::OutcomeKind;

use crate::budget::{Budget, StopReason};
use crate::coverage::Coverage;
use crate::errors::{self, Errors, FoundError};
use crate::job::{Decision, Executor, Flip, Job, JobResult, Prefix, Run};
use crate::map::ProgramMap;
use crate::reasons::{self, Reason, Reasons, Verdict};
use crate::states::States;
use crate::step::{Control, Counters, Keep, Next, Observer, Past, Step, Ticket};
use crate::strategy::{Added, PutOff, Strategy};
use crate::tree::{Inserted, NodeId, OpenBranch, Path, State, Tree, Untaken};
use crate::varying::Varying;
use crate::waiting::Waiting;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub budget: Budget,
    /// Decisions of a path that are explored. The unit has a bound of its own (`Limits::max_depth`), which
    /// may be the same; whichever cuts something off is told.
    pub max_depth: Option<u32>,
    /// Keep every path, not only those with new coverage or a new error.
    pub keep_all: bool,
    /// Bytes that the tree and what belongs to it may take, about.
    pub memory: Option<u64>,
    /// Inputs that the executor was given to start from ([`Job::Seed`]).
    pub n_seeds: u32,
    /// When nothing new was covered for long, some runs have inputs that nobody solved for ([`Job::Vary`]).
    pub vary: bool,
}

/// So long before its time is up an exploration may look as if it were.
const EARLY: Duration = Duration::from_millis(50);

/// See the module's documentation.
pub struct Explorer {
    map: Arc<ProgramMap>,
    settings: Settings,
    /// One for each worker.
    strategies: Vec<Box<dyn Strategy>>,
    tree: Tree,
    coverage: Coverage,
    errors: Errors,
    reasons: Reasons,
    states: States,
    counters: Counters,
    started: bool,
    /// Inputs to start from that nobody has run yet.
    seeds: VecDeque<u32>,
    n_tickets: u64,
    /// What the jobs that are out are to take.
    out: Vec<(u64, Option<OpenBranch>)>,
    waiting: Waiting,
    stopped: Option<StopReason>,
    varying: Varying,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let strategy = self.strategy();
        f.debug_struct("Explorer")
            .field("strategy", &strategy)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

impl Explorer {
    pub fn new(map: Arc<ProgramMap>, strategy: Box<dyn Strategy>, settings: Settings) -> Explorer {
        Explorer::with_workers(map, vec![strategy], settings)
    }

    /// For as many workers as there are strategies.
    ///
    /// # Panics
    /// If there is none.
    pub fn with_workers(map: Arc<ProgramMap>, strategies: Vec<Box<dyn Strategy>>, settings: Settings) -> Explorer {
        assert!(!strategies.is_empty(), "an exploration needs a strategy");
        Explorer {
            coverage: Coverage::new(&map),
            tree: Tree::new(settings.max_depth),
            errors: Errors::default(),
            reasons: Reasons::default(),
            states: States::default(),
            counters: Counters::default(),
            started: false,
            seeds: (0..settings.n_seeds).collect(),
            n_tickets: 0,
            out: Vec::new(),
            waiting: Waiting::default(),
            stopped: None,
            varying: Varying::default(),
            map,
            settings,
            strategies,
        }
    }

    /// Explores with one executor until there is nothing left, the budget is spent or someone stops it.
    pub fn run<E: Executor>(
        &mut self,
        executor: &mut E,
        observer: &mut dyn Observer<E>,
        control: Control<'_>,
    ) -> Result<StopReason, E::Error> {
        loop {
            let stop = control.stop.load(Ordering::Relaxed);
            let ticket = match self.next((control.elapsed)(), stop) {
                Next::Job(ticket) => ticket,
                Next::Done(reason) => return Ok(reason),
                Next::Wait => unreachable!("the one job was fed back"),
            };
            let result = executor.execute(ticket.job())?;
            if let Some(reason) = self.cut_off(&result, control) {
                return Ok(self.abandon(ticket, reason));
            }
            let step = self.feed(ticket, &result);
            let flow = observer.step(&step, &result, self, executor);
            for case in &step.released {
                executor.release(*case);
            }
            if flow.is_break() {
                return Ok(self.stop(StopReason::Interrupted));
            }
        }
    }

    /// The next job, if there is one and the budget allows it.
    pub fn next(&mut self, elapsed: Duration, interrupted: bool) -> Next {
        self.next_for(0, elapsed, interrupted)
    }

    /// The same for one of several workers.
    pub fn next_for(&mut self, worker: usize, elapsed: Duration, interrupted: bool) -> Next {
        if let Some(reason) = self.stopped {
            return Next::Done(reason);
        }
        let nothing_open = self.started && self.seeds.is_empty() && self.tree.n_open() == 0;
        if nothing_open && !self.waiting.has_given_up() {
            return if !self.out.is_empty() { Next::Wait } else { Next::Done(self.stop(StopReason::Exhausted)) };
        }
        let spent = self.settings.budget.spent(self.counters.runs, elapsed);
        if let Some(reason) = if interrupted { Some(StopReason::Interrupted) } else { spent } {
            return Next::Done(self.stop(reason));
        }
        // Jobs that are out may all be runs: together they must not exceed the budget.
        if self.settings.budget.spent(self.counters.runs + self.out.len() as u64, elapsed).is_some() {
            return Next::Wait;
        }
        if !self.started {
            return self.hand_out(Job::Initial, None, worker, worker);
        }
        if nothing_open {
            return self.retry(worker);
        }
        if let Some(seed) = self.seeds.pop_front() {
            return self.hand_out(Job::Seed(seed), None, worker, worker);
        }
        let n_workers = self.strategies.len();
        if self.is_to_vary() {
            let number = self.n_tickets;
            return self.hand_out(Job::Vary(number), None, worker, n_workers);
        }
        for asked in (worker..n_workers).chain(0..worker) {
            let strategy = &mut self.strategies[asked];
            if let Some(seed) = strategy.fresh() {
                return self.hand_out(Job::Fresh(seed), None, worker, asked);
            }
            let (map, coverage) = (&self.map, &self.coverage);
            if asked == worker
                && let Some(branch) = self.waiting.affordable(&mut **strategy, &mut self.tree)
            {
                return self.flip(branch, worker, asked);
            }
            loop {
                let branch = match asked == worker {
                    true => strategy.next(&self.tree, map, coverage),
                    false => strategy.next_for_another(&self.tree, map, coverage),
                };
                let Some(branch) = branch else { break };
                match strategy.puts_off(branch, &self.tree, map, coverage) {
                    PutOff::No => return self.flip(branch, worker, asked),
                    PutOff::ForItsCost => self.waiting.add_dear(branch, &mut self.tree),
                    PutOff::ToTheEnd => self.waiting.add_hopeless(branch, &mut self.tree),
                }
            }
        }
        match self.waiting.next(&mut self.tree) {
            Some(branch) => self.flip(branch, worker, worker),
            None => self.retry(worker),
        }
    }

    fn is_to_vary(&mut self) -> bool {
        self.settings.vary && self.coverage.n_covered() < self.map.n_alternatives() && self.varying.is_due()
    }

    fn flip(&mut self, branch: OpenBranch, worker: usize, asked: usize) -> Next {
        self.tree.switch_to(worker);
        let flip = self.tree.hand_out(branch);
        self.hand_out(Job::Flip(flip), Some(branch), worker, asked)
    }

    /// There is nothing else left: what the solver gave up on, again.
    fn retry(&mut self, worker: usize) -> Next {
        match self.waiting.next_given_up() {
            Some((branch, flip)) => {
                self.counters.retried += 1;
                self.hand_out(Job::Retry(flip), Some(branch), worker, worker)
            }
            None if !self.out.is_empty() => Next::Wait,
            None => Next::Done(self.stop(StopReason::Exhausted)),
        }
    }

    fn hand_out(&mut self, job: Job, target: Option<OpenBranch>, worker: usize, asked: usize) -> Next {
        let flip = match job {
            Job::Flip(flip) | Job::Retry(flip) => Some(flip),
            Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Vary(_) => None,
        };
        Next::Job(self.ticket(job, target, flip, worker, asked))
    }

    fn ticket(
        &mut self,
        job: Job,
        target: Option<OpenBranch>,
        flip: Option<Flip>,
        worker: usize,
        asked: usize,
    ) -> Ticket {
        self.started = true;
        self.n_tickets += 1;
        self.out.push((self.n_tickets, target));
        Ticket { job, number: self.n_tickets, flip, worker, asked }
    }

    /// Takes in again what an exploration before this one had, in order, before anything else. Nothing if there is no such
    /// target: then it was another exploration.
    pub fn replay(&mut self, past: &Past<'_>) -> Option<Step> {
        if past.target.is_some_and(|branch| !self.tree.has(branch)) {
            return None;
        }
        let worker = self.counters.runs as usize % self.strategies.len();
        // Another job may have got there first.
        let open = past.target.filter(|branch| self.tree.is_open(*branch));
        self.tree.switch_to(worker);
        // What was given up before and is the target again was tried again.
        let again = past.target.filter(|_| open.is_none()).and_then(|branch| self.waiting.take_given_up(branch));
        let job = match (open, again, past.seed) {
            (Some(branch), ..) => Job::Flip(self.tree.hand_out(branch)),
            (None, Some(flip), _) => {
                self.counters.retried += 1;
                Job::Retry(flip)
            }
            (None, None, Some(seed)) => Job::Seed(seed),
            (None, None, None) => Job::Initial,
        };
        let flip = match job {
            Job::Flip(flip) | Job::Retry(flip) => Some(flip),
            Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Vary(_) => None,
        };
        self.seeds.retain(|seed| Some(*seed) != past.seed);
        let ticket = self.ticket(job, past.target, flip, worker, worker);
        let mut step = self.take_in(&ticket, past.result);
        if let Some(given_up) = past.given_up {
            if given_up.iter().any(|branch| !self.tree.has(*branch)) {
                return None;
            }
            self.compact(given_up);
            step.compacted = Some(given_up.to_vec());
        }
        step.released = self.tree.take_released();
        Some(step)
    }

    /// Why a result is none: the job was cut off because all is to end. An exploration that goes on does it again.
    pub fn cut_off(&self, result: &JobResult, control: Control<'_>) -> Option<StopReason> {
        let is_part = match result {
            // What a part of a run has shown is worth keeping.
            JobResult::Ran(run) => run.end.kind == OutcomeKind::Unfinished && errors::of_run(run, &self.map).is_empty(),
            JobResult::GaveUp(_) => true,
            JobResult::Unsat | JobResult::Unknown(_) | JobResult::Bounded(_) => false,
        };
        if !is_part {
            None
        } else if control.stop.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else {
            // A solver that minds the time may be through a little early.
            let elapsed = (control.elapsed)() + EARLY;
            self.settings.budget.max_time.filter(|max| elapsed >= *max).map(|_| StopReason::MaxTime)
        }
    }

    /// A job that was cut off is as good as not begun, and there are no more.
    #[expect(clippy::needless_pass_by_value, reason = "a job is given back once")]
    pub fn abandon(&mut self, ticket: Ticket, reason: StopReason) -> StopReason {
        self.out.retain(|(number, _)| *number != ticket.number);
        self.stop(reason)
    }

    /// Takes in what became of a job.
    #[expect(clippy::needless_pass_by_value, reason = "a job is fed back once")]
    pub fn feed(&mut self, ticket: Ticket, result: &JobResult) -> Step {
        let mut step = self.take_in(&ticket, result);
        step.compacted = self.keep_small();
        step.released = self.tree.take_released();
        step
    }

    fn take_in(&mut self, ticket: &Ticket, result: &JobResult) -> Step {
        let place = self.out.iter().position(|(number, _)| *number == ticket.number);
        let (_, target) = self.out.swap_remove(place.expect("a job is fed back once"));
        let given_up_before = target.filter(|branch| self.tree.state(*branch) == State::Unknown);
        let mut step = match result {
            JobResult::Ran(run) => self.feed_run(ticket, target, run),
            JobResult::Unsat => {
                self.untaken(ticket, target, Untaken::Infeasible);
                self.counters.infeasible += 1;
                Step::default()
            }
            JobResult::Unknown(why) | JobResult::GaveUp(why) => {
                let site = self.site_of(target);
                self.untaken(ticket, target, Untaken::Unknown);
                self.counters.unknown += 1;
                self.reasons.add_unknown(site, why);
                Step::default()
            }
            JobResult::Bounded(what) => {
                let site = self.site_of(target);
                self.untaken(ticket, target, Untaken::Cut);
                self.reasons.add_bound(site, what);
                Step::default()
            }
        };
        if let Some(branch) = given_up_before {
            // It was counted the first time.
            self.counters.unknown -= 1;
            self.reasons.forget_unknown(self.tree.node(branch.node).site);
        }
        match (&ticket.flip, &ticket.job, target, result) {
            (Some(flip), Job::Flip(_), Some(branch), JobResult::GaveUp(_)) => self.waiting.add_given_up(branch, *flip),
            (Some(flip), ..) => self.tree.take_back(flip),
            (None, ..) => {}
        }
        if step.ran.is_none() {
            self.varying.was_in_vain();
        }
        step.target = target;
        step.seed = match ticket.job {
            Job::Seed(seed) => Some(seed),
            Job::Initial | Job::Fresh(_) | Job::Vary(_) | Job::Flip(_) | Job::Retry(_) => None,
        };
        step
    }

    /// Makes a tree that is too large small, and says what was given up for it.
    fn keep_small(&mut self) -> Option<Vec<OpenBranch>> {
        let memory = self.settings.memory?;
        if self.tree.bytes() <= memory {
            return None;
        }
        // Down to a part, so that it does not come to this again soon.
        let (map, coverage) = (&self.map, &self.coverage);
        let given_up = self.tree.least_promising(memory / 4 * 3, |node| promise(node, &self.tree, map, coverage));
        self.compact(&given_up);
        Some(given_up)
    }

    fn compact(&mut self, given_up: &[OpenBranch]) {
        for branch in given_up {
            self.reasons.add_dropped(self.tree.node(branch.node).site);
        }
        self.counters.dropped += given_up.len() as u64;
        let (strategies, out, waiting) = (&mut self.strategies, &mut self.out, &mut self.waiting);
        let mut folded = Vec::new();
        self.tree.compact(given_up, |renumbered| {
            for strategy in strategies {
                strategy.renumbered(renumbered);
            }
            for (_, target) in out {
                // What another job got to meanwhile may be gone.
                *target = target.and_then(|branch| renumbered.branch(branch));
            }
            folded = waiting.renumbered(renumbered);
        });
        for flip in folded {
            self.tree.take_back(&flip);
        }
    }

    fn site_of(&self, branch: Option<OpenBranch>) -> Site {
        branch.map_or(Site::NONE, |branch| self.tree.node(branch.node).site)
    }

    fn feed_run(&mut self, ticket: &Ticket, target: Option<OpenBranch>, run: &Run) -> Step {
        self.counters.runs += 1;
        let before =
            target.filter(|_| run.prefix == Prefix::Parent).map_or(0, |branch| self.tree.node(branch.node).depth);
        let length = u64::from(before) + run.decisions.len() as u64;
        let mut step = Step { ran: Some((run.case, self.counters.runs)), ..Step::default() };
        // A run that left its prediction is no place to compare with.
        let followed = target.is_none() || run.prefix == Prefix::Parent;
        let known = if followed { self.states.first_known(&run.states) } else { None };
        let n_decisions = known.map_or(run.decisions.len(), |state| {
            run.decisions.iter().take_while(|decision| decision.event < state.event).count()
        });
        let path = Path {
            case: run.case,
            size: run.size,
            prefix: run.prefix,
            decisions: &run.decisions[..n_decisions],
            target,
            truncated: run.truncated() || known.is_some(),
        };
        self.tree.switch_to(ticket.worker);
        let map = &self.map;
        let inserted = match (target, run.prefix) {
            // Another run got there first, and all behind it was folded.
            (None, Prefix::Parent) => self.tree.insert_known(run.case, run.size),
            _ => self.tree.insert(&path, |decision| rejecting(map, decision)),
        };
        step.new_coverage = self.coverage.add(&self.map, &run.new_edges, run.case);
        self.varying.ran(matches!(ticket.job, Job::Vary(_)), length, step.new_coverage.len());
        self.tell(ticket, &inserted, &step, run.is_slow());
        self.counters.deepest = self.counters.deepest.max(self.tree.last_path().len() as u32);
        if let Some(divergence) = inserted.divergence {
            self.counters.divergences += 1;
            self.reasons.add_divergence(divergence.site);
            self.untaken(ticket, target, Untaken::Diverged);
            step.diverged = Some(divergence.site);
        }
        if run.rejected() {
            self.counters.rejected += 1;
        } else if inserted.new {
            self.counters.paths += 1;
            step.new_path = true;
        }
        self.counters.pruned += u64::from(known.is_some());
        self.reasons.add_run(run, inserted.cut, known.is_some());
        for seen in errors::of_run(run, &self.map) {
            step.new_errors.extend(self.errors.add(seen, run.case, self.counters.runs));
        }
        step.kept = self.keep(run, &step);
        step
    }

    fn keep(&self, run: &Run, step: &Step) -> Option<Keep> {
        if !step.new_errors.is_empty() {
            Some(Keep::Error)
        } else if !step.new_coverage.is_empty() {
            Some(Keep::Coverage)
        } else if step.new_path && self.counters.paths == 1 {
            Some(Keep::First)
        } else if self.settings.keep_all && !run.rejected() && step.new_path {
            Some(Keep::All)
        } else {
            None
        }
    }

    /// Tells the strategies of a run: the one of its worker of all that it added, the others of what it covered.
    fn tell(&mut self, ticket: &Ticket, inserted: &Inserted, step: &Step, is_slow: bool) {
        let nothing = Inserted { new_nodes: 0..0, ..inserted.clone() };
        for (number, strategy) in self.strategies.iter_mut().enumerate() {
            let is_workers = number == ticket.worker;
            if is_workers || !step.new_coverage.is_empty() {
                strategy.inserted(&Added {
                    inserted: if is_workers { inserted } else { &nothing },
                    own: is_workers && ticket.asked == number,
                    is_slow,
                    covered: &step.new_coverage,
                    tree: &self.tree,
                    map: &self.map,
                    coverage: &self.coverage,
                });
            }
        }
    }

    fn untaken(&mut self, ticket: &Ticket, target: Option<OpenBranch>, why: Untaken) {
        if let Some(branch) = target {
            let is_again = self.tree.state(branch) == State::Unknown;
            self.tree.resolve(branch, why);
            if !is_again {
                self.strategies[ticket.asked].untaken(branch, why);
            }
        }
    }

    fn stop(&mut self, reason: StopReason) -> StopReason {
        *self.stopped.get_or_insert(reason)
    }

    pub fn map(&self) -> &ProgramMap {
        &self.map
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    pub fn errors(&self) -> &[FoundError] {
        self.errors.found()
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    pub fn n_workers(&self) -> usize {
        self.strategies.len()
    }

    /// No more jobs, whatever is open.
    pub fn interrupt(&mut self) {
        self.stop(StopReason::Interrupted);
    }

    pub fn strategy(&self) -> &'static str {
        self.strategies[0].name()
    }

    /// System calls that the sandbox refused, by number, with counts.
    pub fn refused(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.reasons.refused().iter().map(|(call, count)| (*call, *count))
    }

    /// Why it ended; `Interrupted` while it has not.
    pub fn stopped(&self) -> StopReason {
        self.stopped.unwrap_or(StopReason::Interrupted)
    }

    /// Everything that was left out, up to now.
    pub fn reasons(&self) -> Vec<Reason> {
        self.reasons.list(&self.map, self.stopped(), self.tree.n_open())
    }

    pub fn verdict(&self) -> Verdict {
        reasons::verdict(&self.reasons())
    }
}

/// How promising what is open of a decision is: sides that nobody has covered are what is looked for.
fn promise(node: NodeId, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> u32 {
    let branch = map.site(tree.node(node).site).and_then(|site| site.branch);
    let mut sides = branch.into_iter().flat_map(|branch| map.branch(branch).alternatives());
    u32::from(sides.any(|side| !coverage.is_covered(side)))
}

/// The alternative of a decision that only rejects the input.
fn rejecting(map: &ProgramMap, decision: &Decision) -> Option<u16> {
    map.site(decision.site).filter(|site| site.kind == SiteKind::Assume).map(|site| site.failing)
}
