//! Shadow memory as ranges of cells: clearing, copying, filling, and resetting all of it after a run.
//! The meaning of cells is defined in [`super::memory`].
//!
//! Most of the shadow is always zero. A dirty map has one byte per granule of 64 bytes of the unit and marks granules
//! that may have other cells. A list names the granules that the run made dirty. So clean ranges cost almost nothing,
//! and a reset takes time only for memory that the run wrote.
//!
//! ```text
//!   memory     │ 64 bytes │ 64 bytes │ 64 bytes │
//!   cells      │ 64 × u32 │ 64 × u32 │ 64 × u32 │
//!   dirty map  │    0     │    1     │    0     │      list: [ 1 ]
//! ```

use core::ptr::with_exposed_provenance_mut;

use tine_trace::layout::{Cell, FOLD_MASK, SHADOW_BASE, SHADOW_LEN, is_forbidden, is_reserved};

use super::state::{DIRTY_LIST, DIRTY_MAP, discard};

/// Bytes of the unit's memory per granule.
const GRANULE: u64 = 64;
const MAP_LEN: u64 = (FOLD_MASK + 1) / GRANULE;
/// Dirty granules (64 MiB of cells) above which memory is returned to the kernel instead of zeroed.
const GIVE_BACK: u32 = 1 << 18;

/// The dirty list. Each granule is in it at most once, so it cannot overflow.
#[derive(Debug)]
pub(super) struct Dirty {
    n: u32,
    /// Number of modules whose gaps were filled permanently.
    pub(super) n_padded: u32,
    /// Lowest stack address with cells that were forbidden since the last return of `setjmp`.
    pub(super) lowest_on_stack: u64,
}

/// Flags of a granule: it is in the list; it has nonzero cells already at the start of a run.
const LISTED: u8 = 1;
const FOR_GOOD: u8 = 2;

/// The cell of an address. Cells of a range are contiguous unless the range crosses a fold. No object crosses a fold.
#[inline]
pub(super) fn cell(address: u64) -> *mut Cell {
    with_exposed_provenance_mut::<Cell>((SHADOW_BASE + ((address & FOLD_MASK) << 2)) as usize)
}

/// The dirty map's byte of an address.
#[inline]
fn flag(address: u64) -> *mut u8 {
    with_exposed_provenance_mut::<u8>((DIRTY_MAP + (address & FOLD_MASK) / GRANULE) as usize)
}

/// True if any granule of the range may hold a cell that is not 0.
#[inline]
pub(super) fn is_dirty(address: u64, len: u64) -> bool {
    if len == 0 {
        return false;
    }
    let (first, last) = (flag(address), flag(address.wrapping_add(len - 1)));
    let count = (last as usize).wrapping_sub(first as usize).wrapping_add(1);
    // SAFETY: the caller's range does not cross a fold (`pieces`), so its flags are contiguous in the map.
    let flags = unsafe { core::slice::from_raw_parts(first, count) };
    // In blocks, so that long ranges are scanned with vector instructions.
    flags.chunks(64).any(|block| block.iter().fold(0, |any, flag| any | flag) != 0)
}

/// [`is_dirty`] for any range.
pub(super) fn may_be_symbolic(address: u64, len: u64) -> bool {
    pieces(address, len).any(|(address, len)| is_dirty(address, len))
}

/// Makes the cells of a range concrete. Returns true if some may have been symbolic. Callable from any thread.
#[inline]
pub(super) fn clear(address: u64, len: u64) -> bool {
    if len <= 16 && is_whole(address, len) {
        let dirty = is_dirty(address, len);
        if dirty {
            // SAFETY: cells of a range that crosses no fold.
            unsafe { cell(address).write_bytes(0, len as usize) };
        }
        return dirty;
    }
    clear_granules(address, len)
}

/// [`clear`], one granule at a time.
fn clear_granules(address: u64, len: u64) -> bool {
    let mut any = false;
    for (address, len) in dirty_granules(address, len) {
        any = true;
        // SAFETY: the cells of one granule.
        unsafe { cell(address).write_bytes(0, len as usize) };
    }
    any
}

/// The parts of a range that lie in dirty granules, in order.
pub(super) fn dirty_granules(address: u64, len: u64) -> impl Iterator<Item = (u64, u64)> {
    let dirty = pieces(address, len).filter(|(address, len)| is_dirty(*address, *len));
    // SAFETY: a flag of the map.
    dirty
        .flat_map(|(address, len)| Chunks { start: address, len })
        .filter(|(address, _)| unsafe { *flag(*address) } != 0)
}

impl Dirty {
    /// True if nothing was ever symbolic in this run.
    pub(super) fn is_clean(&self) -> bool {
        self.n == 0
    }

    /// True if some byte outside of a range, which crosses no fold, may be symbolic. Examines only a few granules. If
    /// there are more, the answer is true.
    pub(super) fn is_used_outside(&self, dead: core::ops::Range<u64>) -> bool {
        const MOST: u32 = 1024;
        let list = with_exposed_provenance_mut::<u32>(DIRTY_LIST as usize);
        let len = dead.end - dead.start;
        let is_used = |index: u32| {
            // SAFETY: entries below `n` are written, each names a granule.
            let cells = unsafe {
                let address = u64::from(*list.add(index as usize)) * GRANULE;
                if (address.wrapping_sub(dead.start) & FOLD_MASK) < len {
                    return false;
                }
                core::slice::from_raw_parts(cell(address), GRANULE as usize)
            };
            cells.iter().any(|cell| *cell != 0 && !is_reserved(*cell))
        };
        self.n > MOST || (0..self.n).any(is_used)
    }

    /// Marks the granules of a range, which crosses no fold, before its cells are written.
    #[inline]
    pub(super) fn mark(&mut self, address: u64, len: u64) {
        for (address, _) in (Chunks { start: address, len }) {
            let flag = flag(address);
            // SAFETY: a byte of the map; the list has room for every granule.
            unsafe {
                if *flag & LISTED == 0 {
                    *flag |= LISTED;
                    let list = with_exposed_provenance_mut::<u32>(DIRTY_LIST as usize);
                    list.add(self.n as usize).write(((address & FOLD_MASK) / GRANULE) as u32);
                    self.n += 1;
                }
            }
        }
    }

    /// Copies the cells of `len` bytes from `from` to `to`. The ranges may overlap.
    pub(super) fn copy(&mut self, to: u64, from: u64, len: u64) {
        if len == 0 || to == from || !is_whole(to, len) || !is_whole(from, len) {
            // Objects do not cross folds. If one does, its copy is concrete.
            if to != from {
                clear(to, len);
            }
            return;
        }
        if !is_dirty(from, len) {
            clear(to, len);
            return;
        }
        let backward = (to & FOLD_MASK) > (from & FOLD_MASK);
        let mut chunks = Chunks { start: to, len };
        while let Some((start, size)) = if backward { chunks.next_back() } else { chunks.next() } {
            self.copy_chunk(start, from.wrapping_add(start.wrapping_sub(to)), size);
        }
    }

    /// [`Dirty::copy`] into one granule.
    fn copy_chunk(&mut self, to: u64, from: u64, len: u64) {
        // SAFETY: cells of ranges that cross no fold; `copy` is a `memmove`.
        unsafe {
            let source = core::slice::from_raw_parts(cell(from), len as usize);
            if is_dirty(from, len) && source.iter().any(|cell| *cell != 0) {
                self.mark(to, len);
                core::ptr::copy(cell(from), cell(to), len as usize);
            } else if *flag(to) != 0 {
                cell(to).write_bytes(0, len as usize);
            }
        }
    }

    /// Writes the same cell for every byte of a range.
    pub(super) fn fill(&mut self, to: u64, value: Cell, len: u64) {
        for (address, len) in pieces(to, len) {
            self.mark(address, len);
            // SAFETY: cells of a range that crosses no fold.
            unsafe { core::slice::from_raw_parts_mut(cell(address), len as usize) }.fill(value);
        }
    }

    /// As [`Dirty::fill`], for all runs. The granules of the range must contain nothing else.
    pub(super) fn fill_for_good(&mut self, to: u64, value: Cell, len: u64) {
        for (address, len) in pieces(to, len).flat_map(|(address, len)| Chunks { start: address, len }) {
            // SAFETY: a flag of the map, and the cells of one granule.
            unsafe {
                *flag(address) |= FOR_GOOD;
                core::slice::from_raw_parts_mut(cell(address), len as usize).fill(value);
            }
        }
    }

    /// Restores all cells to their values before the run.
    pub(super) fn reset(&mut self) {
        if self.n > GIVE_BACK {
            discard(SHADOW_BASE, SHADOW_LEN);
            discard(DIRTY_MAP, MAP_LEN);
            discard(DIRTY_LIST, self.n as u64 * 4);
            *self = Dirty { n: 0, n_padded: 0, lowest_on_stack: u64::MAX };
            return;
        }
        let list = with_exposed_provenance_mut::<u32>(DIRTY_LIST as usize);
        for index in 0..self.n {
            // SAFETY: entries below `n` are written, each names a granule.
            unsafe {
                let address = *list.add(index as usize) as u64 * GRANULE;
                let flag = flag(address);
                *flag &= !LISTED;
                if *flag == 0 {
                    cell(address).write_bytes(0, GRANULE as usize);
                } else {
                    let cells = core::slice::from_raw_parts_mut(cell(address), GRANULE as usize);
                    cells.iter_mut().filter(|cell| !is_forbidden(**cell)).for_each(|cell| *cell = 0);
                }
            }
        }
        self.n = 0;
    }
}

/// True if the range crosses no fold.
#[inline]
pub(super) fn is_whole(address: u64, len: u64) -> bool {
    len <= FOLD_MASK + 1 - (address & FOLD_MASK)
}

/// The range, split where the address folds over.
fn pieces(address: u64, len: u64) -> impl Iterator<Item = (u64, u64)> {
    let first = len.min(FOLD_MASK + 1 - (address & FOLD_MASK));
    let rest = (len - first).min(FOLD_MASK + 1);
    [(address, first), (address.wrapping_add(first), rest)].into_iter().filter(|(_, len)| *len != 0)
}

/// A range split at the borders of granules.
struct Chunks {
    start: u64,
    len: u64,
}

impl Iterator for Chunks {
    type Item = (u64, u64);

    #[inline]
    fn next(&mut self) -> Option<(u64, u64)> {
        if self.len == 0 {
            return None;
        }
        let chunk = (self.start, self.len.min(GRANULE - self.start % GRANULE));
        self.start += chunk.1;
        self.len -= chunk.1;
        Some(chunk)
    }
}

impl DoubleEndedIterator for Chunks {
    fn next_back(&mut self) -> Option<(u64, u64)> {
        if self.len == 0 {
            return None;
        }
        let end = self.start + self.len;
        let size = self.len.min((end - 1) % GRANULE + 1);
        self.len -= size;
        Some((end - size, size))
    }
}
