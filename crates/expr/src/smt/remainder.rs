//! C's `fmod` in bit-vectors, for `double`, because the remainder of the float theory is too large for solvers.
//!
//! ```text
//!   x = a · 2^i,  y = b · 2^j        significands as integers of 53 bits
//!   i < j       x is smaller than y, and is the result
//!   i - j = n   (a · 2^n mod b) · 2^j, which is a double: an integer division, in 53 + MAX_SHIFT bits
//! ```
//!
//! For larger `n` only the sign and a bound of the result are constrained. Thus *unsat* stays correct, and evaluation
//! refutes a model that depends on more.

use super::{Function, Sort, Target};

/// Quotients below 2 to this power are computed exactly.
const MAX_SHIFT: u32 = 64;
/// Bits of a significand, including the implicit one.
const N: u32 = 53;
const WIDE: u32 = N + MAX_SHIFT;

/// Returns the bits of `fmod(x, y)`, and a condition on `open`, which is any 64 bits.
pub(super) fn fmod<T: Target>(target: &mut T, x: &T::Term, y: &T::Term, open: &T::Term) -> (T::Term, T::Term) {
    let mut bits = Bits { target };
    let magnitude = bits.constant(64, u128::MAX >> 65);
    let (x_abs, y_abs) = (bits.both(Function::BvAnd, x, &magnitude), bits.both(Function::BvAnd, y, &magnitude));
    let sign = bits.both(Function::BvXor, x, &x_abs);
    let infinity = bits.constant(64, 0x7ff << 52);
    let zero = bits.constant(64, 0);

    // The result is NaN if x is not finite, or y is zero or NaN.
    let x_infinite = bits.compare(Function::BvUle, &infinity, &x_abs);
    let y_zero = bits.compare(Function::Eq, &y_abs, &zero);
    let y_nan = bits.compare(Function::BvUlt, &infinity, &y_abs);
    let is_nan = bits.any(&[x_infinite, y_zero, y_nan]);
    let x_smaller = bits.compare(Function::BvUlt, &x_abs, &y_abs);

    let ((a, i), (b, j)) = (bits.parts(&x_abs), bits.parts(&y_abs));
    let n = bits.word(Function::BvSub, &[i, j.clone()], 13);
    let (most, no_shift) = (bits.constant(13, MAX_SHIFT as u128), bits.constant(13, 0));
    let is_far = bits.compare(Function::BvSlt, &most, &n);
    // A larger value cannot have a smaller exponent, because `x_smaller` covers that case.
    let is_back = bits.compare(Function::BvSlt, &n, &no_shift);
    let n = bits.choice(&is_back, &no_shift, &n, 13);
    let n = bits.word(Function::BvZeroExtend(WIDE - 13), &[n], WIDE);
    let (a, b) = (bits.widened(&a), bits.widened(&b));
    let shifted = bits.word(Function::BvShl, &[a, n], WIDE);
    let rest = bits.word(Function::BvUrem, &[shifted, b], WIDE);
    let rest = bits.word(Function::BvExtract { high: N - 1, low: 0 }, &[rest], N);
    let exact = bits.packed(rest, j);

    let value = bits.choice(&x_smaller, &x_abs, &exact, 64);
    let value = bits.both(Function::BvOr, &value, &sign);
    let not_smaller = bits.target.apply(Function::Not, &[x_smaller], Sort::Bool);
    let is_far = bits.all(&[is_far, not_smaller]);
    let is_open = bits.any(&[is_nan.clone(), is_far]);
    let result = bits.choice(&is_open, open, &value, 64);

    // An unconstrained result is NaN, or is smaller than y and has the sign of x.
    let open_abs = bits.both(Function::BvAnd, open, &magnitude);
    let open_sign = bits.both(Function::BvXor, open, &open_abs);
    let open_nan = bits.compare(Function::BvUlt, &infinity, &open_abs);
    let below = bits.compare(Function::BvUlt, &open_abs, &y_abs);
    let same_sign = bits.compare(Function::Eq, &open_sign, &sign);
    let bounded = bits.all(&[below, same_sign]);
    let condition = bits.target.apply(Function::Ite, &[is_nan, open_nan, bounded], Sort::Bool);
    (result, condition)
}

/// Short names for frequent operations.
struct Bits<'t, T: Target> {
    target: &'t mut T,
}

impl<T: Target> Bits<'_, T> {
    fn constant(&mut self, width: u32, value: u128) -> T::Term {
        self.target.bits(width, value)
    }

    fn word(&mut self, function: Function, operands: &[T::Term], width: u32) -> T::Term {
        self.target.apply(function, operands, Sort::Bits(width))
    }

    /// Applies a function to two words of 64 bits.
    fn both(&mut self, function: Function, a: &T::Term, b: &T::Term) -> T::Term {
        self.word(function, &[a.clone(), b.clone()], 64)
    }

    fn compare(&mut self, function: Function, a: &T::Term, b: &T::Term) -> T::Term {
        self.target.apply(function, &[a.clone(), b.clone()], Sort::Bool)
    }

    fn any(&mut self, of: &[T::Term]) -> T::Term {
        self.fold(Function::Or, of)
    }

    fn all(&mut self, of: &[T::Term]) -> T::Term {
        self.fold(Function::And, of)
    }

    fn fold(&mut self, function: Function, of: &[T::Term]) -> T::Term {
        let target = &mut self.target;
        let folded = of.iter().cloned().reduce(|a, b| target.apply(function, &[a, b], Sort::Bool));
        folded.expect("at least one")
    }

    fn choice(&mut self, condition: &T::Term, then: &T::Term, otherwise: &T::Term, width: u32) -> T::Term {
        self.word(Function::Ite, &[condition.clone(), then.clone(), otherwise.clone()], width)
    }

    fn widened(&mut self, x: &T::Term) -> T::Term {
        self.word(Function::BvZeroExtend(MAX_SHIFT), std::slice::from_ref(x), WIDE)
    }

    /// Returns the significand as an integer, and its exponent, at least 1, in 13 bits: `x = significand · 2^(exponent
    /// - 1075)`.
    fn parts(&mut self, x_abs: &T::Term) -> (T::Term, T::Term) {
        let stored = self.word(Function::BvExtract { high: 62, low: 52 }, std::slice::from_ref(x_abs), 11);
        let fraction = self.word(Function::BvExtract { high: 51, low: 0 }, std::slice::from_ref(x_abs), 52);
        let none = self.constant(11, 0);
        let is_subnormal = self.compare(Function::Eq, &stored, &none);
        let (zero, one) = (self.constant(1, 0), self.constant(1, 1));
        let first = self.choice(&is_subnormal, &zero, &one, 1);
        let significand = self.word(Function::BvConcat, &[first, fraction], N);
        let one = self.constant(13, 1);
        let stored = self.word(Function::BvZeroExtend(2), &[stored], 13);
        let exponent = self.choice(&is_subnormal, &one, &stored, 13);
        (significand, exponent)
    }

    /// Returns the double `significand · 2^(exponent - 1075)`. Shifts the significand up until its first bit is set or
    /// the exponent is 1.
    fn packed(&mut self, mut significand: T::Term, mut exponent: T::Term) -> T::Term {
        for n in [32, 16, 8, 4, 2, 1] {
            let (bound, by) = (self.constant(N, 1 << (N - n)), self.constant(13, n as u128));
            let is_small = self.compare(Function::BvUlt, &significand, &bound);
            let has_room = self.compare(Function::BvUlt, &by, &exponent);
            let shifts = self.all(&[is_small, has_room]);
            let amount = self.constant(N, n as u128);
            let shifted = self.word(Function::BvShl, &[significand.clone(), amount], N);
            let lowered = self.word(Function::BvSub, &[exponent.clone(), by], 13);
            significand = self.choice(&shifts, &shifted, &significand, N);
            exponent = self.choice(&shifts, &lowered, &exponent, 13);
        }
        let first = self.word(Function::BvExtract { high: N - 1, low: N - 1 }, std::slice::from_ref(&significand), 1);
        let fraction = self.word(Function::BvExtract { high: N - 2, low: 0 }, &[significand], N - 1);
        let (one, none) = (self.constant(1, 1), self.constant(11, 0));
        let is_normal = self.compare(Function::Eq, &first, &one);
        let exponent = self.word(Function::BvExtract { high: 10, low: 0 }, &[exponent], 11);
        let stored = self.choice(&is_normal, &exponent, &none, 11);
        let upper = self.word(Function::BvZeroExtend(1), &[stored], 12);
        self.word(Function::BvConcat, &[upper, fraction], 64)
    }
}
