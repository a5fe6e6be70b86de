//! Inserts a run's path into the tree, and detects whether it followed its prediction.

use std::ops::Range;

use tine_trace::event::Site;

use super::arena::{NodeId, Slot};
use super::{OpenBranch, Tree};
use crate::job::{CaseId, Decision, Prefix};

/// The path of a run.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    pub case: CaseId,
    /// Bytes of its inputs.
    pub size: u32,
    pub prefix: Prefix,
    pub decisions: &'a [Decision],
    /// Target of the run; `None` for an initial run.
    pub target: Option<OpenBranch>,
    /// True if the log is shorter than the path. Its early end does not contradict a longer path then.
    pub truncated: bool,
}

/// Additions of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// True if no earlier run took this path.
    pub new: bool,
    /// Nodes that the path added, in order of depth.
    pub new_nodes: Range<u32>,
    pub divergence: Option<Divergence>,
    /// The first decision beyond the depth bound, if any.
    pub cut: Option<Site>,
}

impl Inserted {
    /// New decisions of the run, in order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.new_nodes.clone().map(NodeId)
    }
}

/// A run did not take its predicted path, or behaved differently than an earlier run on the same path. After a
/// concretisation, runs on the same path may differ because they may have had other values there. The concretisation is
/// counted, and such a difference is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The decision at which the run left the prediction.
    pub site: Site,
}

/// Position of the walk: the side taken last, or `None` before the first decision.
type Position = Option<OpenBranch>;

impl Tree {
    /// Inserts a run. `dead` names the side of a decision that only rejects the input, if there is one.
    ///
    /// # Panics
    /// If `prefix` claims that the run went as predicted but its hash differs: a bug of the executor.
    pub fn insert(&mut self, path: &Path<'_>, dead: impl Fn(&Decision) -> Option<u16>) -> Inserted {
        let first_new = self.arena.len() as u32;
        self.set_size(path.case, path.size);
        // Must come first, so that the case is not released when the sides that it opens are closed again during the
        // walk.
        self.make_last(path.case);
        let (mut at, rest, mut divergence) = self.start(path);
        let (mut cut, mut concretised) = (None, false);
        for decision in rest {
            if self.last.path.len() >= self.max_depth as usize {
                cut = Some(decision.site);
                break;
            }
            // A folded subtree is fully explored, so there is nothing new in it.
            if self.slot_at(at) == Slot::DONE {
                break;
            }
            concretised = decision.follows_concretisation(self.last.path.len());
            let node = match self.slot_at(at).child() {
                Some(first) => self.find_variant(first, decision),
                None => None,
            };
            let node = match node {
                Some(known) => known,
                None => {
                    let (node, contradicts) = self.grow(at, decision, path.case, &dead);
                    if contradicts && !concretised && divergence.is_none() {
                        divergence = Some(Divergence { site: decision.site });
                    }
                    node
                }
            };
            let record = self.arena.get(node);
            if self.last.exact == self.last.path.len()
                && record.event == decision.event
                && record.before == decision.before
            {
                self.last.exact += 1;
            }
            self.last.path.push(node);
            at = Some(OpenBranch { node, side_index: decision.side_index });
        }
        let (new, contradicts) = self.end(at, path.truncated || cut.is_some());
        if contradicts && !concretised && divergence.is_none() {
            divergence = Some(Divergence { site: at.map_or(Site::NONE, |branch| self.arena.get(branch.node).site) });
        }
        Inserted { new, new_nodes: first_new..self.arena.len() as u32, divergence, cut }
    }

    /// Records a run that ended in a folded subtree, so that nothing of it is new.
    pub fn insert_known(&mut self, case: CaseId, size: u32) -> Inserted {
        self.set_size(case, size);
        self.last.path.clear();
        self.last.exact = 0;
        self.make_last(case);
        let n_nodes = self.arena.len() as u32;
        Inserted { new: false, new_nodes: n_nodes..n_nodes, divergence: None, cut: None }
    }

    /// Returns the start of the walk. It is after the target if the run's hash there is the predicted one, because the
    /// decisions before it are then known. Otherwise it is the root.
    fn start<'a>(&mut self, path: &Path<'a>) -> (Position, &'a [Decision], Option<Divergence>) {
        let Some(target) = path.target else {
            assert_eq!(path.prefix, Prefix::Whole, "a run without a target has no parent");
            self.last.path.clear();
            self.last.exact = 0;
            return (None, path.decisions, None);
        };
        let node = self.arena.get(target.node);
        let index = match path.prefix {
            Prefix::Whole => node.depth as usize,
            Prefix::Parent => 0,
        };
        let followed = path.decisions.get(index).is_some_and(|decision| {
            (decision.event, decision.before, decision.side_index) == (node.event, node.before, target.side_index)
                && (decision.site, decision.kind) == (node.site, node.kind)
        });
        if followed {
            // The hash does not include the number of sides that a choice had in this run.
            let divergence = (!node.is(&path.decisions[index])).then_some(Divergence { site: node.site });
            self.climb(target.node);
            return (Some(target), &path.decisions[index + 1..], divergence);
        }
        assert_eq!(
            path.prefix,
            Prefix::Whole,
            "case {} was said to go as predicted, but decided {:?} instead of {target:?}",
            path.case,
            path.decisions.first()
        );
        self.climb(target.node);
        let site = self.first_difference(path.decisions, target);
        self.last.path.clear();
        self.last.exact = 0;
        (None, path.decisions, Some(Divergence { site }))
    }

    /// Makes `node` the end of the current path.
    fn climb(&mut self, node: NodeId) {
        let depth = self.arena.get(node).depth as usize;
        if self.last.path.get(depth) != Some(&node) {
            self.last.path.resize(depth + 1, node);
            let mut at = node;
            for place in self.last.path.iter_mut().rev() {
                *place = at;
                at = self.arena.get(at).parent().map_or(at, |branch| branch.node);
            }
        }
        self.last.path.truncate(depth + 1);
        self.last.exact = if self.arena.get(node).is_exact() { depth + 1 } else { 0 };
    }

    /// Returns the first expected decision that the run did not take as expected. The current path ends at the target.
    fn first_difference(&self, decisions: &[Decision], target: OpenBranch) -> Site {
        for (depth, node) in self.last.path.iter().enumerate() {
            let expected = match self.last.path.get(depth + 1) {
                Some(next) => self.arena.get(*next).parent().map(|branch| branch.side_index),
                None => Some(target.side_index),
            };
            let node = self.arena.get(*node);
            let agrees = decisions.get(depth).is_some_and(|decision| {
                node.is(decision) && node.before == decision.before && Some(decision.side_index) == expected
            });
            if !agrees {
                return node.site;
            }
        }
        self.arena.get(target.node).site
    }

    fn slot_at(&self, at: Position) -> Slot {
        at.map_or(self.root, |branch| self.arena.slot(branch))
    }

    fn set_at(&mut self, at: Position, slot: Slot) {
        match at {
            Some(branch) => self.set(branch, slot),
            None => self.root = slot,
        }
    }

    fn find_variant(&self, first: NodeId, decision: &Decision) -> Option<NodeId> {
        let mut at = Some(first);
        while let Some(node) = at {
            if self.arena.get(node).is(decision) {
                return at;
            }
            at = self.arena.get(node).variant();
        }
        None
    }

    /// Adds a node after `at`. Also returns whether it contradicts earlier runs.
    fn grow(
        &mut self,
        at: Position,
        decision: &Decision,
        case: CaseId,
        dead: impl Fn(&Decision) -> Option<u16>,
    ) -> (NodeId, bool) {
        let exact = self.last.exact == self.last.path.len();
        let node = self.arena.push(decision, case, at, exact);
        let n_sides = self.arena.get(node).n_sides;
        self.refer(case, u32::from(n_sides));
        self.n_open += u64::from(n_sides);
        if let Some(side_index) = dead(decision).filter(|dead| *dead < n_sides) {
            self.set(OpenBranch { node, side_index }, Slot::DEAD);
        }
        let slot = self.slot_at(at);
        if let Some(first) = slot.child() {
            self.arena.add_variant(first, node);
            return (node, true);
        }
        if slot == Slot::ENDED || slot == Slot::CUT {
            self.arena.get_mut(node).mark_ended_before();
        }
        self.set_at(at, Slot::taken(node));
        (node, slot == Slot::ENDED || slot == Slot::INFEASIBLE)
    }

    /// Ends the path after `at`. Returns whether the path is new, and whether it contradicts earlier runs.
    fn end(&mut self, at: Position, truncated: bool) -> (bool, bool) {
        let slot = self.slot_at(at);
        if let Some(child) = slot.child() {
            let seen = self.arena.get_mut(child).mark_ended_before();
            return (!seen, !truncated);
        }
        let seen = slot == Slot::ENDED || slot == Slot::CUT || slot == Slot::DONE;
        if !seen {
            self.set_at(at, if truncated { Slot::CUT } else { Slot::ENDED });
        }
        (!seen, slot == Slot::INFEASIBLE)
    }

    /// The last case stays available until the next one, because jobs prefer it as parent.
    fn make_last(&mut self, case: CaseId) {
        self.refer(case, 1);
        if let Some(before) = self.last.case.replace(case) {
            self.unrefer(before);
        }
    }
}
