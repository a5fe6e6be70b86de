//! Which input bytes a term depends on.
//!
//! Sets of bytes are sorted lists of ranges, shared between the terms that have them and named by [`SupportId`], so
//! that a term's set costs four bytes and the union of two sets is computed once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The bytes `start..end` of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteRange {
    pub input: u32,
    pub start: u32,
    pub end: u32,
}

/// Number of a set of bytes in its pool; equal sets have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SupportId(pub(crate) u32);

impl SupportId {
    pub const EMPTY: SupportId = SupportId(0);
}

#[derive(Clone, Debug)]
pub(crate) struct Supports {
    sets: Vec<Arc<[ByteRange]>>,
    ids: FxHashMap<Arc<[ByteRange]>, SupportId>,
    unions: FxHashMap<(SupportId, SupportId), SupportId>,
}

impl Supports {
    pub(crate) fn new() -> Self {
        let empty: Arc<[ByteRange]> = Arc::new([]);
        Self {
            ids: FxHashMap::from_iter([(empty.clone(), SupportId::EMPTY)]),
            sets: vec![empty],
            unions: FxHashMap::default(),
        }
    }

    pub(crate) fn get(&self, id: SupportId) -> &[ByteRange] {
        &self.sets[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    pub(crate) fn range(&mut self, range: ByteRange) -> SupportId {
        self.intern(&[range])
    }

    pub(crate) fn union(&mut self, a: SupportId, b: SupportId) -> SupportId {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == SupportId::EMPTY {
            return b;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let merged = merge(self.get(a), self.get(b));
        let id = self.intern(&merged);
        self.unions.insert((a, b), id);
        id
    }

    fn intern(&mut self, ranges: &[ByteRange]) -> SupportId {
        if let Some(&id) = self.ids.get(ranges) {
            return id;
        }
        let id = SupportId(self.sets.len() as u32);
        let shared: Arc<[ByteRange]> = ranges.into();
        self.sets.push(shared.clone());
        self.ids.insert(shared, id);
        id
    }
}

/// The union of two sorted lists, with ranges that touch or overlap made one.
fn merge(a: &[ByteRange], b: &[ByteRange]) -> Vec<ByteRange> {
    let mut merged: Vec<ByteRange> = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x <= y => a.next(),
            (_, Some(_)) => b.next(),
            (_, None) => a.next(),
        };
        let Some(&next) = next else { return merged };
        match merged.last_mut() {
            Some(last) if last.input == next.input && next.start <= last.end => last.end = last.end.max(next.end),
            _ => merged.push(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(input: u32, start: u32, end: u32) -> ByteRange {
        ByteRange { input, start, end }
    }

    #[test]
    fn unions_merge_what_touches() {
        assert_eq!(merge(&[r(0, 0, 4), r(0, 8, 12)], &[r(0, 4, 8)]), [r(0, 0, 12)]);
        assert_eq!(merge(&[r(0, 0, 4)], &[r(1, 4, 8), r(2, 0, 1)]), [r(0, 0, 4), r(1, 4, 8), r(2, 0, 1)]);
        assert_eq!(merge(&[r(0, 0, 9)], &[r(0, 2, 3), r(0, 10, 11)]), [r(0, 0, 9), r(0, 10, 11)]);
    }

    #[test]
    fn equal_sets_have_equal_numbers() {
        let mut supports = Supports::new();
        let low = supports.range(r(0, 0, 1));
        let high = supports.range(r(0, 1, 2));
        let both = supports.union(low, high);
        assert_eq!(both, supports.range(r(0, 0, 2)));
        assert_eq!(both, supports.union(high, low));
        assert_eq!(both, supports.union(both, low));
        assert_eq!(supports.union(SupportId::EMPTY, low), low);
    }
}
