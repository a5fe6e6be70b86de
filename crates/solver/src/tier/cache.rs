//! Remembers answers to queries: different paths often ask the same of the same bytes, or nearly so; and so do
//! different runs, if there is a file of [`Answers`].
//!
//! ```text
//!   the same conditions                               the same answer
//!   more conditions than some that cannot hold        unsat; which of a query those are, the SMT solver says
//!   some of the conditions of one that can hold       sat, with its model
//!   the same goal, held by a model from before        sat, if the model holds here: fewer conditions always do
//! ```

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tine_expr::{Answer, Evaluator, InputByte, Query, Reason, Solver, TermId, TermPool};

use crate::answers::{Answers, Kept};
use crate::fingerprint::Fingerprints;
use crate::stats::{Meter, Tier, TierStats};

/// Everything is forgotten when the keys hold so many terms (64 MiB).
const MAX_TERMS: usize = 1 << 24;
/// Models kept for a goal.
const MAX_MODELS: usize = 4;
/// Sets that cannot hold kept for one of their terms.
const MAX_UNSAT: usize = 16;
/// Sets that can hold kept for each of their terms.
const MAX_SAT: usize = 16;

pub(crate) struct Cache {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
    /// Those of runs before, and for runs to come.
    across: Option<Answers>,
    fingerprints: Fingerprints,
    /// By the query's fingerprint.
    answers: FxHashMap<u128, Known>,
    /// The last models that made a goal hold, the newest last.
    models: FxHashMap<TermId, Vec<Rc<SatSet>>>,
    /// Sets of conditions that cannot hold together, by one of them: whatever includes them has that one, too.
    unsat: FxHashMap<TermId, Vec<Box<[TermId]>>>,
    /// Sets of conditions that can hold together, in order, each with a model: by every one of them.
    sat: FxHashMap<TermId, Vec<Rc<SatSet>>>,
    n_terms: usize,
}

struct SatSet {
    conditions: Box<[TermId]>,
    model: Box<[InputByte]>,
}

/// An answer that does not depend on the hint.
enum Known {
    /// Every byte that the query mentions.
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

    /// `key` are all conditions of the query, in order, or those of them that cannot hold.
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

    /// Answers that an earlier run found. A model is evaluated, because the file is not trusted.
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

    /// Keeps an answer for runs to come.
    fn tell(&self, print: u128, known: &Known) {
        let Some(across) = &self.across else { return };
        match known {
            Known::Sat(bytes) => across.add(print, &Kept::Sat(bytes.clone())),
            Known::Unsat => across.add(print, &Kept::Unsat),
            Known::Unknown(_) => {}
        }
    }

    /// An answer from queries that were nearly this one.
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
        // The model has every byte of the larger set, and so of this one: there is nothing to try.
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

/// Adds to a list that holds so many at most; the oldest goes.
fn keep<T>(list: &mut Vec<T>, item: T, max: usize) {
    if list.len() == max {
        list.remove(0);
    }
    list.push(item);
}

/// Of sorted sets.
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
            // A run to come may not have what this was found from.
            if self.across.is_some() {
                self.tell(print, &Known::from(pool, query, &answer));
            }
            self.meter.answered(start);
            return answer;
        }
        self.meter.passed(start);
        let answer = self.next.check(pool, query);
        let start = self.meter.start();
        let known = Known::from(pool, query, &answer);
        self.tell(print, &known);
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

/// The query as a set: goal and constraints play the same part, and order none.
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
                Err(_) => unreachable!("{change:?} is no byte of its query"),
            }
        }
        Known::Sat(bytes.into())
    }

    /// The answer for this query's hint.
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
