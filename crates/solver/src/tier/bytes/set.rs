//! Sets of values of a byte.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tier) struct Set([u64; 4]);

impl Set {
    pub(in crate::tier) const NONE: Set = Set([0; 4]);
    pub(in crate::tier) const ALL: Set = Set([u64::MAX; 4]);

    pub(in crate::tier) fn add(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    pub(in crate::tier) fn has(self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 == 1
    }

    pub(in crate::tier) fn and(self, other: Set) -> Set {
        Set(std::array::from_fn(|k| self.0[k] & other.0[k]))
    }

    pub(in crate::tier) fn is_empty(self) -> bool {
        self == Set::NONE
    }

    pub(in crate::tier) fn len(self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Returns the least and the greatest value.
    pub(in crate::tier) fn ends(self) -> Option<(u8, u8)> {
        let least = (0..=u8::MAX).find(|&value| self.has(value))?;
        let greatest = (0..=u8::MAX).rev().find(|&value| self.has(value))?;
        Some((least, greatest))
    }

    /// Returns the values in order, but `first` comes first if it is in the set.
    pub(in crate::tier) fn values(self, first: u8) -> impl Iterator<Item = u8> {
        let others = (0..=u8::MAX).filter(move |&value| value != first && self.has(value));
        self.has(first).then_some(first).into_iter().chain(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let mut set = Set::NONE;
        [3, 64, 255].iter().for_each(|&value| set.add(value));
        assert_eq!((set.len(), set.ends(), set.is_empty()), (3, Some((3, 255)), false));
        assert_eq!(set.values(64).collect::<Vec<_>>(), [64, 3, 255]);
        assert_eq!(set.values(5).collect::<Vec<_>>(), [3, 64, 255]);
        let mut other = Set::NONE;
        other.add(64);
        assert_eq!(set.and(other), other);
        assert_eq!((Set::ALL.len(), Set::NONE.ends()), (256, None));
        assert!(set.and(Set::NONE).is_empty());
    }
}
