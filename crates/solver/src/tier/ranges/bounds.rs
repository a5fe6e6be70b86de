//! Bounds of a value: its least and greatest value, unsigned and signed, and known bits.
//!
//! The three views refine each other ([`Bounds::settle`]). Each is an over-approximation, so an empty one means that no
//! value is possible.

use tine_trace::eval::mask;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) width: u32,
    pub(crate) low: u128,
    pub(crate) high: u128,
    pub(crate) signed_low: i128,
    pub(crate) signed_high: i128,
    /// Bits that are known to be 0.
    pub(crate) zeros: u128,
    /// Bits that are known to be 1.
    pub(crate) ones: u128,
}

pub(crate) fn to_signed(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

fn signed_max(width: u32) -> u128 {
    mask(width) >> 1
}

impl Bounds {
    pub(crate) fn any(width: u32) -> Bounds {
        let greatest = signed_max(width) as i128;
        Bounds { width, low: 0, high: mask(width), signed_low: -greatest - 1, signed_high: greatest, zeros: 0, ones: 0 }
    }

    pub(crate) fn constant(width: u32, value: u128) -> Bounds {
        Bounds::between(width, value, value)
    }

    pub(crate) fn bit(value: bool) -> Bounds {
        Bounds::constant(1, value as u128)
    }

    /// Unsigned range, both ends included.
    pub(crate) fn between(width: u32, low: u128, high: u128) -> Bounds {
        Bounds { low, high, ..Bounds::any(width) }.settle()
    }

    /// Signed range, both ends included.
    pub(crate) fn between_signed(width: u32, low: i128, high: i128) -> Bounds {
        Bounds { signed_low: low, signed_high: high, ..Bounds::any(width) }.settle()
    }

    pub(crate) fn with_bits(width: u32, zeros: u128, ones: u128) -> Bounds {
        Bounds { zeros, ones, ..Bounds::any(width) }.settle()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low > self.high || self.signed_low > self.signed_high || self.zeros & self.ones != 0
    }

    pub(crate) fn value(&self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns all values, if there are at most `most`.
    pub(crate) fn few(&self, most: usize) -> Option<Vec<u128>> {
        // Known low bits determine a step.
        let step = 1u128 << (self.zeros | self.ones).trailing_ones().min(self.width - 1);
        let n = (self.high.checked_sub(self.low)? / step).checked_add(1)?;
        if self.is_empty() || n > 4 * most as u128 {
            return None;
        }
        let first = self.low & !(step - 1) | self.ones & (step - 1);
        let above = first.checked_add(n * step)?;
        let mut values: Vec<u128> = Vec::new();
        let mut value = first;
        while value <= above.min(self.high) {
            if self.allows(value) {
                values.push(value);
            }
            value += step;
        }
        (values.len() <= most).then_some(values)
    }

    fn allows(&self, value: u128) -> bool {
        let signed = to_signed(self.width, value);
        (self.low..=self.high).contains(&value)
            && (self.signed_low..=self.signed_high).contains(&signed)
            && value & self.zeros == 0
            && value & self.ones == self.ones
    }

    /// Returns the bounds of the values that both allow.
    pub(crate) fn meet(&self, other: &Bounds) -> Bounds {
        Bounds {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            signed_low: self.signed_low.max(other.signed_low),
            signed_high: self.signed_high.min(other.signed_high),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
        .settle()
    }

    /// Returns the bounds of the values that at least one of them allows.
    pub(crate) fn join(&self, other: &Bounds) -> Bounds {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        Bounds {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            signed_low: self.signed_low.min(other.signed_low),
            signed_high: self.signed_high.max(other.signed_high),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// Excludes a value. If it is an end of the range, the range shrinks.
    pub(crate) fn exclude(&self, value: u128) -> Bounds {
        let mut bounds = *self;
        if bounds.low == value && bounds.high == value {
            return Bounds { low: 1, high: 0, ..bounds };
        }
        let signed = to_signed(self.width, value);
        if bounds.low == value {
            bounds.low += 1;
        } else if bounds.high == value {
            bounds.high -= 1;
        }
        if bounds.signed_low == signed && bounds.signed_low < bounds.signed_high {
            bounds.signed_low += 1;
        } else if bounds.signed_high == signed && bounds.signed_low < bounds.signed_high {
            bounds.signed_high -= 1;
        }
        bounds.settle()
    }

    /// Refines the three views by each other.
    fn settle(mut self) -> Bounds {
        let greatest = signed_max(self.width);
        for _ in 0..2 {
            if self.is_empty() {
                return self;
            }
            self.low = self.low.max(self.ones);
            self.high = self.high.min(mask(self.width) & !self.zeros);
            if self.high <= greatest {
                self.signed_low = self.signed_low.max(self.low as i128);
                self.signed_high = self.signed_high.min(self.high as i128);
            } else if self.low > greatest {
                self.signed_low = self.signed_low.max(to_signed(self.width, self.low));
                self.signed_high = self.signed_high.min(to_signed(self.width, self.high));
            }
            if self.signed_low >= 0 || self.signed_high < 0 {
                self.low = self.low.max(self.signed_low as u128 & mask(self.width));
                self.high = self.high.min(self.signed_high as u128 & mask(self.width));
            }
            if self.is_empty() {
                return self;
            }
            // The bits before the first difference between the two ends are known.
            let differ = self.low ^ self.high;
            let open = if differ == 0 { 0 } else { u128::MAX >> differ.leading_zeros() };
            let known = mask(self.width) & !open;
            self.zeros |= !self.low & known;
            self.ones |= self.low & known;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(bounds: &Bounds) -> Vec<u128> {
        if bounds.is_empty() { Vec::new() } else { (0..16).filter(|&value| bounds.allows(value)).collect() }
    }

    /// All ranges of four bits: settling loses no value, and meeting and excluding agree with sets.
    #[test]
    fn all_ranges_of_four_bits() {
        let mut all = vec![Bounds::any(4)];
        for low in 0..16 {
            for high in low..16 {
                let bounds = Bounds::between(4, low, high);
                assert_eq!(values(&bounds), (low..=high).collect::<Vec<_>>());
                all.push(bounds);
                let (a, b) = (low as i128 - 8, high as i128 - 8);
                let bounds = Bounds::between_signed(4, a, b);
                let expected = (0..16).filter(|&value| (a..=b).contains(&to_signed(4, value)));
                assert_eq!(values(&bounds), expected.collect::<Vec<_>>());
                all.push(bounds);
                if low & high == 0 {
                    all.push(Bounds::with_bits(4, low, high));
                }
            }
        }
        for a in &all {
            assert_eq!(a.few(16), Some(values(a)), "{a:?}");
            // A few values may still be rejected if they are far apart.
            assert!(a.few(3).is_none_or(|few| few.len() <= 3 && few == values(a)), "{a:?}");
            assert!(a.few(3).is_some() || a.high - a.low >= 3, "{a:?}");
            for b in &all {
                let (both, either) = (values(&a.meet(b)), values(&a.join(b)));
                for value in 0..16 {
                    let (in_a, in_b) = (a.allows(value), b.allows(value));
                    assert_eq!(both.contains(&value), in_a && in_b, "{value} in {a:?} and {b:?}");
                    assert!(either.contains(&value) || !(in_a || in_b), "{value} in {a:?} or {b:?}");
                }
            }
            for excluded in 0..16 {
                let left = values(&a.exclude(excluded));
                let lost = values(a).into_iter().filter(|value| !left.contains(value) && *value != excluded);
                assert_eq!(lost.collect::<Vec<_>>(), [], "{a:?} without {excluded}");
            }
        }
    }
}
