//! Goals on a single byte: the set of its 256 values that satisfy the goal and the constraints on this byte.
//!
//! ```text
//!   class_of[c] != DIGIT,  class_of[c] != POINT,  goal  next[3][class_of[c]] == 7      a set of values of `c` for each
//!     no value in all of the sets                                                      unsat
//!     no constraint on `c` together with other bytes                                   sat, with the least value left
//! ```
//!
//! A table-driven scanner causes dozens of such queries per character, and most of them are infeasible. The set of each
//! condition is computed once, from tables of its result for every value of the byte ([`Tables`]).

mod set;
mod tables;

use std::cell::RefCell;
use std::rc::Rc;

use tine_expr::{Answer, InputByte, Query, TermPool};

use crate::stats::{Meter, Tier};
pub(super) use set::Set;
pub(crate) use tables::Tables;

/// Position of an input byte: input and offset.
pub(super) type Place = (u32, u32);

/// Tables shared by the tiers that handle single bytes.
pub(crate) type SharedTables = Rc<RefCell<Tables>>;

pub(crate) struct Bytes {
    next: Box<dyn Tier>,
    meter: Meter,
    tables: SharedTables,
}

impl Bytes {
    pub(crate) fn new(next: Box<dyn Tier>, tables: SharedTables) -> Self {
        Self { next, meter: Meter::new("bytes"), tables }
    }

    fn look(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Answer> {
        let place = pool.only_byte(query.goal)?;
        let mut tables = self.tables.borrow_mut();
        let mut possible = tables.set(pool, query.goal)?;
        // Constraints on other bytes only still hold.
        let mut is_alone = true;
        for &constraint in query.constraints {
            if possible.is_empty() {
                break;
            }
            match pool.only_byte(constraint) {
                Some(other) if other == place => match tables.set(pool, constraint) {
                    Some(set) => possible = possible.and(set),
                    None => is_alone = false,
                },
                other => is_alone &= other.is_some(),
            }
        }
        let (input, offset) = place;
        let now = query.hint.get(input, offset);
        match possible.ends() {
            None => Some(Answer::Unsat),
            Some(_) if !is_alone => None,
            Some(_) if possible.has(now) => Some(Answer::Sat(Vec::new())),
            Some((value, _)) => Some(Answer::Sat(vec![InputByte { input, offset, value }])),
        }
    }
}

looks_or_passes_on!(Bytes, look, |bytes: &mut Bytes| bytes.tables.borrow_mut().clear());

#[cfg(test)]
mod tests {
    use tine_expr::{Assignment, Reason, Solver as _, TermId};

    use super::*;
    use crate::tier::unanswered::Unanswered;

    #[test]
    fn sets_of_one_byte_decide_unless_others_have_a_say() {
        let mut pool = TermPool::new();
        let classes = pool.table((0..=u8::MAX).map(|c| c / 32).collect::<Vec<u8>>());
        let bytes: Vec<TermId> = (0..2).map(|offset| pool.input(0, offset, 8)).collect();
        let class = |pool: &mut TermPool, k: usize, is: u8| {
            let index = pool.zext(bytes[k], 64);
            let (class, is) = (pool.select(classes, index, 8), pool.constant(8, u128::from(is)));
            pool.eq(class, is)
        };
        let (third, fourth, other) = (class(&mut pool, 0, 3), class(&mut pool, 0, 4), class(&mut pool, 1, 3));
        let (not_third, less) = (pool.not(third), pool.ult(bytes[0], bytes[1]));
        let x = pool.constant(8, 100);
        let is_x = pool.eq(bytes[0], x);
        let not_x = pool.not(is_x);
        let sat = |value| Answer::Sat(vec![InputByte { input: 0, offset: 0, value }]);
        let unknown = Answer::Unknown(Reason::GaveUp);
        let hint = Assignment::from_inputs(vec![vec![7, 99]]);
        for (constraints, goal, expected) in [
            (&[][..], third, sat(96)),
            (&[other], third, sat(96)),
            (&[not_third], fourth, sat(128)),
            (&[not_third], third, Answer::Unsat),
            (&[not_third, less], is_x, Answer::Unsat),
            (&[less], third, unknown.clone()),
            (&[], less, unknown.clone()),
            (&[not_x], not_third, Answer::Sat(Vec::new())),
        ] {
            let mut tier = Bytes::new(Box::new(Unanswered), SharedTables::default());
            let query = Query { constraints, goal, hint: &hint, domains: &[] };
            assert_eq!(tier.check(&mut pool, &query), expected, "{constraints:?} {goal:?}");
        }
    }
}
