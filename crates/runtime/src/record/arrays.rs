//! Objects as values: reads and writes at addresses that depend on inputs.
//!
//! The first access through such an address turns the object it falls into into an array: its bytes are copied into the
//! segment (a table), and its symbolic bytes are stored on top. From then on a read is a `select`, and a write makes a
//! new array.
//!
//! ```text
//!   a[i] = 0;     A1 = store(A0, 4·i, 0)        every byte that `i` may select is now one of A1: cells say so
//!   a[j] = 1;     A2 = store(A1, 4·j, 1)
//!   a[i]          select(A2, 4·i)
//! ```
//! Accesses at addresses that do not depend on inputs are unchanged: they read cells, which are resolved on reading,
//! and write cells as usual. Changes since the array was made are found by comparison and stored on top.

use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::Ordering;

use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::{CELL_OF_ARRAY, CELL_UNREAD, CELL_UNSET, Cell, is_reserved};
use tine_trace::op::{ArrayOp, Op, image_hash};
use tine_trace::segment::{AreaKind, Header};

use super::note;
use super::places::{self, Place};
use super::shadow::{self, cell};
use super::state::{Recorder, SAVED_BYTES, SAVED_CELLS, SAVED_LEN};
use super::term::Term;
use crate::segment::Segment;

/// Maximum number of objects that are arrays in one run.
const MAX_REGIONS: usize = 512;
/// Maximum number of arrays that cells can name in one run.
const MAX_VERSIONS: usize = 1 << 14;
/// Maximum size of an object that can be an array, in bytes.
pub(super) const MAX_LEN: u64 = 1 << 20;
/// Number of bytes compared at once.
const CHUNK: usize = 64;

/// The arrays of a run.
#[derive(Debug)]
pub(super) struct Arrays {
    header: *mut Header,
    images: *mut u8,
    max_image_bytes: u32,
    n_image_bytes: u32,
    /// Total size of the copied objects, in bytes.
    n_saved: u32,
    /// Number of bytes that unread cells can name.
    n_marked: u32,
    n_regions: u32,
    n_versions: u32,
    regions: [Region; MAX_REGIONS],
    versions: [Version; MAX_VERSIONS],
}

/// An object that is an array.
#[derive(Clone, Copy, Debug)]
struct Region {
    base: u64,
    len: u32,
    /// Start of its copy: the bytes and cells that the array contains.
    saved: u32,
    /// The node of its contents.
    array: u32,
    /// True if all its cells were always 0: there is no copy of them.
    plain: bool,
    /// True if some of its bytes had not been written when it became an array.
    unset: bool,
}

/// An array that cells name. Byte `first + k` is byte `k` of it.
#[derive(Clone, Copy, Debug)]
struct Version {
    first: u32,
    len: u32,
    array: u32,
    /// As in its region.
    unset: bool,
}

impl Arrays {
    pub(super) fn begin(&mut self, segment: Segment) {
        let (images, room) = segment.area::<u8>(AreaKind::Images);
        self.header = segment.header();
        self.images = images;
        self.max_image_bytes = room;
        self.n_image_bytes = 0;
        self.n_saved = 0;
        self.n_marked = 0;
        self.n_regions = 0;
        self.n_versions = 0;
    }

    pub(super) fn n_image_bytes(&self) -> u32 {
        self.n_image_bytes
    }

    /// Returns the object's number as a region; `None` if there is no room for another.
    pub(super) fn region(&mut self, place: Place) -> Option<usize> {
        let known = self.regions[..self.n_regions as usize]
            .iter()
            .rposition(|region| region.base == place.base && u64::from(region.len) == place.len);
        if known.is_some() {
            return known;
        }
        // The same memory as part of another object: the old object is gone, or its length was not known.
        let len = u32::try_from(place.len).ok().filter(|len| u64::from(*len) <= MAX_LEN)?;
        let room = (SAVED_LEN as u32) - self.n_saved;
        if self.n_regions as usize == MAX_REGIONS || len > room || !shadow::is_whole(place.base, place.len) {
            return None;
        }
        let index = self.n_regions as usize;
        self.regions[index] =
            Region { base: place.base, len, saved: self.n_saved, array: 0, plain: true, unset: false };
        self.n_saved += len.next_multiple_of(CHUNK as u32);
        self.n_regions += 1;
        Some(index)
    }

    /// True if there is room to record a write to the region.
    pub(super) fn has_room(&self, region: usize) -> bool {
        (self.n_versions as usize) < MAX_VERSIONS && self.regions[region].len < CELL_OF_ARRAY - self.n_marked
    }

    /// True if the array may have bytes that were not written.
    pub(super) fn has_unset(&self, region: usize) -> bool {
        self.regions[region].unset
    }

    /// The node of the region's contents.
    pub(super) fn array(&self, region: usize) -> u32 {
        self.regions[region].array
    }

    pub(super) fn base(&self, region: usize) -> u64 {
        self.regions[region].base
    }

    fn image_byte(&self, at: u32) -> u8 {
        // SAFETY: callers stay below the written part.
        unsafe { *self.images.add(at as usize) }
    }
}

/// The copy of a region's bytes.
fn saved_bytes(region: Region) -> &'static mut [u8] {
    let start = with_exposed_provenance_mut::<u8>((SAVED_BYTES + u64::from(region.saved)) as usize);
    // SAFETY: regions are given parts of the mapping that do not overlap, and only one thread records.
    unsafe { core::slice::from_raw_parts_mut(start, region.len as usize) }
}

/// The copy of a region's cells.
fn saved_cells(region: Region) -> &'static mut [Cell] {
    let start = with_exposed_provenance_mut::<Cell>((SAVED_CELLS + u64::from(region.saved) * 4) as usize);
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts_mut(start, region.len as usize) }
}

/// Contents of the region's memory.
fn memory(region: Region) -> &'static [u8] {
    // SAFETY: the object is alive, so its memory is mapped.
    unsafe { core::slice::from_raw_parts(with_exposed_provenance_mut::<u8>(region.base as usize), region.len as usize) }
}

fn cells(region: Region) -> &'static [Cell] {
    // SAFETY: the region crosses no fold.
    unsafe { core::slice::from_raw_parts(cell(region.base), region.len as usize) }
}

/// A cell without its information about memory.
fn expression(cell: Cell) -> Cell {
    if is_reserved(cell) { 0 } else { cell }
}

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte))
}

impl Recorder {
    /// Updates the region's array to the current contents of its memory. Changes are searched in pieces of `unit`
    /// bytes. Returns false if there is no room.
    pub(super) fn sync(&mut self, index: usize, unit: u32) -> bool {
        if self.arrays.regions[index].array == 0 && !self.table(index) {
            return false;
        }
        let region = self.arrays.regions[index];
        let dirty = shadow::may_be_symbolic(region.base, u64::from(region.len));
        if region.plain && dirty {
            saved_cells(region).fill(0);
            self.arrays.regions[index].plain = false;
        }
        let plain = self.arrays.regions[index].plain;
        for start in (0..region.len as usize).step_by(CHUNK) {
            let chunk = start..(start + CHUNK).min(region.len as usize);
            let same = memory(region)[chunk.clone()] == saved_bytes(region)[chunk.clone()]
                && (plain || cells(region)[chunk.clone()] == saved_cells(region)[chunk.clone()]);
            if !same {
                self.sync_chunk(index, chunk.start as u32, chunk.end as u32, unit);
            }
        }
        !self.arena.full
    }

    /// Makes a table of the region's current bytes.
    fn table(&mut self, index: usize) -> bool {
        let region = self.arrays.regions[index];
        let start = self.arrays.n_image_bytes.next_multiple_of(8);
        if region.len > self.arrays.max_image_bytes.saturating_sub(start) {
            return false;
        }
        let bytes = memory(region);
        saved_bytes(region).copy_from_slice(bytes);
        // SAFETY: there is room in the area; the header is mapped during a run, its counters are atomic.
        unsafe {
            self.arrays.images.add(start as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.arrays.n_image_bytes = start + region.len;
            (*self.arrays.header).results.n_image_bytes.store(start + region.len, Ordering::Relaxed);
        }
        let may_be_unset = self.follows_unset && shadow::may_be_symbolic(region.base, u64::from(region.len));
        self.arrays.regions[index].unset = may_be_unset && cells(region).contains(&CELL_UNSET);
        let hash = u128::from(image_hash(bytes));
        let array = self.arena.array(ArrayOp::Table, 0, [start, region.len, 0], hash);
        self.arrays.regions[index].array = array;
        array != 0
    }

    /// Stores the changes between `start` and `end`.
    fn sync_chunk(&mut self, index: usize, start: u32, end: u32, unit: u32) {
        let region = self.arrays.regions[index];
        let mut at = start;
        while at < end {
            let size = self.stored_as_one(index, at, unit);
            let range = at as usize..(at + size) as usize;
            let bytes_changed = memory(region)[range.clone()] != saved_bytes(region)[range.clone()];
            let cells_changed = !self.arrays.regions[index].plain
                && range.clone().any(|k| {
                    let now = expression(cells(region)[k]);
                    now != expression(saved_cells(region)[k]) && !self.is_of(index, now, k as u32)
                });
            if bytes_changed || cells_changed {
                let value = number(&memory(region)[range.clone()]);
                let id = self.load(region.base + u64::from(at), size, value);
                let term = match self.term(id) {
                    Some(term) => term,
                    None => Term::concrete(size * 8, value),
                };
                self.array_put(index, Term::concrete(64, u128::from(at)), term);
                saved_bytes(region)[range.clone()].copy_from_slice(&memory(region)[range.clone()]);
            }
            if !self.arrays.regions[index].plain {
                saved_cells(region)[range.clone()].copy_from_slice(&cells(region)[range]);
            }
            at += size;
        }
    }

    /// Number of bytes at `at` to store as one value: `unit`, where they fit. A pointer is stored whole, because
    /// [`Recorder::words`] must find it even if its halves differ from the values that were read.
    fn stored_as_one(&self, index: usize, at: u32, unit: u32) -> u32 {
        const POINTER: u32 = 8;
        let region = self.arrays.regions[index];
        let fits = |size: u32| at.is_multiple_of(size) && at + size <= region.len;
        if unit < POINTER && fits(POINTER) {
            let range = at as usize..(at + POINTER) as usize;
            let is_plain = region.plain || cells(region)[range.clone()].iter().all(|cell| expression(*cell) == 0);
            if is_plain && places::find(number(&memory(region)[range]) as u64).is_some() {
                return POINTER;
            }
        }
        if fits(unit) { unit } else { 1 }
    }

    /// True if a cell says that byte `at` equals the byte of the region's array.
    fn is_of(&self, index: usize, cell: Cell, at: u32) -> bool {
        if cell & CELL_UNREAD != 0 || cell == 0 {
            return false;
        }
        let Some(node) = self.arena.get(cell >> 4) else { return false };
        node.op == ArrayOp::Select as u8
            && node.a == self.arrays.regions[index].array
            && self.arena.get(node.b).is_some_and(|index| {
                index.op == Op::Const as u8 && index.value[0] + u64::from(cell & 15) == u64::from(at)
            })
    }

    /// Replaces the region's array by one with `value` at `offset`.
    pub(super) fn array_put(&mut self, index: usize, offset: Term, value: Term) {
        let fields = [self.arrays.regions[index].array, self.node(offset), self.node(value)];
        let array = self.arena.array(ArrayOp::Store, 0, fields, 0);
        if array != 0 {
            self.arrays.regions[index].array = array;
        }
    }

    /// The value read at `offset` of an array: `size` bytes with the value `value`. 0 if the array has another value
    /// there.
    pub(super) fn array_read(&mut self, array: u32, offset: Term, size: u32, value: u128) -> u32 {
        let is_so = |k: u32| self.array_byte(array, offset.value as u64 + u64::from(k)) == (value >> (k * 8)) as u8;
        if !(0..size).all(is_so) {
            note(NoteKind::Stale, Site::NONE, 0);
            return 0;
        }
        let fields = [array, self.node(offset), 0];
        self.arena.array(ArrayOp::Select, size * 8, fields, value)
    }

    /// Records that `len` bytes at `offset` were written and stored in the region's array. Every byte that may have
    /// been written now belongs to this array.
    pub(super) fn array_wrote(&mut self, index: usize, offset: Term, len: u32) {
        let region = self.arrays.regions[index];
        let at = offset.value as usize;
        let range = at..at + len as usize;
        saved_bytes(region)[range.clone()].copy_from_slice(&memory(region)[range]);
        let first = self.arrays.n_marked;
        let version = Version { first, len: region.len, array: region.array, unset: region.unset };
        self.arrays.versions[self.arrays.n_versions as usize] = version;
        self.arrays.n_versions += 1;
        self.arrays.n_marked += region.len;
        let bounds = self.bounds(offset.id);
        let end = bounds.most.saturating_add(u64::from(len)).min(u64::from(region.len)) as u32;
        let start = bounds.least.min(u64::from(end)) as u32;
        self.dirty.mark(region.base + u64::from(start), u64::from(end - start));
        if self.arrays.regions[index].plain {
            // Until now there was no copy of the cells.
            saved_cells(region).fill(0);
            self.arrays.regions[index].plain = false;
        }
        for k in start..end {
            let marker = CELL_UNREAD | CELL_OF_ARRAY | (first + k);
            // SAFETY: cells of the region, which crosses no fold.
            unsafe { cell(region.base).add(k as usize).write(marker) };
            saved_cells(region)[k as usize] = marker;
        }
    }

    /// Writes expressions for bytes of arrays, starting with the one that `first` names, as cells. Memory now holds
    /// `value`. Returns the number of bytes done: the rest starts with a byte that differs from the array's.
    pub(super) fn read_arrays(&mut self, first: Cell, value: u128, cells: &mut [Cell]) -> usize {
        let first = first & !(CELL_UNREAD | CELL_OF_ARRAY);
        let versions = &self.arrays.versions[..self.arrays.n_versions as usize];
        let Some(&version) = versions[..versions.partition_point(|version| version.first <= first)].last() else {
            return 0;
        };
        let offset = first - version.first;
        if offset >= version.len {
            return 0;
        }
        let most = cells.len().min((version.len - offset) as usize);
        let same =
            |k: &usize| self.array_byte(version.array, u64::from(offset) + *k as u64) == (value >> (k * 8)) as u8;
        let len = (0..most).take_while(same).count();
        if len == 0 {
            return 0;
        }
        if version.unset {
            note(NoteKind::Unset, Site::NONE, 0);
        }
        let width = len as u32 * 8;
        let fields = [version.array, self.node(Term::concrete(64, u128::from(offset))), 0];
        let bytes = value & tine_trace::eval::mask(width);
        let node = self.arena.array(ArrayOp::Select, width, fields, bytes);
        if node != 0 {
            cells.iter_mut().zip(0..len as u32).for_each(|(cell, k)| *cell = node << 4 | k);
        }
        len
    }

    /// The byte of an array in this run.
    fn array_byte(&self, array: u32, index: u64) -> u8 {
        let mut array = array;
        while let Some(node) = self.arena.get(array) {
            if node.op == ArrayOp::Table as u8 {
                return if index < u64::from(node.b) { self.arrays.image_byte(node.a + index as u32) } else { 0 };
            }
            let (Some(at), Some(value)) = (self.arena.get(node.b), self.arena.get(node.c)) else { break };
            let offset = index.wrapping_sub(at.value[0]);
            if offset < u64::from(value.width / 8) {
                return (value.value() >> (offset * 8)) as u8;
            }
            array = node.a;
        }
        0
    }

    /// Calls `found` with every aligned word of 8 bytes in an array, and with every node of 64 bits that was stored.
    pub(super) fn words(&self, array: u32, found: &mut dyn FnMut(Word)) {
        let mut array = array;
        while let Some(node) = self.arena.get(array) {
            if node.op == ArrayOp::Table as u8 {
                for at in (0..node.b / 8).map(|k| node.a + k * 8) {
                    let word = (0..8).rev().fold(0, |word, k| word << 8 | u64::from(self.arrays.image_byte(at + k)));
                    found(Word::Value(word));
                }
                return;
            }
            if self.arena.get(node.c).is_some_and(|value| value.width == 64) {
                found(Word::Node(node.c));
            }
            array = node.a;
        }
    }
}

/// Possible contents of an array.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    Value(u64),
    Node(u32),
}
