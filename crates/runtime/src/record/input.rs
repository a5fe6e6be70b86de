//! Inputs: the bytes of a request come from the plan, or else from the seed; the request is written down
//! with what it got, and its memory becomes symbolic.
//!
//! Symbolic at first means a marker in the shadow: byte k of the run's inputs. The expression comes into
//! being when bytes are read, in the width they are read with; a table keeps it for each byte, so that
//! copies of markers find the same one.

use core::ffi::{CStr, c_char};
use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::{AtomicU32, Ordering};

use tine_trace::event::{EventKind, NoteKind, Site};
use tine_trace::layout::{CELL_UNREAD, Cell};
use tine_trace::op::Op;
use tine_trace::plan::{InputKind, InputRecord, PlanEntry, PlanHeader, fill};
use tine_trace::segment::{AreaKind, Header};

use super::note;
use super::shadow::{self, cell};
use super::state::{self, INPUT_CELLS, INPUT_CELLS_LEN, Recorder};
use crate::process;
use crate::segment::Segment;

/// Requests so far, with or without an engine: the ordinal of the next.
static N_REQUESTS: AtomicU32 = AtomicU32::new(0);

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
    /// An input found no room: later ones are not written down either, for ordinals are indices.
    full: bool,
}

/// Bytes of an input from the plan and the seed.
struct Source {
    ordinal: u32,
    plan: *const u8,
    planned: u32,
    seed: u64,
}

impl Source {
    /// Where the next request gets its bytes.
    fn next() -> Source {
        let ordinal = N_REQUESTS.fetch_add(1, Ordering::Relaxed);
        let mut source = Source { ordinal, plan: core::ptr::null(), planned: 0, seed: process::fill_seed() };
        if let Some(plan) = process::plan() {
            // SAFETY: a plan lies there, as `trace::plan` draws it; its writer keeps entries inside.
            unsafe {
                let header = plan.cast::<PlanHeader>().read_unaligned();
                if ordinal < header.n_inputs {
                    let entries = plan.add(size_of::<PlanHeader>()).cast::<PlanEntry>();
                    let entry = entries.add(ordinal as usize).read_unaligned();
                    source.plan = plan.add(entry.offset as usize);
                    source.planned = entry.len;
                }
            }
        }
        source
    }

    /// # Safety
    /// `to` must be writable for `size` bytes.
    unsafe fn copy_to(&self, to: *mut u8, size: u64) {
        let planned = size.min(self.planned as u64);
        // SAFETY: the caller vouches for `to`, the plan's entry has this many bytes.
        unsafe { core::ptr::copy(self.plan, to, planned as usize) };
        for offset in planned..size {
            // SAFETY: the caller vouches for `to`.
            unsafe { to.add(offset as usize).write(fill(self.seed, self.ordinal, offset as u32)) };
        }
    }

    fn byte(&self, offset: u32) -> u8 {
        if offset < self.planned {
            // SAFETY: within the plan's entry.
            unsafe { *self.plan.add(offset as usize) }
        } else {
            fill(self.seed, self.ordinal, offset)
        }
    }
}

/// `__tine_input`.
///
/// # Safety
/// `to` must be writable for `size` bytes, `name` null or a C string.
pub(super) unsafe fn input(to: *mut u8, size: u64, name: *const c_char, kind: u32) {
    let source = Source::next();
    // SAFETY: the caller vouches for `to`.
    unsafe { source.copy_to(to, size) };
    // Whatever was there before, the bytes are new.
    shadow_of_old(to as u64, size);
    let Some(recorder) = writable() else { return };
    // SAFETY: the bytes were just written; the caller vouches for the name.
    let (bytes, name) = unsafe { (core::slice::from_raw_parts(to, size as usize), name_bytes(name)) };
    let Some(record) = recorder.inputs.write_down(source.ordinal, bytes, name, kind, 0) else {
        note(NoteKind::InputCap, Site::NONE, 0);
        return;
    };
    if state::gate().is_some_and(|gate| gate.records_here()) && shadow::is_whole(to as u64, size) {
        recorder.dirty.mark(to as u64, size);
        for k in 0..record.size {
            // SAFETY: cells of a range that crosses no fold.
            unsafe { cell(to as u64).add(k as usize).write(CELL_UNREAD | (record.first_byte + k)) };
        }
    }
}

/// `__tine_choice`.
///
/// # Safety
/// `name` must be null or a C string.
pub(super) unsafe fn choice(n: u32, name: *const c_char) -> u32 {
    let n = n.clamp(1, u16::MAX as u32);
    let source = Source::next();
    let planned = u32::from_le_bytes([source.byte(0), source.byte(1), source.byte(2), source.byte(3)]);
    let chosen = planned % n;
    let Some(recorder) = writable() else { return chosen };
    // SAFETY: the caller vouches for the name.
    let name = unsafe { name_bytes(name) };
    let kind = InputKind::Choice as u32;
    let Some(record) = recorder.inputs.write_down(source.ordinal, &chosen.to_le_bytes(), name, kind, n) else {
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

/// The recorder, if this thread may write inputs down: with an engine, the recording thread, or the first
/// to come where nothing is recorded.
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

/// Clears the cells of memory that an input is written to.
fn shadow_of_old(address: u64, size: u64) {
    if state::gate().is_some_and(|gate| gate.records()) {
        shadow::clear(address, size);
    }
}

/// # Safety
/// `name` must be null or a C string that outlives the result.
unsafe fn name_bytes<'a>(name: *const c_char) -> &'a [u8] {
    if name.is_null() {
        return b"";
    }
    // SAFETY: the caller vouches for it.
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

    /// Tells the engine how many there are.
    pub(super) fn publish(&self, header: *mut Header) {
        // SAFETY: the segment's header; all counters are atomic.
        let results = unsafe { &(*header).results };
        results.n_input_bytes.store(self.n_bytes, Ordering::Relaxed);
        results.n_name_bytes.store(self.n_names, Ordering::Relaxed);
        results.n_inputs.store(self.n_records, Ordering::Release);
    }

    fn write_down(&mut self, ordinal: u32, bytes: &[u8], name: &[u8], kind: u32, choices: u32) -> Option<InputRecord> {
        let room = (self.max_bytes - self.n_bytes) as usize;
        if self.full || ordinal != self.n_records || ordinal >= self.max_records || bytes.len() > room {
            self.full = true;
            return None;
        }
        let name = &name[..name.len().min((self.max_names - self.n_names) as usize)];
        let record = InputRecord {
            kind,
            size: bytes.len() as u32,
            first_byte: self.n_bytes,
            name_offset: self.n_names,
            name_len: name.len() as u32,
            choices,
            _pad: [0; 2],
        };
        // SAFETY: there is room in all three areas.
        unsafe {
            self.bytes.add(self.n_bytes as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.names.add(self.n_names as usize).copy_from_nonoverlapping(name.as_ptr(), name.len());
            self.records.add(ordinal as usize).write(record);
        }
        self.n_bytes += record.size;
        self.n_names += record.name_len;
        self.n_records += 1;
        if let Some(gate) = state::gate()
            && !gate.segment().is_null()
        {
            self.publish(gate.segment());
        }
        Some(record)
    }

    /// The byte of the run's inputs, as it was handed out.
    fn byte(&self, k: u32) -> u8 {
        // SAFETY: callers stay below `n_bytes`.
        unsafe { *self.bytes.add(k as usize) }
    }

    /// Ordinal and record of the input that byte `k`, below `n_bytes`, belongs to.
    fn owner(&self, k: u32) -> (u32, InputRecord) {
        // SAFETY: records below `n_records` are written.
        let record = |ordinal: u32| unsafe { *self.records.add(ordinal as usize) };
        let (mut low, mut high) = (0, self.n_records);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if record(middle).first_byte <= k { low = middle } else { high = middle }
        }
        (low, record(low))
    }
}

impl Recorder {
    /// Expressions for input bytes from `first` on, whose memory now holds `value` (little-endian), as cells.
    /// Returns how many of them are done: the rest begins with a byte that is not the input's any more.
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
            let (ordinal, record) = self.inputs.owner(k);
            let offset = k - record.first_byte;
            let most = (len - done).min((record.size - offset) as usize);
            let unread = (1..most).find(|j| *expression(k + *j as u32) != 0).unwrap_or(most);
            // The largest power of two that fits: 1, 2, 4, 8 or 16 bytes.
            let size = 1 << unread.ilog2();
            let bytes = value >> (done * 8) & tine_trace::eval::mask(size * 8);
            let node = self.arena.make(Op::Input, size * 8, [ordinal, offset, 0], bytes, 0);
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
}

/// The table's cell of input byte `k`: 0 while nothing has read it.
fn expression(k: u32) -> &'static mut Cell {
    // SAFETY: input bytes are fewer than the table's cells; only one thread writes inputs down.
    unsafe { &mut *with_exposed_provenance_mut::<Cell>(INPUT_CELLS as usize).add(k as usize) }
}
