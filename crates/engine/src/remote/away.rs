//! The selector's side: an executor whose jobs are done by other machines.
//!
//! Answers in advance wait here until the exploration asks for them. So the sequence of jobs and the journal do not
//! depend on which worker did them. If there are no workers, outstanding jobs are done here, one at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tine_executor::{Cases, ExecutorError, LocalExecutor};
use tine_explore::errors::{self, Key};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Decision, Executor, Flip, Job, JobResult, ProgramMap, Run};
use tine_session::summary::Machine;
use tine_trace::outcome::OutcomeKind;
use tine_types::Input;

use super::check::{agree, check};
use super::{Answer, Delivery, Evidence, Link, Order, Reply, Task};
use crate::workers::Workers;

/// Results per order: initially, at most, and while there are fewer jobs than workers.
const FIRST_LEASE: u32 = 16;
const MAX_LEASE: u32 = 1024;
const SMALL_LEASE: u32 = 8;
/// Maximum number of waiting answers.
const MAX_WAITING: usize = 1 << 16;
/// Number of answers in advance after which their use is measured again.
const SAMPLE: u64 = 256;
/// Of the answers *infeasible* of a worker, the first ones and then one of this number are checked here.
const FIRST_CHECKED: u64 = 2;
const ONE_CHECKED: u64 = 128;
/// Time without workers after which jobs are done here.
const PATIENCE: Duration = Duration::from_secs(2);

/// See the module's documentation.
pub(crate) struct Away {
    link: Box<dyn Link>,
    own: LocalExecutor,
    map: Arc<ProgramMap>,
    workers: Arc<Workers>,
    cases: Arc<Cases>,
    out: BTreeMap<u64, Out>,
    ready: VecDeque<(u64, Job, Ready)>,
    advance: Advance,
    /// Evidence of a run that was handed in, until the case is released.
    current: Option<(CaseId, Evidence)>,
    receipt: Option<u64>,
    /// Edges that are covered.
    covered: BTreeSet<Edge>,
    /// The same for runs without errors.
    passed: BTreeSet<Edge>,
    /// Errors and edges that a run on this machine has confirmed.
    confirmed: BTreeSet<Key>,
    seen_here: BTreeSet<Edge>,
    /// Sequences with state recognition are explored one after the other.
    is_serial: bool,
    last_worker: Instant,
    done: BTreeMap<Arc<str>, Work>,
    /// Number of the answers *infeasible* of each worker.
    n_infeasible: HashMap<Arc<str>, u64>,
    notices: Vec<String>,
}

/// Work of one worker.
struct Work {
    orders: u64,
    runs: u64,
    /// Time of the first reply, and the number of its runs.
    first: Instant,
    first_runs: u64,
    last: Instant,
}

impl Work {
    /// Runs per second after the first reply.
    fn rate(&self) -> f64 {
        (self.runs - self.first_runs) as f64 / (self.last - self.first).as_secs_f64().max(0.001)
    }
}

struct Out {
    job: Job,
    order: Order,
}

/// An answer together with those that follow from it.
struct Ready {
    /// `None` for answers of this machine.
    worker: Option<Arc<str>>,
    receipt: Option<u64>,
    result: Result<JobResult, ExecutorError>,
    input: Option<Input>,
    evidence: Option<Evidence>,
    children: Vec<(Flip, Ready)>,
}

impl Ready {
    fn own(result: Result<JobResult, ExecutorError>) -> Ready {
        Ready { worker: None, receipt: None, result, input: None, evidence: None, children: Vec::new() }
    }
}

/// Answers to flips that the exploration has not asked for yet.
#[derive(Default)]
struct Advance {
    answers: BTreeMap<(CaseId, u32, u16), Ready>,
    n_got: u64,
    n_used: u64,
    /// Number of results per order.
    lease: u32,
}

impl Advance {
    fn add(&mut self, case: CaseId, children: Vec<(Flip, Ready)>) {
        for (flip, child) in children {
            self.n_got += 1;
            if self.answers.len() < MAX_WAITING {
                self.answers.insert((case, flip.decision, flip.side_index), child);
            }
        }
        // If most were used, request more in advance, otherwise fewer.
        if self.n_got >= SAMPLE {
            let share = self.n_used as f64 / self.n_got as f64;
            self.lease = if share > 0.5 { (self.lease * 2).min(MAX_LEASE) } else { (self.lease / 2).max(1) };
            (self.n_got, self.n_used) = (0, 0);
        }
    }

    fn take(&mut self, flip: &Flip) -> Option<Ready> {
        let found = self.answers.remove(&(flip.parent, flip.decision, flip.side_index));
        self.n_used += u64::from(found.is_some());
        found
    }

    fn release(&mut self, case: CaseId) {
        let of_case: Vec<_> =
            self.answers.range((case, 0, 0)..=(case, u32::MAX, u16::MAX)).map(|(key, _)| *key).collect();
        for key in of_case {
            self.answers.remove(&key);
        }
    }
}

impl Away {
    pub(crate) fn new(
        link: Box<dyn Link>,
        mut own: LocalExecutor,
        map: Arc<ProgramMap>,
        workers: Arc<Workers>,
        cases: Arc<Cases>,
    ) -> Away {
        // If two sequences reach one state, their order decides which is explored further.
        let is_serial = workers.target.recognises_states(&workers.config);
        // Edges covered here count as new until a result with them is handed in.
        own.know_covered(&[]);
        Away {
            link,
            own,
            map,
            workers,
            cases,
            out: BTreeMap::new(),
            ready: VecDeque::new(),
            advance: Advance { lease: FIRST_LEASE, ..Advance::default() },
            current: None,
            receipt: None,
            covered: BTreeSet::new(),
            passed: BTreeSet::new(),
            confirmed: BTreeSet::new(),
            seen_here: BTreeSet::new(),
            is_serial,
            last_worker: Instant::now(),
            done: BTreeMap::new(),
            n_infeasible: HashMap::new(),
            notices: Vec::new(),
        }
    }

    pub(crate) fn own(&self) -> &LocalExecutor {
        &self.own
    }

    /// Evidence for the current result.
    pub(crate) fn evidence(&self, case: CaseId) -> Option<&Evidence> {
        self.current.as_ref().filter(|(current, _)| *current == case).map(|(_, evidence)| evidence)
    }

    pub(crate) fn receipt(&self) -> Option<u64> {
        self.receipt
    }

    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Work of each worker.
    pub(crate) fn machines(&self) -> Vec<Machine> {
        let machine = |(name, work): (&Arc<str>, &Work)| Machine {
            name: name.to_string(),
            orders: work.orders,
            runs: work.runs,
            rate: work.rate(),
        };
        self.done.iter().map(machine).collect()
    }

    fn order(&mut self, number: u64, job: &Job) -> Option<Order> {
        let lease = if self.is_serial { 1 } else { self.lease() };
        let (task, lease) = match job {
            Job::Flip(flip) => (Task::Flip { flip: *flip, parent: self.cases.get(flip.parent)?, again: false }, lease),
            Job::Retry(flip) => (Task::Flip { flip: *flip, parent: self.cases.get(flip.parent)?, again: true }, 1),
            Job::Fresh(seed) => (Task::Fresh(*seed), 1),
            Job::Mutate(seed) => (Task::Input(Arc::new(self.cases.mutated(self.map.constants(), *seed)?)), 1),
            Job::Initial | Job::Seed(_) => return None,
        };
        Some(Order { number, task, lease })
    }

    /// Number of results per order. While few jobs are outstanding, it is small, so that all workers get work first.
    fn lease(&self) -> u32 {
        let n_workers: u64 = self.link.workers().values().map(|jobs| u64::from(*jobs)).sum();
        let is_busy = n_workers <= 1 || self.out.len() as u64 >= n_workers;
        if is_busy { self.advance.lease } else { self.advance.lease.min(SMALL_LEASE) }
    }

    fn settle(&mut self, number: u64, ready: Ready) {
        let Some(out) = self.out.remove(&number) else { return };
        self.link.settled(number);
        self.ready.push_back((number, out.job, ready));
    }

    /// Does an outstanding job on this machine.
    fn do_here(&mut self, number: u64) {
        let Some(out) = self.out.get(&number) else { return };
        let job = out.job;
        let result = self.own.execute(&job);
        self.settle(number, Ready::own(result));
    }

    fn take_in(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::Notice(text) => self.notices.push(text),
            Delivery::Undeliverable(number) => self.do_here(number),
            Delivery::Deadly(number, n_ended) if self.out.contains_key(&number) => {
                let result = JobResult::Unknown(format!("{n_ended} workers ended while they did this"));
                self.settle(number, Ready::own(Ok(result)));
            }
            Delivery::Deadly(..) => {}
            Delivery::Reply(reply) => self.reply(reply),
        }
    }

    fn reply(&mut self, reply: Reply) {
        let Reply { number, worker, answers, receipt } = reply;
        let Some(out) = self.out.get(&number) else {
            // A second or late answer.
            (self.link.receipts())(&[receipt]);
            return;
        };
        let job = out.job;
        let answers = match answers {
            Ok(answers) => answers,
            // A bug, or a machine that lacks something. A run here shows which.
            Err(why) => {
                self.notices.push(format!("worker {worker} could not do a job: {why}"));
                return self.do_here(number);
            }
        };
        let n_runs = answers.iter().filter(|answer| answer.result.run().is_some()).count() as u64;
        let flip = flip_of(&job);
        match self.believed(answers, flip, &worker, receipt) {
            Ok(ready) => {
                let now = Instant::now();
                let began = Work { orders: 0, runs: 0, first: now, first_runs: n_runs, last: now };
                let work = self.done.entry(Arc::clone(&worker)).or_insert(began);
                (work.orders, work.runs, work.last) = (work.orders + 1, work.runs + n_runs, now);
                self.settle(number, ready);
            }
            Err(why) => {
                (self.link.receipts())(&[receipt]);
                self.link.exclude(&worker, &why);
                self.notices.push(format!("worker {worker} is excluded: {why}"));
                let order = self.out[&number].order.clone();
                self.link.send(order);
            }
        }
    }

    /// Checks answers, and puts those in advance below the answer that they follow from.
    fn believed(
        &mut self,
        answers: Vec<Answer>,
        asked: Option<Flip>,
        worker: &Arc<str>,
        receipt: u64,
    ) -> Result<Ready, String> {
        let mut nodes: Vec<(Option<Flip>, Ready)> = Vec::with_capacity(answers.len());
        let mut by_case = HashMap::new();
        let mut parents = Vec::with_capacity(answers.len());
        for (index, answer) in answers.into_iter().enumerate() {
            if answer.flip.is_none() != (index == 0) {
                return Err("its answers are not about what was asked".to_owned());
            }
            check(&answer, answer.flip.as_ref().or(asked.as_ref()), &self.map, &self.workers.types)?;
            self.confirm(&answer)?;
            let Answer { flip, mut result, input, evidence } = answer;
            let parent = flip.map(|flip| by_case.get(&flip.parent).copied().ok_or("an answer about an unknown case"));
            parents.push(parent.transpose()?);
            if let JobResult::Ran(run) = &mut result {
                by_case.insert(run.case, index);
                run.size = input.as_ref().map_or(0, Input::bytes_kept);
            }
            // The first answer carries the receipt of the whole reply.
            let receipt = (index == 0).then_some(receipt);
            let worker = Some(Arc::clone(worker));
            nodes.push((flip, Ready { worker, receipt, result: Ok(result), input, evidence, children: Vec::new() }));
        }
        // Children come after their parents.
        while nodes.len() > 1 {
            let (flip, ready) = nodes.pop().expect("there are two");
            let parent = parents.pop().flatten().expect("only the first has none");
            nodes[parent].1.children.push((flip.expect("only the first has none"), ready));
        }
        nodes.pop().map(|(_, ready)| ready).ok_or_else(|| "an empty reply".to_owned())
    }

    /// Confirms runs with new errors or new coverage by a run on this machine. If two runs here agree with each other
    /// but not with the worker's run, the worker's run is rejected.
    fn confirm(&mut self, answer: &Answer) -> Result<(), String> {
        let (JobResult::Ran(run), Some(input)) = (&answer.result, &answer.input) else { return Ok(()) };
        let shown = errors::shown(&run.notes, &run.end, &self.map);
        let is_new = shown.iter().any(|error| !self.confirmed.contains(&error.key()));
        let covers_new = run.new_edges.iter().any(|edge| !self.covered.contains(edge));
        let takes_long = matches!(run.end.kind, OutcomeKind::Timeout | OutcomeKind::Unfinished) || run.is_slow();
        if !(is_new || covers_new || run.requirement.is_some()) || takes_long {
            return Ok(());
        }
        let Some(first) = self.run_here(input) else { return Ok(()) };
        if !agree(&first, run)
            && let Some(second) = self.run_here(input)
            && agree(&first, &second)
            && !agree(&second, run)
        {
            return Err("a run that it reported went another way here".to_owned());
        }
        if let Some(missing) = run.new_edges.iter().find(|edge| !self.seen_here.contains(edge)) {
            return Err(format!("a run that it reported did not cover edge {} here", missing.0));
        }
        self.confirmed.extend(shown.iter().map(errors::ErrorSeen::key));
        Ok(())
    }

    fn run_here(&mut self, input: &Input) -> Option<Run> {
        let before = self.own.replace_seeds(vec![input.clone()]);
        let result = self.own.execute(&Job::Seed(0));
        self.own.replace_seeds(before);
        match result {
            Ok(JobResult::Ran(run)) => {
                self.own.release(run.case);
                self.seen_here.extend(self.own.edges());
                Some(*run)
            }
            _ => None,
        }
    }

    /// Checks a sample of the answers that a side is infeasible, by solving here. They cannot be checked by a run, and false
    /// ones would make the verdict wrong.
    fn infeasible(&mut self, job: &Job, worker: &Arc<str>) -> JobResult {
        let n = self.n_infeasible.entry(Arc::clone(worker)).or_default();
        *n += 1;
        let n = *n;
        if n > FIRST_CHECKED && !n.is_multiple_of(ONE_CHECKED) {
            return JobResult::Unsat;
        }
        let Some(flip) = flip_of(job) else { return JobResult::Unsat };
        match self.own.execute(job) {
            Ok(JobResult::Ran(run)) => {
                self.own.release(run.case);
                let took_it = |decision: &Decision| {
                    (decision.event, decision.before, decision.side_index)
                        == (flip.decision, flip.before, flip.side_index)
                };
                if !run.decisions.iter().any(took_it) {
                    return JobResult::Unsat;
                }
                let why = "it reported a side as infeasible that a run here took";
                self.link.exclude(worker, why);
                self.notices.push(format!("worker {worker} is excluded: {why}"));
                JobResult::Unknown(format!(
                    "worker {worker} reported sides as infeasible that are not ({n} of its answers are in doubt)"
                ))
            }
            _ => JobResult::Unsat,
        }
    }

    /// Hands in an answer: it becomes a case, and answers that follow from it become available.
    fn hand_in(&mut self, job: &Job, ready: Ready) -> Result<JobResult, ExecutorError> {
        let Ready { worker, receipt, result, input, evidence, children } = ready;
        self.receipt = receipt;
        let mut result = result?;
        if let (JobResult::Unsat, Some(worker)) = (&result, &worker) {
            result = self.infeasible(job, worker);
        }
        if let (JobResult::Ran(run), Some(input)) = (&mut result, input) {
            run.case = self.cases.add(input);
            if run.new_edges.iter().any(|edge| !self.covered.contains(edge)) {
                self.cases.note(run.case);
            }
            self.current = evidence.map(|evidence| (run.case, evidence));
            self.advance.add(run.case, children);
        }
        if let JobResult::Ran(run) = &result {
            self.covered.extend(run.new_edges.iter().copied());
            // Edges of runs with errors stay new, so that a run without errors reports them, too.
            let passes = errors::passes(&run.notes, &run.end, &self.map);
            let news = run.new_edges.iter().copied().filter(|edge| passes && self.passed.insert(*edge));
            let news: Vec<Edge> = news.collect();
            if !news.is_empty() {
                self.own.know_covered(&news);
                self.link.covered(&news);
            }
        }
        Ok(result)
    }
}

fn flip_of(job: &Job) -> Option<Flip> {
    match job {
        Job::Flip(flip) | Job::Retry(flip) => Some(*flip),
        Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Mutate(_) => None,
    }
}

impl Executor for Away {
    type Error = ExecutorError;

    fn execute(&mut self, job: &Job) -> Result<JobResult, ExecutorError> {
        self.own.execute(job)
    }

    fn window(&self) -> Option<usize> {
        let window = if self.is_serial { 1 } else { self.link.window().max(1) };
        Some(window)
    }

    fn send(&mut self, jobs: &[(u64, Job)]) {
        // Without workers, orders would pile up on the hub.
        let is_alone = self.link.window() == 0 && self.last_worker.elapsed() > PATIENCE;
        for (number, job) in jobs {
            if let Job::Flip(flip) = job
                && let Some(ready) = self.advance.take(flip)
            {
                self.ready.push_back((*number, *job, ready));
                continue;
            }
            // The first run also shows this machine the start-up of the program.
            let order = if is_alone { None } else { self.order(*number, job) };
            let Some(order) = order else {
                let result = self.own.execute(job);
                self.ready.push_back((*number, *job, Ready::own(result)));
                continue;
            };
            self.out.insert(*number, Out { job: *job, order: order.clone() });
            self.link.send(order);
        }
    }

    fn receive(&mut self, wait: Duration) -> Option<(u64, Result<JobResult, ExecutorError>)> {
        let until = Instant::now() + wait;
        while self.ready.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            match self.link.receive(left) {
                Some(delivery) => self.take_in(delivery),
                None if left.is_zero() => break,
                None => {}
            }
        }
        if self.link.window() > 0 {
            self.last_worker = Instant::now();
        } else if self.last_worker.elapsed() > PATIENCE
            && self.ready.is_empty()
            && let Some(number) = self.out.keys().next().copied()
        {
            self.do_here(number);
        }
        let (number, job, ready) = self.ready.pop_front()?;
        self.current = None;
        Some((number, self.hand_in(&job, ready)))
    }

    fn release(&mut self, case: CaseId) {
        self.advance.release(case);
        self.own.release(case);
    }

    fn free_memory(&mut self) {
        self.advance.answers.clear();
        self.own.free_memory();
    }
}
