//! The state between two calls, as `tine_trace::state` defines it: a walk over the program's variables, the objects of
//! the heap that they point to, and other changes made by the run.
//!
//! The walk ignores types, like a conservative garbage collector: every aligned word that is the address of an object
//! is a pointer to it. Some parts cannot be followed: pointers into the stack or to inputs, variables of threads, too
//! much memory. They make the state incomplete, and the engine does not use it.

use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::Ordering;

use tine_trace::entry::{UNKNOWN_VARIABLES, Variable};
use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::{CELL_OF_ARRAY, CELL_UNREAD, Cell, STACK_BASE, STACK_LEN, is_reserved};
use tine_trace::seal;
use tine_trace::segment::{AreaKind, Header};
use tine_trace::state::{StateRecord, mix};

use super::memory::run;
use super::modules::modules;
use super::note;
use super::objects::is_input;
use super::places::Place;
use super::shadow::{self, cell};
use super::state::{NUMBERS, NUMBERS_LEN, Recorder};
use crate::process;
use crate::process::heap::{HEAP, Life};
use crate::segment::Segment;

/// Maximum number of objects of the heap in the tables.
const MAX_OBJECTS: u32 = (NUMBERS_LEN / 8) as u32;
/// Maximum number of bytes that are read.
const MAX_BYTES: u64 = 4 << 20;
const WORD: u64 = 8;

// Tags of the next part in the hash.
const RANGE: u64 = 1;
const POINTER: u64 = 2;
const OBJECT: u64 = 3;
const SYMBOLIC: u64 = 4;

/// Area for recorded states.
#[derive(Debug)]
pub(super) struct Graph {
    header: *mut Header,
    records: *mut StateRecord,
    n: u32,
    capacity: u32,
    wanted: bool,
    /// Seal over the published states, and their number of records.
    seal: u64,
    n_sealed: u32,
    walk: Walk,
}

/// The walk over one state.
#[derive(Debug)]
struct Walk {
    hash: u64,
    whole: bool,
    bytes_left: u64,
    /// Number of objects met, in order. Those before `done` have been visited.
    n_met: u32,
    done: u32,
}

impl Graph {
    pub(super) fn begin(&mut self, segment: Segment, wanted: bool) {
        let (records, capacity) = segment.area::<StateRecord>(AreaKind::States);
        let walk = Walk { hash: 0, whole: true, bytes_left: 0, n_met: 0, done: 0 };
        *self = Graph { header: segment.header(), records, n: 0, capacity, wanted, seal: 0, n_sealed: 0, walk };
    }

    /// Writes a record, if there is room for it and for an end record.
    fn push(&mut self, record: StateRecord) {
        if self.n >= self.capacity {
            self.walk.whole = false;
            return;
        }
        // SAFETY: there is room in the area.
        unsafe { self.records.add(self.n as usize).write(record) };
        self.n += 1;
    }

    /// Publishes the number of records to the engine.
    fn publish(&mut self) {
        for index in self.n_sealed..self.n {
            // SAFETY: records below `n` have been written.
            let record = unsafe { self.records.add(index as usize).read() };
            self.seal = self.seal.wrapping_add(seal::of_state(index, &record));
        }
        self.n_sealed = self.n;
        // SAFETY: the header is mapped during a run; the counter is atomic.
        unsafe { &(*self.header).results }.n_states.store(self.n, Ordering::Release);
    }
}

impl Graph {
    pub(super) fn seal(&self) -> (u32, u64) {
        (self.n_sealed, self.seal)
    }
}

/// By slot of the heap: 1 + the object's number.
fn number(slot: u32) -> &'static mut u32 {
    // SAFETY: slots are below `MAX_OBJECTS`, and the mapping lives as long as the process. Only one thread records.
    unsafe { &mut *with_exposed_provenance_mut::<u32>(NUMBERS as usize).add(slot as usize) }
}

/// By number: the object's slot.
fn met(number: u32) -> &'static mut u32 {
    // SAFETY: numbers are below `MAX_OBJECTS`; the second table follows the first.
    unsafe { &mut *with_exposed_provenance_mut::<u32>(NUMBERS as usize).add((MAX_OBJECTS + number) as usize) }
}

impl Recorder {
    /// `__tine_state`.
    pub(super) fn state(&mut self, calls_left: u32) {
        if calls_left == 0 {
            note(NoteKind::MaxCalls, Site::NONE, 0);
        }
        // After a bound the events do not cover all inputs that the state depends on.
        if !self.graph.wanted || self.path.is_closed() || self.arena.full {
            return;
        }
        let before = self.graph.n;
        self.graph.walk = Walk { hash: 0, whole: true, bytes_left: MAX_BYTES, n_met: 0, done: 0 };
        self.walk_variables();
        self.walk_objects();
        self.walk_environment();
        self.walk_objects();
        let walk = &self.graph.walk;
        for k in 0..walk.n_met {
            *number(*met(k)) = 0;
        }
        if !walk.whole {
            self.graph.n = before;
            return;
        }
        let (hash, n_events) = (walk.hash, self.path.n());
        let end = StateRecord { hash, cell: 0, len: calls_left, n_events, whole: 1 };
        self.graph.push(end);
        if self.graph.walk.whole {
            self.graph.publish();
        } else {
            self.graph.n = before;
        }
    }

    fn walk_variables(&mut self) {
        for module in modules() {
            // SAFETY: a harness's program unloads no modules.
            let (table, n) = unsafe { ((*module).variables, (*module).n_variables) };
            if n == UNKNOWN_VARIABLES {
                self.graph.walk.whole = false;
                return;
            }
            for k in 0..n {
                // SAFETY: the instrumenter made a table with this many entries.
                let variable =
                    unsafe { *with_exposed_provenance_mut::<Variable>(table as usize).cast_const().add(k as usize) };
                self.walk_range(variable.address, variable.len);
            }
        }
    }

    /// Visits all objects that were met.
    fn walk_objects(&mut self) {
        while self.graph.walk.whole && self.graph.walk.done < self.graph.walk.n_met {
            let slot = *met(self.graph.walk.done);
            self.graph.walk.done += 1;
            let Some(object) = HEAP.object(slot) else { continue };
            for value in [OBJECT, object.life as u64, object.size] {
                self.mix(value);
            }
            // The contents of a freed object can no longer be read.
            if object.life == Life::Live {
                let place = Place { base: object.address, len: object.size };
                // The hash does not include how much of its room the object uses.
                self.graph.walk.whole &= self.size_of(place).is_none();
                self.walk_range(object.address, object.size);
            }
        }
    }

    /// Adds the changes outside of variables and heap: mapped memory, state that the kernel keeps, and memory of
    /// uninstrumented code (random numbers of the C library, variables of another library).
    fn walk_environment(&mut self) {
        if self.kernel.unseen {
            self.graph.walk.whole = false;
            return;
        }
        let (mappings, umask) = self.kernel.state();
        self.mix(umask);
        for mapping in mappings {
            self.walk_range(mapping.base, mapping.len);
        }
        if self.graph.walk.whole {
            // Models change the environment without calling the library.
            let is_seen = process::for_each_change_of_environment(&mut |address| self.walk_changed(address));
            self.graph.walk.whole &= is_seen;
        }
        if self.kernel.left && self.graph.walk.whole {
            let is_seen = process::for_each_change(&mut |address| self.walk_changed(address));
            self.graph.walk.whole &= is_seen;
        }
    }

    fn walk_changed(&mut self, address: u64) {
        self.mix(address);
        self.walk_word(address, WORD as usize);
    }

    fn mix(&mut self, value: u64) {
        self.graph.walk.hash = mix(self.graph.walk.hash, value);
    }

    /// The number of the object in a slot.
    fn meet(&mut self, slot: u32) -> u64 {
        let walk = &mut self.graph.walk;
        if slot >= MAX_OBJECTS {
            walk.whole = false;
            return 0;
        }
        let number = number(slot);
        if *number == 0 {
            *met(walk.n_met) = slot;
            walk.n_met += 1;
            *number = walk.n_met;
        }
        u64::from(*number)
    }

    fn walk_range(&mut self, address: u64, len: u64) {
        let walk = &mut self.graph.walk;
        if len > walk.bytes_left || !shadow::is_whole(address, len) {
            walk.whole = false;
            return;
        }
        walk.bytes_left -= len;
        self.mix(RANGE);
        self.mix(len);
        let (mut at, end) = (address, address + len);
        while at < end && self.graph.walk.whole {
            // Up to the next word boundary.
            let size = (WORD - at % WORD).min(end - at);
            self.walk_word(at, size as usize);
            at += size;
        }
    }

    /// Visits at most one word, which crosses no word boundary.
    fn walk_word(&mut self, address: u64, size: usize) {
        let mut bytes = [0u8; WORD as usize];
        // SAFETY: memory of the program: one of its variables or an object of the heap.
        let memory = unsafe { core::slice::from_raw_parts(address as *const u8, size) };
        bytes[..size].copy_from_slice(memory);
        if shadow::is_dirty(address, size as u64) {
            let mut cells = [0; WORD as usize];
            for (k, current) in cells[..size].iter_mut().enumerate() {
                *current = self.current(address + k as u64, bytes[k]);
            }
            if cells != [0; WORD as usize] {
                self.walk_pieces(&cells[..size], &bytes[..size]);
                return;
            }
        }
        let word = u64::from_le_bytes(bytes);
        if size as u64 == WORD
            && let Some((slot, object)) = HEAP.find(word)
        {
            let number = self.meet(slot);
            for value in [POINTER, number, word - object.address] {
                self.mix(value);
            }
            return;
        }
        if is_input(word) || word.wrapping_sub(STACK_BASE) < STACK_LEN {
            self.graph.walk.whole = false;
        }
        self.mix(word);
    }

    /// The byte's cell, if it is still valid for the byte's value.
    pub(super) fn current(&self, address: u64, byte: u8) -> Cell {
        // SAFETY: the shadow covers every address.
        let found = unsafe { *cell(address) };
        if is_reserved(found) {
            return 0;
        }
        let of_array = CELL_UNREAD | CELL_OF_ARRAY;
        let is_input = found & of_array == CELL_UNREAD;
        let found = if is_input { self.inputs.current(found, byte) } else { found };
        if found == 0 || found & CELL_UNREAD != 0 {
            return found;
        }
        let holds = |value: u128| (value >> ((found & 15) * 8)) as u8 == byte;
        if self.arena.get(found >> 4).is_some_and(|node| holds(node.value())) { found } else { 0 }
    }

    fn walk_pieces(&mut self, cells: &[Cell], bytes: &[u8]) {
        let mut start = 0;
        while start < cells.len() {
            let len = run(&cells[start..]);
            if cells[start] == 0 {
                bytes[start..start + len].iter().for_each(|byte| self.mix(u64::from(*byte)));
            } else {
                self.mix(SYMBOLIC);
                let hash = self.graph.walk.hash;
                self.graph.push(StateRecord { hash, cell: cells[start], len: len as u32, n_events: 0, whole: 0 });
            }
            start += len;
        }
    }
}
