//! Writes the plan of a run to the segment or to a file (format: [`crate::plan`]).
//! This module allocates: the unit's side has the feature `alloc` off.

use alloc::vec;
use alloc::vec::Vec;

use crate::plan::{InputKind, PlanHeader, PlanObject, PlanRequest, PointerMap, Relocation};

/// Error: the plan does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub len: usize,
    pub room: usize,
}

/// A plan in its binary form. Requests and objects have their bytes. The positions of the bytes are filled in when the
/// plan is written.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// In order.
    pub requests: Vec<(PlanRequest, &'a [u8])>,
    /// In order of their slots.
    pub objects: Vec<(PlanObject, &'a [u8])>,
    /// Bytes that must be addresses of functions.
    pub relocations: &'a [Relocation],
    pub slot_shift: u32,
    /// In order of their numbers, which start at 1.
    pub maps: &'a [PointerMap],
}

impl<'a> Plan<'a> {
    /// A plan of requests only, of any kinds.
    pub fn of_requests(requests: &'a [Vec<u8>]) -> Plan<'a> {
        let unseen = PlanRequest { kind: InputKind::Unseen as u32, ..PlanRequest::default() };
        Plan { requests: requests.iter().map(|bytes| (unseen, &bytes[..])).collect(), ..Plan::default() }
    }

    /// The plan as a separate file, for [`REPLAY_VARIABLE`](crate::segment::REPLAY_VARIABLE).
    pub fn file(&self) -> Vec<u8> {
        let mut file = vec![0; self.len()];
        self.lay_out(&mut file).expect("it was sized for the plan");
        file
    }

    fn len(&self) -> usize {
        let requests = self.requests.iter().map(|(_, bytes)| bytes.len());
        let objects = self.objects.iter().map(|(_, bytes)| bytes.len());
        self.tables_len() + requests.chain(objects).sum::<usize>()
    }

    fn tables_len(&self) -> usize {
        size_of::<PlanHeader>()
            + self.requests.len() * size_of::<PlanRequest>()
            + self.objects.len() * size_of::<PlanObject>()
            + size_of_val(self.relocations)
            + size_of_val(self.maps)
    }

    /// Writes the plan to `area`. Returns its length.
    pub fn lay_out(&self, area: &mut [u8]) -> Result<usize, TooLarge> {
        let len = self.len();
        if len > area.len() || len > u32::MAX as usize {
            return Err(TooLarge { len, room: area.len() });
        }
        let (tables, bytes) = area.split_at_mut(self.tables_len());
        let mut tables = Words(tables);
        let mut bytes = Bytes { area: bytes, first: self.tables_len() as u32, used: 0 };
        let Plan { requests, objects, relocations, slot_shift, maps } = self;
        let lens = [requests.len(), objects.len(), relocations.len()].map(|len| len as u32);
        tables.push(&lens);
        tables.push(&[*slot_shift, maps.len() as u32]);
        for (request, own) in requests {
            tables.push(&bytes.push(own));
            tables.push(&[request.kind, request.ty]);
        }
        for (object, own) in objects {
            let [offset, len] = bytes.push(own);
            tables.push(&[object.slot, object.start, object.extent, object.element]);
            tables.push(&[offset, len, object.flags, object.map]);
        }
        for relocation in *relocations {
            tables.push(&[relocation.input, relocation.offset, relocation.function]);
        }
        for PointerMap { pointers, zeros, size } in maps.iter() {
            for word in pointers.iter().chain(zeros).chain([size]) {
                tables.push(&[*word as u32, (*word >> 32) as u32]);
            }
        }
        Ok(len)
    }
}

/// The tables, filled from the start.
struct Words<'a>(&'a mut [u8]);

impl Words<'_> {
    fn push(&mut self, words: &[u32]) {
        let (now, later) = core::mem::take(&mut self.0).split_at_mut(4 * words.len());
        for (to, word) in now.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        self.0 = later;
    }
}

/// The bytes after the tables, filled from the start.
struct Bytes<'a> {
    area: &'a mut [u8],
    first: u32,
    used: usize,
}

impl Bytes<'_> {
    /// Appends bytes. Returns their offset and length.
    fn push(&mut self, bytes: &[u8]) -> [u32; 2] {
        self.area[self.used..self.used + bytes.len()].copy_from_slice(bytes);
        let offset = self.first + self.used as u32;
        self.used += bytes.len();
        [offset, bytes.len() as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{ANY_TYPE, PlanEntry};

    #[test]
    fn a_plan_lies_as_the_contract_says() {
        let bytes = [vec![1, 2], vec![3]];
        let requests = Plan::of_requests(&bytes);
        assert_eq!(
            requests.file(),
            [
                &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
                &[52, 0, 0, 0, 2, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0],
                &[1, 2, 3],
            ]
            .concat()
        );
        let map = PointerMap { pointers: [0b110, 0, 0, 0, 0, 0, 0, 0], zeros: [0b110, 0b110, 0b10, 0], size: 24 };
        let (none, some) = (None, Some);
        assert_eq!(
            [0, 8, 16, 20, 32, 40].map(|offset| map.low_zeros(offset)),
            [none, some(3), some(2), none, some(3), some(2)]
        );
        assert_eq!(
            [0, 7, 8, 15, 20, 36].map(|offset| map.into_pointer(offset)),
            [none, none, some(0), some(7), some(4), some(4)]
        );
        let object =
            PlanObject { slot: 5, start: 3, extent: 64, element: 24, flags: 1, map: 1, bytes: PlanEntry::default() };
        let objects = Plan {
            objects: vec![(object, &[9])],
            relocations: &[Relocation { input: 0, offset: 8, function: 2 }],
            slot_shift: 12,
            maps: &[map],
            ..Plan::default()
        };
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(
            objects.file(),
            [
                &[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0][..],
                &[5, 0, 0, 0, 3, 0, 0, 0, 64, 0, 0, 0, 24, 0, 0, 0, 168, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
                &[0, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0],
                &words(&[6, 0, 0, 0, 0, 0, 0, 0, 6, 6, 2, 0, 24]),
                &[9],
            ]
            .concat()
        );
        assert_eq!(requests.lay_out(&mut [0; 60]), Ok(55));
        assert_eq!(requests.lay_out(&mut [0; 54]), Err(TooLarge { len: 55, room: 54 }));
    }

    #[test]
    fn bytes_are_served_to_the_request_they_were_planned_for() {
        let planned =
            |kind: InputKind, ty, len| PlanRequest { bytes: PlanEntry { offset: 0, len }, kind: kind as u32, ty };
        let number = planned(InputKind::Signed, 0, 8);
        assert!(number.is_for(InputKind::Signed as u32, 0, 8));
        assert!(!number.is_for(InputKind::Pointer as u32, 0, 8), "another kind");
        assert!(!number.is_for(InputKind::Signed as u32, 1, 8), "another type");
        assert!(!number.is_for(InputKind::Signed as u32, 0, 4), "another width");
        assert!(planned(InputKind::Text, 0, 3).is_for(InputKind::Text as u32, 0, 9), "a shorter text");
        assert!(!planned(InputKind::Bytes, 2, 3).is_for(InputKind::Bytes as u32, 2, 9), "a structure has one size");
        assert!(planned(InputKind::Signed, ANY_TYPE, 4).is_for(InputKind::Signed as u32, 7, 4));
        assert!(planned(InputKind::Unseen, 0, 1).is_for(InputKind::Pointer as u32, 3, 8));
    }
}
