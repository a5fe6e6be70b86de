//! Lengths and sizes that depend on inputs.
//!
//! A length that the machine needs (of a copy, of an array on the stack) is a decision. Each length up to a bound is a
//! separate side. All larger ones are one side, in which the length is concretised. An object of the heap has the room
//! of its size class, which is decided in the model of `malloc`. Its size tells how much of the room belongs to the
//! object.

use tine_trace::event::{ConcretiseReason, EventKind, Site};
use tine_trace::layout::{CELL_OUTSIDE, CELL_SIZED};
use tine_trace::op::Op;

use super::forbidden;
use super::places::Place;
use super::state::Recorder;
use super::term::Term;
use crate::process::heap::{Life, object_of};

/// Lengths up to this are distinguished.
const MAX_LENGTH: u128 = 64;
/// Maximum number of objects of the heap whose size depends on inputs. The oldest are forgotten.
const MAX_SIZED: usize = 64;

/// Objects whose size depends on inputs.
#[derive(Debug)]
pub(super) struct Sizes {
    sized: [Sized; MAX_SIZED],
    n: usize,
}

#[derive(Clone, Copy, Debug)]
struct Sized {
    base: u64,
    /// Distinguishes it from another object at the same address.
    order: u32,
    /// 64 bits wide.
    size: Term,
}

impl Sizes {
    pub(super) fn begin(&mut self) {
        self.n = 0;
    }
}

impl Recorder {
    /// Decides a length that must be concrete.
    pub(super) fn decide_length(&mut self, site: Site, node: u32) {
        let Some(length) = self.term(node) else { return };
        // A length that was already decided.
        if self.is_fixed(node, 8) || self.is_decided(node) {
            return;
        }
        if length.width < 16 {
            return self.concretise(node, site, ConcretiseReason::Length);
        }
        let is_short = self.binary(Op::Ule, length, Term::concrete(length.width, MAX_LENGTH));
        let low = self.extract(length, 0, 16);
        let which = self.ite(is_short, low, Term::concrete(16, MAX_LENGTH + 1));
        let sides = MAX_LENGTH as u32 + 2;
        if which.id == 0 || !self.decide(EventKind::Choice, site, which.id, which.value as u16, sides) {
            return self.concretise(node, site, ConcretiseReason::Length);
        }
        self.know_value(which.id);
        if length.value <= MAX_LENGTH {
            self.know_value(node);
        } else {
            self.concretise(node, site, ConcretiseReason::Length);
        }
    }

    /// Records that the object at `base` has the size stored at `at`, which is `value`. If it does not depend on
    /// inputs, the heap's record is sufficient.
    pub(super) fn sized(&mut self, base: u64, at: u64, value: u64) {
        if self.sizes.n == 0 && !self.is_symbolic(at, 8) {
            return;
        }
        let Some(object) = object_of(base).filter(|object| object.address == base && object.life == Life::Live) else {
            return;
        };
        let node = self.load(at, 8, u128::from(value));
        let size = self.operand(node, 64, u128::from(value));
        let sizes = &mut self.sizes;
        let order = object.order;
        let known = sizes.sized[..sizes.n.min(MAX_SIZED)].iter_mut();
        // `realloc` may return the same address.
        for old in known.filter(|sized| sized.base == base && sized.order == order) {
            *old = Sized { base: 0, order: 0, size: Term::concrete(64, 0) };
        }
        if node != 0 {
            sizes.sized[sizes.n % MAX_SIZED] = Sized { base, order, size };
            sizes.n += 1;
            let len = value.min(object.size);
            self.dirty.fill(base, CELL_SIZED, len);
            forbidden::forbid(base + len, object.size - len, CELL_OUTSIDE);
        }
    }

    /// Checks an access to an object whose size depends on inputs, up to `end`. Whether the object is that large is a
    /// decision.
    pub(super) fn reach(&mut self, address: u64, end: u64) {
        let Some(object) = object_of(address).filter(|object| object.life == Life::Live) else { return };
        let base = object.address;
        let Some(size) = self.size_of(Place { base, len: object.size }) else { return };
        let inside = self.binary(Op::Ule, Term::concrete(64, u128::from(end - base)), size);
        if inside.id != 0 && !self.is_certain(inside.id) {
            self.decide(EventKind::Choice, Site::NONE, inside.id, inside.value as u16, 2);
        }
        if inside.value != 0 {
            forbidden::allow(address, end - address);
        }
    }

    /// The size of the object at a place, if it depends on inputs.
    pub(super) fn size_of(&self, place: Place) -> Option<Term> {
        let known = &self.sizes.sized[..self.sizes.n.min(MAX_SIZED)];
        if known.is_empty() {
            return None;
        }
        let order = object_of(place.base)?.order;
        known.iter().find(|sized| sized.base == place.base && sized.order == order).map(|sized| sized.size)
    }
}
