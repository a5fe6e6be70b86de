//! Records of a run, copied out of the segment.
//!
//! The unit can write to the segment at any time, also after its run. So everything is copied once, only the copy is
//! checked and used, and the engine holds no reference to shared memory.

use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;

use tine_trace::event::{Event, Note};
use tine_trace::node::Node;
use tine_trace::outcome::Outcome;
use tine_trace::plan::InputRecord;
use tine_trace::seal;
use tine_trace::segment::{AreaKind, ModuleRecord, Results};
use tine_trace::state::StateRecord;

/// Integrity of the records of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrity {
    /// Exactly as the runtime wrote them.
    Sealed,
    /// The run ended before the runtime sealed them, or was not recorded.
    #[default]
    Unsealed,
    /// Other code than the runtime has written to them.
    Destroyed,
}

/// Numbers of records, as the unit reports them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u32,
    pub(super) events: u32,
    pub(super) inputs: u32,
    pub(super) notes: u32,
    pub(super) input_bytes: u32,
    pub(super) name_bytes: u32,
    pub(super) states: u32,
    pub(super) image_bytes: u32,
    pub(super) note_kinds: u32,
    pub(super) seal: u64,
}

impl Counts {
    pub(super) fn of(results: &Results) -> Counts {
        let word = |word: &std::sync::atomic::AtomicU32| word.load(Ordering::Acquire);
        Counts {
            nodes: word(&results.n_nodes),
            events: word(&results.n_events),
            inputs: word(&results.n_inputs),
            notes: word(&results.n_notes),
            input_bytes: word(&results.n_input_bytes),
            name_bytes: word(&results.n_name_bytes),
            states: word(&results.n_states),
            image_bytes: word(&results.n_image_bytes),
            note_kinds: word(&results.note_kinds),
            seal: results.seal.load(Ordering::Acquire),
        }
    }
}

/// A private copy of a run's records.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) nodes: Vec<Node>,
    pub(super) events: Vec<Event>,
    pub(super) images: Vec<u8>,
    pub(super) states: Vec<StateRecord>,
    pub(super) notes: Vec<Note>,
    pub(super) inputs: Vec<InputRecord>,
    pub(super) input_bytes: Vec<u8>,
    pub(super) names: Vec<u8>,
    pub(super) coverage: Vec<u8>,
    pub(super) outcome: Outcome,
    pub(super) integrity: Integrity,
}

impl Records {
    /// Copies all records. `area` returns the start of an area and its size in bytes.
    pub(super) fn copy(&mut self, counts: &Counts, n_edges: usize, area: impl Fn(AreaKind) -> (*const u8, usize)) {
        copy_list(&mut self.nodes, area(AreaKind::Nodes), counts.nodes);
        copy_list(&mut self.events, area(AreaKind::Events), counts.events);
        copy_list(&mut self.images, area(AreaKind::Images), counts.image_bytes);
        copy_list(&mut self.states, area(AreaKind::States), counts.states);
        copy_list(&mut self.notes, area(AreaKind::Notes), counts.notes);
        copy_list(&mut self.inputs, area(AreaKind::Inputs), counts.inputs);
        copy_list(&mut self.input_bytes, area(AreaKind::InputBytes), counts.input_bytes);
        copy_list(&mut self.names, area(AreaKind::Names), counts.name_bytes);
        copy_list(&mut self.coverage, area(AreaKind::Coverage), n_edges.min(u32::MAX as usize) as u32);
        self.integrity = self.check(counts);
    }

    /// Compares the seal of the run with the records.
    fn check(&self, counts: &Counts) -> Integrity {
        if counts.seal == 0 {
            return Integrity::Unsealed;
        }
        let nodes = self.nodes.iter().zip(0..).skip(1).map(|(node, number)| seal::of_node(number, node));
        let events = self.events.iter().zip(0..).map(|(event, index)| seal::of_event(index, event));
        let inputs = self.inputs.iter().zip(0..).map(|(record, index)| {
            seal::of_input(index, record, part(&self.input_bytes, record.first_byte, record.size))
        });
        let states = self.states.iter().zip(0..).map(|(record, index)| seal::of_state(index, record));
        let records = nodes.fold(0, u64::wrapping_add);
        let records = events.chain(inputs).chain(states).fold(records, u64::wrapping_add);
        let sum = records.wrapping_add(seal::of_note_kinds(counts.note_kinds));
        let kinds = self.notes.iter().fold(0, |kinds, note| kinds | 1u32.checked_shl(note.kind.into()).unwrap_or(0));
        if seal::stored(sum) == counts.seal && kinds & counts.note_kinds == counts.note_kinds {
            Integrity::Sealed
        } else {
            Integrity::Destroyed
        }
    }
}

/// Bytes from `offset` on, as far as they exist.
pub(super) fn part(bytes: &[u8], offset: u32, len: u32) -> &[u8] {
    let start = (offset as usize).min(bytes.len());
    &bytes[start..start.saturating_add(len as usize).min(bytes.len())]
}

/// Copies the first `count` records of an area, or as many as there can be.
pub(super) fn copy_list<T: Record>(to: &mut Vec<T>, (start, len): (*const u8, usize), count: u32) {
    let count = (count as usize).min(len / size_of::<T>());
    to.clear();
    to.reserve(count);
    // SAFETY: the caller's area is mapped for `len` bytes. There is room for `count` records, and any bytes are a valid
    // record.
    unsafe {
        copy_bytes(to.as_mut_ptr().cast(), start, count * size_of::<T>());
        to.set_len(count);
    }
}

/// Copies a value that the unit may change meanwhile.
///
/// # Safety
/// `from` must be mapped for a `T`, and any bytes must be one.
pub(super) unsafe fn copy_one<T>(from: *const u8) -> T {
    let mut copy = MaybeUninit::<T>::uninit();
    // SAFETY: guaranteed by the caller.
    unsafe {
        copy_bytes(copy.as_mut_ptr().cast(), from, size_of::<T>());
        copy.assume_init()
    }
}

/// Copies memory that another process may be writing to. The read is opaque to the compiler, so it cannot make
/// assumptions about it.
///
/// # Safety
/// Both must be mapped for `len` bytes and lie apart.
unsafe fn copy_bytes(to: *mut u8, from: *const u8, len: usize) {
    // The string instruction has a start-up cost.
    const SHORT: usize = 1024;
    if len < SHORT {
        let n_words = len / 8;
        // SAFETY: guaranteed by the caller. No alignment is assumed.
        unsafe {
            for word in 0..n_words {
                to.cast::<[u8; 8]>().add(word).write(from.cast::<[u8; 8]>().add(word).read_volatile());
            }
            for byte in 8 * n_words..len {
                to.add(byte).write(from.add(byte).read_volatile());
            }
        }
        return;
    }
    // SAFETY: guaranteed by the caller. The direction flag is clear, as the ABI requires.
    unsafe {
        std::arch::asm!(
            "rep movsb",
            inout("rcx") len => _, inout("rdi") to => _, inout("rsi") from => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Clears memory that another process may be writing to.
///
/// # Safety
/// It must be mapped for `len` bytes.
pub(super) unsafe fn clear_bytes(at: *mut u8, len: usize) {
    // SAFETY: guaranteed by the caller. The direction flag is clear, as the ABI requires.
    unsafe {
        std::arch::asm!(
            "rep stosb",
            inout("rcx") len => _, inout("rdi") at => _, in("al") 0u8,
            options(nostack, preserves_flags)
        );
    }
}

/// Plain numbers, valid whatever their bytes are.
pub(super) trait Record {}
impl Record for u8 {}
impl Record for Node {}
impl Record for Event {}
impl Record for Note {}
impl Record for ModuleRecord {}
impl Record for InputRecord {}
impl Record for StateRecord {}
