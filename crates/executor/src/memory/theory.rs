//! Asks the solver about addresses, step by step, and makes inputs from its answer.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;
use tine_expr::{Answer, Assignment, Domain, Evaluator, Kind, Query, Reason, Solver, TermId, TermPool};
use tine_trace::event::EventKind;
use tine_trace::plan::{MAX_SLOTS, OBJECT, object_address, slot_of};
use tine_types::Input;
use tine_types::TypeId;

use super::axioms::{Axioms, Place, axioms};
use super::bases::Bases;
use super::layout::{moved, slots};
use crate::graph::Shapes;
use crate::graph::aliasing::places_in;
use crate::graph::domains::{Compared, Goal, domains_of};
use crate::graph::mentioned::Mentioned;
use crate::graph::settle::settle;
use crate::graph::shapes::Cell;
use crate::solving::{Means, Question, Solved, refuted, slice};

/// Address range in which a program's objects may lie. tine uses only a small part of it, but that must not make a side
/// infeasible.
const USERS: (u64, u64) = (1 << 16, 1 << 47);

/// Addresses that a query may give to objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Any address: only equality matters, so objects are then put where there is room.
    Free,
    /// Addresses of slots, which the objects then get.
    Slots,
}

/// Finds inputs, if necessary with objects at other addresses. `None` if tine cannot create the objects of the answer.
pub(crate) fn solve(
    means: &mut Means<'_>,
    question: &Question<'_>,
    inputs: &Input,
    hint: &Assignment,
    layout: Layout,
) -> Option<Solved> {
    let Means { chain, pool, shapes, memory, seed, program } = means;
    let mut bases = Bases::new(inputs);
    let path = relocated(pool, &mut bases, question);
    let goal = bases.relocated(pool, question.goal);
    let part = part(pool, shapes, inputs, question, &path, goal);
    chain.left_out(path.len() - part.constraints.len());
    let places = Places { shapes, bases: &bases, question, inputs, layout }.of(pool, &part, goal);
    let Part { constraints, domains, pointers } = part;
    let Axioms { mut first, second } = axioms(pool, shapes, memory, USERS, &places);
    let held = arrays(pool, constraints.iter().copied().chain([goal]), inputs.slot_shift);
    let mut stay = Vec::new();
    if held != Arrays::None {
        stay.extend(places.iter().filter_map(|place| stays(pool, &bases, place)));
    }
    if held == Arrays::Addresses {
        first.append(&mut stay);
    }
    let hint_with_bases = bases.hint(hint);
    let mut constraints = constraints;
    let mut check = |pool: &mut TermPool, constraints: &[TermId]| {
        chain.check(pool, &Query { constraints, goal, hint: &hint_with_bases, domains: &domains })
    };
    let mut answer = None;
    let steps = if memory.two_phase { vec![first, second] } else { vec![[first, second].concat()] };
    // A layout that tine cannot create proves nothing.
    let slots = match layout {
        Layout::Slots => [stay, slots(pool, inputs, &places, pointers.len() as u32)].concat(),
        Layout::Free => stay,
    };
    let n_proofs = steps.len();
    for (number, step) in steps.into_iter().chain((!slots.is_empty()).then_some(slots)).enumerate() {
        constraints.extend(step);
        match check(pool, &constraints) {
            Answer::Unsat if number < n_proofs => return Some(unsat(pool, shapes, question, inputs, program)),
            // Inputs do not know the addresses of the program's variables.
            Answer::Unsat => {
                return Some(match unsat(pool, shapes, question, inputs, program) {
                    Solved::Unsat => Solved::Elsewhere,
                    other => other,
                });
            }
            Answer::Unknown(reason @ (Reason::Timeout | Reason::Memory | Reason::Crashed(_))) => {
                return Some(Solved::GaveUp(reason.to_string()));
            }
            Answer::Unknown(reason) => return Some(Solved::Unknown(reason.to_string())),
            Answer::Sat(changes) => answer = Some(changes),
        }
    }
    let mut model = hint_with_bases.clone();
    model.overlay(&answer?);
    let next = match layout {
        Layout::Slots => {
            let chosen = Mentioned::by(pool, constraints.iter().copied().chain([goal]));
            let is_chosen = |input: u32, offset: u32| chosen.overlaps(input, offset, 8);
            let (inputs, assignment) = moved(shapes, inputs, &bases, &model, &is_chosen);
            settle(shapes, &inputs, &assignment, *seed)
        }
        Layout::Free => {
            let assignment = placed(&bases, inputs, hint, &model, &places, &pointers)?;
            holds(pool, question, &assignment).then_some(())?;
            settle(shapes, inputs, &assignment, *seed)
        }
    };
    // A solution with fewer objects may exist.
    (next.objects.len() <= shapes.max_objects() as usize).then_some(Solved::Inputs(next))
}

/// Pointers that terms mention: input, offset, and type of their target.
fn pointers_of(
    pool: &TermPool,
    shapes: &Shapes,
    inputs: &Input,
    terms: impl IntoIterator<Item = TermId>,
) -> Vec<(u32, u32, TypeId)> {
    let cells = Mentioned::by(pool, terms).cells(shapes, inputs).into_iter();
    let pointer = |(input, offset, cell)| match cell {
        Cell::Pointer { to, .. } => Some((input, offset, to)),
        Cell::Bool | Cell::Enum { .. } | Cell::Function { .. } => None,
    };
    cells.filter_map(pointer).collect()
}

/// Rewrites the path for objects at unknown addresses. Concretised addresses stay.
fn relocated(pool: &mut TermPool, bases: &mut Bases<'_>, question: &Question<'_>) -> Vec<TermId> {
    let events = &question.trace.events()[question.first..];
    let is_concretised =
        |index: usize| events.get(index).is_some_and(|event| event.kind == EventKind::Concretise as u8);
    let terms = question.prefix.iter().enumerate();
    terms.map(|(index, term)| if is_concretised(index) { *term } else { bases.relocated(pool, *term) }).collect()
}

/// Relevant part of the path for the goal.
struct Part {
    constraints: Vec<TermId>,
    /// Domains of cells that are not pointers to objects.
    domains: Vec<Domain>,
    /// Pointers that the part mentions.
    pointers: Vec<(u32, u32, TypeId)>,
}

fn part(
    pool: &TermPool,
    shapes: &Shapes,
    inputs: &Input,
    question: &Question<'_>,
    path: &[TermId],
    goal: TermId,
) -> Part {
    let touched = |slot: u32| question.trace.aliasing_choices().touched(slot);
    let (constraints, domains) = slice(pool, shapes, inputs, &touched, path, goal, question.used);
    let pointers = pointers_of(pool, shapes, inputs, constraints.iter().copied().chain([goal]));
    let is_pointer =
        |domain: &Domain| pointers.iter().any(|(input, offset, _)| (*input, *offset) == (domain.input, domain.offset));
    let domains = domains.list.into_iter().filter(|domain| !is_pointer(domain)).collect();
    Part { constraints, domains, pointers }
}

/// Context for finding the places of a query.
struct Places<'a> {
    shapes: &'a Shapes,
    bases: &'a Bases<'a>,
    question: &'a Question<'a>,
    inputs: &'a Input,
    layout: Layout,
}

impl Places<'_> {
    /// All places of this part of the path: first the objects, then the targets of pointers that are not bound yet.
    fn of(&self, pool: &mut TermPool, part: &Part, goal: TermId) -> Vec<Place> {
        let Places { shapes, bases, .. } = self;
        let terms = || part.constraints.iter().copied().chain([goal]);
        let compared = Compared::by(pool, terms());
        let bound: FxHashSet<(u32, u32)> = terms().filter_map(|term| bound(pool, bases, term)).collect();
        let support = pool.support_of_all(terms());
        let mut slots: Vec<u32> = support.iter().filter_map(|range| bases.slot(range.input)).collect();
        slots.dedup();
        let free: Vec<(u32, u32, TypeId)> =
            part.pointers.iter().copied().filter(|(input, offset, _)| !bound.contains(&(*input, *offset))).collect();
        let mut wanted: Vec<TypeId> = free.iter().map(|(_, _, to)| shapes.types().strip(*to)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let of_objects = slots.into_iter().map(|slot| self.of_object(pool, slot, &compared, &wanted));
        let mut places: Vec<Place> = of_objects.collect();
        places.extend(free.into_iter().map(|pointer| self.of_pointer(pool, pointer, &compared, &wanted)));
        places
    }

    fn of_object(&self, pool: &mut TermPool, slot: u32, compared: &Compared, wanted: &[TypeId]) -> Place {
        let Places { shapes, bases, question, inputs, layout } = self;
        let element = inputs.objects[&slot].element;
        let base = bases.address(slot);
        let touched = question.trace.aliasing_choices().touched(slot).min(element.extent);
        let used = question.trace.aliasing_choices().used(slot).clamp(touched, element.extent.max(touched));
        let within = if compared.has_arithmetic && *layout == Layout::Slots { u32::MAX } else { touched };
        let inside = |to: TypeId| {
            let places = places_in(shapes, inputs, slot, element, within, to);
            (to, places.into_iter().map(|place| place - base).collect())
        };
        Place {
            at: bases.variable(pool, slot),
            ty: element.ty,
            size: u64::from(used.max(element.size)),
            element: u64::from(element.size),
            slot: Some(slot),
            is_compared: false,
            inside: wanted.iter().map(|to| inside(*to)).collect(),
        }
    }

    fn of_pointer(
        &self,
        pool: &mut TermPool,
        (input, offset, to): (u32, u32, TypeId),
        compared: &Compared,
        wanted: &[TypeId],
    ) -> Place {
        let shapes = self.shapes;
        let element = shapes.element(to);
        let ty = shapes.types().strip(to);
        let positions = |inner: TypeId| {
            let positions = shapes.positions(element.ty, inner);
            (inner, positions.iter().map(|position| u64::from(*position)).collect())
        };
        Place {
            at: pool.input(input, offset, 64),
            ty,
            size: u64::from(element.size.max(1)),
            element: u64::from(element.size.max(1)),
            slot: None,
            is_compared: compared.cells.overlaps(input, offset, 8),
            inside: wanted.iter().map(|inner| positions(*inner)).collect(),
        }
    }
}

/// Contents of the arrays among some terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arrays {
    None,
    /// No value that could be an address.
    Numbers,
    /// Words that may be addresses of objects. They do not change when the objects move.
    Addresses,
}

fn arrays(pool: &TermPool, terms: impl Iterator<Item = TermId>, shift: u32) -> Arrays {
    let is_address = |value: u64| slot_of(value, shift).is_some();
    let mut found = Arrays::None;
    let mut pending: Vec<TermId> = terms.collect();
    let mut seen = FxHashSet::default();
    while let Some(term) = pending.pop() {
        let made = pool.term(term);
        let held = match made.kind() {
            Kind::Table => {
                let bytes = pool.table_bytes(term).map_or(&[][..], |bytes| bytes);
                let mut words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
                if words.any(is_address) { Arrays::Addresses } else { Arrays::Numbers }
            }
            Kind::Store if pool.width(made.operand(2)) == 64 => Arrays::Addresses,
            Kind::Select | Kind::Store => Arrays::Numbers,
            Kind::Op(_) => Arrays::None,
        };
        found = found.max(held);
        pending.extend(made.operands().filter(|part| seen.insert(*part)));
    }
    found
}

/// Condition: the object stays at its current address.
fn stays(pool: &mut TermPool, bases: &Bases<'_>, place: &Place) -> Option<TermId> {
    let now = pool.constant(64, u128::from(bases.address(place.slot?)));
    Some(pool.eq(place.at, now))
}

/// The pointer that a term binds to an address in an object, or to NULL.
fn bound(pool: &TermPool, bases: &Bases<'_>, term: TermId) -> Option<(u32, u32)> {
    use tine_trace::op::Op;
    let made = pool.term(term);
    let (a, b) = (made.op() == Some(Op::Eq)).then(|| (made.operand(0), made.operand(1)))?;
    let is_place = |term: TermId| {
        let made = pool.term(term);
        let is_base = |term: TermId| pool.input_view(term).is_some_and(|view| bases.slot(view.input).is_some());
        pool.value(term).is_some() || is_base(term) || made.op() == Some(Op::Add) && made.operands().any(is_base)
    };
    let (pointer, _) = [(a, b), (b, a)].into_iter().find(|(_, place)| is_place(*place))?;
    let view = pool.input_view(pointer).filter(|view| view.width == 64 && bases.slot(view.input).is_none())?;
    Some((view.input, view.offset))
}

/// The result for an unsatisfiable query, unless pointers are involved that no axiom covers.
fn unsat(pool: &TermPool, shapes: &Shapes, question: &Question<'_>, inputs: &Input, program: &[Range<u64>]) -> Solved {
    let touched = |slot: u32| question.trace.aliasing_choices().touched(slot);
    let mut terms = question.prefix.iter().copied().chain([question.goal]);
    let goal = Goal { term: question.goal, used: question.used };
    let domains = domains_of(shapes, pool, inputs, &touched, terms.clone(), goal, shapes.max_objects());
    refuted(pool, &domains, &mut terms, program)
}

/// Returns the model with objects back in their slots. A pointer into an object becomes that offset in its slot. Any
/// other pointer gets an unused slot, the same one for equal pointers.
fn placed(
    bases: &Bases<'_>,
    inputs: &Input,
    hint: &Assignment,
    model: &Assignment,
    places: &[Place],
    pointers: &[(u32, u32, TypeId)],
) -> Option<Assignment> {
    let mut assignment = Assignment::new();
    for input in (0..inputs.requests.len() as u32).chain(inputs.objects.keys().map(|slot| OBJECT | slot)) {
        for offset in 0..hint.bytes(input).len().max(model.bytes(input).len()) as u32 {
            assignment.set(input, offset, model.get(input, offset));
        }
    }
    let mut unused = (0..MAX_SLOTS).filter(|slot| !inputs.objects.contains_key(slot));
    let mut new: BTreeMap<u64, u64> = BTreeMap::new();
    for (input, offset, _) in pointers {
        let address = model.read(*input, *offset, 64) as u64;
        if address == 0 {
            continue;
        }
        let inside = places.iter().find_map(|place| {
            let slot = place.slot?;
            let distance = address.wrapping_sub(bases.value(model, slot));
            (distance < place.size).then(|| bases.address(slot) + distance)
        });
        let address = match inside.or_else(|| new.get(&address).copied()) {
            Some(known) => known,
            None => {
                let slot = unused.next()?;
                *new.entry(address).or_insert(object_address(slot, 0, inputs.slot_shift))
            }
        };
        assignment.write(*input, *offset, 64, u128::from(address));
    }
    Some(assignment)
}

fn holds(pool: &TermPool, question: &Question<'_>, assignment: &Assignment) -> bool {
    let mut evaluator = Evaluator::new();
    let mut evaluation = evaluator.with(pool, assignment);
    question.prefix.iter().chain([&question.goal]).all(|term| evaluation.holds(*term))
}
