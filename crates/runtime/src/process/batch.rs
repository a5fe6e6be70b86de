//! Runs that are requested together (`tine_trace::batch`), on the unit's side.

use core::sync::atomic::Ordering;

use tine_trace::batch::{MAX_RUNS, PLAN_START, SLOT_LEN, Slot, layout};
use tine_trace::outcome::OutcomeKind;
use tine_trace::segment::{AreaKind, N_AREAS};

use super::{fork_server, state, worker};
use crate::record;
use crate::segment::Segment;

/// The runs of a request, one after the other.
pub(super) struct Batch {
    segment: Segment,
    next: usize,
    n: usize,
}

impl Batch {
    /// Current request of the engine.
    pub(super) fn of(segment: Segment) -> Batch {
        let header = worker::header(segment);
        header.n_aside.store(0, Ordering::Relaxed);
        let n = (header.n_batch.load(Ordering::Relaxed) as usize).min(MAX_RUNS);
        let mut batch = Batch { segment, next: 0, n };
        if n > 0 {
            batch.take_plan();
        }
        batch
    }

    fn slot(&self, index: usize) -> *mut u8 {
        self.segment.area::<u8>(AreaKind::Batch).0.wrapping_add(index * SLOT_LEN)
    }

    fn take_plan(&mut self) {
        let (plan, room) = self.segment.area::<u8>(AreaKind::Plan);
        let slot = self.slot(self.next);
        // SAFETY: both lie in the segment, do not overlap, and the length fits both.
        unsafe {
            let len = slot.cast::<u32>().read().min(room) as usize;
            slot.wrapping_add(PLAN_START).copy_to_nonoverlapping(plan, len.min(SLOT_LEN - PLAN_START));
        }
        self.next += 1;
    }

    /// Called after a run. Returns true if there is another run; then the results of this one were stored in its slot.
    /// Otherwise they stay in place.
    pub(super) fn goes_on(&mut self) -> bool {
        if self.next >= self.n {
            return false;
        }
        let worker = state::get();
        let results = &worker::header(self.segment).results;
        let fit = !worker.fresh_each_run.load(Ordering::Relaxed) && results.dirty.load(Ordering::Relaxed) == 0;
        // The time limit may have expired during the previous run: the engine tries again.
        // SAFETY: written before the end of the run, by this thread or by one that has ended it.
        let kind = unsafe { (*self.segment.header()).results.outcome.copy() }.kind;
        let fit = fit && kind != OutcomeKind::Timeout as u32;
        if !fit || !fork_server::has_no_output(worker) || !self.put_aside() {
            return false;
        }
        // Written after the counted slot.
        worker::header(self.segment).n_aside.store(self.next as u32, Ordering::Release);
        self.take_plan();
        true
    }

    /// Copies the results of the run into its slot, if they fit there.
    fn put_aside(&self) -> bool {
        const COPIED: [AreaKind; 9] = [
            AreaKind::Inputs,
            AreaKind::InputBytes,
            AreaKind::Names,
            AreaKind::Nodes,
            AreaKind::Events,
            AreaKind::Notes,
            AreaKind::States,
            AreaKind::Images,
            AreaKind::Coverage,
        ];
        let place = self.slot(self.next - 1);
        // SAFETY: the slot is aligned and its plan was copied; the results are plain numbers, whole between runs.
        let areas: Option<[_; N_AREAS]> = unsafe {
            let slot = place.cast::<Slot>();
            let results = &raw const (*self.segment.header()).results;
            results.copy_to_nonoverlapping(&raw mut (*slot).results, 1);
            (*slot).n_edges = record::modules::n_edges();
            layout(&*slot)
        };
        let Some(areas) = areas else { return false };
        for kind in COPIED {
            let (from, room) = self.segment.area::<u8>(kind);
            let part = areas[kind as usize];
            if part.len > u64::from(room) {
                return false;
            }
            // SAFETY: inside the area, and inside the slot by its layout.
            unsafe {
                from.copy_to_nonoverlapping(place.wrapping_add(part.offset as usize), part.len as usize);
                if kind == AreaKind::Coverage {
                    // The next run has its own results.
                    from.write_bytes(0, part.len as usize);
                }
            }
        }
        true
    }
}
