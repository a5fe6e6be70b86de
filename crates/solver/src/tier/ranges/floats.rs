//! Bounds of floats. Floats of one sign are ordered like their bits, and rounding keeps the order. The ends of a range
//! can therefore be passed through an operation. Ranges with both signs or with NaNs give no information.

use tine_expr::{Term, node_value};
use tine_trace::eval::mask;
use tine_trace::op::Op;

use super::bounds::Bounds;

/// Floats of one sign, from the least to the greatest magnitude, as bits without the sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    width: u32,
    pub(super) is_negative: bool,
    low: u128,
    high: u128,
}

fn infinity(width: u32) -> u128 {
    if width == 32 { f32::INFINITY.to_bits().into() } else { f64::INFINITY.to_bits().into() }
}

impl Interval {
    /// Returns `None` if both signs, or a NaN, are possible.
    pub(super) fn of(bounds: &Bounds) -> Option<Interval> {
        let width = bounds.width;
        if width != 32 && width != 64 || bounds.is_empty() {
            return None;
        }
        let sign = 1u128 << (width - 1);
        let is_negative = bounds.low >= sign;
        let (low, high) = (bounds.low & !sign, bounds.high & !sign);
        let one_sign = is_negative || bounds.high < sign;
        (one_sign && high <= infinity(width)).then_some(Interval { width, is_negative, low, high })
    }

    fn bounds(self) -> Bounds {
        let sign = u128::from(self.is_negative) << (self.width - 1);
        Bounds::between(self.width, sign | self.low, sign | self.high)
    }

    fn is_finite(self) -> bool {
        self.high < infinity(self.width)
    }

    fn negated(self) -> Interval {
        Interval { is_negative: !self.is_negative, ..self }
    }

    /// Returns the least and the greatest as numbers in the order of floats. Both zeros are 0.
    fn keys(self) -> (i128, i128) {
        let (low, high) = (self.low as i128, self.high as i128);
        if self.is_negative { (-high, -low) } else { (low, high) }
    }
}

/// Returns the bounds of an operation with floats, or `None` for other operations.
pub(super) fn transfer(term: &Term, op: Op, of: &[Bounds]) -> Option<Bounds> {
    let width = term.width();
    let from = of.first()?.width;
    let on = |op: Op, a: u128, b: u128| node_value(op, width, from, a, b, 0);
    if matches!(op, Op::SToF | Op::UToF) {
        let a = &of[0];
        let is_signed = op == Op::SToF;
        // For numbers of one sign the bits grow with the magnitude.
        let (low, high) = match is_signed {
            false => (a.low, a.high),
            true if a.signed_low >= 0 => (a.signed_low as u128, a.signed_high as u128),
            true if a.signed_high < 0 => (a.signed_high as u128 & mask(from), a.signed_low as u128 & mask(from)),
            true => return None,
        };
        return Some(Bounds::between(width, on(op, low, 0)?, on(op, high, 0)?));
    }
    if op == Op::FAbs && Interval::of(&of[0]).is_none() {
        return Some(Bounds::between(width, 0, mask(width) >> 1));
    }
    let a = Interval::of(&of[0])?;
    let sign = u128::from(a.is_negative) << (from - 1);
    let both = || Interval::of(of.get(1)?);
    let between = |is_negative: bool, low: u128, high: u128| {
        Some(Interval { width, is_negative, low: low & (mask(width) >> 1), high: high & (mask(width) >> 1) }.bounds())
    };
    match op {
        Op::FNeg => Some(a.negated().bounds()),
        Op::FAbs => between(false, a.low, a.high),
        Op::FSqrt if !a.is_negative => between(false, on(op, a.low, 0)?, on(op, a.high, 0)?),
        Op::FRound => {
            let mode = u128::from(term.immediate());
            between(a.is_negative, on(op, sign | a.low, mode)?, on(op, sign | a.high, mode)?)
        }
        Op::FToF => between(a.is_negative, on(op, sign | a.low, 0)?, on(op, sign | a.high, 0)?),
        Op::FToS | Op::FToU => to_integer(op, width, a),
        Op::FMul => {
            let b = both()?;
            let negative = a.is_negative != b.is_negative;
            (a.is_finite() && b.is_finite()).then_some(())?;
            between(negative, on(op, a.low, b.low)?, on(op, a.high, b.high)?)
        }
        Op::FDiv => {
            let b = both()?;
            let negative = a.is_negative != b.is_negative;
            (a.is_finite() && b.is_finite() && b.low > 0).then_some(())?;
            between(negative, on(op, a.low, b.high)?, on(op, a.high, b.low)?)
        }
        Op::FAdd => sum(a, both()?),
        Op::FSub => sum(a, both()?.negated()),
        Op::FIsNan => Some(Bounds::bit(false)),
        Op::FLt | Op::FLe | Op::FEq => {
            let ((a_low, a_high), (b_low, b_high)) = (a.keys(), both()?.keys());
            let (always, never) = match op {
                Op::FLt => (a_high < b_low, a_low >= b_high),
                Op::FLe => (a_high <= b_low, a_low > b_high),
                _ => (a_low == b_high && a_high == b_low, a_high < b_low || b_high < a_low),
            };
            (always || never).then(|| Bounds::bit(always))
        }
        _ => None,
    }
}

fn sum(a: Interval, b: Interval) -> Option<Bounds> {
    let on = |op: Op, x: u128, y: u128| node_value(op, a.width, a.width, x, y, 0);
    if a.is_negative == b.is_negative {
        let (low, high) = (on(Op::FAdd, a.low, b.low)?, on(Op::FAdd, a.high, b.high)?);
        return Some(Interval { low, high, ..a }.bounds());
    }
    let (large, small) = if a.low > b.high { (a, b) } else { (b, a) };
    if large.low <= small.high || !large.is_finite() {
        return None;
    }
    let (low, high) = (on(Op::FSub, large.low, small.high)?, on(Op::FSub, large.high, small.low)?);
    Some(Interval { low, high, ..large }.bounds())
}

/// Returns bounds if the conversion stays within the integers of the width.
fn to_integer(op: Op, width: u32, a: Interval) -> Option<Bounds> {
    let magnitude =
        if a.width == 32 { f64::from(f32::from_bits(a.high as u32)) } else { f64::from_bits(a.high as u64) };
    let n_bits = width.min(64) as i32 - 1;
    if magnitude >= 2f64.powi(n_bits) || a.is_negative && op == Op::FToU {
        return None;
    }
    let sign = u128::from(a.is_negative) << (a.width - 1);
    let convert = |bits: u128| node_value(op, width, a.width, sign | bits, 0, 0);
    let (low, high) = (convert(a.low)?, convert(a.high)?);
    if a.is_negative {
        let signed = |bits: u128| super::bounds::to_signed(width, bits);
        return Some(Bounds::between_signed(width, signed(high), signed(low)));
    }
    Some(Bounds::between(width, low, high))
}

#[cfg(test)]
mod tests {
    use tine_expr::TermPool;
    use tine_expr::testing::Random;

    use super::*;

    /// A range of one sign, or the full range, with values in it.
    fn range(random: &mut Random, width: u32, float: bool) -> (Bounds, [u128; 3]) {
        if random.below(8) == 0 {
            let value = random.interesting(width);
            return (Bounds::any(width), [value, 0, mask(width)]);
        }
        let mut end = || {
            let x = random.pick(&[0.0, 1.0, 1.5, 2.5, 10.0, 1e9, 3e38, 1e-40, 1e300, f64::INFINITY, 0.1]);
            let bits = if width == 32 { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) };
            if float && random.below(3) > 0 { bits } else { random.interesting(width) & (mask(width) >> 1) }
        };
        let (a, b) = (end(), end());
        let (low, high) = (a.min(b), a.max(b));
        let negative = random.below(2) == 1;
        let sign = u128::from(negative) << (width - 1);
        let bounds = Bounds::between(width, sign | low, sign | high);
        let inside = low + u128::from(random.next_u64()) % (high - low + 1);
        (bounds, [bounds.low, bounds.high, sign | inside])
    }

    #[test]
    fn what_lies_between_stays_between() {
        let seed = 11;
        let mut random = Random::new(seed);
        let (mut n_known, mut n_tried) = (0, 0);
        let ops = Op::ALL.iter().copied().filter(|op| op.name().starts_with('f') || matches!(op, Op::SToF | Op::UToF));
        let ops: Vec<Op> = ops.filter(|op| op.shape().operands <= 2).collect();
        for _ in 0..60_000 {
            let op = random.pick(&ops);
            let from = random.pick(&[32, 64]);
            let width = match op {
                _ if op.shape().predicate => 1,
                Op::FToF | Op::SToF | Op::UToF => random.pick(&[32, 64]),
                Op::FToS | Op::FToU => random.pick(&[8, 32, 64, 128]),
                _ => from,
            };
            let immediate = if op == Op::FRound { random.below(5) as u32 } else { 0 };
            let takes_floats = op.name().starts_with('f');
            let [(a, of_a), (b, of_b)] = [(); 2].map(|()| range(&mut random, from, takes_floats));
            let mut pool = TermPool::new();
            let inputs: Vec<_> = (0..op.shape().operands.into()).map(|k| pool.input(k, 0, from)).collect();
            let term = pool.apply_raw(op, width, &inputs, immediate).unwrap();
            let bounds = [a, b];
            let Some(found) = transfer(&pool.term(term), op, &bounds[..inputs.len()]) else { continue };
            n_known += 1;
            for (x, y) in of_a.into_iter().flat_map(|x| of_b.map(|y| (x, y))) {
                let second = if op == Op::FRound { u128::from(immediate) } else { y };
                let value = node_value(op, width, from, x, second, 0).unwrap();
                n_tried += 1;
                let what = format!("seed {seed}: {op:?} {immediate} of {x:x} in {a:x?}, {y:x} in {b:x?}");
                assert!(
                    found.meet(&Bounds::constant(width, value)).value() == Some(value),
                    "{what}: {value:x}, {found:x?}"
                );
            }
        }
        assert!(n_known > 20_000 && n_tried > 100_000, "{n_known} {n_tried}");
    }
}
