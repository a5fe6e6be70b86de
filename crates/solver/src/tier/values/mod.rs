//! What single bytes can be, and trying what is left: digits, letters, classes of characters and flags have few values.
//!
//! ```text
//!   conditions on one byte      the set of its values; an empty one             unsat
//!   the rest                    the tier `ranges` again, with what sets say     unsat
//!   bytes one after the other,  all values tried                                unsat
//!   those of the goal first     all conditions hold                             sat
//! ```
//!
//! Trying has a budget of operations; the tier has nothing to say when that is spent.

mod program;
mod set;

use rustc_hash::FxHashMap;
use tine_expr::{Answer, ByteRange, Evaluator, InputByte, Query, TermId, TermPool};

use super::ranges::{Between, contradict};
use crate::stats::{Meter, Tier};
use program::{Program, Tried};
use set::Set;

/// Queries about more bytes are left alone. No more than a word has bits.
const MAX_BYTES: usize = 64;
/// Nor are values tried where the goal alone has more combinations of them.
const MAX_COMBINATIONS: f64 = 65_536.0;
/// Steps of evaluation for the set of one condition: arrays with long histories take more.
const MAX_STEPS: u64 = 4 << 20;
/// Sets remembered.
const MAX_SETS: usize = 1 << 16;

pub(crate) struct Values {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
    /// Values under which a condition on a single byte holds.
    sets: FxHashMap<TermId, Option<Set>>,
}

/// A byte of an input.
type Place = (u32, u32);

impl Values {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, evaluator: Evaluator::new(), meter: Meter::new("values"), sets: FxHashMap::default() }
    }

    fn look(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        let conditions: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
        let supports: Vec<Vec<Place>> = conditions.iter().map(|&id| places(&pool.support(id))).collect();
        let mut possible: FxHashMap<Place, Set> = FxHashMap::default();
        for support in &supports {
            possible.extend(support.iter().map(|&place| (place, Set::ALL)));
            if possible.len() > MAX_BYTES {
                return None;
            }
        }
        let (mut several, mut is_narrowed) = (Vec::new(), false);
        for (&condition, support) in conditions.iter().zip(&supports) {
            if let [place] = support[..] {
                let set = self.set(pool, condition, place)?;
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
        if is_narrowed && !several.is_empty() && contradict(pool, &conditions, &facts(&possible)) {
            return Some(Answer::Unsat);
        }
        let of_goal = &supports[supports.len() - 1];
        let n_combinations = of_goal.iter().map(|place| f64::from(possible[place].len())).product::<f64>();
        if n_combinations > MAX_COMBINATIONS {
            return None;
        }
        let order = order(&several, of_goal, &possible);
        let sets: Vec<Set> = order.iter().map(|place| possible[place]).collect();
        let now: Vec<u8> = order.iter().map(|&(input, offset)| query.hint.get(input, offset)).collect();
        let several: Vec<TermId> = several.iter().map(|(condition, _)| *condition).collect();
        match Program::new(pool, &several, &order, n_combinations)?.search(&sets, &now) {
            Tried::Nothing => Some(Answer::Unsat),
            Tried::Unfinished => None,
            Tried::Found(values) => {
                let change = |(&(input, offset), value)| InputByte { input, offset, value };
                let mut changes: Vec<InputByte> = order.iter().zip(values).map(change).collect();
                changes.retain(|byte| query.hint.get(byte.input, byte.offset) != byte.value);
                changes.sort_unstable();
                Some(Answer::Sat(changes))
            }
        }
    }

    /// The values of its one byte under which a condition holds; `None` if it takes too long to evaluate.
    fn set(&mut self, pool: &TermPool, condition: TermId, (input, offset): Place) -> Option<Set> {
        if let Some(&known) = self.sets.get(&condition) {
            return known;
        }
        let mut set = Some(Set::NONE);
        let mut assignment = tine_expr::Assignment::new();
        let start = self.evaluator.steps();
        for value in 0..=u8::MAX {
            if self.evaluator.steps() - start > MAX_STEPS {
                set = None;
                break;
            }
            assignment.set(input, offset, value);
            if let Some(set) = &mut set
                && self.evaluator.with(pool, &assignment).holds(condition)
            {
                set.add(value);
            }
        }
        if self.sets.len() >= MAX_SETS {
            self.sets.clear();
        }
        self.sets.insert(condition, set);
        set
    }
}

fn places(ranges: &[ByteRange]) -> Vec<Place> {
    let bytes = |range: &ByteRange| {
        let input = range.input;
        (range.start..range.end).take(MAX_BYTES + 1).map(move |offset| (input, offset))
    };
    ranges.iter().flat_map(bytes).collect()
}

/// What the sets say of their bytes: least and greatest value.
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

/// Bytes in the order in which they are tried: those of the goal, then those of the condition that fewest values are
/// left to try for; among those of a condition the ones with few values first.
fn order(several: &[(TermId, &[Place])], goal: &[Place], possible: &FxHashMap<Place, Set>) -> Vec<Place> {
    // Bits of a word are bytes, those with few values first: a path has thousands of conditions on the same few.
    let mut places: Vec<Place> = possible.keys().copied().collect();
    places.sort_unstable_by_key(|place| (possible[place].len(), *place));
    let bit_of: FxHashMap<Place, u32> = places.iter().copied().zip(0..).collect();
    let bits = |support: &[Place]| support.iter().fold(0u64, |bits, place| bits | 1 << bit_of[place]);
    let effort = |bits: u64| ones(bits).map(|bit| f64::from(possible[&places[bit]].len()).ln()).sum::<f64>();
    let mut left: Vec<u64> = several.iter().map(|(_, support)| bits(support)).collect();
    left.sort_unstable();
    left.dedup();
    let (mut order, mut done) = (Vec::with_capacity(places.len()), 0);
    let mut next = bits(goal);
    loop {
        order.extend(ones(next & !done).map(|bit| places[bit]));
        done |= next;
        left.retain(|bits| bits & !done != 0);
        let least = left.iter().copied().min_by(|a, b| effort(a & !done).total_cmp(&effort(b & !done)));
        match least {
            Some(bits) => next = bits,
            None if order.len() == places.len() => return order,
            None => next = u64::MAX >> (64 - places.len()),
        }
    }
}

/// The bits that are set, the lowest first.
fn ones(bits: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
        .take_while(|bits| *bits != 0)
        .map(|bits| bits.trailing_zeros() as usize)
}

looks_or_passes_on!(Values, look, |values: &mut Values| values.sets.clear());

#[cfg(test)]
mod tests {
    use tine_expr::{Assignment, Solver as _};
    use tine_trace::op::Op;

    use super::*;
    use crate::tier::nobody::Nobody;

    /// Whether `n` reads of an array that was written `n` times sum up to nothing: only for some values of a byte.
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
        let set = |n: u8| {
            (0..n).fold(Set::NONE, |mut set, value| {
                set.add(value);
                set
            })
        };
        let possible = [((0, 0), set(9)), ((0, 1), set(2)), ((0, 2), set(5)), ((0, 3), set(3)), ((1, 0), set(1))];
        let possible: FxHashMap<Place, Set> = possible.into_iter().collect();
        let several = [&[(0, 0), (0, 1)][..], &[(0, 1), (0, 2)], &[(0, 2), (0, 3)]].map(|support| (TermId(1), support));
        assert_eq!(order(&several, &[(0, 1)], &possible), [(0, 1), (0, 2), (0, 3), (0, 0), (1, 0)]);
        assert_eq!(order(&several, &[(0, 0)], &possible), [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]);
        assert_eq!(order(&[], &[], &FxHashMap::default()), []);
    }

    #[test]
    fn what_takes_too_long_to_evaluate_is_left_to_others() {
        for (n, answers) in [(4, true), (1000, false)] {
            let mut pool = TermPool::new();
            let goal = history(&mut pool, n);
            let mut tier = Values::new(Box::new(Nobody));
            let hint = Assignment::new();
            let query = Query { constraints: &[], goal, hint: &hint, domains: &[] };
            let answer = tier.check(&mut pool, &query);
            assert_eq!(matches!(answer, Answer::Sat(_)), answers, "{n}: {answer:?}");
            let steps = tier.evaluator.steps();
            assert!(steps < 2 * MAX_STEPS, "{n}: {steps}");
            tier.check(&mut pool, &query);
            assert!(answers || tier.evaluator.steps() == steps, "once is enough");
        }
    }
}
