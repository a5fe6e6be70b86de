//! Branches on where objects lie, when the objects are in use already.
//!
//! A pointer that is used is pinned to its address, and what the path decides about it is decided by that. But a branch that
//! looks at more of an address than whether it equals another (`q - p == 1`, `(uintptr_t)p & 7`) goes the other way
//! if the objects lie elsewhere. So for such a branch alone the pins of its pointers are taken off: the objects stay in
//! their slots, and begin at another place there.
//!
//! ```text
//!   slot 0                      slot 1                              slot 0           slot 1
//!   [p │                     ]  [q │                     ]    ──▶   [            │p] [q│              ]
//! ```

use tine_expr::{Answer, Assignment, Domain, Query, Solver, TermId, TermPool};
use tine_solver::Chain;
use tine_trace::event::{EventKind, OF_LAYOUT};
use tine_trace::op::Op;
use tine_trace::plan::{object_address, slot_of};

use crate::cases::CaseInputs;
use crate::graph::Shapes;
use crate::graph::domains::{domains_of, starts};
use crate::graph::settle::settle;
use crate::import::Trace;
use crate::solving::{Question, Solved};

/// An object that may lie elsewhere in its slot.
struct Movable {
    slot: u32,
    /// The one pointer to it: input and offset.
    cell: (u32, u32),
    /// Its pin among the events.
    event: usize,
}

/// Whether the event is a branch of that kind.
pub(crate) fn is_of_layout(trace: &Trace, event: usize) -> bool {
    trace.events()[event].flags & OF_LAYOUT != 0
}

/// Finds inputs with objects at other addresses.
pub(crate) fn solve_moving(
    chain: &mut Chain,
    pool: &mut TermPool,
    shapes: &Shapes,
    question: &Question<'_>,
    inputs: &CaseInputs,
    hint: &Assignment,
    seed: u64,
) -> Solved {
    let &Question { trace, prefix, goal } = question;
    let movable = movable(trace, pool, inputs, prefix.len(), goal);
    if movable.is_empty() {
        return Solved::Elsewhere;
    }
    let mut constraints = prefix.to_vec();
    let holds = pool.bit(true);
    movable.iter().for_each(|object| constraints[object.event] = holds);
    let touched = |slot: u32| trace.placements().touched(slot);
    let terms = constraints.iter().copied().chain([goal]);
    let mut domains = domains_of(shapes, pool, inputs, &touched, terms, goal, shapes.max_objects()).list;
    domains.retain(|domain| !movable.iter().any(|object| object.cell == (domain.input, domain.offset)));
    for object in &movable {
        let Some(seen) = inputs.objects.get(&object.slot) else { return Solved::Elsewhere };
        let now = u64::from(seen.element.start);
        let needed = trace.placements().touched(object.slot);
        let elsewhere = starts(&seen.element, needed, inputs.slot_shift).filter(|start| *start != now);
        let address = |start: u64| u128::from(object_address(object.slot, start as u32, inputs.slot_shift));
        let values = [now].into_iter().chain(elsewhere).map(address).collect();
        domains.push(Domain { input: object.cell.0, offset: object.cell.1, width: 64, values });
    }
    let query = Query { constraints: &constraints, goal, hint, domains: &domains };
    match chain.check(pool, &query) {
        Answer::Unsat => Solved::Elsewhere,
        Answer::Unknown(reason) => Solved::Unknown(reason.to_string()),
        Answer::Sat(changes) => {
            let mut assignment = hint.clone();
            assignment.overlay(&changes);
            let mut next = settle(shapes, inputs, &assignment, seed);
            for Movable { slot, cell, .. } in movable {
                let Some((_, start)) = slot_of(next.read(cell.0, cell.1, 64) as u64, next.slot_shift) else { continue };
                if let Some(object) = next.objects.get_mut(&slot) {
                    object.element.start = start as u32;
                    object.element.extent = object.element.extent.min((1 << inputs.slot_shift) - start as u32);
                    object.bytes.truncate(object.element.extent as usize);
                }
            }
            Solved::Inputs(next)
        }
    }
}

/// The objects that the goal is about and that can be moved: one pointer leads to each, to its start.
fn movable(trace: &Trace, pool: &TermPool, inputs: &CaseInputs, n_events: usize, goal: TermId) -> Vec<Movable> {
    let support = pool.support(goal);
    let is_meant = |input: u32, offset: u32| {
        support.iter().any(|range| range.input == input && range.start < offset + 8 && offset < range.end)
    };
    let leads_to = |slot: u32| {
        let pointers = trace.nodes().iter().skip(1).filter(|node| node.op == Op::Input as u8 && node.width == 64);
        pointers.filter(|node| slot_of(node.value[0], inputs.slot_shift).is_some_and(|(at, _)| at == slot)).count()
    };
    let events = trace.events()[..n_events].iter().enumerate();
    events
        .filter(|(_, event)| event.kind == EventKind::Placement as u8)
        .filter_map(|(index, event)| {
            let node = trace.nodes().get(event.node as usize)?;
            let (slot, offset) = slot_of(node.value[0], inputs.slot_shift)?;
            let starts_here = inputs.objects.get(&slot)?.element.start as u64 == offset;
            let meant = node.op == Op::Input as u8 && is_meant(node.a, node.b);
            (meant && starts_here && leads_to(slot) == 1).then_some(Movable {
                slot,
                cell: (node.a, node.b),
                event: index,
            })
        })
        .collect()
}
