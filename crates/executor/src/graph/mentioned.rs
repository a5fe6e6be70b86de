//! Input bytes that terms depend on.

use tine_expr::{ByteRange, TermId, TermPool};
use tine_types::Input;

use super::shapes::{Cell, Shapes};

/// A set of input bytes.
#[derive(Debug)]
pub(crate) struct Mentioned {
    /// In order, without overlaps.
    ranges: Vec<ByteRange>,
}

impl Mentioned {
    pub(crate) fn by(pool: &TermPool, terms: impl IntoIterator<Item = TermId>) -> Mentioned {
        Mentioned { ranges: pool.support_of_all(terms) }
    }

    /// True if any of the `len` bytes at `offset` is in the set.
    pub(crate) fn overlaps(&self, input: u32, offset: u32, len: u32) -> bool {
        let after = self.ranges.partition_point(|range| (range.input, range.end) <= (input, offset));
        self.ranges.get(after).is_some_and(|range| range.input == input && range.start < offset + len)
    }

    /// Highest input number below `end` that has bytes in the set.
    pub(crate) fn last_below(&self, end: u32) -> Option<u32> {
        let after = self.ranges.partition_point(|range| range.input < end);
        self.ranges[..after].last().map(|range| range.input)
    }

    /// Typed cells that contain any of the bytes, in order: input, offset, cell. If members of a union overlap, the
    /// first counts.
    pub(crate) fn cells(&self, shapes: &Shapes, inputs: &Input) -> Vec<(u32, u32, Cell)> {
        let mut found: Vec<(u32, u32, Cell)> = Vec::new();
        let mut end = (0, 0);
        /// Largest size of a cell in bytes.
        const MOST: u32 = 8;
        for range in &self.ranges {
            let cells = shapes.cells_of(inputs, range.input);
            let first = cells.partition_point(|(offset, _)| offset + MOST <= range.start);
            for (offset, cell) in cells[first..].iter().take_while(|(offset, _)| *offset < range.end) {
                let last = offset + cell.size();
                if last > range.start && (range.input, *offset) >= end {
                    end = (range.input, last);
                    found.push((range.input, *offset, *cell));
                }
            }
        }
        found
    }
}
