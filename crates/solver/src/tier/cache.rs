//! Remembers answers to queries that come again: different paths often ask the same of the same bytes.

use rustc_hash::FxHashMap;
use tine_expr::{Answer, InputByte, Query, Reason, Solver, TermId, TermPool};

use crate::stats::{Meter, Tier, TierStats};

/// Everything is forgotten when the keys hold so many terms (64 MiB).
const MAX_TERMS: usize = 1 << 24;

pub(crate) struct Cache {
    next: Box<dyn Tier>,
    meter: Meter,
    answers: FxHashMap<Box<[TermId]>, Known>,
    n_terms: usize,
}

/// An answer that does not depend on the hint.
enum Known {
    /// Every byte that the query mentions.
    Sat(Box<[InputByte]>),
    Unsat,
    Unknown(Reason),
}

impl Cache {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, meter: Meter::new("cache"), answers: FxHashMap::default(), n_terms: 0 }
    }

    fn remember(&mut self, key: Box<[TermId]>, known: Known) {
        self.n_terms += key.len();
        if self.n_terms > MAX_TERMS {
            self.answers.clear();
            self.n_terms = key.len();
        }
        self.answers.insert(key, known);
    }
}

impl Solver for Cache {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = self.meter.start();
        let key = key(query);
        if let Some(known) = self.answers.get(&key) {
            let answer = known.under(query);
            self.meter.answered(start);
            return answer;
        }
        self.meter.passed(start);
        let answer = self.next.check(pool, query);
        let start = self.meter.start();
        self.remember(key, Known::from(pool, query, &answer));
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

    fn forget(&mut self) {
        self.answers.clear();
        self.n_terms = 0;
        self.next.forget();
    }
}
