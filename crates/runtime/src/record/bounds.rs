//! Ranges of values, valid for all inputs that take the path so far: cheap to compute, and never too narrow.
//!
//! An index that was a byte has at most 256 values, and a decided condition has a known value. So a table inside a
//! structure does not turn the whole structure into an array. Addresses fixed by the path do not count as depending on
//! inputs. Checks that cannot fail make no decision.

use core::cell::Cell;

use tine_trace::eval::mask;
use tine_trace::op::Op;
use tine_trace::plan::POINTER_WORD;

use super::arena::{ASSERTED_FALSE, ASSERTED_TRUE, CONCRETISED};
use super::layout::Relation;
use super::state::Recorder;

/// Maximum nesting of examined nodes.
const MAX_NESTING: u32 = 12;
/// Maximum number of nodes examined per question.
const FUEL: u32 = 200;
/// Number of remembered facts about values.
const N_FACTS: usize = 128;

/// From `least` to `most`, both included, as unsigned numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Bounds {
    fn any(width: u32) -> Bounds {
        Bounds { least: 0, most: mask(width) as u64 }
    }

    fn only(value: u64) -> Bounds {
        Bounds { least: value, most: value }
    }

    pub(super) fn is_one(self) -> bool {
        self.least == self.most
    }

    fn within(self, other: Bounds) -> Option<Bounds> {
        let both = Bounds { least: self.least.max(other.least), most: self.most.min(other.most) };
        (both.least <= both.most).then_some(both)
    }

    /// Range of numbers that are not cut to the width yet. If cutting subtracts the same amount from all of them, their
    /// order is kept.
    fn cut(width: u32, least: i128, most: i128) -> Bounds {
        if least >> width != most >> width {
            return Bounds::any(width);
        }
        let mask = mask(width);
        Bounds { least: (least as u128 & mask) as u64, most: (most as u128 & mask) as u64 }
    }
}

/// Known ranges of values by node number; newer entries replace older ones.
#[derive(Debug)]
pub(super) struct Facts {
    list: [(u32, Bounds); N_FACTS],
}

impl Facts {
    pub(super) fn begin(&mut self) {
        self.list = [(0, Bounds { least: 0, most: 0 }); N_FACTS];
    }

    fn slot(node: u32) -> usize {
        (node.wrapping_mul(0x9e37_79b1) >> 16) as usize % N_FACTS
    }

    fn get(&self, node: u32) -> Option<Bounds> {
        let (known, bounds) = self.list[Facts::slot(node)];
        (known == node && node != 0).then_some(bounds)
    }

    fn add(&mut self, node: u32, bounds: Bounds) {
        let both = self.get(node).map_or(Some(bounds), |known| known.within(bounds));
        // The path cannot contradict itself.
        self.list[Facts::slot(node)] = (node, both.unwrap_or(bounds));
    }
}

impl Recorder {
    /// Remembers the consequence of a comparison with a constant.
    pub(super) fn learn(&mut self, op: u8, [a, b]: [u32; 2], holds: bool) {
        let constant = |id: u32| self.arena.get(id).filter(|node| node.op == Op::Const as u8 && node.width <= 64);
        let (value, other, constant_first) = match (constant(a), constant(b)) {
            (None, Some(other)) => (a, other, false),
            (Some(other), None) => (b, other, true),
            _ => return,
        };
        let (k, any) = (other.value[0], Bounds::any(u32::from(other.width)));
        // The fact is `value < k`, `value <= k`, `k < value` or `k <= value`, or its opposite.
        let strict = op == Op::Ult as u8;
        let bounds = if op == Op::Eq as u8 && holds {
            Some(Bounds::only(k))
        } else if !strict && op != Op::Ule as u8 {
            None
        } else if constant_first != holds {
            let most = if strict == holds { k.checked_sub(1) } else { Some(k) };
            most.map(|most| Bounds { most, ..any })
        } else {
            let least = if strict == holds { k.checked_add(1) } else { Some(k) };
            least.map(|least| Bounds { least, ..any })
        };
        if let Some(bounds) = bounds.filter(|bounds| bounds.least <= bounds.most) {
            self.path.facts.add(value, bounds);
        }
    }

    /// True if the path's decisions leave only one value. The result is remembered, so that later searches are short.
    pub(super) fn is_decided(&mut self, node: u32) -> bool {
        let is_one = self.bounds(node).is_one();
        if is_one {
            self.arena.mark(node, CONCRETISED);
        }
        is_one
    }

    /// Range of a value of at most 64 bits.
    pub(super) fn bounds(&self, node: u32) -> Bounds {
        self.bounds_within(node, MAX_NESTING, &Cell::new(FUEL))
    }

    fn bounds_within(&self, id: u32, nesting: u32, fuel: &Cell<u32>) -> Bounds {
        let Some(node) = self.arena.get(id) else { return Bounds::any(64) };
        let width = u32::from(node.width);
        if width > 64 {
            return Bounds::any(64);
        }
        if node.op == Op::Const as u8 || node.flags & (CONCRETISED | ASSERTED_TRUE | ASSERTED_FALSE) != 0 {
            return Bounds::only(node.value[0]);
        }
        let any = Bounds::any(width);
        let known = self.path.facts.get(id).unwrap_or(any);
        fuel.set(fuel.get().saturating_sub(1));
        let may_look = nesting > 0 && fuel.get() > 0;
        let Some(op) = Op::from_number(node.op).filter(|_| may_look) else { return known };
        let of_place = |id: u32| self.bounds_within(id, nesting - 1, fuel);
        // Distances within an object do not depend on its address, but the bits of an address do.
        let is_linear = matches!(op, Op::Add | Op::Sub | Op::Eq | Op::Ult | Op::Ule);
        if is_linear && self.path.concretised && self.relation(op, node.a, node.b) == Relation::Other {
            return known;
        }
        let of =
            |id: u32| if !is_linear && op != Op::Ite && self.is_place(id) { Bounds::any(64) } else { of_place(id) };
        let wide = |n: u64| i128::from(n);
        let operand_width = |id: u32| self.arena.get(id).map_or(128, |node| u32::from(node.width));
        let made = match op {
            Op::Add => {
                let (a, b) = (of(node.a), of(node.b));
                Bounds::cut(width, wide(a.least) + wide(b.least), wide(a.most) + wide(b.most))
            }
            Op::Sub => {
                let (a, b) = (of(node.a), of(node.b));
                Bounds::cut(width, wide(a.least) - wide(b.most), wide(a.most) - wide(b.least))
            }
            Op::Mul => {
                let (a, b) = (of(node.a), of(node.b));
                let most = wide(a.most).checked_mul(wide(b.most)).filter(|most| *most <= mask(width) as i128);
                most.map_or(any, |most| Bounds { least: a.least * b.least, most: most as u64 })
            }
            Op::Shl => {
                let (a, by) = (of(node.a), of(node.b));
                let fits = by.is_one() && by.most < u64::from(width) && a.most <= any.most >> by.most;
                if fits { Bounds { least: a.least << by.most, most: a.most << by.most } } else { any }
            }
            Op::LShr => {
                let (a, by) = (of(node.a), of(node.b));
                let fits = by.is_one() && by.most < u64::from(width);
                if fits { Bounds { least: a.least >> by.most, most: a.most >> by.most } } else { any }
            }
            Op::UDiv => {
                let (a, b) = (of(node.a), of(node.b));
                // Division by zero gives all ones.
                a.most.checked_div(b.least).map_or(any, |most| Bounds { least: a.least / b.most, most })
            }
            Op::URem => {
                let (a, b) = (of(node.a), of(node.b));
                if b.least == 0 || a.most < b.least {
                    Bounds { least: 0, ..a }
                } else {
                    Bounds { least: 0, most: b.most - 1 }
                }
            }
            Op::And => Bounds { least: 0, most: of(node.a).most.min(of(node.b).most) },
            Op::Or | Op::Xor => {
                let (a, b) = (of(node.a), of(node.b));
                let most = u64::MAX.checked_shr((a.most | b.most).leading_zeros()).unwrap_or(0);
                Bounds { least: if op == Op::Or { a.least.max(b.least) } else { 0 }, most }
            }
            Op::ZExt => of(node.a),
            Op::SExt => {
                let inner = of(node.a);
                let sign = 1 << (operand_width(node.a).clamp(1, 64) - 1);
                if inner.most < sign { inner } else { any }
            }
            Op::Extract if operand_width(node.a) <= 64 && node.b < 64 => {
                let inner = of(node.a);
                let (least, most) = (inner.least >> node.b, inner.most >> node.b);
                Bounds::cut(width, wide(least), wide(most))
            }
            Op::Concat => {
                let (high, low, by) = (of(node.a), of(node.b), operand_width(node.b));
                Bounds { least: high.least << by | low.least, most: high.most << by | low.most }
            }
            Op::Ite => {
                let condition = of(node.a);
                match (condition.is_one(), condition.most) {
                    (true, 0) => of(node.c),
                    (true, _) => of(node.b),
                    _ => {
                        let (a, b) = (of(node.b), of(node.c));
                        Bounds { least: a.least.min(b.least), most: a.most.max(b.most) }
                    }
                }
            }
            Op::Not if width == 1 => {
                let inner = of(node.a);
                Bounds { least: 1 - inner.most, most: 1 - inner.least }
            }
            Op::Eq | Op::Ult | Op::Ule if operand_width(node.a) <= 64 => compared(op, of(node.a), of(node.b)),
            _ => any,
        };
        made.within(known).unwrap_or(known)
    }

    /// True if a condition has the same value for all inputs of the path.
    pub(super) fn is_certain(&self, condition: u32) -> bool {
        self.bounds(condition).is_one() || self.is_certain_of_low_bits(condition)
    }

    /// True for `(address & 7) == 0` of an index times eight.
    fn is_certain_of_low_bits(&self, condition: u32) -> bool {
        let Some(node) = self.arena.get(condition) else { return false };
        let of = |id: u32| self.arena.get(id);
        let (Some(a), Some(b)) = (of(node.a), of(node.b)) else { return false };
        if node.op != Op::Eq as u8 || b.op != Op::Const as u8 || a.width > 64 {
            return false;
        }
        if a.op == Op::Extract as u8 {
            return a.b == 0 && self.low_bits_are_fixed(a.a, u32::from(a.width), MAX_NESTING);
        }
        let Some(bits) = of(a.b).filter(|by| a.op == Op::And as u8 && by.op == Op::Const as u8) else { return false };
        self.low_bits_are_fixed(a.a, 64 - bits.value[0].leading_zeros(), MAX_NESTING)
    }

    /// True if the lowest `n` bits of a value do not depend on inputs.
    fn low_bits_are_fixed(&self, id: u32, n: u32, nesting: u32) -> bool {
        let Some(node) = self.arena.get(id) else { return false };
        let is_known = node.flags & (CONCRETISED | ASSERTED_TRUE | ASSERTED_FALSE) != 0 && !self.is_place(id);
        if n == 0 || node.op == Op::Const as u8 || is_known {
            return true;
        }
        let Some(op) = Op::from_number(node.op).filter(|_| nesting > 0) else { return false };
        let of = |id: u32, n: u32| self.low_bits_are_fixed(id, n, nesting - 1);
        let constant = |id: u32| self.arena.get(id).filter(|node| node.op == Op::Const as u8).map(|node| node.value[0]);
        match op {
            // A pointer to an aligned object.
            Op::Input => n <= node.c & !POINTER_WORD,
            Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor => of(node.a, n) && of(node.b, n),
            // The low zero bits of a factor are zero in the product.
            Op::Mul => match (constant(node.a), constant(node.b)) {
                (_, Some(by)) => of(node.a, n.saturating_sub(by.trailing_zeros())),
                (Some(by), _) => of(node.b, n.saturating_sub(by.trailing_zeros())),
                _ => of(node.a, n) && of(node.b, n),
            },
            Op::Shl => constant(node.b).is_some_and(|by| of(node.a, n.saturating_sub(by.min(64) as u32))),
            Op::ZExt | Op::SExt => {
                self.arena.get(node.a).is_some_and(|inner| u32::from(inner.width) >= n) && of(node.a, n)
            }
            Op::Ite => of(node.a, 1) && of(node.b, n) && of(node.c, n),
            _ => false,
        }
    }
}

fn compared(op: Op, a: Bounds, b: Bounds) -> Bounds {
    let (always, never) = match op {
        Op::Eq => (a.is_one() && a == b, a.within(b).is_none()),
        Op::Ult => (a.most < b.least, a.least >= b.most),
        _ => (a.most <= b.least, a.least > b.most),
    };
    Bounds { least: u64::from(always), most: u64::from(!never) }
}
