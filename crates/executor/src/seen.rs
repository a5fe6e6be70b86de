//! Decisions of a run, in the terms of the exploration.

use std::collections::HashMap;

use tine_explore::Flip;
use tine_explore::job::{Concretisation, NoteSeen};
use tine_trace::event::{ConcretiseReason, Event, EventKind, Note, NoteKind, PREFIX_HASH_START, Site};

use crate::import::Trace;

/// Number of rounds of a loop that count in a run that was stopped at its time limit.
const ROUNDS_OF_ENDLESS: u32 = 8;

/// Events up to the point where the run repeats a loop. An endless loop makes decisions without end, and the timeout is
/// reported anyway. Rounds count only after `wanted` events, which the run was expected to reach.
pub(crate) fn before_endless(events: &[Event], wanted: usize) -> &[Event] {
    let mut rounds = HashMap::<u32, u32>::new();
    let again = events.iter().skip(wanted).position(|event| {
        let count = rounds.entry(event.site).or_default();
        *count += 1;
        *count > ROUNDS_OF_ENDLESS
    });
    &events[..again.map_or(events.len(), |again| wanted + again)]
}

/// True if a run reached the decision to flip.
pub(crate) fn comes_to(trace: &Trace, flip: &Flip) -> bool {
    let index = flip.decision as usize;
    let before = match index.checked_sub(1) {
        Some(last) => trace.events().get(last).map(|event| event.prefix_hash),
        None => Some(PREFIX_HASH_START),
    };
    before == Some(flip.before) && trace.events().get(index).is_some_and(|event| event.site == flip.site.0)
}

/// True if a run took the other side there.
pub(crate) fn arrives(trace: &Trace, parent: &Trace, flip: &Flip) -> bool {
    let kind = |trace: &Trace| trace.events()[flip.decision as usize].kind;
    comes_to(trace, flip) && kind(trace) == kind(parent) && side_index(trace, flip.decision) == flip.side_index
}

/// Side that an event took.
pub(crate) fn side_index(trace: &Trace, event: u32) -> u16 {
    match trace.aliasing_choice(event) {
        Some(choice) => choice.side_index,
        None => trace.events()[event as usize].side_index,
    }
}

/// Concretisations from event `first` on, including pointers without known sides.
pub(crate) fn concretisations(trace: &Trace, first: usize) -> Vec<Concretisation> {
    let concretised = |(index, event): (usize, &Event)| {
        let reason = match EventKind::from_number(event.kind)? {
            EventKind::Concretise => ConcretiseReason::from_number(event.aux)?,
            EventKind::Aliasing if trace.aliasing_choice(index as u32).is_none_or(|known| known.is_cut) => {
                ConcretiseReason::Address
            }
            _ => return None,
        };
        Some(Concretisation { site: Site(event.site), reason })
    };
    trace.events().iter().enumerate().skip(first).filter_map(concretised).collect()
}

pub(crate) fn note_seen(note: &Note) -> Option<NoteSeen> {
    let kind = NoteKind::from_number(note.kind)?;
    Some(NoteSeen::new(kind, Site(note.site), note.detail, note.count, None))
}
