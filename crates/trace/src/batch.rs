//! Several runs for one request, so that engine and unit alternate less often. If both share one core, the largest cost
//! of a short run is the switch from one process to the other and back.
//!
//! ```text
//!   area Batch:   slot 0         │ slot 1        │ …
//!   engine        plan of run 0  │ plan of run 1 │ …       requests Header::n_batch runs
//!   unit          Slot, results  │ Slot, results │ …       stores Header::n_aside runs in slots;
//!                                                          results of the last one lie where a single run's do
//! ```
//! The unit ends a batch early after a run that does not fit its slot, printed something, or left the process unfit for
//! another run. The engine requests the remaining runs again.

use crate::event::{Event, Note};
use crate::node::Node;
use crate::plan::InputRecord;
use crate::segment::{Area, AreaKind, N_AREAS, Results};
use crate::state::StateRecord;

/// Maximum number of runs in a batch.
pub const MAX_RUNS: usize = 8;
/// Size of a slot in bytes: its plan first, later its results.
pub const SLOT_LEN: usize = 32 << 10;
/// Offset of the plan in a slot, after its length as a word of 32 bits.
pub const PLAN_START: usize = 4;

/// Start of a slot with results; [`layout`] gives the positions of its areas.
#[derive(Debug)]
#[repr(C)]
pub struct Slot {
    pub results: Results,
    /// Bytes of its part of the area Coverage.
    pub n_edges: u32,
}

/// Positions of the areas of a run's results in its slot; `None` if they do not fit.
pub fn layout(slot: &Slot) -> Option<[Area; N_AREAS]> {
    use core::sync::atomic::Ordering::Relaxed;
    const ALIGNED: u64 = 16;
    let Slot { results, n_edges } = slot;
    let lens = [
        (AreaKind::Inputs, &results.n_inputs, size_of::<InputRecord>()),
        (AreaKind::InputBytes, &results.n_input_bytes, 1),
        (AreaKind::Names, &results.n_name_bytes, 1),
        (AreaKind::Nodes, &results.n_nodes, size_of::<Node>()),
        (AreaKind::Events, &results.n_events, size_of::<Event>()),
        (AreaKind::Notes, &results.n_notes, size_of::<Note>()),
        (AreaKind::States, &results.n_states, size_of::<StateRecord>()),
        (AreaKind::Images, &results.n_image_bytes, 1),
    ]
    .map(|(kind, count, size)| (kind, u64::from(count.load(Relaxed)) * size as u64));
    let mut areas = [Area::default(); N_AREAS];
    let mut offset = (size_of::<Slot>() as u64).next_multiple_of(ALIGNED);
    for (kind, len) in lens.into_iter().chain([(AreaKind::Coverage, u64::from(*n_edges))]) {
        areas[kind as usize] = Area { offset, len };
        offset = (offset + len).next_multiple_of(ALIGNED);
    }
    (offset <= SLOT_LEN as u64).then_some(areas)
}

const _: () = assert!(size_of::<Slot>() < SLOT_LEN / 2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_a_slot_follow_each_other_or_do_not_fit() {
        let mut slot = Slot { results: Results::default(), n_edges: 3 };
        *slot.results.n_events.get_mut() = 2;
        *slot.results.n_name_bytes.get_mut() = 5;
        let areas = layout(&slot).unwrap();
        let mut used: alloc::vec::Vec<Area> = areas.into_iter().filter(|area| area.len > 0).collect();
        used.sort_by_key(|area| area.offset);
        assert_eq!(
            used.iter().map(|area| area.len).collect::<alloc::vec::Vec<_>>(),
            [5, 2 * size_of::<Event>() as u64, 3]
        );
        assert!(used[0].offset >= size_of::<Slot>() as u64);
        assert!(used.windows(2).all(|pair| pair[0].offset + pair[0].len <= pair[1].offset));
        *slot.results.n_nodes.get_mut() = u32::MAX;
        assert_eq!(layout(&slot), None);
    }
}
