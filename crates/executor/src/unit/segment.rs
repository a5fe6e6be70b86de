//! The segment, from the engine's side: made here, written by the unit, read with every count checked.
//!
//! The areas' places are remembered here rather than read back: the unit could have written over them.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use tine_trace::batch::{self, MAX_RUNS, PLAN_START, SLOT_LEN, Slot};
use tine_trace::event::{Event, Note};
use tine_trace::node::Node;
use tine_trace::outcome::Outcome;
use tine_trace::plan::{InputKind, InputRecord};
use tine_trace::planned::{Plan, TooLarge};
use tine_trace::segment::{Area, AreaKind, HEADER_LEN, Header, Limits, MAGIC, ModuleRecord, N_AREAS, Results};
use tine_trace::state::StateRecord;

use super::error::{UnitError, system};
use crate::cases::InputSeen;

/// How much a run can leave behind. Memory that is not used costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentSizes {
    pub plan_bytes: u64,
    pub n_inputs: u64,
    pub input_bytes: u64,
    pub name_bytes: u64,
    pub n_nodes: u64,
    pub n_events: u64,
    pub n_notes: u64,
    pub n_modules: u64,
    pub coverage_bytes: u64,
    pub n_states: u64,
    pub image_bytes: u64,
}

impl Default for SegmentSizes {
    fn default() -> SegmentSizes {
        SegmentSizes {
            plan_bytes: 1 << 20,
            n_inputs: 64 << 10,
            input_bytes: 4 << 20,
            name_bytes: 1 << 20,
            n_nodes: 4 << 20,
            n_events: 1 << 20,
            n_notes: 4096,
            n_modules: 4096,
            coverage_bytes: 16 << 20,
            n_states: 1 << 20,
            image_bytes: 32 << 20,
        }
    }
}

impl SegmentSizes {
    /// The areas one after the other, each on pages of its own, and where they end.
    fn areas(&self) -> ([Area; N_AREAS], u64) {
        let lens = [
            self.plan_bytes,
            self.n_inputs * size_of::<InputRecord>() as u64,
            self.input_bytes,
            self.name_bytes,
            self.n_nodes * size_of::<Node>() as u64,
            self.n_events * size_of::<Event>() as u64,
            self.n_notes * size_of::<Note>() as u64,
            self.n_modules * size_of::<ModuleRecord>() as u64,
            self.coverage_bytes,
            self.n_states * size_of::<StateRecord>() as u64,
            self.image_bytes,
            (MAX_RUNS * SLOT_LEN) as u64,
        ];
        let mut offset = HEADER_LEN;
        let areas = lens.map(|len| {
            let area = Area { offset, len };
            offset += len.next_multiple_of(4096);
            area
        });
        (areas, offset)
    }
}

/// A mapped segment.
#[derive(Debug)]
pub struct Segment {
    fd: OwnedFd,
    base: NonNull<u8>,
    len: u64,
    areas: [Area; N_AREAS],
    /// The run of a batch whose results are shown instead of those in place.
    aside: Option<Aside>,
}

/// Results of a run that the unit put aside: where its slot is, and the areas in it.
#[derive(Clone, Copy, Debug)]
struct Aside {
    slot: u64,
    areas: [Area; N_AREAS],
}

// SAFETY: the mapping belongs to the segment alone, and what two processes share of it is atomic or handed over
// by the handshake.
unsafe impl Send for Segment {}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: our own mapping, and no reference outlives the segment.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len as usize) };
    }
}

impl Segment {
    pub(super) fn new(sizes: &SegmentSizes) -> Result<Segment, UnitError> {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"tine-segment".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(system("make a file in memory for the segment"));
        }
        // SAFETY: a new descriptor that nobody else owns.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let (areas, len) = sizes.areas();
        // SAFETY: our own file.
        if unsafe { libc::ftruncate(fd.as_raw_fd(), len as i64) } < 0 {
            return Err(system("size the segment"));
        }
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice.
        let base =
            unsafe { libc::mmap(std::ptr::null_mut(), len as usize, protection, libc::MAP_SHARED, fd.as_raw_fd(), 0) };
        let base = match NonNull::new(base.cast::<u8>()) {
            Some(base) if base.as_ptr().cast() != libc::MAP_FAILED => base,
            _ => return Err(system("map the segment")),
        };
        let segment = Segment { fd, base, len, areas, aside: None };
        let header = segment.header_pointer();
        // SAFETY: mapped, zeroed, and nobody else has it yet.
        unsafe {
            (*header).magic = MAGIC;
            (*header).version = tine_trace::VERSION;
            (*header).len = len;
            (*header).areas = areas;
        }
        Ok(segment)
    }

    pub(super) fn fd(&self) -> i32 {
        self.fd.as_raw_fd()
    }

    /// Expressions of the last run; slot 0 is unused.
    /// Bytes of the whole segment.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub fn nodes(&self) -> &[Node] {
        self.list(AreaKind::Nodes, self.results().n_nodes.load(Ordering::Acquire))
    }

    /// Bytes of the objects that were arrays in the last run.
    pub fn images(&self) -> &[u8] {
        self.list(AreaKind::Images, self.results().n_image_bytes.load(Ordering::Acquire))
    }

    pub fn events(&self) -> &[Event] {
        self.list(AreaKind::Events, self.results().n_events.load(Ordering::Acquire))
    }

    /// States of the program that it was asked to write down.
    pub fn states(&self) -> &[StateRecord] {
        self.list(AreaKind::States, self.results().n_states.load(Ordering::Acquire))
    }

    pub fn notes(&self) -> &[Note] {
        self.list(AreaKind::Notes, self.results().n_notes.load(Ordering::Acquire))
    }

    /// Modules of the program that are registered by now.
    pub fn modules(&self) -> &[ModuleRecord] {
        self.list(AreaKind::Modules, self.header().n_modules.load(Ordering::Acquire))
    }

    /// [`Segment::inputs`] as they were written down.
    pub fn input_records(&self) -> &[InputRecord] {
        self.list(AreaKind::Inputs, self.results().n_inputs.load(Ordering::Acquire))
    }

    /// What the last run wrote down of its inputs: objects first, then requests in order.
    pub fn inputs(&self) -> impl Iterator<Item = (InputRecord, InputSeen)> {
        self.input_records().iter().map(|record| (*record, self.input(record)))
    }

    fn input(&self, record: &InputRecord) -> InputSeen {
        InputSeen {
            name: String::from_utf8_lossy(self.text(AreaKind::Names, record.name_offset, record.name_len)).into_owned(),
            kind: InputKind::from_number(record.kind).unwrap_or(InputKind::Bytes),
            bytes: self.text(AreaKind::InputBytes, record.first_byte, record.size).to_vec(),
            choices: record.choices,
            ty: record.ty,
        }
    }

    /// Coverage bytes: one per edge of the program, set when it was taken since it was last cleared.
    pub fn coverage(&self) -> &[u8] {
        self.list(AreaKind::Coverage, u32::MAX)
    }

    /// The first `len` coverage bytes, to be cleared.
    pub fn coverage_mut(&mut self, len: usize) -> &mut [u8] {
        let (start, capacity) = self.area::<u8>(AreaKind::Coverage);
        // SAFETY: inside the mapping; the unit touches it during runs only, and those need the segment, too.
        unsafe { std::slice::from_raw_parts_mut(start, len.min(capacity)) }
    }

    pub fn outcome(&self) -> Outcome {
        // SAFETY: inside the mapping, and any bytes are an outcome.
        unsafe { (&raw const (*self.results_pointer()).outcome).read_volatile() }
    }

    pub(super) fn set_outcome(&mut self, outcome: &Outcome) {
        // SAFETY: inside the mapping; no run is on.
        unsafe { (&raw mut (*self.header_pointer()).results.outcome).write_volatile(*outcome) };
    }

    pub(super) fn set_limits(&mut self, limits: &Limits) {
        // SAFETY: inside the mapping; no run is on.
        unsafe { (&raw mut (*self.header_pointer()).limits).write(*limits) };
    }

    /// Shows the results of a run of the last batch: of one that was put aside, by its number, or of the last. False if what
    /// the unit says of it cannot be.
    pub(super) fn show(&mut self, aside: Option<usize>) -> bool {
        self.aside = None;
        let Some(index) = aside else { return true };
        let slot = self.slot(index);
        // SAFETY: inside the mapping and aligned; any bytes are a slot.
        let Some(areas) = batch::layout(unsafe { &*self.base.as_ptr().wrapping_add(slot as usize).cast::<Slot>() })
        else {
            return false;
        };
        let mut shown = self.areas;
        for (shown, area) in shown.iter_mut().zip(areas).filter(|(_, area)| area.offset != 0) {
            *shown = Area { offset: slot + area.offset, ..area };
        }
        self.aside = Some(Aside { slot, areas: shown });
        true
    }

    /// Where a slot of a batch lies.
    fn slot(&self, index: usize) -> u64 {
        self.areas[AreaKind::Batch as usize].offset + (index.min(MAX_RUNS - 1) * SLOT_LEN) as u64
    }

    /// Writes the plans of a batch, as far as they fit. How many do.
    pub(super) fn write_plans<'a>(&mut self, plans: impl Iterator<Item = &'a Plan>) -> usize {
        let mut n = 0;
        for (index, plan) in plans.take(MAX_RUNS).enumerate() {
            let start = self.base.as_ptr().wrapping_add(self.slot(index) as usize);
            // SAFETY: inside the mapping; no run is on.
            let (head, area) = unsafe { std::slice::from_raw_parts_mut(start, SLOT_LEN) }.split_at_mut(PLAN_START);
            let Ok(len) = plan.lay_out(area) else { break };
            head.copy_from_slice(&(len as u32).to_le_bytes());
            n = index + 1;
        }
        n
    }

    /// Writes the plan of the next run.
    pub(super) fn write_plan(&mut self, plan: &Plan) -> Result<(), UnitError> {
        let (start, room) = self.area::<u8>(AreaKind::Plan);
        // SAFETY: inside the mapping; no run is on.
        let area = unsafe { std::slice::from_raw_parts_mut(start, room) };
        plan.lay_out(area).map_err(|TooLarge { len, room }| UnitError::PlanTooLarge { len, room })?;
        Ok(())
    }

    /// What changes in the header while others look is atomic; `limits` and `outcome` are not to be read
    /// through this reference.
    pub(super) fn header(&self) -> &Header {
        // SAFETY: the mapping starts with the header and lives as long as `self`.
        unsafe { &*self.header_pointer() }
    }

    fn header_pointer(&self) -> *mut Header {
        self.base.as_ptr().cast()
    }

    /// Of the run that is shown; the outcome is not to be read through this reference.
    fn results(&self) -> &Results {
        // SAFETY: inside the mapping and aligned, which lives as long as `self`.
        unsafe { &*self.results_pointer() }
    }

    fn results_pointer(&self) -> *const Results {
        match self.aside {
            // SAFETY: a slot lies inside the mapping.
            Some(Aside { slot, .. }) => unsafe {
                &raw const (*self.base.as_ptr().wrapping_add(slot as usize).cast::<Slot>()).results
            },
            // SAFETY: so does the header.
            None => unsafe { &raw const (*self.header_pointer()).results },
        }
    }

    fn area<T>(&self, kind: AreaKind) -> (*mut T, usize) {
        let areas = self.aside.as_ref().map_or(&self.areas, |aside| &aside.areas);
        let area = areas[kind as usize];
        let start = self.base.as_ptr().wrapping_add(area.offset as usize).cast();
        (start, area.len as usize / size_of::<T>())
    }

    /// The first `count` records of an area, or as many as there can be.
    fn list<T: Record>(&self, kind: AreaKind, count: u32) -> &[T] {
        let (start, capacity) = self.area::<T>(kind);
        // SAFETY: inside the mapping and aligned; any bytes are a record. Between runs nobody writes here.
        unsafe { std::slice::from_raw_parts(start, capacity.min(count as usize)) }
    }

    /// Bytes of an area, as far as they exist.
    fn text(&self, kind: AreaKind, offset: u32, len: u32) -> &[u8] {
        let all: &[u8] = self.list(kind, u32::MAX);
        let start = (offset as usize).min(all.len());
        &all[start..start.saturating_add(len as usize).min(all.len())]
    }
}

/// Plain numbers, valid whatever their bytes are.
trait Record {}
impl Record for u8 {}
impl Record for Node {}
impl Record for Event {}
impl Record for Note {}
impl Record for ModuleRecord {}
impl Record for InputRecord {}
impl Record for StateRecord {}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> SegmentSizes {
        SegmentSizes {
            plan_bytes: 32,
            n_inputs: 2,
            input_bytes: 8,
            name_bytes: 8,
            n_nodes: 4,
            n_events: 4,
            n_notes: 4,
            n_modules: 4,
            coverage_bytes: 16,
            n_states: 4,
            image_bytes: 64,
        }
    }

    #[test]
    fn areas_do_not_meet() {
        let (areas, len) = SegmentSizes::default().areas();
        for pair in areas.windows(2) {
            assert!(pair[0].offset + pair[0].len <= pair[1].offset);
            assert_eq!(pair[1].offset % 4096, 0);
        }
        assert!(areas[N_AREAS - 1].offset + areas[N_AREAS - 1].len <= len);
    }

    #[test]
    fn counts_and_offsets_of_the_unit_are_not_believed() {
        let segment = Segment::new(&small()).unwrap();
        let results = &segment.header().results;
        results.n_nodes.store(u32::MAX, Ordering::Relaxed);
        results.n_events.store(5, Ordering::Relaxed);
        results.n_inputs.store(1, Ordering::Relaxed);
        assert_eq!(segment.nodes().len(), 4);
        assert_eq!(segment.events().len(), 4);
        let (record, _) = segment.area::<InputRecord>(AreaKind::Inputs);
        let wild = InputRecord { kind: 99, size: u32::MAX, first_byte: 5, name_offset: u32::MAX, ..Default::default() };
        // SAFETY: inside the mapping.
        unsafe { record.write(wild) };
        let inputs: Vec<_> = segment.inputs().map(|(_, input)| input).collect();
        assert_eq!((inputs[0].kind, inputs[0].bytes.len(), inputs[0].name.as_str()), (InputKind::Bytes, 3, ""));
    }
}
