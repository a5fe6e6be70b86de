//! The input plan, in the segment or in a replay's file.

use tine_trace::plan::{InputRecord, OBJECT, PlanEntry, PlanHeader, PlanObject, PlanRequest, PointerMap, Relocation};

use crate::process;

/// A plan in the format of `trace::plan`. Its writer keeps every entry inside the area.
#[derive(Clone, Copy)]
pub(super) struct Plan(*const u8);

impl Plan {
    pub(super) fn get() -> Option<Plan> {
        process::plan().map(Plan)
    }

    pub(super) fn header(self) -> PlanHeader {
        // SAFETY: a plan begins with its header.
        unsafe { self.0.cast::<PlanHeader>().read_unaligned() }
    }

    /// The bytes for a request. Empty beyond the last request, and if they were planned for another kind of request.
    pub(super) fn request(self, ordinal: u32, kind: u32, ty: u32, size: u64) -> &'static [u8] {
        if ordinal >= self.header().n_inputs {
            return &[];
        }
        // SAFETY: the entry exists.
        let planned = unsafe { self.at::<PlanRequest>(size_of::<PlanHeader>(), ordinal) };
        if planned.is_for(kind, ty, size) { self.bytes(planned.bytes) } else { &[] }
    }

    pub(super) fn object(self, index: u32) -> PlanObject {
        // SAFETY: callers stay below `n_objects`.
        unsafe { self.at::<PlanObject>(self.objects(), index) }
    }

    /// The object in a slot.
    pub(super) fn object_in(self, slot: u32) -> Option<PlanObject> {
        let (mut low, mut high) = (0, self.header().n_objects);
        while low < high {
            let middle = low + (high - low) / 2;
            let object = self.object(middle);
            if object.slot == slot {
                return Some(object);
            }
            if object.slot < slot { low = middle + 1 } else { high = middle }
        }
        None
    }

    pub(super) fn relocation(self, index: u32) -> Relocation {
        // SAFETY: callers stay below `n_relocations`.
        unsafe { self.at::<Relocation>(self.relocations(), index) }
    }

    /// The pointers among the words of an input.
    pub(super) fn pointers(self, input: &InputRecord) -> Option<PointerMap> {
        let n_maps = self.header().n_maps;
        if n_maps == 0 {
            return None;
        }
        let is_object = input.id & OBJECT != 0;
        let number =
            if is_object { self.object_in(input.id & !OBJECT).map_or(0, |object| object.map) } else { input.ty };
        let index = number.checked_sub(1).filter(|index| *index < n_maps)?;
        let start = self.relocations() + self.header().n_relocations as usize * size_of::<Relocation>();
        // SAFETY: there are this many maps.
        Some(unsafe { self.at::<PointerMap>(start, index) })
    }

    pub(super) fn bytes(self, entry: PlanEntry) -> &'static [u8] {
        // SAFETY: the plan's writer keeps entries inside the area, and a plan does not change during the run.
        unsafe { core::slice::from_raw_parts(self.0.add(entry.offset as usize), entry.len as usize) }
    }

    fn objects(self) -> usize {
        size_of::<PlanHeader>() + self.header().n_inputs as usize * size_of::<PlanRequest>()
    }

    fn relocations(self) -> usize {
        self.objects() + self.header().n_objects as usize * size_of::<PlanObject>()
    }

    /// # Safety
    /// The `index`-th record of a list that begins at `start` must exist.
    unsafe fn at<T: Copy>(self, start: usize, index: u32) -> T {
        // SAFETY: the caller guarantees it.
        unsafe { self.0.add(start).cast::<T>().add(index as usize).read_unaligned() }
    }
}
