//! The path: decisions and concretisations, in order, in the segment's Events area.
//!
//! A condition that follows from logged conditions is not logged again. Flags of the nodes remember that. After a bound
//! nothing more is logged: a log with holes would claim that later events do not depend on the missing ones.

use core::sync::atomic::{Ordering, compiler_fence};

use tine_trace::event::{
    ConcretiseReason, DISTANCE_SHIFT, Event, EventKind, MAX_DISTANCE, NoteKind, OF_LAYOUT, PREFIX_HASH_START, Site,
    prefix_hash,
};
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::seal;
use tine_trace::segment::Header;

use super::arena::{ASSERTED_FALSE, ASSERTED_TRUE, CONCRETISED};
use super::bounds::Facts;
use super::layout::Fixity;
use super::note;
use super::state::Recorder;
use super::term::Term;

/// Number of remembered switches, so that a loop does not log the same one again.
const N_SWITCHED: usize = 64;
/// Maximum nesting of conjunctions that a check is split into.
const MAX_NESTING: u32 = 16;
/// Maximum nesting of conditions that are searched for consequences.
const MAX_INFERENCE: u32 = 6;

#[derive(Debug)]
pub(super) struct Path {
    header: *mut Header,
    events: *mut Event,
    n: u32,
    capacity: u32,
    /// Number of decisions that may still be logged.
    depth_left: u32,
    hash: u64,
    /// Flags of the next events: the distance to a violation of a specification.
    flags: u8,
    /// Seals over an even and an odd number of events, as in the arena.
    seals: [u64; 2],
    closed: bool,
    /// True if something was concretised.
    pub(super) concretised: bool,
    /// The last switch logged, by hash of (node, site).
    switched: [(u32, u32); N_SWITCHED],
    pub(super) facts: Facts,
}

impl Path {
    pub(super) fn begin(
        &mut self,
        header: *mut Header,
        (events, room): (*mut Event, u32),
        max_events: u32,
        max_depth: u32,
    ) {
        self.header = header;
        self.events = events;
        self.n = 0;
        self.capacity = room.min(max_events);
        self.depth_left = max_depth;
        self.hash = PREFIX_HASH_START;
        self.flags = 0;
        self.seals = [0; 2];
        self.closed = false;
        self.concretised = false;
        self.switched = [(0, 0); N_SWITCHED];
        self.facts.begin();
    }

    /// True if nothing more is logged.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(super) fn n(&self) -> u32 {
        self.n
    }

    pub(super) fn seal(&self) -> u64 {
        self.seals[self.n as usize & 1]
    }
}

impl Recorder {
    /// Sets the distance of the next events to the nearest violation of a specification, in events of the
    /// specification.
    pub(super) fn come_near(&mut self, distance: u32) {
        self.path.flags = (distance.min(MAX_DISTANCE.into()) as u8) << DISTANCE_SHIFT;
    }

    /// Logs a branch on `condition`, which the machine evaluated to `taken`.
    #[inline]
    pub(super) fn branch(&mut self, site: Site, condition: u32, taken: bool) {
        if self.is_condition(condition, taken) {
            self.assert(site, condition, taken);
        }
    }

    /// Logs a decision whether a call fails: whether the `value` at `address` equals `number`.
    pub(super) fn choose(&mut self, address: u64, value: u32, number: u32, site: Site) {
        let node = self.load(address, 4, u128::from(value));
        let value = self.operand(node, 32, u128::from(value));
        let fails = self.binary(Op::Eq, value, Term::concrete(32, u128::from(number)));
        let holds = fails.value != 0;
        if fails.id != 0
            && !self.follows(fails.id, MAX_INFERENCE)
            && self.decide(EventKind::Failing, site, fails.id, u16::from(holds), 0)
        {
            self.know(fails.id, holds, MAX_INFERENCE);
        }
    }

    /// Logs a branch that decides about an error; true means no error. A conjunction is logged conjunct by conjunct, up
    /// to the first false one, so that each can be made false alone.
    #[inline]
    pub(super) fn check(&mut self, site: Site, condition: u32, taken: bool) {
        if self.is_condition(condition, taken) {
            self.assert_conjuncts(site, condition, MAX_NESTING);
            if !taken {
                self.note_alignment(condition, MAX_NESTING);
            }
        }
    }

    /// True if the node is one bit that had this value. Otherwise its shadow is stale.
    #[inline]
    fn is_condition(&self, node: u32, taken: bool) -> bool {
        let fits = self.arena.get(node).is_some_and(|node| node.width == 1 && (node.value[0] != 0) == taken);
        if !fits {
            note(NoteKind::Stale, Site::NONE, 0);
        }
        fits
    }

    /// Logs the condition's conjuncts up to the first false one. Returns false if there was one.
    fn assert_conjuncts(&mut self, site: Site, condition: u32, nesting: u32) -> bool {
        let Some(&node) = self.arena.get(condition) else { return true };
        if nesting > 0
            && let Some(parts) = self.conjuncts(&node)
        {
            return parts.into_iter().all(|part| self.assert_conjuncts(site, part, nesting - 1));
        }
        let holds = node.value[0] != 0;
        if !self.is_certain(condition) {
            self.assert(site, condition, holds);
        }
        holds
    }

    /// `a & b` as [a, b], `!(a | b)` as [!a, !b].
    fn conjuncts(&mut self, node: &Node) -> Option<[u32; 2]> {
        if node.op == Op::And as u8 {
            return Some([node.a, node.b]);
        }
        if node.op != Op::Not as u8 {
            return None;
        }
        let inner = *self.arena.get(node.a)?;
        if inner.op != Op::Or as u8 {
            return None;
        }
        let (a, b) = (self.term(inner.a)?, self.term(inner.b)?);
        let parts = [self.not(a).id, self.not(b).id];
        // If the arena has no room for the negations, the condition is logged unsplit.
        if parts.contains(&0) { None } else { Some(parts) }
    }

    /// Logs a condition unless it follows from the log. If only addresses of objects determine it, the event is marked
    /// as a decision about those.
    #[inline]
    fn assert(&mut self, site: Site, condition: u32, holds: bool) {
        if self.follows(condition, MAX_INFERENCE) {
            return;
        }
        if self.decide(EventKind::Branch, site, condition, holds as u16, 0) {
            if self.path.concretised && self.fixity(condition, MAX_INFERENCE) == Fixity::Layout {
                // SAFETY: the event that was just written.
                unsafe { (*self.path.events.add(self.path.n as usize - 1)).flags |= OF_LAYOUT };
            }
            self.know(condition, holds, MAX_INFERENCE);
        }
    }

    /// True if the log already determines the condition. A node has one value during the whole run, so the side does
    /// not matter.
    #[inline]
    fn follows(&self, condition: u32, nesting: u32) -> bool {
        let Some(node) = self.arena.get(condition) else { return false };
        if node.flags & (ASSERTED_TRUE | ASSERTED_FALSE | CONCRETISED) != 0 {
            return true;
        }
        nesting > 0 && node.width == 1 && (self.is_fixed(condition, nesting) || self.parts_follow(node, nesting - 1))
    }

    fn parts_follow(&self, node: &Node, nesting: u32) -> bool {
        let holds = node.value[0] != 0;
        let (is_and, is_or) = (node.op == Op::And as u8, node.op == Op::Or as u8);
        if node.op == Op::Not as u8 {
            self.follows(node.a, nesting)
        } else if is_and && holds || is_or && !holds {
            self.follows(node.a, nesting) && self.follows(node.b, nesting)
        } else if is_and || is_or {
            // One part is sufficient if it has the value of the whole condition.
            [node.a, node.b].into_iter().any(|part| {
                let value = self.arena.get(part).is_some_and(|part| part.value[0] != 0);
                value == holds && self.follows(part, nesting)
            })
        } else {
            false
        }
    }

    /// Marks the conditions that follow from a known condition.
    fn know(&mut self, condition: u32, holds: bool, nesting: u32) {
        let Some(&node) = self.arena.get(condition) else { return };
        if node.width != 1 || nesting == 0 {
            return;
        }
        self.arena.mark(condition, if holds { ASSERTED_TRUE } else { ASSERTED_FALSE });
        if node.op == Op::Not as u8 {
            self.know(node.a, !holds, nesting - 1);
        } else if node.op == Op::And as u8 && holds || node.op == Op::Or as u8 && !holds {
            self.know(node.a, holds, nesting - 1);
            self.know(node.b, holds, nesting - 1);
        } else {
            self.learn(node.op, [node.a, node.b], holds);
            if node.op == Op::Eq as u8 && holds && self.path.concretised {
                self.know_equal(node.a, node.b);
            }
        }
    }

    /// Marks a value as fixed if it equals a fixed value. For example, a pointer that was compared with a used pointer
    /// points to the same object.
    fn know_equal(&mut self, a: u32, b: u32) {
        if self.is_fixed(a, MAX_INFERENCE) {
            self.know_value(b);
        } else if self.is_fixed(b, MAX_INFERENCE) {
            self.know_value(a);
        }
    }

    /// Logs a switch on `value` that took the side `side`.
    pub(super) fn switch(&mut self, site: Site, value: u32, side_index: u32) {
        let Some(node) = self.arena.get(value) else {
            note(NoteKind::Stale, site, 0);
            return;
        };
        let slot = (value.wrapping_mul(0x9e37_79b1) ^ site.0.wrapping_mul(0x85eb_ca6b)) as usize % N_SWITCHED;
        if node.flags & CONCRETISED != 0 || self.path.switched[slot] == (value, site.0) {
            return;
        }
        if self.decide(EventKind::Switch, site, value, side_index as u16, 0) {
            self.path.switched[slot] = (value, site.0);
        }
    }

    /// Concretises `node` to its value: a constraint without another side.
    pub(super) fn concretise(&mut self, node: u32, site: Site, reason: ConcretiseReason) {
        if self.arena.get(node).is_none_or(|node| node.flags & CONCRETISED != 0) {
            return;
        }
        if self.log(EventKind::Concretise, site, node, 0, reason as u32) {
            self.know_value(node);
        }
    }

    /// Marks `node` as fixed by the path from here on.
    pub(super) fn know_value(&mut self, node: u32) {
        self.path.concretised = true;
        self.arena.mark(node, CONCRETISED);
    }

    /// Logs a decision within the depth bound. Returns false if it was not logged.
    #[inline]
    pub(super) fn decide(&mut self, kind: EventKind, site: Site, node: u32, side_index: u16, aux: u32) -> bool {
        if self.path.depth_left == 0 {
            self.close(site);
            return false;
        }
        self.path.depth_left -= 1;
        self.log(kind, site, node, side_index, aux)
    }

    #[inline]
    fn log(&mut self, kind: EventKind, site: Site, node: u32, side_index: u16, aux: u32) -> bool {
        if self.path.closed {
            return false;
        }
        if self.path.n >= self.path.capacity {
            self.close(site);
            return false;
        }
        let path = &mut self.path;
        path.hash = prefix_hash(path.hash, kind as u8, site.0, side_index);
        let event = Event {
            kind: kind as u8,
            flags: path.flags,
            side_index,
            site: site.0,
            node,
            aux,
            prefix_hash: path.hash,
            n_nodes: self.arena.slots(),
            n_inputs: self.inputs.n(),
        };
        // SAFETY: the area has room for `capacity` events; the header is mapped during a run.
        unsafe {
            path.events.add(path.n as usize).write(event);
            path.seals[(path.n as usize + 1) & 1] = path.seal().wrapping_add(seal::of_event(path.n, &event));
            // A signal that ends the run publishes `n` events.
            compiler_fence(Ordering::Release);
            path.n += 1;
            let results = &(*path.header).results;
            results.n_nodes.store(self.arena.slots(), Ordering::Relaxed);
            results.n_events.store(path.n, Ordering::Release);
        }
        true
    }

    #[cold]
    fn close(&mut self, site: Site) {
        if !self.path.closed {
            self.path.closed = true;
            note(NoteKind::Depth, site, 0);
        }
    }
}
