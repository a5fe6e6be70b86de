//! Bounds of a value that is read from an array: one of the stored values, or a value of the table.

use tine_expr::{Kind, Term, TermId, TermPool};

use super::bounds::Bounds;

/// Maximum number of stores and table places that are looked at.
const MAX_PLACES: u128 = 64;

/// Returns the bounds of a `Select` from those of indices and stored values.
pub(super) fn selected(pool: &TermPool, term: &Term, of: &dyn Fn(TermId) -> Bounds) -> Bounds {
    let any = Bounds::any(term.width());
    one_of(pool, term, of).unwrap_or(any).meet(&any)
}

/// Returns `None` if accesses may overlap in part, or there are too many of them.
fn one_of(pool: &TermPool, term: &Term, of: &dyn Fn(TermId) -> Bounds) -> Option<Bounds> {
    let n_bytes = u128::from(term.width() / 8);
    let index = of(term.operand(1));
    if index.is_empty() {
        return None;
    }
    let is_aligned = |at: &Bounds| n_bytes.is_power_of_two() && at.zeros & (n_bytes - 1) == n_bytes - 1;
    if !is_aligned(&index) {
        return None;
    }
    let mut found: Option<Bounds> = None;
    let mut join = |bounds: Bounds| found = Some(found.map_or(bounds, |found| found.join(&bounds)));
    // Places that a store certainly hides.
    let mut hidden: Vec<u128> = Vec::new();
    let mut array = pool.term(term.operand(0));
    let mut n_stores = 0;
    while array.kind() == Kind::Store {
        let (at, value) = (of(array.operand(1)), array.operand(2));
        n_stores += 1;
        if n_stores > MAX_PLACES || pool.width(value) != term.width() || at.is_empty() || !is_aligned(&at) {
            return None;
        }
        let is_hidden = at.value().is_some_and(|at| hidden.contains(&at));
        if !at.meet(&index).is_empty() && !is_hidden {
            join(of(value));
            if at.value().is_some() && at.value() == index.value() {
                return found;
            }
        }
        hidden.extend(at.value());
        array = pool.term(array.operand(0));
    }
    let bytes = table(pool, term.operand(0))?;
    let n_places = (index.high - index.low) / n_bytes + 1;
    if n_places > MAX_PLACES {
        return None;
    }
    for place in (0..n_places).map(|k| index.low + k * n_bytes).filter(|place| !hidden.contains(place)) {
        let byte = |k: u128| usize::try_from(place + k).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
        let value = (0..n_bytes).fold(0, |value, k| value | u128::from(byte(k)) << (8 * k));
        join(Bounds::constant(term.width(), value));
    }
    found
}

/// The table below all stores.
fn table(pool: &TermPool, mut array: TermId) -> Option<&[u8]> {
    while pool.term(array).kind() == Kind::Store {
        array = pool.term(array).operand(0);
    }
    pool.table_bytes(array).map(|bytes| &bytes[..])
}
