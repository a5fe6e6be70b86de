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

/// Queries about more bytes are left alone.
const MAX_BYTES: usize = 64;
/// Nor are values tried where the goal alone has more combinations of them.
const MAX_COMBINATIONS: f64 = 65_536.0;
/// Sets remembered.
const MAX_SETS: usize = 1 << 16;

pub(crate) struct Values {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
    /// Values under which a condition on a single byte holds.
    sets: FxHashMap<TermId, Set>,
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
                let set = self.set(pool, condition, place);
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

    /// The values of its one byte under which a condition holds.
    fn set(&mut self, pool: &TermPool, condition: TermId, (input, offset): Place) -> Set {
        if let Some(&known) = self.sets.get(&condition) {
            return known;
        }
        let mut set = Set::NONE;
        let mut assignment = tine_expr::Assignment::new();
        for value in 0..=u8::MAX {
            assignment.set(input, offset, value);
            if self.evaluator.with(pool, &assignment).holds(condition) {
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
    let mut order: Vec<Place> = Vec::new();
    let add = |order: &mut Vec<Place>, support: &[Place]| {
        let mut new: Vec<Place> = support.iter().copied().filter(|place| !order.contains(place)).collect();
        new.sort_unstable_by_key(|place| (possible[place].len(), *place));
        order.extend(new);
    };
    add(&mut order, goal);
    let mut left: Vec<&[Place]> = several.iter().map(|(_, support)| *support).collect();
    while !left.is_empty() {
        let effort = |support: &&[Place]| {
            let new = support.iter().filter(|place| !order.contains(place));
            new.map(|place| f64::from(possible[place].len()).ln()).sum::<f64>()
        };
        let efforts: Vec<f64> = left.iter().map(effort).collect();
        let Some(next) = (0..left.len()).min_by(|&a, &b| efforts[a].total_cmp(&efforts[b])) else { break };
        add(&mut order, left.swap_remove(next));
    }
    let mut rest: Vec<Place> = possible.keys().copied().collect();
    rest.sort_unstable();
    add(&mut order, &rest);
    order
}

looks_or_passes_on!(Values, look, |values: &mut Values| values.sets.clear());
