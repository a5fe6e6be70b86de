//! Storage of the tree: 48 bytes for a two-way decision, and four bytes for each further side.

use tine_trace::event::{EventKind, MAX_DISTANCE, Site};

use super::{OpenBranch, State};
use crate::job::{CaseId, Decision};

/// A decision in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// State of a side in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Slot {
    pub(super) const OPEN: Slot = Slot(0);
    pub(super) const HANDED_OUT: Slot = Slot(1);
    pub(super) const ENDED: Slot = Slot(2);
    pub(super) const CUT: Slot = Slot(3);
    pub(super) const INFEASIBLE: Slot = Slot(4);
    pub(super) const UNKNOWN: Slot = Slot(5);
    pub(super) const DIVERGED: Slot = Slot(6);
    pub(super) const DEAD: Slot = Slot(7);
    pub(super) const DONE: Slot = Slot(8);
    pub(super) const DROPPED: Slot = Slot(9);
    pub(super) const PUT_OFF: Slot = Slot(10);
    const FIRST_CHILD: u32 = 11;

    pub(super) fn taken(child: NodeId) -> Slot {
        Slot(child.0 + Slot::FIRST_CHILD)
    }

    pub(super) fn child(self) -> Option<NodeId> {
        self.0.checked_sub(Slot::FIRST_CHILD).map(NodeId)
    }

    pub(super) fn is_open(self) -> bool {
        self == Slot::OPEN || self == Slot::HANDED_OUT || self == Slot::PUT_OFF
    }

    pub(super) fn state(self) -> State {
        match self {
            Slot::OPEN => State::Open,
            Slot::HANDED_OUT => State::HandedOut,
            Slot::PUT_OFF => State::PutOff,
            Slot::ENDED => State::Ended,
            Slot::CUT => State::Cut,
            Slot::INFEASIBLE => State::Infeasible,
            Slot::UNKNOWN => State::Unknown,
            Slot::DIVERGED => State::Diverged,
            Slot::DEAD => State::Dead,
            Slot::DONE => State::Done,
            Slot::DROPPED => State::Dropped,
            Slot(number) => State::Taken(NodeId(number - Slot::FIRST_CHILD)),
        }
    }
}

/// A decision. `case` was the first to reach it, as event `event`, with the prefix hash `before`.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) before: u64,
    pub(super) site: Site,
    pub(super) case: CaseId,
    pub(super) event: u32,
    pub(super) depth: u32,
    parent: u32,
    variant: u32,
    /// The two sides, or the position of their slots in the pool.
    slots: [Slot; 2],
    parent_side: u16,
    pub(super) n_sides: u16,
    pub(super) n_open: u16,
    pub(super) kind: EventKind,
    /// `ENDED_BEFORE`, `INEXACT`, and in the higher bits the distance.
    flags: u8,
}

/// A path also ended just before this decision.
const ENDED_BEFORE: u8 = 1;
/// The case has other events than the nodes above: the same decisions, but different concretisations between them.
const INEXACT: u8 = 2;
/// Position of the distance in the flags, chosen so that [`MAX_DISTANCE`] fits.
const DISTANCE_SHIFT: u32 = 2;
const _: () = assert!(MAX_DISTANCE == u8::MAX >> DISTANCE_SHIFT);

const _: () = assert!(size_of::<Node>() == 48);

const NONE: u32 = u32::MAX;

impl Node {
    /// The branch side that leads here.
    pub(super) fn parent(&self) -> Option<OpenBranch> {
        let branch = OpenBranch { node: NodeId(self.parent), side_index: self.parent_side };
        (self.parent != NONE).then_some(branch)
    }

    /// Another decision that was seen at the same point of the path, because the unit does not depend on its inputs
    /// alone.
    pub(super) fn variant(&self) -> Option<NodeId> {
        (self.variant != NONE).then_some(NodeId(self.variant))
    }

    pub(super) fn set_variant(&mut self, variant: Option<NodeId>) {
        self.variant = variant.map_or(NONE, |variant| variant.0);
    }

    /// See [`Decision::distance`].
    pub(super) fn distance(&self) -> u8 {
        self.flags >> DISTANCE_SHIFT
    }

    pub(super) fn is_exact(&self) -> bool {
        self.flags & INEXACT == 0
    }

    /// Records that a path ended just before this decision. Returns true if this was already known.
    pub(super) fn mark_ended_before(&mut self) -> bool {
        let marked = self.flags & ENDED_BEFORE != 0;
        self.flags |= ENDED_BEFORE;
        marked
    }

    /// True if the run's decision is the same as this one.
    pub(super) fn is(&self, decision: &Decision) -> bool {
        self.site == decision.site && self.kind == decision.kind && self.n_sides == shape(decision)
    }
}

/// Number of sides of a decision. It is larger than stated if the decision took a side beyond this number.
fn shape(decision: &Decision) -> u16 {
    decision.n_sides.max(decision.side_index.saturating_add(1))
}

#[cfg(test)]
thread_local! {
    /// Number of sides that were looked at: the cost of strategies, independent of the test machine.
    pub(crate) static N_LOOKS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    pool: Vec<Slot>,
}

impl Arena {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn pool_bytes(&self) -> u64 {
        size_of_val(self.pool.as_slice()) as u64
    }

    /// Keeps the nodes that have a new number, in the same order. Slots and variants already use the new numbers.
    pub(super) fn keep(&mut self, new: &[Option<NodeId>]) {
        let mut kept = Arena::default();
        for (mut node, _) in std::mem::take(&mut self.nodes).into_iter().zip(new).filter(|(_, new)| new.is_some()) {
            if node.parent != NONE {
                node.parent = new[node.parent as usize].map_or(NONE, |parent| parent.0);
            }
            if node.n_sides > 2 {
                let first = node.slots[0].0 as usize;
                node.slots[0] = Slot(kept.pool.len() as u32);
                kept.pool.extend(&self.pool[first..first + node.n_sides as usize]);
            }
            kept.nodes.push(node);
        }
        *self = kept;
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub(super) fn slot(&self, branch: OpenBranch) -> Slot {
        #[cfg(test)]
        N_LOOKS.set(N_LOOKS.get() + 1);
        let node = self.get(branch.node);
        if node.n_sides <= 2 {
            node.slots[branch.side_index as usize]
        } else {
            self.pool[node.slots[0].0 as usize + branch.side_index as usize]
        }
    }

    pub(super) fn slot_mut(&mut self, branch: OpenBranch) -> &mut Slot {
        let node = &mut self.nodes[branch.node.0 as usize];
        if node.n_sides <= 2 {
            &mut node.slots[branch.side_index as usize]
        } else {
            &mut self.pool[node.slots[0].0 as usize + branch.side_index as usize]
        }
    }

    /// Adds a decision with all sides open. No side points to it yet. `exact`: `case` had the events of all nodes
    /// above.
    pub(super) fn push(
        &mut self,
        decision: &Decision,
        case: CaseId,
        parent: Option<OpenBranch>,
        exact: bool,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        assert!(id.0 < NONE - Slot::FIRST_CHILD, "the execution tree has {} nodes and is full", id.0);
        let n_sides = shape(decision);
        let mut slots = [Slot::OPEN; 2];
        if n_sides > 2 {
            slots[0] = Slot(self.pool.len() as u32);
            self.pool.resize(self.pool.len() + n_sides as usize, Slot::OPEN);
        }
        self.nodes.push(Node {
            before: decision.before,
            site: decision.site,
            case,
            event: decision.event,
            depth: parent.map_or(0, |branch| self.get(branch.node).depth + 1),
            parent: parent.map_or(NONE, |branch| branch.node.0),
            variant: NONE,
            slots,
            parent_side: parent.map_or(0, |branch| branch.side_index),
            n_sides,
            n_open: n_sides,
            kind: decision.kind,
            flags: decision.distance.min(MAX_DISTANCE) << DISTANCE_SHIFT | if exact { 0 } else { INEXACT },
        });
        id
    }

    pub(super) fn add_variant(&mut self, of: NodeId, variant: NodeId) {
        self.get_mut(variant).variant = self.get(of).variant;
        self.get_mut(of).variant = variant.0;
    }
}
