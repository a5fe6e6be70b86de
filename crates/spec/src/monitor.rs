//! Monitors: deterministic automata over the letters of a specification.
//!
//! A monitor is built by exploring the states of a rule (`Rules`), and made minimal. State 0 is the violation. Every
//! state has a distance to it, which guides the search.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::future::Future;
use crate::letters::Letters;
use crate::past::Past;
use crate::regular::Regular;
use crate::syntax::{Property, Rule};

/// Maximum number of states of a monitor: a state is stored in one byte of the unit. One number is kept for
/// `Adopting`.
pub const MAX_STATES: usize = 254;
/// Maximum number of states before minimisation.
const MAX_EXPLORED: usize = 20_000;

/// A rule as a transition system.
pub(crate) trait Rules {
    type State: Clone + Ord;

    /// State before the first event.
    fn start(&self) -> Self::State;
    /// State after an event at which the propositions of `letter` hold; `None` if the rule is violated.
    fn next(&self, state: &Self::State, letter: u128) -> Option<Self::State>;
    /// True if the run may end in this state.
    fn may_end(&self, state: &Self::State) -> bool;
}

/// A deterministic automaton that follows the events of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// State after each letter, for each state. State [`Monitor::VIOLATED`] stays.
    pub next: Vec<Vec<u8>>,
    pub start: u8,
    /// For each state: true if the run may end there.
    pub may_end: Vec<bool>,
}

/// A monitor that can begin in the middle of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopting {
    /// The states of the original monitor come first, with the same numbers.
    pub monitor: Monitor,
    /// State of an object whose earlier events were not seen.
    pub unknown: u8,
    /// False if there would be too many sets of states: then such an object never violates the property.
    pub is_followed: bool,
}

/// Number of a set of states; `fresh` if it has none yet.
fn number(numbers: &mut BTreeMap<BTreeSet<u8>, u8>, set: &BTreeSet<u8>, fresh: usize) -> u8 {
    *numbers.entry(set.clone()).or_insert(fresh as u8)
}

/// An automaton that would need more states than a monitor can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the property needs more than {MAX_STATES} states")]
pub struct TooLarge;

impl Monitor {
    /// The state of a violation.
    pub const VIOLATED: u8 = 0;

    /// Returns the monitor of a property.
    pub fn new(property: &Property, letters: &Letters) -> Result<Monitor, TooLarge> {
        match &property.rule {
            Rule::Regular { regex, whole } => build(&Regular::new(regex, *whole), letters),
            Rule::Past(formula) => build(&Past::new(formula), letters),
            Rule::Future(formula) => build(&Future::new(formula), letters),
        }
    }

    /// True if no sequence of events violates the property.
    pub fn is_always_kept(&self) -> bool {
        let distance = self.distances();
        distance[usize::from(self.start)].is_none() && self.may_end.iter().skip(1).all(|may_end| *may_end)
    }

    /// True if no event can come first, not even one at which no proposition holds. A property that only forbids its
    /// events, such as `historically !a`, can be satisfied.
    pub fn is_never_kept(&self, property: &Property, letters: &Letters) -> bool {
        let is_stuck = |monitor: &Monitor| {
            monitor.start == Monitor::VIOLATED
                || monitor.next[usize::from(monitor.start)].iter().all(|next| *next == Monitor::VIOLATED)
        };
        let mut more = letters.clone();
        more.sets.push(0);
        is_stuck(self) && Monitor::new(property, &more).is_ok_and(|monitor| is_stuck(&monitor))
    }

    /// The monitor with further states for objects whose earlier events were not seen: sets of the states that are
    /// possible. An event violates the property if it does so in all of them.
    pub fn adopting(&self) -> Adopting {
        let n_known = self.next.len();
        let all: BTreeSet<u8> = (1..n_known).map(|state| state as u8).collect();
        let mut monitor = self.clone();
        let mut numbers: BTreeMap<BTreeSet<u8>, u8> = BTreeMap::from([(BTreeSet::new(), Monitor::VIOLATED)]);
        numbers.extend(all.iter().map(|state| (BTreeSet::from([*state]), *state)));
        let mut sets = vec![all];
        let unknown = number(&mut numbers, &sets[0], n_known);
        let mut done = 0;
        while let Some(set) = sets.get(done).filter(|set| set.len() > 1).cloned() {
            done += 1;
            let mut row = Vec::new();
            for letter in 0..self.next[0].len() {
                let after = set.iter().map(|state| self.next[usize::from(*state)][letter]);
                let after: BTreeSet<u8> = after.filter(|state| *state != Monitor::VIOLATED).collect();
                let is_new = !numbers.contains_key(&after);
                if is_new && n_known + sets.len() > MAX_STATES {
                    return self.any();
                }
                row.push(number(&mut numbers, &after, n_known + sets.len()));
                if is_new {
                    sets.push(after);
                }
            }
            monitor.next.push(row);
            monitor.may_end.push(set.iter().any(|state| self.may_end[usize::from(*state)]));
        }
        Adopting { monitor, unknown, is_followed: true }
    }

    /// The monitor with one further state for all objects whose earlier events were not seen.
    fn any(&self) -> Adopting {
        let mut monitor = self.clone();
        let unknown = monitor.next.len() as u8;
        monitor.next.push(vec![unknown; self.next[0].len()]);
        monitor.may_end.push(true);
        Adopting { monitor, unknown, is_followed: false }
    }

    /// Smallest number of events to a violation, for each state. The end of the run counts as one event.
    pub fn distances(&self) -> Vec<Option<u32>> {
        let mut distance: Vec<Option<u32>> = vec![None; self.next.len()];
        distance[usize::from(Monitor::VIOLATED)] = Some(0);
        loop {
            let mut changed = false;
            for state in 1..self.next.len() {
                let by_events = self.next[state].iter().filter_map(|next| distance[usize::from(*next)]).min();
                let by_end = (!self.may_end[state]).then_some(0);
                let best = by_events.into_iter().chain(by_end).min().map(|steps| steps + 1);
                if best.is_some() && (distance[state].is_none() || best < distance[state]) {
                    distance[state] = best;
                    changed = true;
                }
            }
            if !changed {
                return distance;
            }
        }
    }
}

/// Explores the states of a rule, removes those without a valid end of the run, and merges equal ones.
fn build<R: Rules>(rules: &R, letters: &Letters) -> Result<Monitor, TooLarge> {
    // Index 0 is the violation.
    let mut numbers: BTreeMap<R::State, usize> = BTreeMap::new();
    let mut next: Vec<Vec<usize>> = vec![vec![0; letters.sets.len()]];
    let mut may_end = vec![false];
    let mut queue = VecDeque::from([rules.start()]);
    numbers.insert(rules.start(), 1);
    while let Some(state) = queue.pop_front() {
        let mut row = Vec::with_capacity(letters.sets.len());
        for letter in &letters.sets {
            let Some(successor) = rules.next(&state, *letter) else {
                row.push(0);
                continue;
            };
            let fresh = numbers.len() + 1;
            let number = *numbers.entry(successor.clone()).or_insert_with(|| {
                queue.push_back(successor);
                fresh
            });
            row.push(number);
        }
        next.push(row);
        may_end.push(rules.may_end(&state));
        if numbers.len() > MAX_EXPLORED {
            return Err(TooLarge);
        }
    }
    let alive = alive(&next, &may_end);
    for target in next.iter_mut().flatten() {
        if !alive[*target] {
            *target = 0;
        }
    }
    let start = if alive[1] { 1 } else { 0 };
    minimal(&next, start, &may_end)
}

/// For each state: true if the run can still end validly.
fn alive(next: &[Vec<usize>], may_end: &[bool]) -> Vec<bool> {
    let mut alive = may_end.to_vec();
    loop {
        let mut changed = false;
        for state in 1..next.len() {
            if !alive[state] && next[state].iter().any(|target| alive[*target]) {
                alive[state] = true;
                changed = true;
            }
        }
        if !changed {
            return alive;
        }
    }
}

/// Merges states that no sequence of events distinguishes (Moore's algorithm), numbered from the start.
fn minimal(next: &[Vec<usize>], start: usize, may_end: &[bool]) -> Result<Monitor, TooLarge> {
    let mut class: Vec<usize> =
        (0..next.len()).map(|state| if state == 0 { 0 } else { 1 + usize::from(may_end[state]) }).collect();
    let mut count = 0;
    loop {
        let mut signatures: BTreeMap<(usize, Vec<usize>), usize> = BTreeMap::new();
        let signature =
            |state: usize| (class[state], next[state].iter().map(|target| class[*target]).collect::<Vec<_>>());
        let refined: Vec<usize> = (0..next.len())
            .map(|state| {
                let fresh = signatures.len();
                *signatures.entry(signature(state)).or_insert(fresh)
            })
            .collect();
        class = refined;
        if signatures.len() == count {
            break;
        }
        count = signatures.len();
    }
    // Reachable classes in the order of their discovery; the violation comes first.
    let mut order = vec![class[0]];
    let mut representatives = vec![0];
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if !order.contains(&class[state]) {
            order.push(class[state]);
            representatives.push(state);
            queue.extend(next[state].iter().copied());
        }
    }
    if order.len() > MAX_STATES {
        return Err(TooLarge);
    }
    let number = |state: usize| -> u8 {
        let position = order.iter().position(|known| *known == class[state]).unwrap_or(0);
        u8::try_from(position).unwrap_or(Monitor::VIOLATED)
    };
    Ok(Monitor {
        next: representatives.iter().map(|state| next[*state].iter().map(|target| number(*target)).collect()).collect(),
        start: number(start),
        may_end: representatives.iter().map(|state| may_end[*state]).collect(),
    })
}

#[cfg(test)]
#[path = "monitor/tests.rs"]
mod tests;
