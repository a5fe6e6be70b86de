//! The open decisions, and the order of those that wait.
//!
//! Aliasing choices wait until no branch is open, because branches that compare pointers already request most of the
//! relevant aliasing. In call sequences each further call is a choice. Short sequences are explored before longer ones, so
//! that an error is shown with a short sequence, and a state is mostly first reached with the most calls left.
//!
//! The failure of a call is tried once per place of the call without waiting. On other paths it is mostly handled in
//! the same way, so it waits there.

use std::collections::{BTreeSet, VecDeque};

use tine_trace::event::{EventKind, Site};

use super::random::Random;
use crate::tree::{Inserted, NodeId, OpenBranch, Renumbered, Tree};

/// Decisions that wait until no branch is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Later {
    /// Aliasing choices, the next on top, each with the side to look at next.
    aliasing_choices: VecDeque<(NodeId, u16)>,
    failing: VecDeque<NodeId>,
    choices: VecDeque<NodeId>,
    /// Places of failing calls for which one decision has been passed on without waiting.
    offered: BTreeSet<Site>,
    /// True if choices are explored level by level.
    by_calls: bool,
}

impl Later {
    pub(super) fn new(by_calls: bool) -> Later {
        Later { by_calls, ..Later::default() }
    }

    /// True if this decision waits.
    pub(super) fn waits(&self, node: NodeId, tree: &Tree) -> bool {
        match tree.node(node).kind {
            EventKind::Aliasing | EventKind::Failing => true,
            EventKind::Choice => self.by_calls,
            _ => false,
        }
    }

    /// Stores those of a run's new decisions that wait, and returns the others that have open sides, in order of depth.
    pub(super) fn sift(&mut self, inserted: &Inserted, tree: &Tree) -> Vec<NodeId> {
        let mut rest = Vec::new();
        for node in inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            match tree.node(node).kind {
                EventKind::Aliasing => self.aliasing_choices.push_back((node, 0)),
                EventKind::Failing if !self.offered.insert(tree.node(node).site) => self.failing.push_back(node),
                EventKind::Choice if self.by_calls => self.choices.push_back(node),
                _ => rest.push(node),
            }
        }
        rest
    }

    pub(super) fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        let choices = self.aliasing_choices.iter().filter_map(|(node, from)| Some((renumbered.open(*node)?, *from)));
        self.aliasing_choices = choices.collect();
        self.failing = self.failing.iter().filter_map(|node| renumbered.open(*node)).collect();
        self.choices = self.choices.iter().filter_map(|node| renumbered.open(*node)).collect();
    }

    /// True if further calls of a sequence wait.
    pub(super) fn has_calls(&self) -> bool {
        !self.choices.is_empty()
    }

    /// True if the decision is the choice of a further call.
    pub(super) fn is_call(&self, node: NodeId, tree: &Tree) -> bool {
        self.by_calls && tree.node(node).kind == EventKind::Choice
    }

    /// Returns the next choice of a further call.
    pub(super) fn next_call(&mut self, tree: &Tree) -> Option<OpenBranch> {
        next_in_line(&mut self.choices, tree)
    }

    pub(super) fn next(&mut self, tree: &Tree) -> Option<OpenBranch> {
        if let Some(branch) = next_on_top(&mut self.aliasing_choices, tree) {
            return Some(branch);
        }
        next_in_line(&mut self.failing, tree).or_else(|| next_in_line(&mut self.choices, tree))
    }
}

/// Returns the next open side of the first decision in a queue that has one.
fn next_in_line(queue: &mut VecDeque<NodeId>, tree: &Tree) -> Option<OpenBranch> {
    while let Some(node) = queue.front() {
        if let Some(branch) = tree.next_open(*node, 0) {
            return Some(branch);
        }
        queue.pop_front();
    }
    None
}

/// Returns the next open side of the last decision on a stack that has one.
pub(super) fn next_on_top(stack: &mut VecDeque<(NodeId, u16)>, tree: &Tree) -> Option<OpenBranch> {
    while let Some((node, from)) = stack.back_mut() {
        if let Some(branch) = tree.next_open(*node, *from) {
            *from = branch.side_index + 1;
            return Some(branch);
        }
        stack.pop_back();
    }
    None
}

/// All open branches, to draw from.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    /// May contain decisions without open sides, which are removed when they are drawn.
    branches: Vec<NodeId>,
    later: Later,
}

impl Frontier {
    pub(super) fn new(by_calls: bool) -> Frontier {
        Frontier { branches: Vec::new(), later: Later::new(by_calls) }
    }

    pub(super) fn add(&mut self, inserted: &Inserted, tree: &Tree) {
        let nodes = self.later.sift(inserted, tree);
        self.branches.extend(nodes);
    }

    pub(super) fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        renumbered.retain(&mut self.branches);
        self.later.renumbered(renumbered);
    }

    /// True if a decision has to wait.
    pub(super) fn waits(&self, node: NodeId, tree: &Tree) -> bool {
        self.later.waits(node, tree)
    }

    /// Returns any open branch, each decision with equal probability. Returns a waiting one if there is no other.
    pub(super) fn draw(&mut self, random: &mut Random, tree: &Tree) -> Option<OpenBranch> {
        while !self.branches.is_empty() {
            let place = random.below(self.branches.len());
            if let Some(branch) = draw_side(self.branches[place], random, tree) {
                return Some(branch);
            }
            self.branches.swap_remove(place);
        }
        self.later.next(tree)
    }
}

/// Returns any open side of a decision.
pub(super) fn draw_side(node: NodeId, random: &mut Random, tree: &Tree) -> Option<OpenBranch> {
    let first = tree.next_open(node, 0)?;
    let n_sides = tree.node(node).n_sides;
    if n_sides == 2 {
        return Some(first);
    }
    // Start at a random side and wrap around: cheap, and close enough to uniform.
    let from = random.below(n_sides as usize) as u16;
    Some(tree.next_open(node, from).unwrap_or(first))
}
