//! The segment, from the engine's side: created here, written by the unit, copied after each run (`records`).
//!
//! Its size is sealed, so that no access by the engine can cause SIGBUS. The engine remembers the positions of the
//! areas instead of reading them from the segment, because the unit could have overwritten them.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tine_trace::batch::{self, MAX_RUNS, PLAN_START, SLOT_LEN, Slot};
use tine_trace::event::{Event, Note};
use tine_trace::node::Node;
use tine_trace::outcome::{Fault, Outcome};
use tine_trace::plan::{InputKind, InputRecord};
use tine_trace::planned::TooLarge;
use tine_trace::segment::{Area, AreaKind, Fixed, HEADER_LEN, Header, Limits, MAGIC, ModuleRecord, N_AREAS};
use tine_trace::state::StateRecord;
use tine_types::input::{Input, PointerMaps, Request};

use super::error::{UnitError, system};
use super::records::{Counts, Integrity, Records, clear_bytes, copy_list, copy_one, part};

/// Maximum numbers of records of a run. Unused memory costs nothing.
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
            plan_bytes: 64 << 20,
            n_inputs: 1 << 20,
            input_bytes: 32 << 20,
            name_bytes: 16 << 20,
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
    /// Positions of the areas, one after the other and page-aligned, and their end.
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

/// A mapped segment, and a copy of the records of the run that is shown.
#[derive(Debug)]
pub struct Segment {
    fd: OwnedFd,
    base: NonNull<u8>,
    /// Constant contents of the header, including the positions of the areas.
    fixed: Fixed,
    /// Modules of the program at its start.
    modules: Vec<ModuleRecord>,
    /// Records of the last run, and of the run of its batch that is shown instead.
    records: Records,
    aside: Records,
    is_aside: bool,
    /// Pointer maps for every plan.
    pointer_maps: Arc<PointerMaps>,
}

// SAFETY: the mapping belongs to the segment alone. Data shared by the two processes is atomic or copied.
unsafe impl Send for Segment {}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: a mapping of this segment. No reference lives longer than the segment.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.fixed.len as usize) };
    }
}

impl Segment {
    pub(super) fn new(sizes: &SegmentSizes) -> Result<Segment, UnitError> {
        let (areas, len) = sizes.areas();
        let fd = sealed_file(len)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice.
        let base =
            unsafe { libc::mmap(std::ptr::null_mut(), len as usize, protection, libc::MAP_SHARED, fd.as_raw_fd(), 0) };
        let base = match NonNull::new(base.cast::<u8>()) {
            Some(base) if base.as_ptr().cast() != libc::MAP_FAILED => base,
            _ => return Err(system("map the segment")),
        };
        let fixed = Fixed { magic: MAGIC, version: tine_trace::VERSION, _pad: 0, len, areas };
        let (records, aside) = (Records::default(), Records::default());
        let (modules, pointer_maps) = (Vec::new(), Arc::default());
        let segment = Segment { fd, base, fixed, modules, records, aside, is_aside: false, pointer_maps };
        segment.header().fixed.set(fixed);
        Ok(segment)
    }

    pub(super) fn fd(&self) -> i32 {
        self.fd.as_raw_fd()
    }

    /// Copies the list of modules that the program wrote when it started.
    pub(super) fn take_modules(&mut self) {
        let n = self.header().n_modules.load(Ordering::Acquire);
        let area = self.area(AreaKind::Modules);
        copy_list(&mut self.modules, area, n);
    }

    /// True if the header still has the values that the engine wrote. Restores them if not.
    pub(super) fn restore_header(&mut self, request: u32) -> bool {
        let header = self.header();
        let is_intact = header.fixed.copy() == self.fixed && header.request.load(Ordering::SeqCst) == request;
        if !is_intact {
            header.fixed.set(self.fixed);
            header.request.store(request, Ordering::SeqCst);
            for word in [&header.fork_server, &header.is_forked, &header.n_batch, &header.died] {
                word.store(0, Ordering::SeqCst);
            }
        }
        is_intact
    }

    /// Copies and checks the records of the last run.
    pub(super) fn take_records(&mut self, outcome: &Outcome) {
        let counts = Counts::of(&self.header().results);
        let mut records = std::mem::take(&mut self.records);
        records.copy(&counts, self.n_edges(), |kind| self.area(kind));
        records.outcome = *outcome;
        self.records = records;
        self.is_aside = false;
        if !self.is_margin_clear() {
            self.set_destroyed();
        }
    }

    /// True if nothing was written after the coverage of the known modules.
    fn is_margin_clear(&self) -> bool {
        const MARGIN: usize = 64;
        let ((start, len), n_edges) = (self.area(AreaKind::Coverage), self.n_edges());
        // Modules that are loaded later have their coverage there.
        let is_same = self.header().n_modules.load(Ordering::Acquire) as usize == self.modules.len();
        if !is_same || len < n_edges + MARGIN {
            return true;
        }
        let margin = start.wrapping_add(n_edges);
        // SAFETY: inside the mapping. Any bytes are valid numbers.
        let is_clear = unsafe { copy_one::<[u8; MARGIN]>(margin) } == [0; MARGIN];
        if !is_clear {
            // SAFETY: inside the mapping.
            unsafe { clear_bytes(margin.cast_mut(), MARGIN) };
        }
        is_clear
    }

    /// Number of edges of the program's modules.
    fn n_edges(&self) -> usize {
        let end = |module: &ModuleRecord| u64::from(module.edge_base) + u64::from(module.n_edges);
        self.modules.iter().map(end).max().unwrap_or(0).min(self.fixed.areas[AreaKind::Coverage as usize].len) as usize
    }

    fn shown(&self) -> &Records {
        if self.is_aside { &self.aside } else { &self.records }
    }

    fn shown_mut(&mut self) -> &mut Records {
        if self.is_aside { &mut self.aside } else { &mut self.records }
    }

    /// State of the records after a run.
    pub fn integrity(&self) -> Integrity {
        self.shown().integrity
    }

    pub(super) fn set_destroyed(&mut self) {
        self.shown_mut().integrity = Integrity::Destroyed;
    }

    /// Size of the whole segment in bytes.
    pub(super) fn len(&self) -> u64 {
        self.fixed.len
    }

    /// Expressions of the last run; slot 0 is unused.
    pub fn nodes(&self) -> &[Node] {
        &self.shown().nodes
    }

    /// Initial bytes of the objects that became arrays in the last run.
    pub fn images(&self) -> &[u8] {
        &self.shown().images
    }

    /// Events of the run.
    pub fn events(&self) -> &[Event] {
        &self.shown().events
    }

    /// Takes the expressions and events of the last run out of the segment.
    pub(crate) fn take_path(&mut self) -> (Vec<Node>, Vec<Event>) {
        (std::mem::take(&mut self.shown_mut().nodes), std::mem::take(&mut self.shown_mut().events))
    }

    /// States of the program that the run recorded.
    pub fn states(&self) -> &[StateRecord] {
        &self.shown().states
    }

    /// Notes of the run.
    pub fn notes(&self) -> &[Note] {
        &self.shown().notes
    }

    /// Modules of the program that were registered when it started.
    pub fn modules(&self) -> &[ModuleRecord] {
        &self.modules
    }

    /// Number of requests so far of a run in progress.
    pub fn n_requests(&self) -> u32 {
        self.header().results.n_requests.load(Ordering::Acquire)
    }

    /// Raw records of [`Segment::inputs`].
    pub fn input_records(&self) -> &[InputRecord] {
        &self.shown().inputs
    }

    /// Inputs that the last run recorded: objects first, then requests in order.
    pub fn inputs(&self) -> impl Iterator<Item = (InputRecord, Request)> {
        self.input_records().iter().map(|record| (*record, self.input(record)))
    }

    /// String that an outcome refers to.
    pub(crate) fn text(&self, fault: &Fault) -> String {
        let (offset, len) = (u32::try_from(fault.offset).unwrap_or(0), u32::try_from(fault.len).unwrap_or(0));
        String::from_utf8_lossy(part(&self.shown().names, offset, len)).into_owned()
    }

    fn input(&self, record: &InputRecord) -> Request {
        let name = part(&self.shown().names, record.name_offset, record.name_len);
        Request {
            name: String::from_utf8_lossy(name).into_owned(),
            kind: InputKind::from_number(record.kind).unwrap_or(InputKind::Bytes),
            bytes: part(&self.shown().input_bytes, record.first_byte, record.size).to_vec(),
            choices: record.choices,
            ty: record.ty,
        }
    }

    /// Coverage bytes: one per edge of the program, set if the edge was taken since the byte was last cleared.
    pub fn coverage(&self) -> &[u8] {
        &self.shown().coverage
    }

    /// Clears the coverage of the first `len` edges.
    pub fn clear_coverage(&mut self, len: usize) {
        self.shown_mut().coverage.fill(0);
        if !self.is_aside {
            let (start, room) = self.area(AreaKind::Coverage);
            // SAFETY: inside the mapping.
            unsafe { clear_bytes(start.cast_mut(), len.min(room)) };
        }
    }

    /// The outcome of the run.
    pub fn outcome(&self) -> Outcome {
        self.shown().outcome
    }

    /// Outcome of the last run as the unit reports it.
    pub(super) fn told_outcome(&self) -> Outcome {
        self.header().results.outcome.copy()
    }

    pub(super) fn set_outcome(&mut self, outcome: &Outcome) {
        self.header().results.outcome.set(*outcome);
    }

    pub(super) fn set_limits(&mut self, limits: &Limits) {
        self.header().limits.set(*limits);
    }

    /// Shows the records of a run of the last batch that was put aside, by its number. False if they are inconsistent.
    pub(super) fn show_aside(&mut self, index: usize) -> bool {
        let start = self.slot(index);
        // SAFETY: inside the mapping. Any bytes are a valid slot.
        let slot = unsafe { copy_one::<Slot>(start) };
        let Some(areas) = batch::layout(&slot) else { return false };
        let mut records = std::mem::take(&mut self.aside);
        records.copy(&Counts::of(&slot.results), slot.n_edges as usize, |kind| {
            let area = areas[kind as usize];
            (start.wrapping_add(area.offset as usize).cast_const(), area.len as usize)
        });
        records.outcome = slot.results.outcome.copy();
        self.aside = records;
        self.is_aside = true;
        true
    }

    /// Shows the records of the last run.
    pub(super) fn show_last(&mut self) {
        self.is_aside = false;
    }

    /// Address of a slot of a batch.
    fn slot(&self, index: usize) -> *mut u8 {
        let offset = self.fixed.areas[AreaKind::Batch as usize].offset as usize;
        self.base.as_ptr().wrapping_add(offset + index.min(MAX_RUNS - 1) * SLOT_LEN)
    }

    /// Writes the plans of a batch, as many as fit. Returns their number.
    pub(super) fn write_plans<'a>(&mut self, inputs: impl Iterator<Item = &'a Input>) -> usize {
        let mut n = 0;
        for (index, input) in inputs.take(MAX_RUNS).enumerate() {
            // SAFETY: inside the mapping. No run is in progress, and the written bytes are not read back.
            let slot = unsafe { std::slice::from_raw_parts_mut(self.slot(index), SLOT_LEN) };
            let (head, area) = slot.split_at_mut(PLAN_START);
            let Ok(len) = input.plan(&self.pointer_maps).lay_out(area) else { break };
            head.copy_from_slice(&(len as u32).to_le_bytes());
            n = index + 1;
        }
        n
    }

    /// Sets the pointer maps that are part of every plan.
    pub fn set_pointer_maps(&mut self, maps: Arc<PointerMaps>) {
        self.pointer_maps = maps;
    }

    /// Writes the plan of the next run.
    pub(super) fn write_plan(&mut self, input: &Input) -> Result<(), UnitError> {
        let (start, room) = self.area(AreaKind::Plan);
        // SAFETY: inside the mapping. No run is in progress, and the written bytes are not read back.
        let area = unsafe { std::slice::from_raw_parts_mut(start.cast_mut(), room) };
        let plan = input.plan(&self.pointer_maps);
        plan.lay_out(area).map_err(|TooLarge { len, room }| UnitError::PlanTooLarge { len, room })?;
        Ok(())
    }

    /// The header. Its fields are atomic, or are copied as a whole.
    pub(super) fn header(&self) -> &Header {
        // SAFETY: the mapping starts with the header and lives as long as `self`.
        unsafe { &*self.base.as_ptr().cast() }
    }

    /// Start of an area, and its length in bytes.
    fn area(&self, kind: AreaKind) -> (*const u8, usize) {
        let Area { offset, len } = self.fixed.areas[kind as usize];
        (self.base.as_ptr().wrapping_add(offset as usize), len as usize)
    }
}

/// Creates a memory file whose size is sealed.
fn sealed_file(len: u64) -> Result<OwnedFd, UnitError> {
    // SAFETY: the name is a C string.
    let fd = unsafe { libc::memfd_create(c"tine-segment".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
    if fd < 0 {
        return Err(system("make a file in memory for the segment"));
    }
    // SAFETY: a new descriptor without another owner.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: a file of this function.
    if unsafe { libc::ftruncate(fd.as_raw_fd(), len as i64) } < 0 {
        return Err(system("size the segment"));
    }
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: a file of this function.
    if unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_ADD_SEALS, seals) } < 0 {
        return Err(system("seal the segment"));
    }
    Ok(fd)
}

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
        let mut segment = Segment::new(&small()).unwrap();
        let results = &segment.header().results;
        results.n_nodes.store(u32::MAX, Ordering::Relaxed);
        results.n_events.store(5, Ordering::Relaxed);
        results.n_inputs.store(1, Ordering::Relaxed);
        results.n_input_bytes.store(u32::MAX, Ordering::Relaxed);
        let (record, _) = segment.area(AreaKind::Inputs);
        let wild = InputRecord { kind: 99, size: u32::MAX, first_byte: 5, name_offset: u32::MAX, ..Default::default() };
        // SAFETY: inside the mapping.
        unsafe { record.cast_mut().cast::<InputRecord>().write(wild) };
        segment.take_records(&Outcome::default());
        assert_eq!(segment.nodes().len(), 4);
        assert_eq!(segment.events().len(), 4);
        assert_eq!(segment.integrity(), Integrity::Unsealed);
        let inputs: Vec<_> = segment.inputs().map(|(_, input)| input).collect();
        assert_eq!((inputs[0].kind, inputs[0].bytes.len(), inputs[0].name.as_str()), (InputKind::Bytes, 3, ""));
    }

    #[test]
    fn records_are_those_that_were_sealed() {
        let mut segment = Segment::new(&small()).unwrap();
        let node = Node { op: 1, width: 8, value: [7, 0], ..Node::default() };
        let (nodes, _) = segment.area(AreaKind::Nodes);
        let nodes = nodes.cast_mut().cast::<Node>();
        // SAFETY: inside the mapping.
        unsafe { nodes.add(1).write(node) };
        let sum = tine_trace::seal::of_node(1, &node).wrapping_add(tine_trace::seal::of_note_kinds(0));
        segment.header().results.n_nodes.store(2, Ordering::Relaxed);
        segment.header().results.seal.store(tine_trace::seal::stored(sum), Ordering::Relaxed);
        segment.take_records(&Outcome::default());
        assert_eq!(segment.integrity(), Integrity::Sealed);
        // SAFETY: inside the mapping.
        unsafe { nodes.add(1).write(Node { value: [8, 0], ..node }) };
        assert_eq!(segment.nodes()[1], node, "a copy");
        segment.take_records(&Outcome::default());
        assert_eq!(segment.integrity(), Integrity::Destroyed);
        segment.header().fixed.set(Fixed { magic: 0, ..segment.fixed });
        assert!(!segment.restore_header(0) && segment.restore_header(0));
        assert!(!segment.restore_header(7) && segment.restore_header(7));
    }

    #[test]
    fn the_size_is_sealed() {
        let segment = Segment::new(&small()).unwrap();
        for len in [0, 1 << 30] {
            // SAFETY: takes only numbers.
            assert_eq!(unsafe { libc::ftruncate(segment.fd(), len) }, -1);
        }
        // SAFETY: takes only numbers.
        assert_eq!(unsafe { libc::fcntl(segment.fd(), libc::F_ADD_SEALS, libc::F_SEAL_FUTURE_WRITE) }, -1);
    }
}
