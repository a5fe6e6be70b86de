//! Values for the classes of a problem.
//!
//! Every class prefers its value under the hint. Classes that cannot have it are *open*. Their candidates are listed,
//! and a class with a single candidate is settled. Then candidates are tried for the open classes, and for those that
//! must differ from them directly or indirectly. Most queries are decided before any trial.

use tine_expr::{InputByte, Query};

use super::Verdict;
use super::facts::Facts;
use super::problem::{NONE, Problem};

/// Number of candidates that are tried before the search gives up.
const MAX_TRIALS: u32 = 4000;

#[derive(Debug, Default)]
pub(super) struct Search {
    /// Classes by variable. Only the entries of representatives are valid.
    classes: Vec<Class>,
    /// The next member of the class, by variable.
    members: Vec<u32>,
    edges: Vec<Edge>,
    candidates: Vec<u128>,
    open: Vec<u32>,
    /// Classes that must be tried, in this order, and in `cursors` the progress of each.
    order: Vec<u32>,
    cursors: Vec<u32>,
    n_trials: u32,
}

#[derive(Clone, Debug)]
struct Class {
    /// The first member, and in `edges` the first edge.
    members: u32,
    edges: u32,
    mask: u128,
    /// The hint's value, if it is allowed.
    wish: Option<u128>,
    /// The value that was found, is being tried, or is preferred.
    value: Option<u128>,
    stage: Stage,
    /// Range of the class's candidates, once they are listed.
    listed: Option<(u32, u32)>,
    in_open: bool,
    in_order: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The value is only a preference.
    Free,
    /// The value is being tried.
    Tried,
    /// The value is the only possible one.
    Settled,
}

/// The class must differ from `other + distance`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    other: u32,
    distance: u128,
    next: u32,
}

impl Search {
    pub(super) fn solve(&mut self, problem: &mut Problem, mut facts: Facts<'_>) -> Verdict {
        self.gather(problem);
        if !self.connect(problem) || !self.begin(problem, &mut facts) || !self.settle(problem, &mut facts) {
            return Verdict::Unsat;
        }
        self.try_all(problem, &mut facts)
    }

    /// Returns the bytes in which the solution differs from the hint.
    pub(super) fn changes(&self, problem: &Problem, query: &Query<'_>) -> Vec<InputByte> {
        let mut bytes = Vec::new();
        for x in 0..problem.len() {
            let Some(value) = self.classes[problem.parent(x) as usize].value else { unreachable!("no value") };
            let (value, hint) = (at(problem, x, value), problem.hint(x));
            let domain = &query.domains[problem.domain(x)];
            for k in (0..domain.width / 8).filter(|k| (value ^ hint) >> (8 * k) & 0xff != 0) {
                let value = (value >> (8 * k)) as u8;
                bytes.push(InputByte { input: domain.input, offset: domain.offset + k, value });
            }
        }
        bytes.sort_unstable();
        bytes
    }
}

/// Classes and the edges between them.
impl Search {
    fn gather(&mut self, problem: &mut Problem) {
        self.classes.clear();
        self.members.clear();
        self.edges.clear();
        self.candidates.clear();
        self.open.clear();
        for x in 0..problem.len() {
            self.classes.push(Class {
                members: NONE,
                edges: NONE,
                mask: problem.mask(x),
                wish: None,
                value: None,
                stage: Stage::Free,
                listed: None,
                in_open: false,
                in_order: false,
            });
            self.members.push(NONE);
        }
        for x in (0..problem.len()).rev() {
            let class = &mut self.classes[problem.root(x).0 as usize];
            self.members[x as usize] = std::mem::replace(&mut class.members, x);
        }
    }

    /// Adds the edges. False if a class would have to differ from itself.
    fn connect(&mut self, problem: &mut Problem) -> bool {
        for k in 0..problem.different.len() {
            let (x, y, distance) = problem.different[k];
            let ((a, from_a), (b, from_b)) = (problem.root(x), problem.root(y));
            // a ≠ b + distance
            let mask = problem.mask(a);
            let distance = from_b.wrapping_add(distance).wrapping_sub(from_a) & mask;
            if a != b {
                self.connect_to(a, b, distance);
                self.connect_to(b, a, distance.wrapping_neg() & mask);
            } else if distance == 0 {
                return false;
            }
        }
        true
    }

    fn connect_to(&mut self, root: u32, other: u32, distance: u128) {
        let next = std::mem::replace(&mut self.classes[root as usize].edges, self.edges.len() as u32);
        self.edges.push(Edge { other, distance, next });
    }

    fn members(&self, root: u32) -> impl Iterator<Item = u32> {
        let mut at = self.classes[root as usize].members;
        std::iter::from_fn(move || {
            let next = *self.members.get(at as usize)?;
            Some(std::mem::replace(&mut at, next))
        })
    }

    fn edges(&self, root: u32) -> impl Iterator<Item = Edge> {
        let mut at = self.classes[root as usize].edges;
        std::iter::from_fn(move || {
            let edge = *self.edges.get(at as usize)?;
            at = edge.next;
            Some(edge)
        })
    }

    /// True if the class must not have this value because of another class whose stage satisfies `counts`.
    fn clashes(&self, root: u32, value: u128, counts: impl Fn(Stage) -> bool) -> bool {
        let mask = self.classes[root as usize].mask;
        self.edges(root).any(|edge| {
            let other = &self.classes[edge.other as usize];
            counts(other.stage) && other.value.is_some_and(|other| other.wrapping_add(edge.distance) & mask == value)
        })
    }
}

/// Candidates of each class.
impl Search {
    /// Gives each class its preferred or required value. False if a required value is impossible.
    fn begin(&mut self, problem: &Problem, facts: &mut Facts<'_>) -> bool {
        for root in (0..problem.len()).filter(|&x| problem.parent(x) == x) {
            let known = problem.value(root);
            let value = known.unwrap_or_else(|| self.most_wanted(problem, root));
            let is_allowed = self.members(root).all(|x| facts.allow(problem, x, at(problem, x, value)));
            if known.is_some() && !is_allowed {
                return false;
            }
            let class = &mut self.classes[root as usize];
            class.wish = is_allowed.then_some(value);
            class.value = class.wish;
            class.stage = if known.is_some() { Stage::Settled } else { Stage::Free };
        }
        true
    }

    /// Returns the value that the majority of members has under the hint, if there is one (Boyer–Moore majority vote).
    fn most_wanted(&self, problem: &Problem, root: u32) -> u128 {
        let (mut wanted, mut lead) = (0, 0);
        for x in self.members(root) {
            let value = wish(problem, x);
            match lead {
                0 => (wanted, lead) = (value, 1),
                _ if value == wanted => lead += 1,
                _ => lead -= 1,
            }
        }
        wanted
    }

    /// Opens the classes that cannot have their preferred value. Settles those with one remaining candidate, which can
    /// open other classes. False if a class has no candidate, or two settled classes clash.
    fn settle(&mut self, problem: &Problem, facts: &mut Facts<'_>) -> bool {
        let is_settled = |stage| stage == Stage::Settled;
        for root in (0..problem.len()).filter(|&x| problem.parent(x) == x) {
            let Class { stage, value, .. } = self.classes[root as usize];
            match value {
                Some(value) if is_settled(stage) && self.clashes(root, value, is_settled) => return false,
                Some(value) if is_settled(stage) || !self.clashes(root, value, |_| true) => {}
                _ => self.add_open(root),
            }
        }
        self.order.clear();
        self.order.extend(&self.open);
        while let Some(root) = self.order.pop() {
            if is_settled(self.classes[root as usize].stage) {
                continue;
            }
            let (from, to) = self.list(problem, facts, root);
            let candidates = self.candidates[from as usize..to as usize].iter();
            let mut left = candidates.copied().filter(|&value| !self.clashes(root, value, is_settled));
            match (left.next(), left.next()) {
                (None, _) => return false,
                (Some(value), None) => self.settle_on(root, value),
                (Some(_), Some(_)) => {}
            }
        }
        true
    }

    fn add_open(&mut self, root: u32) {
        if !std::mem::replace(&mut self.classes[root as usize].in_open, true) {
            self.open.push(root);
        }
    }

    /// Opens classes whose preferred value is now excluded. Open classes may have lost a candidate.
    fn settle_on(&mut self, root: u32, value: u128) {
        let class = &mut self.classes[root as usize];
        (class.value, class.stage) = (Some(value), Stage::Settled);
        let mut at = class.edges;
        while let Some(&Edge { other, next, .. }) = self.edges.get(at as usize) {
            at = next;
            let Class { stage, value, in_open, .. } = self.classes[other as usize];
            if stage == Stage::Free && (in_open || value.is_some_and(|value| self.clashes(other, value, |_| true))) {
                self.add_open(other);
                self.order.push(other);
            }
        }
    }

    /// Returns the range of the values that the class itself allows: first those of the hint, then the others in order
    /// of preference.
    fn list(&mut self, problem: &Problem, facts: &mut Facts<'_>, root: u32) -> (u32, u32) {
        if let Some(listed) = self.classes[root as usize].listed {
            return listed;
        }
        let from = self.candidates.len();
        let mut candidates = std::mem::take(&mut self.candidates);
        for value in self.members(root).map(|x| wish(problem, x)) {
            if !candidates[from..].contains(&value)
                && self.members(root).all(|x| facts.allow(problem, x, at(problem, x, value)))
            {
                candidates.push(value);
            }
        }
        let n_hints = candidates.len() - from;
        // Every candidate is in the domain of each member, so the smallest domain contains all candidates.
        let source = self.members(root).min_by_key(|&x| facts.values(problem, x).len()).unwrap_or(root);
        for &value in facts.values(problem, source) {
            let value = value.wrapping_sub(problem.distance(source)) & problem.mask(source);
            let mut others = self.members(root).filter(|&x| x != source);
            if !candidates[from..from + n_hints].contains(&value)
                && facts.conditions_allow(problem, source, at(problem, source, value))
                && others.all(|x| facts.allow(problem, x, at(problem, x, value)))
            {
                candidates.push(value);
            }
        }
        self.candidates = candidates;
        let listed = (from as u32, self.candidates.len() as u32);
        self.classes[root as usize].listed = Some(listed);
        listed
    }
}

/// Trials.
impl Search {
    fn try_all(&mut self, problem: &Problem, facts: &mut Facts<'_>) -> Verdict {
        self.line_up();
        self.n_trials = 0;
        self.cursors.clear();
        self.cursors.push(0);
        while let Some(&root) = self.order.get(self.cursors.len() - 1) {
            let found = self.next_candidate(problem, facts, root);
            if self.n_trials > MAX_TRIALS {
                return Verdict::Unclear;
            }
            let class = &mut self.classes[root as usize];
            if found.is_some() {
                (class.value, class.stage) = (found, Stage::Tried);
                self.cursors.push(0);
                continue;
            }
            self.cursors.pop();
            let Some(&before) = self.cursors.len().checked_sub(1).and_then(|depth| self.order.get(depth)) else {
                return Verdict::Unsat;
            };
            let class = &mut self.classes[before as usize];
            (class.value, class.stage) = (class.wish, Stage::Free);
        }
        Verdict::Sat
    }

    /// Lines up the open classes, then all classes that they may force to change. The others keep their preferred
    /// value.
    fn line_up(&mut self) {
        self.order.clear();
        for k in 0..self.open.len() {
            self.add_to_order(self.open[k]);
        }
        let mut done = 0;
        while let Some(&root) = self.order.get(done) {
            done += 1;
            let mut at = self.classes[root as usize].edges;
            while let Some(&Edge { other, next, .. }) = self.edges.get(at as usize) {
                at = next;
                self.add_to_order(other);
            }
        }
    }

    fn add_to_order(&mut self, root: u32) {
        let class = &mut self.classes[root as usize];
        if class.stage == Stage::Free && !std::mem::replace(&mut class.in_order, true) {
            self.order.push(root);
        }
    }

    /// Returns the next value for the last class in the order: first its preferred value, then values that do not
    /// affect other classes, then the rest.
    ///
    /// The cursor counts through these: 0 for the preferred value, then all candidates once, then all candidates again.
    fn next_candidate(&mut self, problem: &Problem, facts: &mut Facts<'_>, root: u32) -> Option<u128> {
        let depth = self.cursors.len() - 1;
        let wish = self.classes[root as usize].wish;
        if self.cursors[depth] == 0 {
            self.cursors[depth] = 1;
            self.n_trials += 1;
            if wish.is_some_and(|wish| !self.clashes(root, wish, |_| true)) {
                return wish;
            }
        }
        let (from, to) = self.list(problem, facts, root);
        while self.cursors[depth] <= 2 * (to - from) {
            let k = self.cursors[depth] - 1;
            self.cursors[depth] += 1;
            self.n_trials += 1;
            let considerate = k < to - from;
            let value = self.candidates[(from + k % (to - from)) as usize];
            let clashes = |counts: fn(Stage) -> bool| self.clashes(root, value, counts);
            let is_next = match considerate {
                true => Some(value) != wish && !clashes(|_| true),
                false => clashes(|stage| stage == Stage::Free) && !clashes(|stage| stage != Stage::Free),
            };
            if is_next {
                return Some(value);
            }
        }
        None
    }
}

/// Returns the value of a member if its representative has this value.
fn at(problem: &Problem, x: u32, root_value: u128) -> u128 {
    root_value.wrapping_add(problem.distance(x)) & problem.mask(x)
}

/// Returns the value of the representative for which a member keeps the hint's value.
fn wish(problem: &Problem, x: u32) -> u128 {
    problem.hint(x).wrapping_sub(problem.distance(x)) & problem.mask(x)
}
