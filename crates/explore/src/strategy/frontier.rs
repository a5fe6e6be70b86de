//! The open decisions, and what of them comes last.
//!
//! Placements of pointers come when no branch is open: most of what sharing can show, a branch that compares pointers
//! has asked for. In sequences of calls each further call is a choice: all short sequences come before longer ones, so that
//! an error comes with a shortest sequence, and a state is first met with the most calls left.
//!
//! That a call fails is tried once for each place that it is called from, wherever that comes; on other paths it is mostly handled in the
//! same way, and waits.

use std::collections::{BTreeSet, VecDeque};

use tine_trace::event::{EventKind, Site};

use super::random::Random;
use crate::tree::{Inserted, NodeId, OpenBranch, Renumbered, Tree};

/// Decisions that wait until no branch is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Later {
    /// The next on top, each with the alternative to look at next.
    placements: VecDeque<(NodeId, u16)>,
    failing: VecDeque<NodeId>,
    choices: VecDeque<NodeId>,
    /// Places of calls that may fail, of which one decision does not wait.
    offered: BTreeSet<Site>,
    /// Choices come one level after the other.
    by_calls: bool,
}

impl Later {
    pub(super) fn new(by_calls: bool) -> Later {
        Later { by_calls, ..Later::default() }
    }

    /// True if this decision waits.
    pub(super) fn waits(&self, node: NodeId, tree: &Tree) -> bool {
        match tree.node(node).kind {
            EventKind::Placement | EventKind::Failing => true,
            EventKind::Choice => self.by_calls,
            _ => false,
        }
    }

    /// Keeps what waits of a run's new decisions, and gives back the others that have something open, in order of depth.
    pub(super) fn sift(&mut self, inserted: &Inserted, tree: &Tree) -> Vec<NodeId> {
        let mut rest = Vec::new();
        for node in inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            match tree.node(node).kind {
                EventKind::Placement => self.placements.push_back((node, 0)),
                EventKind::Failing if !self.offered.insert(tree.node(node).site) => self.failing.push_back(node),
                EventKind::Choice if self.by_calls => self.choices.push_back(node),
                _ => rest.push(node),
            }
        }
        rest
    }

    pub(super) fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        let placements = self.placements.iter().filter_map(|(node, from)| Some((renumbered.open(*node)?, *from)));
        self.placements = placements.collect();
        self.failing = self.failing.iter().filter_map(|node| renumbered.open(*node)).collect();
        self.choices = self.choices.iter().filter_map(|node| renumbered.open(*node)).collect();
    }

    pub(super) fn next(&mut self, tree: &Tree) -> Option<OpenBranch> {
        if let Some(branch) = next_on_top(&mut self.placements, tree) {
            return Some(branch);
        }
        next_in_line(&mut self.failing, tree).or_else(|| next_in_line(&mut self.choices, tree))
    }
}

/// The next open alternative of the first decision in a queue that has one.
fn next_in_line(queue: &mut VecDeque<NodeId>, tree: &Tree) -> Option<OpenBranch> {
    while let Some(node) = queue.front() {
        if let Some(branch) = tree.next_open(*node, 0) {
            return Some(branch);
        }
        queue.pop_front();
    }
    None
}

/// The next open alternative of the last decision on a stack that has one.
pub(super) fn next_on_top(stack: &mut VecDeque<(NodeId, u16)>, tree: &Tree) -> Option<OpenBranch> {
    while let Some((node, from)) = stack.back_mut() {
        if let Some(branch) = tree.next_open(*node, *from) {
            *from = branch.alternative + 1;
            return Some(branch);
        }
        stack.pop_back();
    }
    None
}

/// All open branches, to draw from.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    /// Also some that have nothing open any more: they go when they are drawn.
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

    /// True if a branch is not to be asked for yet.
    pub(super) fn waits(&self, node: NodeId, tree: &Tree) -> bool {
        self.later.waits(node, tree)
    }

    /// Any open branch, each decision as likely as the other; what waits if there is none.
    pub(super) fn draw(&mut self, random: &mut Random, tree: &Tree) -> Option<OpenBranch> {
        while !self.branches.is_empty() {
            let place = random.below(self.branches.len());
            if let Some(branch) = draw_alternative(self.branches[place], random, tree) {
                return Some(branch);
            }
            self.branches.swap_remove(place);
        }
        self.later.next(tree)
    }
}

/// Any open alternative of a decision.
pub(super) fn draw_alternative(node: NodeId, random: &mut Random, tree: &Tree) -> Option<OpenBranch> {
    let first = tree.next_open(node, 0)?;
    let n_alternatives = tree.node(node).n_alternatives;
    if n_alternatives == 2 {
        return Some(first);
    }
    // From a random one on, round about: cheap, and close enough to uniform.
    let from = random.below(n_alternatives as usize) as u16;
    Some(tree.next_open(node, from).unwrap_or(first))
}
