//! Operations that compilers have and solvers do not have, composed of operations in the list.
//!
//! If an operand is a constant, the shorter form that compares with a constant is used: most overflow checks have it.

use tine_trace::entry::Composite;
use tine_trace::eval::{mask, signed};
use tine_trace::event::{NoteKind, Site};
use tine_trace::op::Op;

use super::note;
use super::state::Recorder;
use super::term::Term;
use super::value;

/// Unpacks operation and width from the form of `pack_composite`.
fn unpack(packed: u32) -> Option<(Composite, u32)> {
    let composite = *Composite::ALL.get((packed & 0xff) as usize)?;
    let width = packed >> 8;
    if (1..=128).contains(&width) { Some((composite, width)) } else { None }
}

impl Recorder {
    /// `compose`.
    pub(super) fn reported_composite(&mut self, packed: u32, shadows: [u32; 3], [a, b, c, r]: [u128; 4]) -> u32 {
        if self.arena.full {
            return 0;
        }
        let Some((composite, width)) = unpack(packed) else { return 0 };
        let a = self.operand(shadows[0], width, a);
        let b = self.operand(shadows[1], width, b);
        let c = self.operand(shadows[2], width, c);
        if a.is_concrete() && b.is_concrete() && c.is_concrete() {
            return 0;
        }
        let term = if composite as u8 >= Composite::FOrd as u8 {
            if !value::is_float_width(width) || value::floats_are_unusual() {
                return unsupported(composite);
            }
            self.float_composite(composite, a, b, c, r)
        } else {
            self.integer_composite(composite, a, b, c)
        };
        if self.arena.full {
            return 0; // some operand may be missing
        }
        // The machine may differ where the compiler has a choice: a poisoned result, one of two NaNs.
        if term.value != r & mask(term.width) {
            return unsupported(composite);
        }
        term.id
    }

    fn integer_composite(&mut self, composite: Composite, a: Term, b: Term, c: Term) -> Term {
        let ones = Term::concrete(a.width, mask(a.width));
        let zero = Term::concrete(a.width, 0);
        match composite {
            Composite::UAddO => self.uadd_overflows(a, b),
            Composite::SAddO => self.sadd_overflows(a, b),
            Composite::USubO => self.binary(Op::Ult, a, b),
            Composite::SSubO => self.ssub_overflows(a, b),
            Composite::UAddSat => {
                let (over, sum) = (self.uadd_overflows(a, b), self.binary(Op::Add, a, b));
                self.ite(over, ones, sum)
            }
            Composite::SAddSat => {
                let (over, sum) = (self.sadd_overflows(a, b), self.binary(Op::Add, a, b));
                let limit = self.limit_on_the_side_of(a);
                self.ite(over, limit, sum)
            }
            Composite::USubSat => {
                let (over, difference) = (self.binary(Op::Ult, a, b), self.binary(Op::Sub, a, b));
                self.ite(over, zero, difference)
            }
            Composite::SSubSat => {
                let (over, difference) = (self.ssub_overflows(a, b), self.binary(Op::Sub, a, b));
                let limit = self.limit_on_the_side_of(a);
                self.ite(over, limit, difference)
            }
            Composite::UShlSat => self.shl_saturating(Op::LShr, a, b, ones),
            Composite::SShlSat => {
                let limit = self.limit_on_the_side_of(a);
                self.shl_saturating(Op::AShr, a, b, limit)
            }
            Composite::Abs => {
                let (negative, negated) = (self.binary(Op::Slt, a, zero), self.binary(Op::Sub, zero, a));
                self.ite(negative, negated, a)
            }
            Composite::UMin => self.chosen_by(Op::Ult, a, b, a, b),
            Composite::UMax => self.chosen_by(Op::Ult, a, b, b, a),
            Composite::SMin => self.chosen_by(Op::Slt, a, b, a, b),
            Composite::SMax => self.chosen_by(Op::Slt, a, b, b, a),
            Composite::Bswap => self.reversed(a, 8),
            Composite::BitReverse => self.reversed(a, 1),
            Composite::CtPop => self.ones_counted(a),
            Composite::CtLz => self.zeros_counted(a, true),
            Composite::CtTz => self.zeros_counted(a, false),
            Composite::FShl => self.funnel(a, b, c, true),
            Composite::FShr => self.funnel(a, b, c, false),
            _ => Term::concrete(a.width, 0), // not reached: floats are handled elsewhere
        }
    }

    /// `op(a, b) ? yes : no`.
    fn chosen_by(&mut self, op: Op, a: Term, b: Term, yes: Term, no: Term) -> Term {
        let condition = self.binary(op, a, b);
        self.ite(condition, yes, no)
    }

    fn uadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if a.is_concrete() { (b, a) } else { (a, b) };
        if b.is_concrete() {
            return self.binary(Op::Ult, Term::concrete(b.width, !b.value), a);
        }
        let sum = self.binary(Op::Add, a, b);
        self.binary(Op::Ult, sum, a)
    }

    fn sadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if a.is_concrete() { (b, a) } else { (a, b) };
        let (smallest, largest) = limits(a.width);
        if b.is_concrete() {
            let addend = signed(b.width, b.value);
            return if addend >= 0 {
                self.binary(Op::Slt, Term::concrete(a.width, largest.wrapping_sub(addend as u128)), a)
            } else {
                self.binary(Op::Slt, a, Term::concrete(a.width, smallest.wrapping_sub(addend as u128)))
            };
        }
        self.binary(Op::SAddO, a, b)
    }

    fn ssub_overflows(&mut self, a: Term, b: Term) -> Term {
        let (smallest, largest) = limits(a.width);
        let constant = |value: u128| Term::concrete(a.width, value);
        if b.is_concrete() {
            return if signed(b.width, b.value) >= 0 {
                self.binary(Op::Slt, a, constant(smallest.wrapping_add(b.value)))
            } else {
                self.binary(Op::Slt, constant(largest.wrapping_add(b.value)), a)
            };
        }
        if a.is_concrete() {
            return if signed(a.width, a.value) >= 0 {
                self.binary(Op::Slt, b, constant(a.value.wrapping_sub(largest)))
            } else {
                self.binary(Op::Slt, constant(a.value.wrapping_sub(smallest)), b)
            };
        }
        self.binary(Op::SSubO, a, b)
    }

    /// Smallest number if `a` is negative, otherwise the largest: the limits of saturating signed operations.
    fn limit_on_the_side_of(&mut self, a: Term) -> Term {
        let (smallest, largest) = limits(a.width);
        let negative = self.binary(Op::Slt, a, Term::concrete(a.width, 0));
        self.ite(negative, Term::concrete(a.width, smallest), Term::concrete(a.width, largest))
    }

    fn shl_saturating(&mut self, back: Op, a: Term, b: Term, limit: Term) -> Term {
        let shifted = self.binary(Op::Shl, a, b);
        let restored = self.binary(back, shifted, b);
        let fits = self.binary(Op::Eq, restored, a);
        self.ite(fits, shifted, limit)
    }

    /// Reverses the order of units of bits (a byte, a bit).
    fn reversed(&mut self, a: Term, unit: u32) -> Term {
        let mut result = self.extract(a, 0, unit.min(a.width));
        let mut low = unit;
        while low + unit <= a.width {
            let next = self.extract(a, low, unit);
            result = self.concat(result, next);
            low += unit;
        }
        result
    }

    /// Adds neighbouring counters of 1, 2, 4 … bits until one is left.
    fn ones_counted(&mut self, a: Term) -> Term {
        let wide = a.width.next_power_of_two().max(8);
        let constant = |value: u128| Term::concrete(wide, value);
        let mut x = self.zext(a, wide);
        let mut step = 1;
        while step < wide {
            let runs = alternating(step);
            let shifted = self.binary(Op::LShr, x, constant(step as u128));
            let (even, odd) = (self.binary(Op::And, x, constant(runs)), self.binary(Op::And, shifted, constant(runs)));
            x = self.binary(Op::Add, even, odd);
            step *= 2;
        }
        self.extract(x, 0, a.width)
    }

    /// Counts leading or trailing zeros, by halves. If the half at that end is zero, adds its width and continues with
    /// the other half. The conditions are the bits of the count.
    fn zeros_counted(&mut self, a: Term, leading: bool) -> Term {
        let wide = a.width.next_power_of_two();
        let padding = wide - a.width;
        let mut x = match (padding, leading) {
            (0, _) => a,
            (_, true) => self.concat(a, Term::concrete(padding, 0)),
            (_, false) => self.zext(a, wide),
        };
        let mut count: Option<Term> = None;
        while x.width > 1 {
            let half = x.width / 2;
            let (high, low) = (self.extract(x, half, half), self.extract(x, 0, half));
            let (first, second) = if leading { (high, low) } else { (low, high) };
            let empty = self.binary(Op::Eq, first, Term::concrete(half, 0));
            x = self.ite(empty, second, first);
            count = Some(match count {
                Some(bits) => self.concat(bits, empty),
                None => empty,
            });
        }
        let zero = self.binary(Op::Eq, a, Term::concrete(a.width, 0));
        let all = Term::concrete(a.width, a.width as u128);
        let count = match count {
            Some(bits) if bits.width <= a.width => self.zext(bits, a.width),
            Some(bits) => self.extract(bits, 0, a.width),
            None => Term::concrete(a.width, 0),
        };
        self.ite(zero, all, count)
    }

    /// The high (`left`) or low half of `a`:`b` shifted by `c` modulo the width.
    fn funnel(&mut self, a: Term, b: Term, c: Term, left: bool) -> Term {
        let width = a.width;
        let modulus = Term::concrete(width, width as u128);
        let shift = if width.is_power_of_two() && width > 1 {
            self.binary(Op::And, c, Term::concrete(width, width as u128 - 1))
        } else {
            self.binary(Op::URem, c, modulus)
        };
        if shift.is(0) {
            return if left { a } else { b };
        }
        if shift.is_concrete() {
            let right = if left { width - shift.value as u32 } else { shift.value as u32 };
            // Bits `right` … `right + width - 1` of a:b.
            let high = self.extract(a, 0, right);
            let low = self.extract(b, right, width - right);
            return self.concat(high, low);
        }
        // A shift by the whole width gives 0, which is correct if `shift` is 0.
        let other = self.binary(Op::Sub, modulus, shift);
        let (up, down) = if left { (shift, other) } else { (other, shift) };
        let (high, low) = (self.binary(Op::Shl, a, up), self.binary(Op::LShr, b, down));
        self.binary(Op::Or, high, low)
    }

    fn float_composite(&mut self, composite: Composite, a: Term, b: Term, c: Term, r: u128) -> Term {
        match composite {
            Composite::FOrd => {
                let unordered = self.unordered(a, b);
                self.not(unordered)
            }
            Composite::FUno => self.unordered(a, b),
            Composite::FOne => self.less_or_greater(a, b),
            Composite::FUeq => {
                let unequal = self.less_or_greater(a, b);
                self.not(unequal)
            }
            Composite::FUlt => self.negated(Op::FLe, b, a),
            Composite::FUle => self.negated(Op::FLt, b, a),
            Composite::FUne => self.negated(Op::FEq, a, b),
            Composite::FMin => self.float_extreme(a, b, true, r),
            Composite::FMax => self.float_extreme(a, b, false, r),
            Composite::FCopySign => {
                let (a, b) = (self.bits(a), self.bits(b));
                let (sign, rest) = (self.extract(b, a.width - 1, 1), self.extract(a, 0, a.width - 1));
                self.concat(sign, rest)
            }
            Composite::FMa => self.fused(a, b, c, r & mask(a.width)),
            _ => Term::concrete(a.width, 0), // not reached: integers are handled elsewhere
        }
    }

    fn negated(&mut self, op: Op, a: Term, b: Term) -> Term {
        let condition = self.float_compared(op, a, b);
        self.not(condition)
    }

    fn unordered(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.float_is_nan(a), self.float_is_nan(b));
        self.binary(Op::Or, x, y)
    }

    fn less_or_greater(&mut self, a: Term, b: Term) -> Term {
        let (less, greater) = (self.float_compared(Op::FLt, a, b), self.float_compared(Op::FLt, b, a));
        self.binary(Op::Or, less, greater)
    }

    /// `fmin`, `fmax`. Of two zeros the first is the result, as on x86, unless this run's result is the other.
    fn float_extreme(&mut self, a: Term, b: Term, smallest: bool, r: u128) -> Term {
        let magnitudes = (a.value | b.value) & (mask(a.width) >> 1);
        let tie_gives_second = magnitudes == 0 && r & mask(a.width) == b.value;
        let (first, second) = if tie_gives_second { (a, b) } else { (b, a) };
        // On a tie the comparison is false: `second`.
        let (x, y) = if smallest { (first, second) } else { (second, first) };
        let better = self.float_compared(Op::FLt, x, y);
        let chosen = self.ite(better, first, second);
        let (a_nan, b_nan) = (self.float_is_nan(a), self.float_is_nan(b));
        let without_b = self.ite(b_nan, a, chosen);
        self.ite(a_nan, b, without_b)
    }
}

/// Alternating groups of `step` ones and `step` zeros, such as 0x3333 for two. `step` is a power of two.
fn alternating(step: u32) -> u128 {
    let (mut runs, mut len) = (mask(step), 2 * step);
    while len < 128 {
        runs |= runs << len;
        len *= 2;
    }
    runs
}

/// Smallest and largest signed number, as bits.
fn limits(width: u32) -> (u128, u128) {
    (1 << (width - 1), mask(width) >> 1)
}

/// Notes that the result has no expression.
#[cold]
fn unsupported(composite: Composite) -> u32 {
    note(NoteKind::Unsupported, Site::NONE, 0x100 | composite as u32);
    0
}
