//! Expressions as instrumented code reports them: an operation, the shadows and values of its operands, and the result
//! that the machine computed.
//!
//! If the machine's result differs from the meaning of the operation (a shift by too much, a poisoned value, a
//! conversion out of range), there is no expression: the value is concrete from there on. This is counted, or the value
//! is concretised.

use tine_trace::eval::mask;
use tine_trace::event::{ConcretiseReason, NoteKind, Site};
use tine_trace::op::{Op, Rounding};

use super::note;
use super::state::Recorder;
use super::term::Term;
use super::value;

/// Unpacks operation and width from the form of `pack`.
#[inline]
pub(super) fn unpack(packed: u32) -> Option<(Op, u32)> {
    let op = Op::from_number(packed as u8)?;
    let width = packed >> 8;
    if (1..=128).contains(&width) { Some((op, width)) } else { None }
}

impl Recorder {
    /// `binary` and `binary_wide`.
    #[inline]
    pub(super) fn reported_binary(&mut self, packed: u32, shadows: [u32; 2], [a, b, r]: [u128; 3]) -> u32 {
        if self.arena.full {
            return 0;
        }
        let Some((op, width)) = unpack(packed) else { return 0 };
        if op == Op::Concat {
            return self.reported_concat(width, shadows, [a, b, r]);
        }
        let a = self.operand(shadows[0], width, a);
        let b = self.operand(shadows[1], width, b);
        if a.is_concrete() && b.is_concrete() {
            return 0;
        }
        let term = match op {
            // The machine's result is undefined here and differs by optimisation.
            Op::Shl | Op::LShr | Op::AShr if b.value >= width as u128 => return unsupported(op),
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem if b.value == 0 => return unsupported(op),
            _ if op as u8 >= Op::FAdd as u8 && value::floats_are_unusual() => return unsupported(op),
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem if value::is_float_width(width) => {
                return self.float_binary(op, width, a, b, r & mask(width)).id;
            }
            Op::FEq | Op::FLt | Op::FLe if value::is_float_width(width) => self.float_compared(op, a, b),
            _ if op as u8 >= Op::Add as u8 && op as u8 <= Op::SSubO as u8 => self.binary(op, a, b),
            _ => return unsupported(op),
        };
        self.checked(op, term, r)
    }

    fn reported_concat(&mut self, width: u32, [sa, sb]: [u32; 2], [a, b, r]: [u128; 3]) -> u32 {
        let width_of = |shadow: u32| self.arena.get(shadow).map(|node| node.width as u32);
        let low = match (width_of(sa), width_of(sb)) {
            (_, Some(low)) => low,
            (Some(high), None) => width.saturating_sub(high),
            (None, None) => return 0,
        };
        if low == 0 || low >= width {
            return unsupported(Op::Concat);
        }
        let high = self.operand(sa, width - low, a);
        let low = self.operand(sb, low, b);
        let term = self.concat(high, low);
        self.checked(Op::Concat, term, r)
    }

    /// `unary` and `unary_wide`.
    #[inline]
    pub(super) fn reported_unary(&mut self, packed: u32, immediate: u32, shadow: u32, r: u128) -> u32 {
        if self.arena.full {
            return 0;
        }
        let Some((op, width)) = unpack(packed) else { return 0 };
        let Some(a) = self.term(shadow) else { return 0 };
        let term = match op {
            Op::Not if width == a.width => self.not(a),
            Op::ZExt if width >= a.width => self.zext(a, width),
            Op::SExt if width >= a.width => self.sext(a, width),
            Op::Extract if immediate.saturating_add(width) <= a.width => self.extract(a, immediate, width),
            _ if op as u8 >= Op::FAdd as u8 && value::floats_are_unusual() => return unsupported(op),
            Op::SToF | Op::UToF if value::is_float_width(width) => {
                let a = self.bits(a);
                return self.float_unary(op, width, a, 0, r & mask(width)).id;
            }
            _ if !value::is_float_width(a.width) => return unsupported(op),
            Op::FNeg | Op::FAbs | Op::FSqrt if width == a.width => {
                return self.float_unary(op, width, a, 0, r & mask(width)).id;
            }
            Op::FRound if width == a.width && Rounding::from_number(immediate).is_some() => {
                return self.float_unary(op, width, a, immediate, r & mask(width)).id;
            }
            Op::FToF if value::is_float_width(width) => {
                if width == a.width {
                    return a.id;
                }
                return self.float_unary(op, width, a, 0, r & mask(width)).id;
            }
            Op::FIsNan if width == a.width => self.float_is_nan(a),
            Op::FToS | Op::FToU => match value::float_to_integer(op, width, value::float(a.width, a.value)) {
                Some(result) => {
                    let term = self.float_unary(op, width, a, 0, result);
                    return self.checked(op, term, r);
                }
                None => {
                    self.concretise(a.id, Site::NONE, ConcretiseReason::FloatRange);
                    return 0;
                }
            },
            _ => return unsupported(op),
        };
        self.checked(op, term, r)
    }

    /// `select` and `select_wide`.
    #[inline]
    pub(super) fn reported_select(&mut self, width: u32, shadows: [u32; 3], [t, f, r]: [u128; 3]) -> u32 {
        if self.arena.full || !(1..=128).contains(&width) {
            return 0;
        }
        let Some(condition) = self.term(shadows[0]).filter(|term| term.width == 1) else { return 0 };
        let yes = self.operand(shadows[1], width, t);
        let no = self.operand(shadows[2], width, f);
        let term = self.ite(condition, yes, no);
        self.checked(Op::Ite, term, r)
    }

    /// The node of a term, provided that the machine computed the same value and no part of it is missing for lack of
    /// room.
    #[inline]
    pub(super) fn checked(&self, op: Op, term: Term, r: u128) -> u32 {
        if self.arena.full {
            return 0;
        }
        if term.value != r & mask(term.width) {
            return unsupported(op);
        }
        term.id
    }
}

/// Notes that the result has no expression.
#[cold]
pub(super) fn unsupported(op: Op) -> u32 {
    note(NoteKind::Unsupported, Site::NONE, op as u32);
    0
}
