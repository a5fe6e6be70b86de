//! Possible values of single bytes, and trials of the remaining values: digits, letters, character classes and flags
//! have few values.
//!
//! ```text
//!   conditions on one byte      the set of its values; an empty one             unsat
//!   the other conditions        the tier `ranges` again, with these sets        unsat
//!   bytes one after the other,  all values tried                                unsat
//!   those of the goal first     all conditions hold                             sat
//! ```
//!
//! Trials have a budget of operations, after which the tier does not answer. If the goal has too many values for it
//! (for example the state of a scanner after a whole word), trials end early only if different bytes lead to the same
//! results (`program.rs`). After repeated failures such trials become rare.

mod below;
mod build;
mod classes;
mod program;

use rustc_hash::FxHashMap;
use tine_expr::{Answer, ByteRange, InputByte, Query, TermId, TermPool};
use tine_trace::op::Op;

use super::bytes::{Place, Set, SharedTables};
use super::ranges::{Between, contradict};
use crate::backoff::Backoff;
use crate::stats::{Meter, Tier};
use below::{Below, ones};
use classes::Known;
use program::{Program, Tried};

/// Maximum number of bytes of a query, which is the number of bits of a word.
const MAX_BYTES: usize = 64;
/// Maximum number of parts of a goal. Each of them is solved.
const MAX_WAYS: usize = 8;
/// Goals with more combinations of values are tried only while this succeeds.
const MAX_COMBINATIONS: f64 = 65_536.0;

pub(crate) struct Values {
    next: Box<dyn Tier>,
    meter: Meter,
    tables: SharedTables,
    classes: Known,
    /// Limits trials of queries with too many combinations. `None` disables these trials.
    backoff: Option<Backoff>,
}

impl Values {
    pub(crate) fn new(next: Box<dyn Tier>, tables: SharedTables) -> Self {
        Self { next, meter: Meter::new("values"), tables, classes: Known::default(), backoff: Some(Backoff::default()) }
    }

    /// A tier for many queries: values are tried only if all combinations can be tried.
    pub(crate) fn of_few(next: Box<dyn Tier>) -> Self {
        Self { backoff: None, ..Values::new(next, SharedTables::default()) }
    }

    fn look(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        let goals = ways_to_hold(pool, query.goal);
        let mut all_are_unsat = true;
        for &goal in &goals {
            match self.look_at(pool, &Query { goal, ..*query }) {
                Some(Answer::Unsat) => {}
                Some(answer) => return Some(answer),
                None => all_are_unsat = false,
            }
        }
        all_are_unsat.then_some(Answer::Unsat)
    }

    fn look_at(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        let conditions: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
        // Check all conditions together first. Separate lists take quadratic time on paths in which every sum depends
        // on all bytes before it.
        let n_bytes: usize = pool
            .support_of_all(conditions.iter().copied())
            .iter()
            .map(|range| (range.end - range.start) as usize)
            .sum();
        if n_bytes > MAX_BYTES {
            return None;
        }
        let supports: Vec<Vec<Place>> = conditions.iter().map(|&id| places(&pool.support(id))).collect();
        let mut possible: FxHashMap<Place, Set> = FxHashMap::default();
        for support in &supports {
            possible.extend(support.iter().map(|&place| (place, Set::ALL)));
        }
        let (mut several, mut is_narrowed) = (Vec::new(), false);
        for (&condition, support) in conditions.iter().zip(&supports) {
            if let [place] = support[..] {
                let set = self.tables.borrow_mut().set(pool, condition)?;
                let narrowed = possible[&place].and(set);
                if narrowed.is_empty() {
                    return Some(Answer::Unsat);
                }
                possible.insert(place, narrowed);
                is_narrowed = true;
            } else {
                several.push((condition, &support[..]));
            }
        }
        let of_goal = &supports[supports.len() - 1];
        let n_combinations = of_goal.iter().map(|place| f64::from(possible[place].len())).product::<f64>();
        // Trying few combinations is faster than computing ranges.
        let is_large = n_combinations > MAX_COMBINATIONS;
        if !is_large && let Some(answer) = self.try_values(pool, query, &several, &possible, n_combinations) {
            return Some(answer);
        }
        if is_narrowed && !several.is_empty() && contradict(pool, &conditions, &facts(&possible)) {
            return Some(Answer::Unsat);
        }
        if !is_large || !self.backoff.as_mut()?.is_due() {
            return None;
        }
        let answer = self.try_values(pool, query, &several, &possible, n_combinations);
        if let Some(backoff) = &mut self.backoff {
            backoff.tried(answer.is_some());
        }
        answer
    }

    fn try_values(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        several: &[(TermId, &[Place])],
        possible: &FxHashMap<Place, Set>,
        n_combinations: f64,
    ) -> Option<Answer> {
        let mut places: Vec<Place> = possible.keys().copied().collect();
        places.sort_unstable();
        let conditions: Vec<TermId> = several.iter().map(|(condition, _)| *condition).collect();
        let below = Below::new(pool, &conditions, &places)?;
        let sizes: Vec<f64> = places.iter().map(|place| f64::from(possible[place].len())).collect();
        let of_goal = places_bits(&places, &pool.support(query.goal));
        let supports = conditions.iter().map(|&condition| below.bits(condition)).collect();
        let order = order(supports, of_goal, &below.in_order_of_use(places.len()), &sizes);
        let (known, mut tables) = (&mut self.classes, self.tables.borrow_mut());
        let program = Program::new(pool, &below, &conditions, &order, n_combinations, known, &mut tables)?;
        let places: Vec<Place> = order.iter().map(|&bit| places[bit as usize]).collect();
        let sets: Vec<Set> = places.iter().map(|place| possible[place]).collect();
        let now: Vec<u8> = places.iter().map(|&(input, offset)| query.hint.get(input, offset)).collect();
        match program.search(&sets, &now) {
            Tried::Nothing => Some(Answer::Unsat),
            Tried::Unfinished => None,
            Tried::Found(values) => {
                let change = |(&(input, offset), value)| InputByte { input, offset, value };
                let mut changes: Vec<InputByte> = places.iter().zip(values).map(change).collect();
                changes.retain(|byte| query.hint.get(byte.input, byte.offset) != byte.value);
                changes.sort_unstable();
                Some(Answer::Sat(changes))
            }
        }
    }
}

/// Splits a goal into parts of which one must hold: the parts of a disjunction, if each depends on fewer bytes. A byte
/// that is known from the start can determine others.
fn ways_to_hold(pool: &mut TermPool, goal: TermId) -> Vec<TermId> {
    let mut todo = vec![goal];
    let mut parts = Vec::new();
    while let Some(id) = todo.pop() {
        let term = pool.term(id);
        let inner = (term.op() == Some(Op::Not)).then(|| pool.term(term.operand(0)));
        match (term.op(), inner) {
            (Some(Op::Or), _) => todo.extend(term.operands()),
            (_, Some(inner)) if inner.op() == Some(Op::And) => {
                todo.extend(inner.operands().map(|operand| pool.not(operand)));
            }
            _ if pool.support_id(id) == pool.support_id(goal) => return vec![goal],
            _ => parts.push(id),
        }
        if parts.len() + todo.len() > MAX_WAYS {
            return vec![goal];
        }
    }
    parts
}

fn places(ranges: &[ByteRange]) -> Vec<Place> {
    let bytes = |range: &ByteRange| {
        let input = range.input;
        (range.start..range.end).take(MAX_BYTES + 1).map(move |offset| (input, offset))
    };
    ranges.iter().flat_map(bytes).collect()
}

/// Returns the least and the greatest value of the bytes according to their sets.
fn facts(possible: &FxHashMap<Place, Set>) -> Vec<Between> {
    let mut facts = Vec::new();
    for (&(input, offset), set) in possible {
        match set.ends() {
            None | Some((0, u8::MAX)) => {}
            Some((low, high)) => facts.push(Between { input, offset, low, high }),
        }
    }
    facts
}

/// Returns a bit mask of those of `places` that a term with this support depends on.
fn places_bits(all: &[Place], support: &[ByteRange]) -> u64 {
    let bit = |place: Place| all.binary_search(&place).map_or(0, |bit| 1u64 << bit);
    places(support).into_iter().fold(0, |bits, place| bits | bit(place))
}

/// Returns the bytes in the order of trials: those of the goal, then those of the condition with the fewest
/// combinations left. The bytes of one condition are ordered as in `used`. `sizes` contains the number of values of
/// each byte.
fn order(mut left: Vec<u64>, goal: u64, used: &[u32], sizes: &[f64]) -> Vec<u32> {
    let effort = |bits: u64| ones(bits).map(|bit| sizes[bit as usize].ln()).sum::<f64>();
    // A path has thousands of conditions on the same few bytes.
    left.sort_unstable();
    left.dedup();
    let (mut order, mut done) = (Vec::with_capacity(used.len()), 0);
    let mut next = goal;
    loop {
        order.extend(used.iter().copied().filter(|bit| (next & !done) >> bit & 1 == 1));
        done |= next;
        left.retain(|bits| bits & !done != 0);
        let least = left.iter().copied().min_by(|a, b| effort(a & !done).total_cmp(&effort(b & !done)));
        match least {
            Some(bits) => next = bits,
            None if order.len() == used.len() => return order,
            None => next = u64::MAX,
        }
    }
}

looks_or_passes_on!(Values, look, |values: &mut Values| {
    values.tables.borrow_mut().clear();
    values.classes.clear();
});

#[cfg(test)]
mod tests {
    use tine_expr::{Assignment, Solver as _};

    use super::*;
    use crate::tier::unanswered::Unanswered;

    /// True if the sum of `n` reads of an array that was written `n` times is zero, which holds only for some values of
    /// a byte.
    fn history(pool: &mut TermPool, n: u32) -> TermId {
        let byte = pool.input(0, 0, 8);
        let index = pool.apply_raw(Op::ZExt, 64, &[byte], 0).expect("a term");
        let mut array = pool.table(vec![1; 1 << 12]);
        let mut sum = byte;
        for k in 0..n {
            let offset = pool.constant(64, u128::from(k) * 2);
            let at = pool.apply_raw(Op::Add, 64, &[index, offset], 0).expect("a term");
            array = pool.store_raw(array, at, byte);
            let elsewhere = pool.constant(64, 4000);
            let read = pool.select_raw(array, elsewhere, 8);
            sum = pool.apply_raw(Op::Add, 8, &[sum, read], 0).expect("a term");
        }
        let zero = pool.constant(8, 0);
        pool.apply_raw(Op::Eq, 1, &[sum, zero], 0).expect("a term")
    }

    #[test]
    fn bytes_of_the_goal_come_first_then_what_is_soon_decided() {
        let sizes = [9.0, 2.0, 5.0, 3.0, 1.0];
        let supports = vec![0b00011, 0b00110, 0b01100];
        assert_eq!(order(supports.clone(), 0b00010, &[0, 1, 2, 3, 4], &sizes), [1, 2, 3, 0, 4]);
        assert_eq!(order(supports.clone(), 0b00001, &[0, 1, 2, 3, 4], &sizes), [0, 1, 2, 3, 4]);
        assert_eq!(order(supports, 0b01110, &[3, 1, 2, 0, 4], &sizes), [3, 1, 2, 0, 4]);
        assert_eq!(order(Vec::new(), 0, &[], &[]), [0; 0]);
    }

    #[test]
    fn what_takes_too_long_to_evaluate_is_left_to_others() {
        for (n, answers) in [(4, true), (1000, false)] {
            let mut pool = TermPool::new();
            let goal = history(&mut pool, n);
            let mut tier = Values::new(Box::new(Unanswered), SharedTables::default());
            let hint = Assignment::new();
            let query = Query { constraints: &[], goal, hint: &hint, domains: &[] };
            let answer = tier.check(&mut pool, &query);
            assert_eq!(matches!(answer, Answer::Sat(_)), answers, "{n}: {answer:?}");
            let steps = tier.tables.borrow().steps();
            assert!(steps < 20_000, "{n}: {steps}");
            tier.check(&mut pool, &query);
            assert_eq!(tier.tables.borrow().steps(), steps, "once is enough");
        }
    }
}
