//! Arrays of bytes.

use super::rules::Rule;
use crate::index::{Distance, distance, few_values};
use crate::pool::TermPool;
use crate::term::{Kind, TermId};

/// Maximum number of index values for which a read becomes a choice.
const MAX_CASES: usize = 4;
/// Maximum number of stores for which a read at a known place becomes a choice. Reading every place of a table would
/// otherwise create a long choice for each place.
const MAX_CHOICES: u32 = 4;

/// Skips stores that are certainly elsewhere, and returns the value of a store that is certainly at the index.
pub(crate) fn select(pool: &mut TermPool, array: TermId, index: TermId, width: u32) -> TermId {
    select_within(pool, array, index, width, MAX_CHOICES)
}

fn select_within(pool: &mut TermPool, array: TermId, index: TermId, width: u32, choices_left: u32) -> TermId {
    let mut array = array;
    loop {
        let term = pool.term(array);
        if term.kind() == Kind::Table {
            break;
        }
        let (at, value) = (term.operand(1), term.operand(2));
        let (m, n) = (pool.width(value) / 8, width / 8);
        match distance(pool, (at, m), (index, n)) {
            Distance::Known(d) if d >= 0 && d.unsigned_abs() + u64::from(n) <= u64::from(m) => {
                pool.fires(Rule::SelectStored);
                return pool.extract(value, d as u32 * 8, width);
            }
            Distance::Known(d) if d < i64::from(m) && d > -i64::from(n) => return by_bytes(pool, array, index, width),
            Distance::Among(distances)
                if distances == [0] && m == n && choices_left > 0 && pool.value(index).is_some() =>
            {
                pool.fires(Rule::SelectChoice);
                pool.depth += 1;
                let same = pool.eq(at, index);
                let below = select_within(pool, term.operand(0), index, width, choices_left - 1);
                let choice = pool.ite(same, value, below);
                pool.depth -= 1;
                return choice;
            }
            Distance::Among(distances) if !distances.is_empty() => {
                return by_cases(pool, array, index, width).unwrap_or_else(|| pool.select_raw(array, index, width));
            }
            Distance::Known(_) | Distance::Among(_) => array = term.operand(0),
        }
        pool.fires(Rule::SelectBelow);
    }
    if let Some(bytes) = pool.table_bytes(array) {
        if let Some(index) = pool.value(index) {
            let bytes = bytes.clone();
            pool.fires(Rule::SelectKnown);
            let byte = |k: u32| {
                let at = (index as u64).wrapping_add(u64::from(k));
                usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0)
            };
            let value = (0..width / 8).fold(0, |value, k| value | u128::from(byte(k)) << (k * 8));
            return pool.constant(width, value);
        }
        if bytes.iter().all(|&byte| byte == 0) {
            pool.fires(Rule::SelectZeros);
            return pool.constant(width, 0);
        }
    }
    pool.select_raw(array, index, width)
}

/// Turns a read at one of few indices into a choice between the values there. It then depends only on these bytes, and
/// not on the whole contents of the array.
fn by_cases(pool: &mut TermPool, array: TermId, index: TermId, width: u32) -> Option<TermId> {
    let values = few_values(pool, index).filter(|values| (2..=MAX_CASES).contains(&values.len()))?;
    let at: Vec<TermId> = values.into_iter().map(|value| pool.constant(64, u128::from(value))).collect();
    pool.fires(Rule::SelectFew);
    pool.depth += 1;
    let mut whole = select(pool, array, at[0], width);
    for &case in &at[1..] {
        let (is_here, value) = (pool.eq(index, case), select(pool, array, case, width));
        whole = pool.ite(is_here, value, whole);
    }
    pool.depth -= 1;
    Some(whole)
}

/// Splits a read of bytes that were partly stored here and partly before.
fn by_bytes(pool: &mut TermPool, array: TermId, index: TermId, width: u32) -> TermId {
    pool.fires(Rule::SelectBytes);
    pool.depth += 1;
    let mut whole = select(pool, array, index, 8);
    for k in 1..width / 8 {
        let offset = pool.constant(64, u128::from(k));
        let at = pool.add(index, offset);
        let byte = select(pool, array, at, 8);
        whole = pool.concat(byte, whole);
    }
    pool.depth -= 1;
    whole
}

/// A store hides the store below it at the same index. Storing the value that is already there changes nothing.
pub(crate) fn store(pool: &mut TermPool, array: TermId, index: TermId, value: TermId) -> TermId {
    let mut array = array;
    let below = pool.term(array);
    if below.kind() == Kind::Store && below.operand(1) == index && pool.width(below.operand(2)) <= pool.width(value) {
        pool.fires(Rule::StoreOver);
        array = below.operand(0);
    }
    let term = pool.term(value);
    if term.kind() == Kind::Select && term.operand(0) == array && term.operand(1) == index {
        pool.fires(Rule::StoreSame);
        return array;
    }
    pool.store_raw(array, index, value)
}
