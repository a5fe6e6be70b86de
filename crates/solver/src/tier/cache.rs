//! Remembers answers to queries. Different paths often cause the same query on the same bytes, or a similar one.
//! Different runs do so as well, if there is a file of [`Answers`].
//!
//! ```text
//!   the same conditions                               the same answer
//!   a superset of infeasible conditions               unsat; the SMT solver reports which conditions are infeasible
//!   a subset of feasible conditions                   sat, with the same model
//!   the same goal, which an earlier model satisfies   sat, if that model holds here (always with fewer conditions)
//! ```

use std::rc::Rc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use tine_expr::{Answer, Evaluator, InputByte, Query, Reason, Solver, TermId, TermPool};

use crate::answers::{Answers, Kept};
use crate::fingerprint::Fingerprints;
use crate::stats::{Meter, Tier, TierStats};

/// Maximum number of terms in all keys (64 MiB). If it is exceeded, everything is forgotten.
const MAX_TERMS: usize = 1 << 24;
/// Maximum number of models per goal.
const MAX_MODELS: usize = 4;
/// Maximum number of infeasible sets stored for one of their terms.
const MAX_UNSAT: usize = 16;
/// Maximum number of feasible sets stored for each of their terms.
const MAX_SAT: usize = 16;

pub(crate) struct Cache {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
    /// Answers shared with other runs.
    across: Option<Answers>,
    fingerprints: Fingerprints,
    /// Answers by fingerprint of the query.
    answers: FxHashMap<u128, Known>,
    /// Recent models that satisfy a goal, the newest last.
    models: FxHashMap<TermId, Vec<Rc<SatSet>>>,
    /// Infeasible sets of conditions, each stored for one of its members. Every superset contains this member, too.
    unsat: FxHashMap<TermId, Vec<Box<[TermId]>>>,
    /// Sorted feasible sets of conditions, each with a model and stored for all of its members.
    sat: FxHashMap<TermId, Vec<Rc<SatSet>>>,
    n_terms: usize,
}

struct SatSet {
    conditions: Box<[TermId]>,
    model: Box<[InputByte]>,
}

/// An answer that does not depend on the hint.
enum Known {
    /// All bytes that the query mentions.
    Sat(Box<[InputByte]>),
    Unsat,
    Unknown(Reason),
}

impl Cache {
    pub(crate) fn new(next: Box<dyn Tier>, across: Option<Answers>) -> Self {
        Self {
            next,
            evaluator: Evaluator::new(),
            meter: Meter::new("cache"),
            across,
            fingerprints: Fingerprints::default(),
            answers: FxHashMap::default(),
            models: FxHashMap::default(),
            unsat: FxHashMap::default(),
            sat: FxHashMap::default(),
            n_terms: 0,
        }
    }

    fn clear(&mut self) {
        self.answers.clear();
        self.models.clear();
        self.unsat.clear();
        self.sat.clear();
        self.n_terms = 0;
    }

    /// Stores an answer. `key` contains all conditions of the query in order, or an infeasible subset of them.
    fn remember(&mut self, print: u128, key: Box<[TermId]>, goal: TermId, known: Known) {
        let n_terms = key.len();
        if self.n_terms + n_terms > MAX_TERMS {
            self.clear();
        }
        self.n_terms += n_terms;
        match &known {
            Known::Sat(bytes) => {
                let set = Rc::new(SatSet { conditions: key, model: bytes.clone() });
                keep(self.models.entry(goal).or_default(), set.clone(), MAX_MODELS);
                for &one in &set.conditions {
                    keep(self.sat.entry(one).or_default(), set.clone(), MAX_SAT);
                }
            }
            Known::Unsat => {
                let one = if key.binary_search(&goal).is_ok() { Some(&goal) } else { key.last() };
                if let Some(&one) = one {
                    keep(self.unsat.entry(one).or_default(), key, MAX_UNSAT);
                }
            }
            Known::Unknown(_) => {}
        }
        self.answers.insert(print, known);
    }

    /// Returns an answer that an earlier run found. A model is evaluated, because the file is not trusted.
    fn known_before(&mut self, pool: &TermPool, query: &Query<'_>, print: u128, key: &[TermId]) -> Option<Known> {
        match self.across.as_ref()?.get(print)? {
            Kept::Unsat => Some(Known::Unsat),
            Kept::Sat(bytes) => {
                let mut model = query.hint.clone();
                model.overlay(&bytes);
                let mut evaluation = self.evaluator.with(pool, &model);
                key.iter().all(|&condition| evaluation.holds(condition)).then_some(Known::Sat(bytes))
            }
        }
    }

    /// Stores an answer, which took this time, for later runs.
    fn tell(&self, print: u128, known: &Known, time: Duration) {
        let Some(across) = &self.across else { return };
        match known {
            Known::Sat(bytes) => across.add(print, &Kept::Sat(bytes.clone()), time),
            Known::Unsat => across.add(print, &Kept::Unsat, time),
            Known::Unknown(_) => {}
        }
    }

    /// Derives an answer from similar earlier queries.
    fn nearly(&mut self, pool: &TermPool, query: &Query<'_>, key: &[TermId]) -> Option<Answer> {
        let unsat = |id: &TermId| self.unsat.get(id).is_some_and(|sets| sets.iter().any(|set| is_subset(set, key)));
        if key.iter().any(unsat) {
            return Some(Answer::Unsat);
        }
        let larger = self.sat.get(&query.goal).into_iter().flatten().rev().find(|set| is_subset(key, &set.conditions));
        let models = self.models.get(&query.goal);
        if larger.is_none() && models.is_none() {
            return None;
        }
        let support = pool.support_of_all(key.iter().copied());
        let changes = |model: &[InputByte]| -> Vec<InputByte> {
            let inside = |byte: &&InputByte| {
                let place = support.partition_point(|range| (range.input, range.end) <= (byte.input, byte.offset));
                support.get(place).is_some_and(|range| range.input == byte.input && range.start <= byte.offset)
            };
            let differs = |byte: &&InputByte| query.hint.get(byte.input, byte.offset) != byte.value;
            model.iter().filter(inside).filter(differs).copied().collect()
        };
        // The model has every byte of the larger set, which contains this one, so no evaluation is needed.
        if let Some(larger) = larger {
            return Some(Answer::Sat(changes(&larger.model)));
        }
        for set in models?.iter().rev() {
            let changes = changes(&set.model);
            let mut model = query.hint.clone();
            model.overlay(&changes);
            let mut evaluation = self.evaluator.with(pool, &model);
            if key.iter().all(|&condition| evaluation.holds(condition)) {
                return Some(Answer::Sat(changes));
            }
        }
        None
    }
}

/// Adds to a list of at most `max` items. The oldest is removed.
fn keep<T>(list: &mut Vec<T>, item: T, max: usize) {
    if list.len() == max {
        list.remove(0);
    }
    list.push(item);
}

/// True if `small` is a subset of `large`. Both are sorted.
fn is_subset(small: &[TermId], large: &[TermId]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|id| rest.by_ref().any(|other| other == id))
}

impl Solver for Cache {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = self.meter.start();
        let key = key(query);
        let print = self.fingerprints.of_query(pool, key.iter().copied());
        if let Some(known) = self.answers.get(&print) {
            let answer = known.under(query);
            self.meter.answered(start);
            return answer;
        }
        if let Some(known) = self.known_before(pool, query, print, &key) {
            let answer = known.under(query);
            self.remember(print, key, query.goal, known);
            self.meter.answered(start);
            return answer;
        }
        if let Some(answer) = self.nearly(pool, query, &key) {
            // A later run may not have the queries that this answer was derived from.
            if self.across.is_some() {
                self.tell(print, &Known::from(pool, query, &answer), Duration::ZERO);
            }
            self.meter.answered(start);
            return answer;
        }
        self.meter.passed(start);
        let solving = self.meter.start();
        let answer = self.next.check(pool, query);
        let start = self.meter.start();
        let known = Known::from(pool, query, &answer);
        self.tell(print, &known, start - solving);
        let core = self.next.take_core().filter(|core| core.iter().all(|id| key.binary_search(id).is_ok()));
        let key = match (core, &known) {
            (Some(mut core), Known::Unsat) => {
                core.sort_unstable();
                core.dedup();
                core.into()
            }
            _ => key,
        };
        self.remember(print, key, query.goal, known);
        self.meter.passed(start);
        answer
    }
}

/// Returns the query as a set: the order of terms and the choice of the goal do not matter.
fn key(query: &Query<'_>) -> Box<[TermId]> {
    let mut terms = query.constraints.to_vec();
    terms.push(query.goal);
    terms.sort_unstable();
    terms.dedup();
    terms.into()
}

impl Known {
    fn from(pool: &TermPool, query: &Query<'_>, answer: &Answer) -> Self {
        let changes = match answer {
            Answer::Unsat => return Known::Unsat,
            Answer::Unknown(reason) => return Known::Unknown(reason.clone()),
            Answer::Sat(changes) => changes,
        };
        let mut bytes = Vec::new();
        for range in pool.support_of_all(query.constraints.iter().copied().chain([query.goal])) {
            for offset in range.start..range.end {
                let value = query.hint.get(range.input, offset);
                bytes.push(InputByte { input: range.input, offset, value });
            }
        }
        for change in changes {
            let place = bytes.binary_search_by_key(&(change.input, change.offset), |byte| (byte.input, byte.offset));
            match place {
                Ok(place) => bytes[place].value = change.value,
                Err(_) => unreachable!("{change:?} is not a byte of its query"),
            }
        }
        Known::Sat(bytes.into())
    }

    /// Returns the answer for this query's hint.
    fn under(&self, query: &Query<'_>) -> Answer {
        match self {
            Known::Sat(bytes) => {
                let differs = |byte: &&InputByte| query.hint.get(byte.input, byte.offset) != byte.value;
                Answer::Sat(bytes.iter().filter(differs).copied().collect())
            }
            Known::Unsat => Answer::Unsat,
            Known::Unknown(reason) => Answer::Unknown(reason.clone()),
        }
    }
}

impl Tier for Cache {
    fn stats(&self, tiers: &mut Vec<TierStats>) {
        tiers.push(self.meter.stats());
        self.next.stats(tiers);
    }

    fn take_core(&mut self) -> Option<Vec<TermId>> {
        self.next.take_core()
    }

    fn forget(&mut self) {
        self.clear();
        self.next.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_of_sorted_sets() {
        let set = |ids: &[u32]| ids.iter().map(|&id| TermId(id)).collect::<Vec<_>>();
        let large = set(&[1, 4, 6, 9]);
        for (small, expected) in
            [(&[][..], true), (&[4], true), (&[1, 9], true), (&[1, 4, 6, 9], true), (&[2], false), (&[9, 10], false)]
        {
            assert_eq!(is_subset(&set(small), &large), expected, "{small:?}");
        }
    }
}
