//! Values that the program has not written: variables that are read before they are initialised.
//!
//! Such a value has a marked expression, so that it is followed through memory and calls like an input. If it
//! determines a decision, that is an error: another value would have taken another side. This is tested bit by bit, so
//! copying a partly written structure, or masking the unwritten bits, is not an error.

use tine_trace::eval::{mask, signed};
use tine_trace::layout::{CELL_UNREAD, CELL_UNSET};
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::outcome::{ErrorKind, Fault};

use super::arena::{DEFINED, UNDEFINED};
use super::failure;
use super::forbidden::Access;
use super::shadow::{self, cell};
use super::state::{self, Recorder};

/// Maximum nesting of examined operations. Deeper ones count as undefined.
const MAX_NESTING: u32 = 400;
/// Maximum number of operations examined for one decision. Further ones count as undefined.
const MAX_STEPS: u32 = 1 << 16;
/// Maximum number of bytes examined when they leave the program.
const MAX_LEAVING: u64 = 4096;

impl Recorder {
    /// `undefined`: the expression of a value of `width` bits that was not written. A place has one expression for all
    /// its executions, because functions that lack a return value are called in loops.
    pub(super) fn undefined(&mut self, width: u32, place: u32, value: u128) -> u32 {
        if self.arena.full || !(1..=128).contains(&width) {
            return 0;
        }
        // A number, and the operation that makes the value from it. Operations on constants are made nowhere else.
        let number = u128::from(place) & mask(width);
        let operands = [number, number ^ value].map(|number| self.arena.constant(width, number));
        if operands.contains(&0) {
            return 0;
        }
        let node = self.arena.make(Op::Xor, width, [operands[0], operands[1], 0], value, UNDEFINED);
        self.arena.has_undefined |= node != 0;
        node
    }

    /// Handles a decision by `node`: ends the run if it is undefined.
    #[inline]
    pub(super) fn decide_by(&mut self, node: u32) {
        if self.arena.has_undefined
            && self.undefined_bits(node, MAX_NESTING, &mut { MAX_STEPS }) != 0
            && state::checks(ErrorKind::Uninitialised)
        {
            failure::found_here(ErrorKind::Uninitialised, Fault::default());
        }
    }

    /// Handles bytes before they leave the program. Ends the run if it must not read them, or did not write some.
    /// Unwritten bytes after a written value, up to a multiple of eight, count as padding.
    pub(super) fn leaving(&mut self, from: u64, len: u64) {
        const WORD: u64 = 8;
        self.touch(from, len, Access::Read);
        if !shadow::may_be_symbolic(from, len) {
            return;
        }
        let end = from + len.min(MAX_LEAVING);
        let mut at = from;
        while at < end {
            let n_undefined = (at..end).take_while(|at| self.is_undefined(*at)).count() as u64;
            let is_padding = at > from && at % WORD + n_undefined <= WORD && !at.is_multiple_of(WORD);
            if n_undefined > 0 && !is_padding && state::checks(ErrorKind::Uninitialised) {
                failure::found_here(ErrorKind::Uninitialised, Fault::default());
            }
            at += n_undefined.max(1);
        }
    }

    /// True if a byte was not written, and such bytes are followed.
    pub(super) fn is_unset(&self, address: u64) -> bool {
        // SAFETY: the shadow covers every address.
        self.follows_unset && unsafe { *cell(address) == CELL_UNSET }
    }

    fn is_undefined(&mut self, address: u64) -> bool {
        // SAFETY: the shadow covers every address.
        let cell = unsafe { *cell(address) };
        if self.is_unset(address) {
            return true;
        }
        let is_node = cell != 0 && cell & CELL_UNREAD == 0 && self.arena.has_undefined;
        is_node && self.undefined_bits(cell >> 4, MAX_NESTING, &mut { MAX_STEPS }) >> ((cell & 15) * 8) & 0xff != 0
    }

    /// The bits of a node that depend on undefined ones.
    fn undefined_bits(&mut self, id: u32, nesting: u32, steps: &mut u32) -> u128 {
        let Some(&node) = self.arena.get(id) else { return 0 };
        let all = if node.width == 0 { 1 } else { mask(u32::from(node.width)) };
        if node.flags & UNDEFINED != 0 {
            return all;
        }
        if node.flags & DEFINED != 0 || node.operands().next().is_none() {
            return 0;
        }
        if nesting == 0 || *steps == 0 {
            return all;
        }
        *steps -= 1;
        let mut operands = [Bits::default(); 3];
        for (operand, id) in operands.iter_mut().zip(node.operands()) {
            let Some(&of) = self.arena.get(id) else { continue };
            let undefined = self.undefined_bits(id, nesting - 1, steps);
            *operand = Bits { undefined, value: of.value(), width: u32::from(of.width) };
        }
        let bits = through(&node, operands) & all;
        if operands.iter().all(|operand| operand.undefined == 0) {
            self.arena.mark(id, DEFINED);
        }
        bits
    }
}

/// An operand: its undefined bits and its value.
#[derive(Clone, Copy, Default)]
struct Bits {
    undefined: u128,
    value: u128,
    width: u32,
}

/// The undefined bits of an operation's result.
fn through(node: &Node, [a, b, c]: [Bits; 3]) -> u128 {
    let either = a.undefined | b.undefined | c.undefined;
    if either == 0 {
        return 0;
    }
    let all = u128::MAX;
    match node.op() {
        Some(Op::And) => a.undefined & (b.undefined | b.value) | b.undefined & a.value,
        Some(Op::Or) => a.undefined & (b.undefined | !b.value) | b.undefined & !a.value,
        Some(Op::Xor | Op::Not | Op::ZExt) => either,
        // A carry goes up, never down.
        Some(Op::Add | Op::Sub) => all << either.trailing_zeros(),
        // The low zero bits of a factor are zero in the product.
        Some(Op::Mul) => {
            let zeros = |x: Bits, y: Bits| {
                x.undefined.trailing_zeros().saturating_add(if y.undefined == 0 { y.value.trailing_zeros() } else { 0 })
            };
            let lowest = zeros(a, b).min(zeros(b, a));
            all.checked_shl(lowest).unwrap_or(0)
        }
        Some(Op::Shl) if b.undefined == 0 => a.undefined.checked_shl(b.value as u32).unwrap_or(0),
        Some(Op::LShr) if b.undefined == 0 => a.undefined.checked_shr(b.value as u32).unwrap_or(0),
        Some(Op::SExt) => signed(a.width, a.undefined) as u128,
        Some(Op::Extract) => a.undefined.checked_shr(node.b).unwrap_or(0),
        Some(Op::Concat) => a.undefined.checked_shl(b.width).unwrap_or(0) | b.undefined,
        // Values that differ in a known bit are not equal.
        Some(Op::Eq) => u128::from((a.value ^ b.value) & !either & mask(a.width) == 0),
        Some(Op::Ite) if a.undefined != 0 => b.undefined | c.undefined | (b.value ^ c.value),
        Some(Op::Ite) => {
            if a.value != 0 {
                b.undefined
            } else {
                c.undefined
            }
        }
        _ => all,
    }
}
