//! Addresses that were selected among input pointers: by an index into a table of pointers, or by a condition.
//!
//! The object that an input pointer points to is decided when the pointer is first used. If an address was selected
//! among unused pointers, the selected one is decided first: by the index, if each place of the table has one pointer,
//! otherwise by comparing the address with the pointers. The selected pointer is used then, and the others are not.
//!
//! Without this decision, what follows would depend on the object that this run's address happens to lie in, and runs
//! with the same decisions could go on differently.

use tine_trace::event::{EventKind, Site};
use tine_trace::node::Node;
use tine_trace::op::{ArrayOp, Op};
use tine_trace::plan::POINTER_WORD;

use super::arena::CONCRETISED;
use super::state::Recorder;
use super::term::Term;

/// Maximum number of unused pointers that are distinguished.
const MAX_POINTERS: usize = 64;
/// Maximum nesting of nodes that are examined to see how an address was computed.
const MAX_NESTING: u32 = 12;

/// Unused input pointers, in the order in which they were found, each with the value that selects it.
struct Unused {
    list: [(u32, Term); MAX_POINTERS],
    n: usize,
}

impl Unused {
    fn none() -> Unused {
        Unused { list: [(0, Term::concrete(64, 0)); MAX_POINTERS], n: 0 }
    }

    fn list(&self) -> &[(u32, Term)] {
        &self.list[..self.n]
    }

    /// Returns false if there is no room.
    fn add(&mut self, pointer: u32, selected_by: Term) -> bool {
        let free = self.list.get_mut(self.n);
        let has_room = free.is_some();
        if let Some(free) = free {
            *free = (pointer, selected_by);
            self.n += 1;
        }
        has_room
    }
}

impl Recorder {
    /// Decides which unused input pointer the address `node` was computed from, if it was selected among some. The
    /// access is of `size` bytes.
    pub(super) fn decide_selected(&mut self, site: Site, node: u32, size: u32) {
        let mut unused = Unused::none();
        let Some(selected) = self.selection_in(node, MAX_NESTING, &mut unused) else { return };
        let mut selector = selected;
        if let Some((index, placed)) = self.places_of(selected) {
            (selector, unused) = (index, placed);
        }
        let Some(value) = self.term(selector) else { return };
        let mut which = Term::concrete(16, unused.n as u128);
        for (number, (_, selected_by)) in unused.list().iter().enumerate().rev() {
            let is_it = self.binary(Op::Eq, value, *selected_by);
            which = self.ite(is_it, Term::concrete(16, number as u128), which);
        }
        if which.id != 0
            && !self.is_fixed(which.id, 2)
            && !self.decide(EventKind::Choice, site, which.id, which.value as u16, unused.n as u32 + 1)
        {
            return;
        }
        if let Some((pointer, _)) = unused.list().get(which.value as usize) {
            self.use_pointer(site, *pointer, 0);
            self.know_value(selector);
            self.know_value(selected);
            if size > 0 {
                self.check_length(site, node, *pointer, size);
            }
        }
    }

    /// The selection that an address was computed from by addition, if unused pointers are among its results.
    fn selection_in(&self, node: u32, nesting: u32, unused: &mut Unused) -> Option<u32> {
        let made = self.arena.get(node).filter(|made| nesting > 0 && is_open(made))?;
        if made.op == Op::Add as u8 || made.op == Op::Sub as u8 {
            let in_a = self.selection_in(made.a, nesting - 1, unused);
            return in_a.or_else(|| self.selection_in(made.b, nesting - 1, unused));
        }
        if is_selection(made) {
            self.find_unused(node, nesting, unused);
        }
        (unused.n > 0).then_some(node)
    }

    /// Adds the unused pointers among the possible results of a selection.
    fn find_unused(&self, node: u32, nesting: u32, unused: &mut Unused) {
        let Some(made) = self.arena.get(node).filter(|made| nesting > 0 && is_open(made)) else { return };
        if is_pointer(made) {
            let is_known = unused.list().iter().any(|(pointer, _)| *pointer == node);
            if let Some(pointer) = self.term(node).filter(|_| !is_known) {
                unused.add(node, pointer);
            }
        } else if made.op == Op::Ite as u8 {
            self.find_unused(made.b, nesting - 1, unused);
            self.find_unused(made.c, nesting - 1, unused);
        } else if made.op == ArrayOp::Select as u8 {
            let mut array = made.a;
            while let Some(stored) = self.stored(array) {
                self.find_unused(stored.c, nesting - 1, unused);
                array = stored.a;
            }
        }
    }

    /// The index of a read from a table, and the unused pointers with their offsets that it may select. `None` if not
    /// every place of the table has one pointer, whatever the index is.
    fn places_of(&self, selected: u32) -> Option<(u32, Unused)> {
        let made = self.arena.get(selected).filter(|made| made.op == ArrayOp::Select as u8)?;
        let bounds = self.bounds(made.b);
        let (mut places, mut seen, mut n_seen) = (Unused::none(), [0; MAX_POINTERS], 0);
        let mut array = made.a;
        while let Some(stored) = self.stored(array) {
            let (at, value) = (self.arena.get(stored.b)?, self.arena.get(stored.c)?);
            let offset = at.value[0];
            if at.op != Op::Const as u8 || value.width != 64 || !offset.is_multiple_of(8) {
                return None;
            }
            let is_overwritten = seen[..n_seen].contains(&offset);
            if (bounds.least..=bounds.most).contains(&offset) && !is_overwritten {
                *seen.get_mut(n_seen)? = offset;
                n_seen += 1;
                if is_open(value) {
                    let is_placed = !is_pointer(value) || places.add(stored.c, Term::concrete(64, u128::from(offset)));
                    if is_selection(value) || !is_placed {
                        return None;
                    }
                }
            }
            array = stored.a;
        }
        Some((made.b, places))
    }

    fn stored(&self, array: u32) -> Option<&Node> {
        self.arena.get(array).filter(|array| array.op == ArrayOp::Store as u8)
    }
}

/// True for an address whose value the path has not determined.
fn is_open(made: &Node) -> bool {
    made.width == 64 && made.flags & CONCRETISED == 0
}

fn is_pointer(made: &Node) -> bool {
    made.op == Op::Input as u8 && made.c & POINTER_WORD != 0
}

fn is_selection(made: &Node) -> bool {
    made.op == Op::Ite as u8 || made.op == ArrayOp::Select as u8
}
