//! Inputs: the bytes of a request come from the plan, otherwise from the seed. The request is recorded with its bytes,
//! and its memory becomes symbolic.
//!
//! At first, symbolic means a marker in the shadow: byte k of the run's inputs. The expression is made when bytes are
//! read, in the width of the read. A table keeps it for each byte, so that copies of markers find the same expression.
//! Objects of the input region (`objects`) are inputs in the same way.

use core::ffi::{CStr, c_char};
use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::{AtomicU32, Ordering, compiler_fence};

use tine_trace::event::{EventKind, NoteKind, Site};
use tine_trace::fill::fill_typed;
use tine_trace::layout::{CELL_UNREAD, Cell};
use tine_trace::op::Op;
use tine_trace::plan::{FUNCTIONS, InputKind, InputRecord, PLACE_FRAMES, POINTER_WORD, PointerMap, TEXT, ZERO_FILL};
use tine_trace::seal;
use tine_trace::segment::{AreaKind, Header};

use super::failure;
use super::note;
use super::objects;
use super::plan::Plan;
use super::shadow::{self, cell};
use super::state::{self, INPUT_CELLS, INPUT_CELLS_LEN, Recorder};
use crate::process;
use crate::process::heap::{HEAP, Life};
use crate::segment::Segment;

/// Number of requests so far, with or without an engine: the ordinal of the next.
static N_REQUESTS: AtomicU32 = AtomicU32::new(0);

/// Bytes of an [`InputKind::Choice`].
const CHOICE: u64 = 4;
/// Bytes of an [`InputKind::Failure`] that are chosen by the engine.
const CHOSEN: u64 = 4;

/// The inputs of the run, as written to the segment.
#[derive(Debug)]
pub(super) struct Inputs {
    records: *mut InputRecord,
    bytes: *mut u8,
    names: *mut u8,
    max_records: u32,
    max_bytes: u32,
    max_names: u32,
    n_records: u32,
    n_bytes: u32,
    n_names: u32,
    /// Seals over an even and an odd number of inputs, as in the arena.
    seals: [u64; 2],
    /// True if an input found no room. Later ones are not recorded either, because a list with holes would mislead.
    full: bool,
}

/// Record of an input, without its bytes and name.
#[derive(Clone, Copy)]
pub(super) struct What {
    pub(super) id: u32,
    pub(super) kind: u32,
    pub(super) choices: u32,
    pub(super) ty: u32,
}

/// Bytes of a request from the plan and the seed.
struct Source {
    ordinal: u32,
    planned: &'static [u8],
    kind: u32,
    size: u64,
    seed: u64,
}

impl Source {
    /// Source of the bytes of the next request, of this kind, type and size. Before the first request, lays out the
    /// objects that it may point to.
    fn next(zero: bool, kind: u32, ty: u32, size: u64) -> Source {
        process::before_input();
        let ordinal = N_REQUESTS.fetch_add(1, Ordering::Relaxed);
        let most = process::max_inputs();
        if most != 0 && u64::from(ordinal) >= most && process::exploring() {
            note(NoteKind::MaxInputs, Site::NONE, 0);
            failure::asks_for_ever();
        }
        let plan = Plan::get();
        if ordinal == 0
            && let Some(plan) = plan
        {
            objects::lay_out(plan);
        }
        let planned = plan.map_or(&[][..], |plan| plan.request(ordinal, kind, ty, size));
        Source { ordinal, planned, kind, size, seed: if zero { 0 } else { process::fill_seed() } }
    }

    fn byte(&self, offset: u32) -> u8 {
        match self.planned.get(offset as usize) {
            Some(byte) => *byte,
            None => fill_typed(self.seed, self.ordinal, offset, self.kind, self.size),
        }
    }

    /// # Safety
    /// `to` must be writable for `size` bytes.
    unsafe fn copy_to(&self, to: *mut u8, size: u64) {
        for offset in 0..size {
            // SAFETY: the caller guarantees `to`.
            unsafe { to.add(offset as usize).write(self.byte(offset as u32)) };
        }
        if let Some(plan) = Plan::get() {
            // SAFETY: as above; relocations outside of the request are skipped.
            unsafe { objects::relocate(plan, self.ordinal, to, size) };
        }
    }
}

/// `__tine_input` and `__tine_root`.
///
/// # Safety
/// `to` must be writable for `size` bytes, `name` null or a C string.
pub(super) unsafe fn input(to: *mut u8, size: u64, name: *const c_char, kind: u32, ty: u32) {
    let source = Source::next(kind & ZERO_FILL != 0, kind & !ZERO_FILL, ty, size);
    // SAFETY: the caller guarantees `to`.
    unsafe { source.copy_to(to, size) };
    if kind & !ZERO_FILL == InputKind::Failure as u32 && state::gate().is_some_and(|gate| gate.records_here()) {
        // This run writes the result of the failing call here.
        // SAFETY: as above.
        unsafe { to.add(CHOSEN.min(size) as usize).write_bytes(0, size.saturating_sub(CHOSEN) as usize) };
    }
    // Whatever the memory held before, the bytes are new.
    shadow_of_old(to as u64, size);
    let what = What { id: source.ordinal, kind: kind & !ZERO_FILL, choices: 0, ty };
    // SAFETY: the bytes were just written; the caller guarantees the name.
    unsafe { become_input(to as u64, size, name_bytes(name), what) };
}

/// Makes memory that was just written an input.
///
/// # Safety
/// `address` must be readable for `size` bytes.
pub(super) unsafe fn become_input(address: u64, size: u64, name: &[u8], what: What) {
    let Some(recorder) = writable() else { return };
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, size as usize) };
    let Some(record) = recorder.inputs.write_down(bytes, name, what) else {
        note(NoteKind::InputCap, Site::NONE, 0);
        return;
    };
    if state::gate().is_some_and(|gate| gate.records_here()) && shadow::is_whole(address, size) {
        recorder.dirty.mark(address, size);
        for k in 0..record.size {
            // SAFETY: cells of a range that crosses no fold.
            unsafe { cell(address).add(k as usize).write(CELL_UNREAD | (record.first_byte + k)) };
        }
    }
}

/// `__tine_functions`: recorded so that the engine knows the functions' addresses.
///
/// # Safety
/// `table` must hold `n` addresses.
pub(super) unsafe fn functions(table: *const u64, n: u32) {
    process::before_input();
    objects::set_functions(table, n);
    if let Some(recorder) = writable() {
        // SAFETY: the caller guarantees the table.
        let bytes = unsafe { core::slice::from_raw_parts(table.cast::<u8>(), n as usize * 8) };
        let what = What { id: FUNCTIONS, kind: InputKind::Functions as u32, choices: 0, ty: 0 };
        recorder.inputs.write_down(bytes, b"", what);
    }
}

/// `__tine_choice`.
///
/// # Safety
/// `name` must be null or a C string.
pub(super) unsafe fn choice(n: u32, name: *const c_char) -> u32 {
    let n = n.clamp(1, u16::MAX as u32);
    let source = Source::next(false, InputKind::Choice as u32, 0, CHOICE);
    let planned = u32::from_le_bytes([source.byte(0), source.byte(1), source.byte(2), source.byte(3)]);
    let chosen = planned % n;
    let Some(recorder) = writable() else { return chosen };
    // SAFETY: the caller guarantees the name.
    let name = unsafe { name_bytes(name) };
    let what = What { id: source.ordinal, kind: InputKind::Choice as u32, choices: n, ty: 0 };
    let Some(record) = recorder.inputs.write_down(&chosen.to_le_bytes(), name, what) else {
        note(NoteKind::InputCap, Site::NONE, 0);
        return chosen;
    };
    if state::gate().is_some_and(|gate| gate.records_here()) {
        let node = recorder.arena.make(Op::Input, 32, [source.ordinal, 0, 0], chosen as u128, 0);
        if node != 0 {
            for k in 0..4 {
                *expression(record.first_byte + k) = node << 4 | k;
            }
            if n > 1 {
                recorder.decide(EventKind::Choice, Site::NONE, node, chosen as u16, n);
            }
        }
    }
    chosen
}

/// `__tine_alive`. Without an engine the C library's heap cannot be queried: a replay repeats the answer of the run. So
/// the answer is recorded like a choice, but it is not a decision.
pub(super) fn alive(address: u64) -> u32 {
    let source = Source::next(true, InputKind::Choice as u32, 0, CHOICE);
    if !process::exploring() {
        return u32::from(source.planned.first() != Some(&0));
    }
    let freed = HEAP.contains(address) && HEAP.object_of(address).is_none_or(|object| object.life == Life::Freed);
    let alive = u32::from(!freed);
    if let Some(recorder) = writable() {
        let what = What { id: source.ordinal, kind: InputKind::Choice as u32, choices: 2, ty: 0 };
        if recorder.inputs.write_down(&alive.to_le_bytes(), b"", what).is_none() {
            note(NoteKind::InputCap, Site::NONE, 0);
        }
    }
    alive
}

/// `__tine_call_failed`: writes the run's result into the last input of that kind. It is not part of the choice.
pub(super) fn failed(kind: u32, number: u32) {
    if state::gate().is_some_and(|gate| gate.records_here()) {
        state::owned().inputs.complete_failure(kind, number);
    }
}

/// The recorder, if this thread may record inputs. With an engine, this is the recording thread; without a recording,
/// the first thread that requests an input.
fn writable() -> Option<&'static mut Recorder> {
    let gate = state::gate()?;
    if gate.segment().is_null() {
        None
    } else if gate.records() {
        state::recorder()
    } else {
        Some(state::owned())
    }
}

/// Stores a string after the names of inputs, and returns its position there and its length.
pub(super) fn keep_text(parts: &[&[u8]]) -> (u32, u32) {
    let Some(recorder) = writable() else { return (0, 0) };
    let start = recorder.inputs.n_names;
    for part in parts {
        recorder.inputs.keep_text(part);
    }
    (start, recorder.inputs.n_names - start)
}

/// Clears the cells of memory that an input is written to.
fn shadow_of_old(address: u64, size: u64) {
    if state::gate().is_some_and(|gate| gate.records()) {
        shadow::clear(address, size);
    }
}

/// # Safety
/// `name` must be null or a C string that lives at least as long as the result.
unsafe fn name_bytes<'a>(name: *const c_char) -> &'a [u8] {
    if name.is_null() {
        return b"";
    }
    // SAFETY: the caller guarantees it.
    unsafe { CStr::from_ptr(name) }.to_bytes()
}

impl Inputs {
    pub(super) fn begin(&mut self, segment: Segment) {
        N_REQUESTS.store(0, Ordering::Relaxed);
        let (records, max_records) = segment.area(AreaKind::Inputs);
        let (bytes, max_bytes) = segment.area(AreaKind::InputBytes);
        let (names, max_names) = segment.area(AreaKind::Names);
        let max_bytes = max_bytes.min((INPUT_CELLS_LEN / 4) as u32);
        *self = Inputs {
            records,
            bytes,
            names,
            max_records,
            max_bytes,
            max_names,
            n_records: 0,
            n_bytes: 0,
            n_names: 0,
            seals: [0; 2],
            full: false,
        };
    }

    /// Forgets the expressions of input bytes.
    pub(super) fn reset(&mut self) {
        // SAFETY: the table has a cell for each input byte.
        unsafe { core::slice::from_raw_parts_mut(expression(0), self.n_bytes as usize) }.fill(0);
        self.n_bytes = 0;
    }

    pub(super) fn n(&self) -> u32 {
        self.n_records
    }

    pub(super) fn seal(&self) -> u64 {
        self.seals[self.n_records as usize & 1]
    }

    /// Publishes the counters to the engine.
    pub(super) fn publish(&self, header: *mut Header) {
        // SAFETY: the segment's header; all counters are atomic.
        let results = unsafe { &(*header).results };
        results.n_input_bytes.store(self.n_bytes, Ordering::Relaxed);
        results.n_name_bytes.store(self.n_names, Ordering::Relaxed);
        results.n_requests.store(N_REQUESTS.load(Ordering::Relaxed), Ordering::Relaxed);
        results.n_inputs.store(self.n_records, Ordering::Release);
    }

    pub(super) fn write_down(&mut self, bytes: &[u8], name: &[u8], what: What) -> Option<InputRecord> {
        let room = (self.max_bytes - self.n_bytes) as usize;
        if self.full || self.n_records >= self.max_records || bytes.len() > room {
            self.full = true;
            self.publish_now();
            return None;
        }
        let name = &name[..name.len().min((self.max_names - self.n_names) as usize)];
        let record = InputRecord {
            kind: what.kind,
            size: bytes.len() as u32,
            first_byte: self.n_bytes,
            name_offset: self.n_names,
            name_len: name.len() as u32,
            choices: what.choices,
            id: what.id,
            ty: what.ty,
        };
        // SAFETY: there is room in all three areas.
        unsafe {
            self.bytes.add(self.n_bytes as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.names.add(self.n_names as usize).copy_from_nonoverlapping(name.as_ptr(), name.len());
            self.records.add(self.n_records as usize).write(record);
        }
        let index = self.n_records;
        self.seals[(index as usize + 1) & 1] = self.seal().wrapping_add(seal::of_input(index, &record, bytes));
        // A signal that ends the run publishes the counters.
        compiler_fence(Ordering::Release);
        self.n_bytes += record.size;
        self.n_names += record.name_len;
        self.n_records += 1;
        self.publish_now();
        Some(record)
    }

    fn keep_text(&mut self, text: &[u8]) {
        let len = (text.len() as u32).min(self.max_names - self.n_names);
        // SAFETY: there is room in the area.
        unsafe { self.names.add(self.n_names as usize).copy_from_nonoverlapping(text.as_ptr(), len as usize) };
        self.n_names += len;
        self.publish_now();
    }

    /// Publishes the counters for an engine that reads them during the run.
    fn publish_now(&self) {
        if let Some(gate) = state::gate()
            && !gate.segment().is_null()
        {
            self.publish(gate.segment());
        }
    }

    fn complete_failure(&mut self, kind: u32, number: u32) {
        // SAFETY: records below `n_records` are written.
        let records = unsafe { core::slice::from_raw_parts(self.records, self.n_records as usize) };
        let Some(record) = records.iter().rfind(|record| record.kind == InputKind::Failure as u32) else { return };
        if u64::from(record.size) != CHOSEN + 4 * (2 + PLACE_FRAMES as u64) {
            return;
        }
        let frames = process::place().map(|frame| frame as u32);
        for (k, word) in [kind, number].into_iter().chain(frames).enumerate() {
            let offset = record.first_byte as usize + CHOSEN as usize + 4 * k;
            // SAFETY: the record's bytes are in the area, and it has this many.
            unsafe { self.bytes.add(offset).cast::<[u8; 4]>().write(word.to_le_bytes()) };
        }
    }

    /// The cell of an input byte that memory marks as unread, if the byte still has its original value. A copy of it
    /// may have been read.
    pub(super) fn current(&self, unread: Cell, byte: u8) -> Cell {
        let k = unread & !CELL_UNREAD;
        if k >= self.n_bytes || self.byte(k) != byte {
            return 0;
        }
        match *expression(k) {
            0 => unread,
            known => known,
        }
    }

    /// End of the last byte that no longer has its input value, in memory of an input; 0 if there is none.
    pub(super) fn written_end(&self, address: u64, id: u32) -> u32 {
        // SAFETY: records below `n_records` are written.
        let records = unsafe { core::slice::from_raw_parts(self.records, self.n_records as usize) };
        let Some(record) = records.iter().find(|record| record.id == id) else { return 0 };
        let is_other = |offset: &u32| {
            let k = record.first_byte + offset;
            // SAFETY: the shadow covers every address.
            let cell = unsafe { *cell(address + u64::from(*offset)) };
            cell != CELL_UNREAD | k && (cell == 0 || cell != *expression(k))
        };
        // The terminator of a string is fixed.
        let is_text = record.choices & TEXT != 0 && record.kind == InputKind::Object as u32;
        (0..record.size - u32::from(is_text && record.size > 0)).rev().find(is_other).map_or(0, |last| last + 1)
    }

    /// The byte of the run's inputs, as it was handed out.
    fn byte(&self, k: u32) -> u8 {
        // SAFETY: callers stay below `n_bytes`.
        unsafe { *self.bytes.add(k as usize) }
    }

    /// Record of the input that byte `k`, below `n_bytes`, belongs to.
    fn owner(&self, k: u32) -> InputRecord {
        // SAFETY: records below `n_records` are written.
        let record = |index: u32| unsafe { *self.records.add(index as usize) };
        let (mut low, mut high) = (0, self.n_records);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if record(middle).first_byte <= k { low = middle } else { high = middle }
        }
        record(low)
    }
}

impl Recorder {
    /// Makes expressions for input bytes from `first` on, as cells. Their memory now holds `value` (little-endian).
    /// Returns the number of bytes done: the rest starts with a byte that no longer has its input value.
    pub(super) fn read_inputs(&mut self, first: u32, value: u128, cells: &mut [Cell]) -> usize {
        let same = |k: usize| {
            let index = first + k as u32;
            index < self.inputs.n_bytes && self.inputs.byte(index) == (value >> (k * 8)) as u8
        };
        let len = (0..cells.len()).find(|k| !same(*k)).unwrap_or(cells.len());
        let mut done = 0;
        while done < len {
            let k = first + done as u32;
            let known = *expression(k);
            if known != 0 {
                cells[done] = known;
                done += 1;
                continue;
            }
            let record = self.inputs.owner(k);
            let offset = k - record.first_byte;
            if offset + 1 == record.size && record.choices & TEXT != 0 && record.kind == InputKind::Object as u32 {
                note(NoteKind::MaxText, Site::NONE, 0);
                cells[done] = 0;
                done += 1;
                continue;
            }
            let plan = Plan::get();
            let pointers = plan.and_then(|plan| plan.pointers(&record));
            if let Some(into) = pointers.and_then(|map| map.into_pointer(offset))
                && self.read_pointer(k - into, &record, offset - into, pointers)
            {
                continue;
            }
            let most = (len - done).min((record.size - offset) as usize);
            let is_other = |j: &usize| {
                let j = *j as u32;
                *expression(k + j) != 0 || pointers.is_some_and(|map| map.into_pointer(offset + j) == Some(0))
            };
            let unread = (1..most).find(is_other).unwrap_or(most);
            // The largest power of two that fits: 1, 2, 4, 8 or 16 bytes.
            let size = 1 << unread.ilog2();
            let bytes = value >> (done * 8) & tine_trace::eval::mask(size * 8);
            let node = self.arena.make(Op::Input, size * 8, [record.id, offset, 0], bytes, 0);
            for j in 0..size {
                if node != 0 {
                    *expression(k + j) = node << 4 | j;
                    cells[done] = node << 4 | j;
                }
                done += 1;
            }
        }
        len
    }

    /// Makes the eight bytes of a pointer, from `first` on, one variable, even if only some of them are read. Returns
    /// false if some have been read already, or there is no room.
    fn read_pointer(&mut self, first: u32, record: &InputRecord, offset: u32, map: Option<PointerMap>) -> bool {
        let low_zeros = map.and_then(|map| map.low_zeros(offset)).unwrap_or(0);
        if offset + 8 > record.size || (0..8).any(|k| *expression(first + k) != 0) {
            return false;
        }
        let value = (0..8).fold(0, |value, k| value | u128::from(self.inputs.byte(first + k)) << (8 * k));
        let node = self.arena.make(Op::Input, 64, [record.id, offset, POINTER_WORD | low_zeros], value, 0);
        if node != 0 {
            (0..8).for_each(|k| *expression(first + k) = node << 4 | k);
        }
        node != 0
    }
}

/// The table's cell of input byte `k`: 0 while it has not been read.
fn expression(k: u32) -> &'static mut Cell {
    // SAFETY: input bytes are fewer than the table's cells; only one thread records inputs.
    unsafe { &mut *with_exposed_provenance_mut::<Cell>(INPUT_CELLS as usize).add(k as usize) }
}
