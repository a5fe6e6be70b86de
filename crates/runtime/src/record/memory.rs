//! Meaning of cells: the expression of a loaded value, the cells of a stored one.

use tine_trace::eval::mask;
use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::{CELL_OF_ARRAY, CELL_UNREAD, CELL_UNSET, Cell, is_reserved};

use super::shadow::{self, cell};
use super::state::Recorder;
use super::term::Term;
use super::{note, objects};
use crate::process::heap::object_of;

/// Size of the largest value in bytes.
const MAX_SIZE: usize = 16;

impl Recorder {
    /// `load`: the expression of `size` bytes at `address`, which held `value`.
    #[inline]
    pub(super) fn load(&mut self, address: u64, size: u32, value: u128) -> u32 {
        if size == 0 || size as usize > MAX_SIZE || !shadow::is_whole(address, size as u64) {
            return 0;
        }
        // SAFETY: cells of a range that crosses no fold.
        let cells = unsafe { core::slice::from_raw_parts(cell(address), size as usize) };
        let first = cells[0];
        if first & (CELL_UNREAD | 15) == 0
            && cells.iter().zip(first..).all(|(cell, expected)| *cell == expected)
            && let Some(node) = self.arena.get(first >> 4)
            && node.width as u32 == size * 8
            && node.value() == value & mask(size * 8)
        {
            return first >> 4;
        }
        self.load_pieces(address, size as usize, value & mask(size * 8))
    }

    /// [`Recorder::load`] for a value that is not exactly one stored value.
    fn load_pieces(&mut self, address: u64, size: usize, value: u128) -> u32 {
        let mut cells = [0; MAX_SIZE];
        // SAFETY: as in `load`.
        cells[..size].copy_from_slice(unsafe { core::slice::from_raw_parts(cell(address), size) });
        let cells = &mut cells[..size];
        self.resolve_unset(address, cells, value);
        cells.iter_mut().filter(|cell| is_reserved(**cell)).for_each(|cell| *cell = 0);
        self.resolve_inputs(address, cells, value);
        // Input bytes without room for an expression stay markers in the shadow.
        cells.iter_mut().filter(|cell| **cell & CELL_UNREAD != 0).for_each(|cell| *cell = 0);

        let mut result: Option<Term> = None;
        let mut start = 0;
        while start < size {
            let len = run(&cells[start..]);
            let bytes = value >> (start * 8) & mask(len as u32 * 8);
            let piece = self.piece(address + start as u64, cells[start], len as u32, bytes);
            result = Some(match result {
                Some(low) => self.concat(piece, low),
                None => piece,
            });
            start += len;
            if start < size && self.arena.full {
                return 0;
            }
        }
        match result {
            Some(term) if !self.arena.full || term.width == run(cells) as u32 * 8 => term.id,
            _ => 0,
        }
    }

    /// The term of `len` bytes whose first cell is `first` and whose other cells follow from it. `bytes` is their
    /// current value.
    fn piece(&mut self, address: u64, first: Cell, len: u32, bytes: u128) -> Term {
        let width = len * 8;
        if first == 0 {
            return Term::concrete(width, bytes);
        }
        let low = (first & 15) * 8;
        let known = self.term(first >> 4).filter(|term| (term.value >> low) & mask(width) == bytes);
        match known {
            Some(term) if low < term.width => {
                // An expression of odd width ends inside its last byte; zeros follow.
                let part = self.extract(term, low, width.min(term.width - low));
                self.zext(part, width)
            }
            Some(_) => Term::concrete(width, bytes),
            None => {
                stale(address, len);
                Term::concrete(width, bytes)
            }
        }
    }

    /// Gives unwritten bytes expressions for undefined values, in `cells`.
    fn resolve_unset(&mut self, address: u64, cells: &mut [Cell], value: u128) {
        let mut start = 0;
        while start < cells.len() {
            let len = cells[start..].iter().take_while(|cell| **cell == CELL_UNSET).count();
            if len > 0 && self.follows_unset {
                let width = len as u32 * 8;
                let bytes = value >> (start * 8) & mask(width);
                let node = self.undefined(width, (address + start as u64) as u32, bytes);
                for (k, cell) in cells[start..start + len].iter_mut().enumerate() {
                    *cell = if node == 0 { 0 } else { node << 4 | k as u32 };
                }
            }
            start += len.max(1);
        }
    }

    /// Replaces the markers of input bytes, in `cells` and in the shadow, by their expressions.
    fn resolve_inputs(&mut self, address: u64, cells: &mut [Cell], value: u128) {
        let mut start = 0;
        while start < cells.len() {
            if cells[start] & CELL_UNREAD == 0 {
                start += 1;
                continue;
            }
            let first = cells[start] & !CELL_UNREAD;
            let mut len = 1;
            while start + len < cells.len() && cells[start + len] == (first + len as u32) | CELL_UNREAD {
                len += 1;
            }
            let unread = &mut cells[start..start + len];
            let resolved = if first & CELL_OF_ARRAY != 0 {
                self.read_arrays(first, value >> (start * 8), unread)
            } else {
                self.read_inputs(first, value >> (start * 8), unread)
            };
            if resolved < len {
                // The byte no longer has its input or array value.
                stale(address + (start + resolved) as u64, 1);
                cells[start + resolved] = 0;
            }
            // SAFETY: cells of the loaded range. They were not 0, so their granules are dirty already.
            unsafe {
                core::ptr::copy_nonoverlapping(cells.as_ptr().add(start), cell(address + start as u64), resolved);
            }
            start += resolved.max(1);
        }
    }

    /// `store`: `size` bytes at `address` are `node` now.
    #[inline]
    pub(super) fn store(&mut self, address: u64, size: u32, node: u32) {
        if node == 0 || size as usize > MAX_SIZE || !shadow::is_whole(address, size as u64) || node > self.arena.n {
            shadow::clear(address, size as u64);
            return;
        }
        self.dirty.mark(address, size as u64);
        for k in 0..size {
            // SAFETY: cells of a range that crosses no fold.
            unsafe { cell(address).add(k as usize).write(node << 4 | k) };
        }
    }

    /// True if a byte of the object at `address` has an expression. If the object's size is not known, `len` is 0. Then
    /// the size is that of an object of the heap, or as large as most C objects.
    pub(super) fn is_symbolic(&self, address: u64, len: u64) -> bool {
        const USUAL: u64 = 256;
        const LARGE: u64 = 1 << 20;
        let len = match len {
            0 if objects::is_input(address) => objects::extent_at(address),
            0 => object_of(address).map_or(USUAL, |object| (object.address + object.size).saturating_sub(address)),
            len => len,
        };
        (0..len.min(LARGE)).step_by(64).any(|start| {
            let at = address + start;
            let len = (len - start).min(64);
            shadow::may_be_symbolic(at, len) && (at..at + len).any(|byte| self.holds(byte))
        })
    }

    /// True if the byte at `address` has an expression that is still valid.
    fn holds(&self, address: u64) -> bool {
        // SAFETY: the shadow covers every address.
        let cell = unsafe { *cell(address) };
        if cell == 0 || cell & CELL_UNREAD != 0 {
            return cell != 0 && !is_reserved(cell);
        }
        // SAFETY: a byte with an expression was written by the program, so it is mapped.
        let byte = unsafe { *core::ptr::with_exposed_provenance::<u8>(address as usize) };
        self.arena.get(cell >> 4).is_some_and(|node| (node.value() >> ((cell & 15) * 8)) as u8 == byte)
    }

    /// `fill`: every byte of the range is the 8-bit `node` now.
    pub(super) fn fill(&mut self, to: u64, node: u32, len: u64) {
        if self.arena.get(node).is_some_and(|node| node.width <= 8) {
            self.dirty.fill(to, node << 4, len);
        } else {
            shadow::clear(to, len);
        }
    }
}

/// Number of cells, from the first, that belong together: consecutive bytes of one node, or concrete ones.
pub(super) fn run(cells: &[Cell]) -> usize {
    let first = cells[0];
    let expected = |k: usize| if first == 0 { 0 } else { first + k as u32 };
    let most = if first == 0 { cells.len() } else { cells.len().min(16 - (first & 15) as usize) };
    (1..most).find(|k| cells[*k] != expected(*k)).unwrap_or(most)
}

/// Notes a write by uninstrumented code.
#[cold]
fn stale(address: u64, len: u32) {
    shadow::clear(address, len as u64);
    note(NoteKind::Stale, Site::NONE, 0);
}
