//! Values that the cells of a query may be changed to.
//!
//! A pointer is NULL, a new object, or an address in an existing object where a value of its type lies, in that order
//! of preference. So structures grow before they are shared. Sharing is tried where a branch compares pointers. A
//! comparison with NULL does not need it, unless the limit of objects is reached.

use std::ops::Range;

use tine_expr::{Domain, Kind, TermId, TermPool};
use tine_trace::op::Op;
use tine_trace::plan::{MAX_SLOTS, object_address, slot_of};
use tine_types::TypeId;
use tine_types::input::{Input, Object};

use super::aliasing::{functions, places_in};
use super::mentioned::Mentioned;
use super::shapes::{Cell, Shapes};

#[derive(Debug, Default)]
pub(crate) struct Domains {
    pub(crate) list: Vec<Domain>,
    /// The bound on objects excluded some values.
    pub(crate) is_bounded: bool,
    /// The list of addresses in large objects is incomplete.
    pub(crate) is_cut: bool,
    /// Indices of the enumeration domains in the list.
    enums: Vec<usize>,
    /// The goal's use of pointers.
    pub(crate) asked: Asked,
    /// Some term adds to a pointer.
    pub(crate) has_arithmetic: bool,
}

impl Domains {
    /// The domains with all values allowed for enumerations. `None` if the query mentions no enumeration.
    pub(crate) fn with_any_enum(&self) -> Option<Vec<Domain>> {
        let is_other = |(index, domain): (usize, &Domain)| (!self.enums.contains(&index)).then(|| domain.clone());
        (!self.enums.is_empty()).then(|| self.list.iter().enumerate().filter_map(is_other).collect())
    }
}

/// Kind of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) term: TermId,
    /// Pointer whose use the goal is about: input and offset.
    pub(crate) used: Option<(u32, u32)>,
}

/// True if a pointer's value is neither the address of an object nor that of a function.
fn is_number(shapes: &Shapes, inputs: &Input, value: u128) -> bool {
    let address = value as u64;
    slot_of(address, inputs.slot_shift).is_none() && !shapes.functions().contains(&address)
}

/// Returns the domains of the cells that `terms` mention. `terms` include the `goal`. At most `max_objects` objects may
/// exist.
pub(crate) fn domains_of(
    shapes: &Shapes,
    pool: &TermPool,
    inputs: &Input,
    touched: &dyn Fn(u32) -> u32,
    terms: impl Iterator<Item = TermId> + Clone,
    goal: Goal,
    max_objects: u32,
) -> Domains {
    let cells = Mentioned::by(pool, terms.clone()).cells(shapes, inputs);
    let is_pointer = |(_, _, cell): &(u32, u32, Cell)| matches!(cell, Cell::Pointer { .. });
    let any_pointer = cells.iter().any(is_pointer);
    // Pointers that the path has already fixed keep their values.
    let fixed: Vec<(u32, u32)> =
        if any_pointer { terms.clone().filter_map(|term| fixed(pool, term)).collect() } else { Vec::new() };
    let mentions_pointer = |term: TermId| {
        let mentioned = || Mentioned::by(pool, [term]).cells(shapes, inputs);
        any_pointer && mentioned().iter().any(|cell| is_pointer(cell) && !fixed.contains(&(cell.0, cell.1)))
    };
    let compared = Compared::by(pool, terms);
    let touched = |slot: u32| if compared.has_arithmetic { u32::MAX } else { touched(slot) };
    let fresh = Fresh::new(shapes, inputs, &cells, max_objects);
    // Pointers of one type share these addresses.
    let mut places: Vec<(TypeId, Vec<u128>)> = Vec::new();
    let mut domains = Domains {
        list: Vec::with_capacity(cells.len()),
        is_bounded: fresh.is_bounded,
        is_cut: false,
        enums: Vec::new(),
        asked: Asked::by(pool, goal.term, &mentions_pointer),
        has_arithmetic: compared.has_arithmetic,
    };
    for (input, offset, cell) in &cells {
        let (width, values) = match cell {
            Cell::Bool => (8, vec![0, 1]),
            Cell::Enum { ty, size } => (size * 8, shapes.enum_values(*ty)),
            Cell::Function { signature, .. } => (64, functions(shapes, *signature).map(u128::from).collect()),
            Cell::Pointer { to, .. } => {
                let mut values = vec![0];
                let new = fresh.of(shapes, *to);
                values.extend(new.iter().flat_map(|new| &new.addresses).map(|address| u128::from(*address)));
                if new.is_none_or(|new| new.is_short) || compared.cells.overlaps(*input, *offset, cell.size()) {
                    let known = places.iter().position(|(of, _)| of == to).unwrap_or_else(|| {
                        let mut elements = inputs.objects.values().map(|object| object.element.ty);
                        domains.is_cut |= elements.any(|element| shapes.has_more_positions(element, *to));
                        places.push((*to, places_of(shapes, inputs, &touched, *to)));
                        places.len() - 1
                    });
                    values.extend_from_slice(&places[known].1);
                }
                (64, values)
            }
        };
        let now = inputs.read(*input, *offset, width);
        let mut values = values;
        // The current value is always allowed, except for a number that the goal uses as a pointer.
        if !(values.contains(&now) || goal.used == Some((*input, *offset)) && is_number(shapes, inputs, now)) {
            values.push(now);
        }
        if matches!(cell, Cell::Enum { .. }) {
            domains.enums.push(domains.list.len());
        }
        domains.list.push(Domain { input: *input, offset: *offset, width, values });
    }
    domains
}

/// Addresses in all objects where a value of type `to` begins.
fn places_of(shapes: &Shapes, inputs: &Input, touched: &dyn Fn(u32) -> u32, to: TypeId) -> Vec<u128> {
    let objects = inputs.objects.iter();
    let places = |(slot, object): (&u32, &Object)| {
        places_in(shapes, inputs, *slot, object.element, touched(*slot), to).into_iter().map(u128::from)
    };
    objects.flat_map(places).collect()
}

/// Pointers that the terms use for more than a comparison with NULL.
pub(crate) struct Compared {
    pub(crate) cells: Mentioned,
    /// Some term adds to a pointer: `q == p + 2` may point to any element.
    pub(crate) has_arithmetic: bool,
}

impl Compared {
    pub(crate) fn by(pool: &TermPool, terms: impl Iterator<Item = TermId>) -> Compared {
        let mut has_arithmetic = false;
        let cells = Mentioned::by(
            pool,
            terms.filter(|term| {
                let mut literal = *term;
                if pool.term(literal).op() == Some(Op::Not) {
                    literal = pool.term(literal).operand(0);
                }
                let made = pool.term(literal);
                let is_equality = made.op() == Some(Op::Eq);
                let is_null_check = is_equality && made.operands().any(|part| pool.value(part) == Some(0));
                let is_plain = |part: TermId| {
                    pool.width(part) != 64 || pool.value(part).is_some() || pool.input_view(part).is_some()
                };
                has_arithmetic |= !is_null_check && !made.operands().all(is_plain);
                !is_null_check
            }),
        );
        Compared { cells, has_arithmetic }
    }
}

/// The pointer whose value a term fixes.
pub(crate) fn fixed(pool: &TermPool, term: TermId) -> Option<(u32, u32)> {
    let made = pool.term(term);
    let (a, b) = (made.op() == Some(Op::Eq)).then(|| (made.operand(0), made.operand(1)))?;
    let (cell, value) = if pool.value(a).is_some() { (b, a) } else { (a, b) };
    pool.value(value)?;
    pool.input_view(cell).filter(|view| view.width == 64).map(|view| (view.input, view.offset))
}

/// Use of pointers in a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    /// Equality of addresses, or no pointers.
    #[default]
    Places,
    /// More than equality.
    Addresses,
}

impl Asked {
    pub(crate) fn by(pool: &TermPool, goal: TermId, mentions_pointer: &dyn Fn(TermId) -> bool) -> Asked {
        let made = pool.term(goal);
        if pool.width(goal) == 1 && matches!(made.op(), Some(Op::Not | Op::And | Op::Or)) {
            let parts = made.operands().map(|part| Asked::by(pool, part, mentions_pointer));
            return parts.max().unwrap_or(Asked::Places);
        }
        let is_equality = made.op() == Some(Op::Eq);
        let is_of_places = is_equality && made.operands().all(|part| is_place(pool, part));
        if is_of_places || !mentions_pointer(goal) { Asked::Places } else { Asked::Addresses }
    }
}

/// True if terms depend on more than the equality of pointers. A value computed from an address may change if the
/// object lies elsewhere.
pub(crate) fn looks_at_addresses(
    pool: &TermPool,
    shapes: &Shapes,
    inputs: &Input,
    mut terms: impl Iterator<Item = TermId>,
) -> bool {
    let mentions_pointer = |term: TermId| {
        let cells = Mentioned::by(pool, [term]).cells(shapes, inputs);
        cells.iter().any(|(_, _, cell)| matches!(cell, Cell::Pointer { .. }))
    };
    terms.any(|term| {
        mentions_pointer(term)
            && (Compared::by(pool, [term].into_iter()).has_arithmetic
                || Asked::by(pool, term, &mentions_pointer) == Asked::Addresses)
    })
}

/// True if a term is a pointer, a sum with a pointer, or a selection among pointers.
pub(crate) fn is_place(pool: &TermPool, term: TermId) -> bool {
    let made = pool.term(term);
    let is_pointer = |part: TermId| pool.input_view(part).is_some_and(|view| view.width == 64);
    match made.kind() {
        Kind::Op(Op::Add) => made.operands().any(is_pointer),
        Kind::Op(Op::Ite) => made.operands().skip(1).all(|part| is_place(pool, part)),
        Kind::Select => pool.width(term) == 64,
        _ => pool.value(term).is_some() || is_pointer(term),
    }
}

/// New objects that a query may create.
struct Fresh {
    by_type: Vec<New>,
    is_bounded: bool,
}

/// New objects of one type: as many as there are pointers that could point to one.
struct New {
    ty: TypeId,
    addresses: Vec<u64>,
    /// The limit of objects is reached.
    is_short: bool,
}

impl Fresh {
    fn new(shapes: &Shapes, inputs: &Input, cells: &[(u32, u32, Cell)], max_objects: u32) -> Fresh {
        let mut fresh = Fresh { by_type: Vec::new(), is_bounded: false };
        let mut unused = (0..MAX_SLOTS).filter(|slot| !inputs.objects.contains_key(slot));
        let room = max_objects.saturating_sub(inputs.objects.len() as u32) as usize;
        for (_, _, cell) in cells {
            let Cell::Pointer { to, .. } = cell else { continue };
            let ty = shapes.types().strip(*to);
            let known = fresh.by_type.iter().position(|new| shapes.is_same(new.ty, ty));
            let index = known.unwrap_or_else(|| {
                fresh.by_type.push(New { ty, addresses: Vec::new(), is_short: false });
                fresh.by_type.len() - 1
            });
            let new = &mut fresh.by_type[index];
            if new.addresses.len() < room {
                new.addresses.extend(unused.next().map(|slot| object_address(slot, 0, inputs.slot_shift)));
            } else {
                new.is_short = true;
                fresh.is_bounded = true;
            }
        }
        fresh
    }

    fn of(&self, shapes: &Shapes, to: TypeId) -> Option<&New> {
        let to = shapes.types().strip(to);
        self.by_type.iter().find(|new| shapes.is_same(new.ty, to))
    }
}

/// True if the terms compare an input pointer with an address outside its domain: that of a program variable. `program`
/// is the program's memory.
pub(crate) fn compares_with_others(
    pool: &TermPool,
    domains: &[Domain],
    terms: impl Iterator<Item = TermId>,
    program: &[Range<u64>],
) -> bool {
    let is_the_programs =
        |value: u128| u64::try_from(value).is_ok_and(|address| program.iter().any(|memory| memory.contains(&address)));
    let mut pending: Vec<TermId> = terms.collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        let made = pool.term(term);
        if made.op() == Some(Op::Eq) {
            let (a, b) = (made.operand(0), made.operand(1));
            for (pointer, other) in [(a, b), (b, a)] {
                let view = pool.input_view(pointer);
                let domain = view.and_then(|view| {
                    domains.iter().find(|domain| (domain.input, domain.offset) == (view.input, view.offset))
                });
                if let (Some(domain), Some(value)) = (domain, pool.value(other))
                    && domain.width == 64
                    && !domain.values.contains(&value)
                    && is_the_programs(value)
                {
                    return true;
                }
            }
        }
        pending.extend(made.operands());
    }
    false
}
