//! The input plan as it lies in the segment or in a replay's file.

use tine_trace::plan::{InputRecord, OBJECT, PlanEntry, PlanHeader, PlanObject, PointerMap, Relocation};

use crate::process;

/// A plan, as `trace::plan` draws it. Its writer keeps every entry inside.
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

    /// The bytes of a request; none beyond the last.
    pub(super) fn request(self, ordinal: u32) -> &'static [u8] {
        if ordinal >= self.header().n_inputs {
            return &[];
        }
        // SAFETY: the entry exists.
        let entry = unsafe { self.at::<PlanEntry>(size_of::<PlanHeader>(), ordinal) };
        self.bytes(entry)
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

    /// How many low bits of the word at `offset` of an input are 0, whatever the plan.
    pub(super) fn low_zeros(self, input: &InputRecord, offset: u32) -> u32 {
        let is_object = input.id & OBJECT != 0;
        let number =
            if is_object { self.object_in(input.id & !OBJECT).map_or(0, |object| object.map) } else { input.ty };
        if number == 0 || number > self.header().n_maps {
            return 0;
        }
        let start = self.relocations() + self.header().n_relocations as usize * size_of::<Relocation>();
        // SAFETY: there are so many maps.
        unsafe { self.at::<PointerMap>(start, number - 1) }.low_zeros(offset)
    }

    pub(super) fn bytes(self, entry: PlanEntry) -> &'static [u8] {
        // SAFETY: the plan's writer keeps entries inside, and a plan stays during the run.
        unsafe { core::slice::from_raw_parts(self.0.add(entry.offset as usize), entry.len as usize) }
    }

    fn objects(self) -> usize {
        size_of::<PlanHeader>() + self.header().n_inputs as usize * size_of::<PlanEntry>()
    }

    fn relocations(self) -> usize {
        self.objects() + self.header().n_objects as usize * size_of::<PlanObject>()
    }

    /// # Safety
    /// The `index`-th record of a list that begins at `start` must exist.
    unsafe fn at<T: Copy>(self, start: usize, index: u32) -> T {
        // SAFETY: the caller vouches for it.
        unsafe { self.0.add(start).cast::<T>().add(index as usize).read_unaligned() }
    }
}
