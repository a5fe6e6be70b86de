//! Values that depend on the addresses of input objects.
//!
//! A path that has used a pointer determines which object it points to, but not the address of that object. Values
//! computed from the address may differ if the object has another address:
//!
//! ```text
//!   p, p + 8             an address in the object: fixed relative to the object
//!   p + 8 - p            the distance of two addresses in one object: fixed
//!   p == q               addresses that the path has accessed, in two objects: different
//!   p + 8 == q           may be equal if the path has not accessed p[8]
//!   p < q, p & 7, hash(p), p == &variable                                       may be anything
//! ```

use tine_trace::layout::CELL_UNREAD;
use tine_trace::op::Op;

use super::arena::{ASSERTED_FALSE, ASSERTED_TRUE, CONCRETISED};
use super::objects::{is_input, object_at};
use super::places;
use super::plan::Plan;
use super::shadow::cell;
use super::state::Recorder;

/// Nothing is mapped below this address.
const LOWEST: u64 = 1 << 12;

/// Information that the path gives about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixity {
    /// It depends on inputs that the path has not fixed.
    Free,
    /// The value is fixed.
    Fixed,
    /// It is an address in an input object, or a known distance from one.
    Place,
    /// It depends on the addresses of objects.
    Layout,
}

/// Kind of a sum, difference or comparison of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// A number that does not depend on the addresses of objects.
    Number,
    /// An address in an object, plus or minus a number.
    Moved,
    /// A value that depends on the addresses of objects.
    Other,
}

impl Recorder {
    /// True if concretisations and aliasing choices already determine the value, for all addresses of objects.
    pub(super) fn is_fixed(&self, id: u32, nesting: u32) -> bool {
        matches!(self.fixity(id, nesting), Fixity::Fixed | Fixity::Place)
    }

    pub(super) fn fixity(&self, id: u32, nesting: u32) -> Fixity {
        let Some(node) = self.arena.get(id) else { return Fixity::Free };
        if self.is_place_used(id) {
            return Fixity::Place;
        }
        if node.op == Op::Const as u8 || node.flags & (CONCRETISED | ASSERTED_TRUE | ASSERTED_FALSE) != 0 {
            return Fixity::Fixed;
        }
        if !self.path.concretised || nesting == 0 || node.op == Op::Input as u8 {
            return Fixity::Free;
        }
        // The contents of an array may depend on anything.
        let Some(op) = Op::from_number(node.op) else { return Fixity::Free };
        let n = op.shape().operands as usize;
        let mut parts = [Fixity::Fixed; 3];
        for (part, operand) in parts.iter_mut().zip([node.a, node.b, node.c]).take(n) {
            *part = self.fixity(operand, nesting - 1);
            if *part == Fixity::Free {
                return Fixity::Free;
            }
        }
        if parts.contains(&Fixity::Layout) {
            return Fixity::Layout;
        }
        match (op, parts) {
            (_, [Fixity::Fixed, Fixity::Fixed, Fixity::Fixed]) => Fixity::Fixed,
            (Op::Add | Op::Sub | Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle, _) => {
                self.of_places(op, node.a, node.b)
            }
            // A condition is 1 bit wide, so it is not an address.
            (Op::Ite, _) => {
                let holds = self.arena.get(node.a).is_some_and(|condition| condition.value[0] != 0);
                if holds { parts[1] } else { parts[2] }
            }
            _ => Fixity::Layout,
        }
    }

    /// Fixity of a sum, difference or comparison with an address as operand.
    fn of_places(&self, op: Op, a: u32, b: u32) -> Fixity {
        if op == Op::Eq && self.is_settled(a) && self.is_settled(b) {
            return Fixity::Fixed;
        }
        match self.relation(op, a, b) {
            Relation::Other => Fixity::Layout,
            Relation::Moved => Fixity::Place,
            Relation::Number => Fixity::Fixed,
        }
    }

    /// Relation of the operands of a sum, a difference or a comparison.
    pub(super) fn relation(&self, op: Op, a: u32, b: u32) -> Relation {
        let is_null = |id: u32| self.arena.get(id).is_some_and(|node| node.value[0] == 0);
        let is_sum = op == Op::Add;
        let slots = if is_sum && self.slot_of_place(b, false).is_some() {
            (self.slot_of_place(b, false), self.slot_of_place(a, true))
        } else {
            (self.slot_of_place(a, false), self.slot_of_place(b, is_sum))
        };
        match (op, slots) {
            (_, (None, None)) => Relation::Number,
            // The distance of two addresses in one object does not depend on its address.
            (_, (Some(one), Some(other))) if one == other => Relation::Number,
            (Op::Add | Op::Sub, (Some(_), None)) => Relation::Moved,
            (Op::Eq, (Some(_), None)) if is_null(b) => Relation::Number,
            _ => Relation::Other,
        }
    }

    /// The slot of the object that an address, or the negative of one, lies in.
    fn slot_of_place(&self, id: u32, is_negative: bool) -> Option<u32> {
        let node = self.arena.get(id)?;
        let of = |address: u64| Plan::get().and_then(|plan| object_at(plan, address)).map(|(object, _)| object.slot);
        let value = if is_negative { node.value[0].wrapping_neg() } else { node.value[0] };
        if node.op == Op::Const as u8 {
            return (node.width == 64).then(|| of(value))?;
        }
        let pointer = self.pointer_in(id, 8).filter(|pointer| !is_negative && self.is_place_used(*pointer))?;
        let base = self.arena.get(pointer)?.value[0];
        // A difference is computed from a pointer, too.
        is_input(value).then(|| of(base))?
    }

    /// True for a pointer to an input object that the path has used.
    fn is_place_used(&self, id: u32) -> bool {
        let is_pointer = |node: &&tine_trace::node::Node| node.op == Op::Input as u8 && node.width == 64;
        let pointer = self.arena.get(id).filter(is_pointer);
        pointer.is_some_and(|node| node.flags & CONCRETISED != 0 && is_input(node.value[0]))
    }

    /// True if no other object can lie at an address: the path has accessed it, in the object that it is computed from.
    /// The addresses of variables and the ends of other objects do not depend on inputs.
    fn is_settled(&self, id: u32) -> bool {
        let Some(node) = self.arena.get(id) else { return false };
        let address = node.value[0];
        let Some(pointer) = self.pointer_in(id, 8) else {
            let is_apart =
                || (places::on_stack(address) || places::on_heap(address)) && places::before(address).is_none();
            return address < LOWEST || is_input(address) || is_apart();
        };
        if pointer == id {
            return true;
        }
        let base = self.arena.get(pointer).map_or(0, |node| node.value[0]);
        let Some(plan) = Plan::get() else { return true };
        // NULL plus a number, or a pointer to something else.
        let Some((object, into)) = object_at(plan, base) else { return true };
        let offset = into.wrapping_add(address.wrapping_sub(base));
        if offset >= u64::from(object.extent) {
            return false;
        }
        // SAFETY: the address lies in the object, which has cells.
        let is_unread = unsafe { *cell(address) } & CELL_UNREAD != 0;
        !is_unread || offset < u64::from(object.element)
    }

    /// True if a value is an address in an object: its bits depend on the object's address.
    pub(super) fn is_place(&self, id: u32) -> bool {
        self.path.concretised && self.slot_of_place(id, false).is_some()
    }
}
