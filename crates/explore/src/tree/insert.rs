//! Putting a run's path into the tree, and telling whether it went where it was meant to.

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
    /// The log is shorter than the path was: that it ends where another went on is no contradiction.
    pub truncated: bool,
}

/// Additions of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// No run took this path before.
    pub new: bool,
    /// Nodes it made, in order of depth.
    pub new_nodes: Range<u32>,
    pub divergence: Option<Divergence>,
    /// The first decision beyond the depth bound, where there was one.
    pub cut: Option<Site>,
}

impl Inserted {
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.new_nodes.clone().map(NodeId)
    }
}

/// A run did not do what was predicted, or not what a run before did on the same path. Behind a value that was concretised, runs on
/// the same path may differ, since they may have had other values there: the pin is counted, this is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The decision where it left.
    pub site: Site,
}

/// Position of the walk: the alternative last taken, or before the first decision.
type Position = Option<OpenBranch>;

impl Tree {
    /// Puts a run in. `dead` names the alternative of a decision that only rejects, if there is one.
    ///
    /// # Panics
    /// If `prefix` claims that the run went as predicted and its hash says it did not: a bug of the executor.
    pub fn insert(&mut self, path: &Path<'_>, dead: impl Fn(&Decision) -> Option<u16>) -> Inserted {
        let first_new = self.arena.len() as u32;
        self.set_size(path.case, path.size);
        // At once, so that it is not released when what it opens is closed again on the way.
        self.make_last(path.case);
        let (mut at, rest, mut divergence) = self.start(path);
        let (mut cut, mut pinned) = (None, false);
        for decision in rest {
            if self.last.path.len() >= self.max_depth as usize {
                cut = Some(decision.site);
                break;
            }
            // What is folded was explored: nothing is new behind it.
            if self.slot_at(at) == Slot::DONE {
                break;
            }
            pinned = decision.is_behind_a_pin(self.last.path.len());
            let node = match self.slot_at(at).child() {
                Some(first) => self.find_variant(first, decision),
                None => None,
            };
            let node = match node {
                Some(known) => known,
                None => {
                    let (node, contradicts) = self.grow(at, decision, path.case, &dead);
                    if contradicts && !pinned && divergence.is_none() {
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
            at = Some(OpenBranch { node, alternative: decision.alternative });
        }
        let (new, contradicts) = self.end(at, path.truncated || cut.is_some());
        if contradicts && !pinned && divergence.is_none() {
            divergence = Some(Divergence { site: at.map_or(Site::NONE, |branch| self.arena.get(branch.node).site) });
        }
        Inserted { new, new_nodes: first_new..self.arena.len() as u32, divergence, cut }
    }

    /// A run that went where all is explored, and folded: nothing of it is new.
    pub fn insert_known(&mut self, case: CaseId, size: u32) -> Inserted {
        self.set_size(case, size);
        self.last.path.clear();
        self.last.exact = 0;
        self.make_last(case);
        let n_nodes = self.arena.len() as u32;
        Inserted { new: false, new_nodes: n_nodes..n_nodes, divergence: None, cut: None }
    }

    /// Where the walk begins: behind the target if the run's hash there is the predicted one (what lies
    /// before is known then), else at the root.
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
            (decision.event, decision.before, decision.alternative) == (node.event, node.before, target.alternative)
                && (decision.site, decision.kind) == (node.site, node.kind)
        });
        if followed {
            // The hash does not see how many alternatives a choice had this time.
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

    /// Makes `node` the last of the current path.
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

    /// The expected decision that the run did not take as expected. The current path leads to the target.
    fn first_difference(&self, decisions: &[Decision], target: OpenBranch) -> Site {
        for (depth, node) in self.last.path.iter().enumerate() {
            let expected = match self.last.path.get(depth + 1) {
                Some(next) => self.arena.get(*next).parent().map(|branch| branch.alternative),
                None => Some(target.alternative),
            };
            let node = self.arena.get(*node);
            let agrees = decisions.get(depth).is_some_and(|decision| {
                node.is(decision) && node.before == decision.before && Some(decision.alternative) == expected
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

    /// A new node behind `at`; whether that contradicts what was known.
    fn grow(
        &mut self,
        at: Position,
        decision: &Decision,
        case: CaseId,
        dead: impl Fn(&Decision) -> Option<u16>,
    ) -> (NodeId, bool) {
        let exact = self.last.exact == self.last.path.len();
        let node = self.arena.push(decision, case, at, exact);
        let n_alternatives = self.arena.get(node).n_alternatives;
        self.refer(case, u32::from(n_alternatives));
        self.n_open += u64::from(n_alternatives);
        if let Some(alternative) = dead(decision).filter(|dead| *dead < n_alternatives) {
            self.set(OpenBranch { node, alternative }, Slot::DEAD);
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

    /// The path ends behind `at`. Whether it is new, and whether it contradicts what was known.
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

    /// The last case stays retrievable until there is another: it is the parent that jobs prefer.
    fn make_last(&mut self, case: CaseId) {
        self.refer(case, 1);
        if let Some(before) = self.last.case.replace(case) {
            self.unrefer(before);
        }
    }
}
