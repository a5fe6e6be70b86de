//! Ways to give a term a value by changing one input: the operations above the input are undone, and everything else
//! stays unchanged.
//!
//! ```text
//!   (x + 3) * 5 == y      want 1, now y = 40
//!        (x + 3) * 5      want 40
//!         x + 3           want 8
//!         x               want 5
//! ```

use super::floats;
use tine_expr::eval::Evaluation;
use tine_expr::{InputView, Kind, Term, TermId, TermPool};
use tine_trace::eval::mask;
use tine_trace::op::Op;

/// Inputs with their new values.
pub(super) type Way = Vec<(InputView, u128)>;

/// Maximum nesting of undone operations.
const MAX_DEPTH: u32 = 48;
/// Maximum number of stores of an array that are looked at.
const MAX_STORES: u32 = 16;
/// Maximum number of ways for one term.
const MAX_WAYS: usize = 12;

pub(super) struct Ways<'e, 'p> {
    pub(super) pool: &'p TermPool,
    pub(super) evaluation: &'e mut Evaluation<'p>,
    /// Number of terms that may still be looked at.
    pub(super) budget: u32,
}

impl Ways<'_, '_> {
    /// Returns ways to give `term` the value `want`, likely ones first. They are guesses: if an input occurs twice, the
    /// result may have another value.
    pub(super) fn find(&mut self, term: TermId, want: u128) -> Vec<Way> {
        let mut ways = Vec::new();
        self.visit(term, want, 0, &mut ways);
        ways
    }

    fn value(&mut self, id: TermId) -> u128 {
        self.evaluation.eval(id)
    }

    fn visit(&mut self, id: TermId, want: u128, depth: u32, ways: &mut Vec<Way>) {
        let spent = self.budget == 0 || depth > MAX_DEPTH || ways.len() >= MAX_WAYS;
        if spent || self.pool.value(id).is_some() {
            return;
        }
        self.budget -= 1;
        let term = self.pool.term(id);
        let width = term.width();
        let want = want & mask(width);
        if let Some(view) = term.input() {
            ways.push(vec![(view, want)]);
            return;
        }
        let Kind::Op(op) = term.kind() else {
            if term.kind() == Kind::Select {
                self.select(&term, want, depth, ways);
            }
            return;
        };
        let operand = |k: usize| term.operand(k);
        match op {
            Op::Not => self.visit(operand(0), !want, depth + 1, ways),
            Op::ZExt => self.narrowed(operand(0), want, |narrow| narrow, depth, ways),
            Op::SExt => {
                let from = self.pool.width(operand(0));
                let sign = move |narrow: u128| {
                    if narrow >> (from - 1) & 1 == 1 { narrow | !mask(from) } else { narrow }
                };
                self.narrowed(operand(0), want, move |narrow| sign(narrow) & mask(width), depth, ways);
            }
            Op::Extract => {
                let (whole, low) = (self.value(operand(0)), term.immediate());
                let kept = whole & !(mask(width) << low);
                self.visit(operand(0), kept | want << low, depth + 1, ways);
            }
            Op::Concat => {
                let low = self.pool.width(operand(1));
                self.together(&[(operand(0), want >> low), (operand(1), want & mask(low))], depth, ways);
            }
            Op::And | Op::Or if width == 1 => self.logic(op, operand(0), operand(1), want, depth, ways),
            Op::Ite => {
                let condition = self.value(operand(0));
                let (now, other) = if condition != 0 { (1, 2) } else { (2, 1) };
                if self.value(operand(other)) == want {
                    self.visit(operand(0), 1 - condition, depth + 1, ways);
                }
                self.visit(operand(now), want, depth + 1, ways);
                self.together(&[(operand(0), 1 - condition), (operand(other), want)], depth, ways);
            }
            Op::FIsNan => {
                let nan = floats::nan_or_not(self.pool.width(operand(0)), want == 1);
                self.visit(operand(0), nan, depth + 1, ways);
            }
            Op::FEq | Op::FLt | Op::FLe => {
                let (a, b) = (self.value(operand(0)), self.value(operand(1)));
                let (left, right) = floats::compared(op, self.pool.width(operand(0)), a, b, want == 1);
                self.either([(operand(0), left), (operand(1), right)], depth, ways);
            }
            _ if op.shape().predicate => self.compare(op, operand(0), operand(1), want == 1, depth, ways),
            _ if op.name().starts_with('f') || matches!(op, Op::SToF | Op::UToF) => {
                let mut values = [0; 3];
                for (value, operand) in values.iter_mut().zip(term.operands()) {
                    *value = self.value(operand);
                }
                let from = self.pool.width(operand(0));
                for (k, operand) in term.operands().enumerate() {
                    for value in floats::undone(op, width, from, values, want, k) {
                        self.visit(operand, value, depth + 1, ways);
                    }
                }
            }
            _ if op.shape().operands == 2 => {
                let (a, b) = (self.value(operand(0)), self.value(operand(1)));
                if let Some(value) = undone_left(op, width, a, b, want) {
                    self.visit(operand(0), value, depth + 1, ways);
                }
                if let Some(value) = undone_right(op, width, a, b, want) {
                    self.visit(operand(1), value, depth + 1, ways);
                }
            }
            _ => {}
        }
    }

    /// Undoes an extension, if `want` is a possible result.
    fn narrowed(&mut self, id: TermId, want: u128, extend: impl Fn(u128) -> u128, depth: u32, ways: &mut Vec<Way>) {
        let narrow = want & mask(self.pool.width(id));
        if extend(narrow) == want {
            self.visit(id, narrow, depth + 1, ways);
        }
    }

    /// Sets several terms at once, by the first way of each term whose value is wrong.
    fn together(&mut self, wants: &[(TermId, u128)], depth: u32, ways: &mut Vec<Way>) {
        let mut all = Vec::new();
        for &(id, want) in wants {
            if self.value(id) == want {
                continue;
            }
            let mut own = Vec::new();
            self.visit(id, want, depth + 1, &mut own);
            match own.into_iter().next() {
                Some(way) => all.extend(way),
                None => return,
            }
        }
        if !all.is_empty() {
            ways.push(all);
        }
    }

    fn logic(&mut self, op: Op, a: TermId, b: TermId, want: u128, depth: u32, ways: &mut Vec<Way>) {
        // A conjunction holds, or a disjunction fails, only if both operands have that value. Otherwise one operand
        // suffices.
        if (op == Op::And) == (want == 1) {
            self.together(&[(a, want), (b, want)], depth, ways);
        } else {
            self.visit(a, want, depth + 1, ways);
            self.visit(b, want, depth + 1, ways);
        }
    }

    fn compare(&mut self, op: Op, left: TermId, right: TermId, want: bool, depth: u32, ways: &mut Vec<Way>) {
        let width = self.pool.width(left);
        let (a, b) = (self.value(left), self.value(right));
        let full = mask(width);
        let sign = 1u128 << (width - 1);
        let (least, greatest) = if matches!(op, Op::Slt | Op::Sle) { (sign, sign - 1) } else { (0, full) };
        let (next, before) = (|x: u128| x.wrapping_add(1) & full, |x: u128| x.wrapping_sub(1) & full);
        let (for_left, for_right): (Vec<u128>, Vec<u128>) = match (op, want) {
            (Op::Eq, true) => (vec![b], vec![a]),
            (Op::Eq, false) => (vec![next(b), before(b)], vec![next(a), before(a)]),
            // Prefer values next to the bound. They change the input least, and keep other bounds.
            (Op::Ult | Op::Slt, true) => (vec![before(b), least], vec![next(a), greatest]),
            (Op::Ult | Op::Slt, false) => (vec![b, greatest], vec![a, least]),
            (Op::Ule | Op::Sle, true) => (vec![b, least], vec![a, greatest]),
            (Op::Ule | Op::Sle, false) => (vec![next(b), greatest], vec![before(a), least]),
            _ => return,
        };
        self.either([(left, for_left), (right, for_right)], depth, ways);
    }

    /// Changes one of two terms, each with several suitable values.
    fn either(&mut self, sides: [(TermId, Vec<u128>); 2], depth: u32, ways: &mut Vec<Way>) {
        for (id, values) in sides {
            for value in values {
                self.visit(id, value, depth + 1, ways);
            }
        }
    }

    /// Undoes a read: changes the stored value, or the index to a place with the wanted value.
    fn select(&mut self, term: &Term, want: u128, depth: u32, ways: &mut Vec<Way>) {
        let (index, mut array) = (self.value(term.operand(1)), self.pool.term(term.operand(0)));
        // The value stored at the index, and other places where the wanted value was stored.
        for _ in 0..MAX_STORES {
            if array.kind() != Kind::Store {
                break;
            }
            let (at, value) = (array.operand(1), array.operand(2));
            if self.pool.width(value) == term.width() {
                let place = self.value(at);
                if place == index {
                    self.visit(value, want, depth + 1, ways);
                } else if self.value(value) == want {
                    self.visit(term.operand(1), place, depth + 1, ways);
                }
            }
            array = self.pool.term(array.operand(0));
        }
        let Some(bytes) = self.pool.table_bytes(term.operand(0)) else { return };
        let want = &want.to_le_bytes()[..term.width() as usize / 8];
        let places = bytes.windows(want.len()).enumerate().filter(|(_, bytes)| *bytes == want).map(|(place, _)| place);
        for place in places.take(3).collect::<Vec<_>>() {
            self.visit(term.operand(1), place as u128, depth + 1, ways);
        }
    }
}

/// Returns a value of the left operand that gives `want`, with the right operand unchanged.
fn undone_left(op: Op, width: u32, a: u128, b: u128, want: u128) -> Option<u128> {
    let full = mask(width);
    match op {
        Op::Add => Some(want.wrapping_sub(b)),
        Op::Sub => Some(want.wrapping_add(b)),
        Op::Xor => Some(want ^ b),
        Op::Mul => factor(width, b, want),
        // Bits that the other operand hides stay unchanged.
        Op::And => (want & !b == 0).then_some(a & !b & full | want),
        Op::Or => (want & b == b).then_some(a & b | want & !b),
        Op::UDiv => want.checked_mul(b).filter(|value| *value <= full && b > 0),
        Op::URem => (want < b).then(|| (a - a % b).wrapping_add(want)),
        Op::Shl => {
            let n = u32::try_from(b).ok().filter(|n| *n < width)?;
            let hidden = !(full >> n) & full;
            (want & ((1 << n) - 1) == 0).then_some(want >> n | a & hidden)
        }
        Op::LShr | Op::AShr => {
            let n = u32::try_from(b).ok().filter(|n| *n < width)?;
            Some((want << n & full) | a & ((1 << n) - 1))
        }
        _ => None,
    }
}

fn undone_right(op: Op, width: u32, a: u128, b: u128, want: u128) -> Option<u128> {
    match op {
        Op::Sub => Some(a.wrapping_sub(want)),
        // The remaining operations are commutative.
        Op::Add | Op::Xor | Op::Mul | Op::And | Op::Or => undone_left(op, width, b, a, want),
        _ => None,
    }
}

/// Returns `x` with `x * k == want`, modulo the width.
fn factor(width: u32, k: u128, want: u128) -> Option<u128> {
    if k == 0 {
        return None;
    }
    let shift = k.trailing_zeros();
    if want & ((1 << shift) - 1) != 0 {
        return None;
    }
    if want.is_multiple_of(k) {
        return Some(want / k);
    }
    // Newton's iteration doubles the number of correct bits of an odd number's inverse, initially three.
    let odd = k >> shift;
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((want >> shift).wrapping_mul(inverse) & mask(width - shift))
}

#[cfg(test)]
mod tests {
    use tine_expr::testing::Random;
    use tine_expr::{Assignment, Evaluator};

    use super::*;

    #[test]
    fn factors_multiply_to_what_is_wanted() {
        for k in 0..256 {
            for want in 0..256 {
                let possible = (0..256u128).any(|x| (x * k) & 0xff == want);
                match factor(8, k, want) {
                    Some(x) => assert_eq!((x * k) & 0xff, want, "{x} * {k}"),
                    None => assert!(!possible || k == 0, "? * {k} = {want}"),
                }
            }
        }
    }

    /// Operations with an exact inverse: the resulting operand gives the wanted value.
    #[test]
    fn undoing_undoes() {
        let mut random = Random::new(1);
        let mut n_undone = 0;
        for _ in 0..20_000 {
            let width = random.pick(&[1, 3, 8, 32, 64, 127, 128]);
            let op = random.pick(&[Op::Add, Op::Sub, Op::Xor, Op::Mul, Op::And, Op::Or, Op::UDiv, Op::Shl, Op::LShr]);
            let [a, b, x] = [0; 3].map(|_: i32| random.interesting(width));
            let value = |a, b| tine_expr::node_value(op, width, width, a, b, 0).unwrap();
            // A value that the operation can have.
            let want = value(x, b);
            if let Some(left) = undone_left(op, width, a, b, want) {
                assert_eq!(value(left & mask(width), b), want, "{op:?} {left} {b}");
                n_undone += 1;
            }
            let want = value(a, x);
            if let Some(right) = undone_right(op, width, a, b, want) {
                assert_eq!(value(a, right & mask(width)), want, "{op:?} {a} {right}");
            }
        }
        assert!(n_undone > 15_000, "{n_undone}");
    }

    #[test]
    fn ways_lead_through_several_operations() {
        let mut pool = TermPool::new();
        let (x, three, five) = (pool.input(0, 0, 32), pool.constant(32, 3), pool.constant(32, 5));
        let sum = pool.apply_raw(Op::Add, 32, &[x, three], 0).unwrap();
        let product = pool.apply_raw(Op::Mul, 32, &[sum, five], 0).unwrap();
        let forty = pool.constant(32, 40);
        let goal = pool.apply_raw(Op::Eq, 1, &[product, forty], 0).unwrap();
        let (mut evaluator, hint) = (Evaluator::new(), Assignment::new());
        let mut evaluation = evaluator.with(&pool, &hint);
        let mut ways = Ways { pool: &pool, evaluation: &mut evaluation, budget: 100 };
        assert_eq!(ways.find(goal, 1), [vec![(InputView { input: 0, offset: 0, width: 32 }, 5)]]);
        ways.budget = 3;
        assert_eq!(ways.find(goal, 1), Vec::<Way>::new());
    }
}
