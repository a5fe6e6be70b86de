//! Locations: possible positions of an address in an object, and overlap of accesses.

/// An address: one offset in an object, or every offset that differs from it by a multiple of `stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Location {
    pub(super) object: u32,
    pub(super) offset: i64,
    /// 0: only this offset.
    pub(super) stride: u64,
}

/// Bytes of an access of unknown size.
const ALL: i64 = 1 << 40;

impl Location {
    pub(super) fn start(object: u32) -> Location {
        Location { object, offset: 0, stride: 0 }
    }

    /// Anywhere in an object.
    pub(super) fn anywhere(object: u32) -> Location {
        Location { object, offset: 0, stride: 1 }
    }

    /// The location moved by `offset` and any multiple of `stride`.
    pub(super) fn moved(self, offset: i64, stride: u64) -> Location {
        let stride = gcd(self.stride, stride);
        let offset = self.offset.wrapping_add(offset);
        let offset = if stride == 0 { offset } else { offset.rem_euclid(stride.min(1 << 40) as i64) };
        // A larger offset is outside of the object.
        let offset = offset.clamp(-ALL, ALL);
        Location { offset, stride, ..self }
    }

    /// The least location that contains both. They must be in the same object.
    pub(super) fn joined(self, other: Location) -> Location {
        let apart = self.offset.abs_diff(other.offset);
        self.moved(0, gcd(gcd(self.stride, other.stride), apart))
    }

    /// True if every address of `other` is also one of `self`.
    pub(super) fn contains(self, other: Location) -> bool {
        if self.object != other.object {
            return false;
        }
        if self.stride == 0 {
            return other.stride == 0 && self.offset == other.offset;
        }
        other.stride.is_multiple_of(self.stride) && self.offset.abs_diff(other.offset).is_multiple_of(self.stride)
    }

    /// True if accesses of these sizes at the two locations may share a byte. Size 0 means unknown.
    pub(super) fn overlaps(self, size: u64, other: Location, other_size: u64) -> bool {
        if self.object != other.object {
            return false;
        }
        let bytes = |size: u64| if size == 0 { ALL } else { size.min(ALL as u64) as i64 };
        let (size, other_size) = (bytes(size), bytes(other_size));
        let apart = other.offset - self.offset;
        match gcd(self.stride, other.stride) {
            0 => apart < size && -apart < other_size,
            stride => {
                let stride = stride.min(ALL as u64) as i64;
                let apart = apart.rem_euclid(stride);
                apart < size || stride - apart < other_size
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Locations in objects, kept small: many locations in one object are joined into one with a stride.
#[derive(Clone, Debug, Default)]
pub(super) struct Locations {
    /// Sorted by object.
    all: Vec<Location>,
}

/// Maximum number of separate locations in one object before they are joined.
const MANY: usize = 12;

impl Locations {
    pub(super) fn iter(&self) -> impl Iterator<Item = Location> + '_ {
        self.all.iter().copied()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a location. Returns the new or enlarged location if the set grew.
    pub(super) fn add(&mut self, new: Location) -> Option<Location> {
        let first = self.all.partition_point(|known| known.object < new.object);
        let end = first + self.all[first..].partition_point(|known| known.object == new.object);
        if self.all[first..end].iter().any(|known| known.contains(new)) {
            return None;
        }
        if end - first < MANY {
            self.all.insert(end, new);
            return Some(new);
        }
        let joined = self.all[first..end].iter().fold(new, |joined, known| joined.joined(*known));
        self.all.splice(first..end, [joined]);
        Some(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: i64, stride: u64) -> Location {
        Location { object: 1, offset, stride }
    }

    /// All addresses from -64 on, compared one by one.
    fn overlap_by_bytes(a: Location, a_size: u64, b: Location, b_size: u64) -> bool {
        let addresses = |location: Location| -> Vec<i64> {
            match location.stride {
                0 => vec![location.offset],
                stride => (-200..200).map(|k| location.offset + k * stride as i64).collect(),
            }
        };
        addresses(a).iter().any(|x| addresses(b).iter().any(|y| *x < y + b_size as i64 && *y < x + a_size as i64))
    }

    #[test]
    fn overlapping_agrees_with_bytes() {
        for (a, b) in [(0, 0), (0, 8), (8, 8), (0, 12), (12, 8), (1, 16), (24, 16)] {
            for offset in -20..20 {
                for (x, y) in [(1, 1), (4, 8), (8, 4), (2, 1)] {
                    let (first, second) = (at(3, a), at(offset, b));
                    let expected = overlap_by_bytes(first, x, second, y);
                    assert_eq!(first.overlaps(x, second, y), expected, "{first:?} {x} {second:?} {y}");
                }
            }
        }
    }

    #[test]
    fn many_locations_become_one() {
        let mut locations = Locations::default();
        for k in 0..100 {
            locations.add(at(4 + 8 * k, 0));
        }
        assert!(locations.len() <= MANY);
        for k in 0..200 {
            assert!(locations.iter().any(|known| known.contains(at(4 + 8 * k, 0))), "{k}");
        }
        assert!(!locations.iter().any(|known| known.contains(at(8, 0))), "the stride is kept");
        assert_eq!(locations.add(at(4, 0)), None);
    }
}
