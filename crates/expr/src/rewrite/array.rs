//! Arrays of bytes.

use crate::pool::TermPool;
use crate::term::{Kind, TermId};

/// Looks through stores whose index is certainly another one.
pub(crate) fn select(pool: &mut TermPool, array: TermId, index: TermId) -> TermId {
    let mut array = array;
    loop {
        let term = pool.term(array);
        if term.kind() == Kind::Table {
            break;
        }
        let same = pool.eq(term.operand(1), index);
        match pool.value(same) {
            Some(1) => return term.operand(2),
            Some(_) => array = term.operand(0),
            None => break,
        }
    }
    if let Some(bytes) = pool.table_bytes(array) {
        if let Some(index) = pool.value(index) {
            let byte = usize::try_from(index).ok().and_then(|index| bytes.get(index)).copied().unwrap_or(0);
            return pool.constant(8, byte as u128);
        }
        if bytes.iter().all(|&byte| byte == 0) {
            return pool.constant(8, 0);
        }
    }
    pool.select_raw(array, index)
}

/// A store hides the one below it at the same index; storing what is there already changes nothing.
pub(crate) fn store(pool: &mut TermPool, array: TermId, index: TermId, byte: TermId) -> TermId {
    let mut array = array;
    let below = pool.term(array);
    if below.kind() == Kind::Store && below.operand(1) == index {
        array = below.operand(0);
    }
    let value = pool.term(byte);
    if value.kind() == Kind::Select && value.operand(0) == array && value.operand(1) == index {
        return array;
    }
    pool.store_raw(array, index, byte)
}
