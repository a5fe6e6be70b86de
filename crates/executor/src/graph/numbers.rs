//! Numbers in pointers: `(long)p == 77`, a union of a pointer and a `long`.
//!
//! An input pointer that the path has not dereferenced may hold any number. Queries about the equality of pointers
//! never need that. So only two kinds of queries ask for numbers: those without another answer, and those about a word
//! that another member of a union uses as a non-pointer. If a run later uses a number as a pointer, the unit rejects
//! the input. It logs an aliasing choice there, which lists the objects that the pointer could have pointed to instead.

use std::collections::HashSet;
use std::ops::Range;

use tine_expr::{Domain, TermId, TermPool};
use tine_trace::layout::{INPUTS_BASE, STACK_BASE, STACK_LEN};
use tine_trace::op::Op;
use tine_trace::plan::OBJECT;
use tine_types::Input;

use super::domains::{Asked, compares_with_others, fixed, is_place};
use super::mentioned::Mentioned;
use super::shapes::Shapes;

/// A query whose pointers may be numbers.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Constraints beside those of the path: numbers are not addresses in memory that tine lays out.
    pub(crate) constraints: Vec<TermId>,
    /// Domains of all other cells.
    pub(crate) domains: Vec<Domain>,
    /// If there is no answer, there is none with objects at other addresses either.
    pub(crate) is_exact: bool,
}

/// Reasons why a query does not ask for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Numbers would not help.
    Useless,
    /// The unit does not know that the word is a pointer.
    TooLarge,
}

/// True if numbers should be tried first: the goal depends on words that are not only pointers, and not on their
/// equality.
pub(crate) fn come_first(shapes: &Shapes, pool: &TermPool, inputs: &Input, goal: TermId) -> bool {
    if !shapes.has_shared_words() {
        return false;
    }
    let cells = Mentioned::by(pool, [goal]).cells(shapes, inputs);
    let mut pointers = cells.iter().filter(|(_, _, cell)| cell.is_pointer()).peekable();
    pointers.peek().is_some()
        && pointers.all(|(_, _, cell)| cell.is_shared())
        && Asked::by(pool, goal, &|_| true) == Asked::Addresses
}

/// Builds the query. `terms` are the relevant part of the path and the goal, `domains` those of their cells. `used` is
/// the pointer whose use the goal is about. `program` is the memory of the program under test.
pub(crate) fn numbers(
    shapes: &Shapes,
    pool: &mut TermPool,
    inputs: &Input,
    terms: &[TermId],
    domains: &[Domain],
    used: Option<(u32, u32)>,
    program: &[Range<u64>],
) -> Result<Numbers, Refused> {
    let path = terms.split_last().map_or(&[][..], |(_, path)| path);
    let known: Vec<(u32, u32)> = path.iter().filter_map(|term| fixed(pool, *term)).chain(used).collect();
    let is_free = |domain: &&Domain| domain.width == 64 && !known.contains(&(domain.input, domain.offset));
    let free: Vec<&Domain> = domains.iter().filter(is_free).collect();
    let is_about_free = |term: TermId| {
        let mentioned = Mentioned::by(pool, [term]);
        free.iter().any(|domain| mentioned.overlaps(domain.input, domain.offset, 8))
    };
    if free.is_empty() || !terms.iter().any(|term| ask(pool, domains, *term, &is_about_free)) {
        return Err(Refused::Useless);
    }
    if compares_with_others(pool, domains, terms.iter().copied(), program)
        || terms.iter().any(|term| is_about_free(*term) && names_program(pool, *term, program))
    {
        return Err(Refused::Useless);
    }
    if !free.iter().all(|domain| may_hold_number(shapes, inputs, domain)) {
        return Err(Refused::TooLarge);
    }
    let is_exact = domains.iter().all(|domain| domain.width != 64 || is_free(&domain));
    let domains = domains.iter().filter(|domain| !is_free(domain)).cloned().collect();
    let constraints = free.into_iter().map(|domain| outside(pool, domain)).collect();
    Ok(Numbers { constraints, domains, is_exact })
}

/// True if a term depends on more than the equality of the pointers, or compares one with a value that is not an
/// address.
fn ask(pool: &TermPool, domains: &[Domain], term: TermId, is_about_free: &dyn Fn(TermId) -> bool) -> bool {
    let made = pool.term(term);
    if pool.width(term) == 1 && matches!(made.op(), Some(Op::Not | Op::And | Op::Or)) {
        return made.operands().any(|part| ask(pool, domains, part, is_about_free));
    }
    let is_known = |part: TermId| match pool.value(part) {
        Some(value) => {
            let is_tines = u64::try_from(value).is_ok_and(|value| tines().contains(&value));
            value == 0 || is_tines || domains.iter().any(|domain| domain.values.contains(&value))
        }
        None => is_place(pool, part),
    };
    let is_of_places = made.op() == Some(Op::Eq) && made.operands().all(is_known);
    !is_of_places && is_about_free(term)
}

/// True if a term holds an address of the program's own memory. Numbers do not help there: a path that goes on to use
/// the pointer needs an object at that address.
fn names_program(pool: &TermPool, term: TermId, program: &[Range<u64>]) -> bool {
    // A subtracted address is added as its negative.
    let is_the_programs = |value: u128| {
        let addresses = [value as u64, (value as u64).wrapping_neg()];
        addresses.iter().any(|address| program.iter().any(|memory| memory.contains(address)))
    };
    let mut pending = vec![term];
    let mut seen = HashSet::new();
    while let Some(term) = pending.pop() {
        if pool.width(term) == 64 && pool.value(term).is_some_and(is_the_programs) {
            return true;
        }
        if seen.insert(term) {
            pending.extend(pool.term(term).operands());
        }
    }
    false
}

fn may_hold_number(shapes: &Shapes, inputs: &Input, domain: &Domain) -> bool {
    let object = inputs.objects.get(&(domain.input & !OBJECT)).filter(|_| domain.input & OBJECT != 0);
    shapes.may_hold_number(object.map(|object| &object.element), domain.offset)
}

/// Memory that tine lays out.
fn tines() -> Range<u64> {
    INPUTS_BASE..STACK_BASE + STACK_LEN
}

/// Condition: the word is one of the domain's values, or a number that is not an address that tine hands out.
fn outside(pool: &mut TermPool, domain: &Domain) -> TermId {
    let Range { start, end } = tines();
    let word = pool.input(domain.input, domain.offset, domain.width);
    let (start, len) = (pool.constant(64, u128::from(start)), pool.constant(64, u128::from(end - start)));
    let offset = pool.sub(word, start);
    let inside = pool.ult(offset, len);
    let outside = pool.not(inside);
    let known = domain.term(pool);
    pool.or(outside, known)
}
