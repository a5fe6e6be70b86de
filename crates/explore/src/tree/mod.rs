//! The execution tree: every decision of every run, and its open sides.
//!
//! ```text
//!                 ●  x > 2          a node is a decision, reached by one sequence of decisions
//!           false ╱ ╲ true
//!            Ended   ●  y == 2789
//!              false ╱ ╲ true
//!              Ended    Open        a job flips to here: parent's case, index of its event
//! ```
//! The tree holds no inputs. For every case it counts the open sides of the nodes that the case made. It reports cases
//! without open sides, so that the store of inputs can drop them ([`Tree::take_released`]).
//!
//! No operation has to search the whole tree: a run that went as predicted costs time for its new nodes only.

mod arena;
mod compact;
mod insert;

use std::collections::BTreeMap;

use tine_trace::event::{EventKind, Site};

use crate::job::{CaseId, Flip};
use arena::{Arena, Slot};

#[cfg(test)]
pub(crate) use arena::N_LOOKS;
pub use arena::NodeId;
pub use compact::Renumbered;
pub use insert::{Divergence, Inserted, Path};

/// A side of a node that a strategy may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpenBranch {
    pub node: NodeId,
    pub side_index: u16,
}

/// State of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Not tried yet.
    Open,
    /// An executor is trying it.
    HandedOut,
    /// Taken, and followed by this node.
    Taken(NodeId),
    /// Taken, and followed by no further decision.
    Ended,
    /// Taken, and the rest of the path was cut off by a bound.
    Cut,
    /// Infeasible.
    Infeasible,
    /// The solver did not decide.
    Unknown,
    /// A run that was computed for the side diverged.
    Diverged,
    /// The side only rejects the input, so it is never a goal.
    Dead,
    /// The subtree after it is explored and folded.
    Done,
    /// Given up because the tree was too large.
    Dropped,
    /// Open, but to be tried only when nothing else is open.
    PutOff,
}

/// Reason why a side that was handed out was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Untaken {
    Infeasible,
    Unknown,
    Diverged,
    /// A bound excludes it.
    Cut,
}

/// A decision as strategies see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeView {
    pub kind: EventKind,
    pub site: Site,
    /// Number of decisions before it on its path.
    pub depth: u32,
    pub n_sides: u16,
    /// See [`crate::job::Decision::distance`].
    pub distance: u8,
    /// The preceding side; `None` at the start.
    pub parent: Option<OpenBranch>,
    /// The first case that reached the decision.
    pub case: CaseId,
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct Tree {
    arena: Arena,
    /// The first decision.
    root: Slot,
    max_depth: u32,
    /// Number of sides that are open, put off or handed out.
    n_open: u64,
    /// For each case: the number of references (open sides of its nodes, jobs that have it as parent, and one if it is
    /// the last case), and the size of its inputs in bytes.
    cases: Vec<(u32, u32)>,
    /// Size of the inputs of all needed cases.
    input_bytes: u64,
    /// Sides of folded decisions. The value is true if the side was infeasible everywhere.
    gone: BTreeMap<(Site, u16), bool>,
    released: Vec<CaseId>,
    /// The last run of the current worker, and those of the other workers by number.
    last: Last,
    parked: Vec<Last>,
    worker: usize,
}

/// The last run of a worker.
#[derive(Clone, Debug, Default)]
struct Last {
    case: Option<CaseId>,
    /// Nodes of the run's path.
    path: Vec<NodeId>,
    /// Number of these nodes that the run reached by exactly the same events as the node's first run.
    exact: usize,
}

impl Tree {
    /// Creates a tree that holds the first `max_depth` decisions of each path.
    pub fn new(max_depth: Option<u32>) -> Tree {
        Tree {
            arena: Arena::default(),
            root: Slot::OPEN,
            max_depth: max_depth.unwrap_or(u32::MAX),
            n_open: 0,
            cases: Vec::new(),
            input_bytes: 0,
            gone: BTreeMap::new(),
            released: Vec::new(),
            last: Last::default(),
            parked: Vec::new(),
            worker: 0,
        }
    }

    /// Number of decisions.
    pub fn n_nodes(&self) -> usize {
        self.arena.len()
    }

    /// Number of sides without a result: open, put off or handed out.
    pub fn n_open(&self) -> u64 {
        self.n_open
    }

    /// All decisions, in the order of runs.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.arena.len() as u32).map(NodeId)
    }

    /// A decision as strategies see it.
    pub fn node(&self, id: NodeId) -> NodeView {
        let node = self.arena.get(id);
        NodeView {
            kind: node.kind,
            site: node.site,
            depth: node.depth,
            n_sides: node.n_sides,
            distance: node.distance(),
            parent: node.parent(),
            case: node.case,
        }
    }

    /// The first decision, once a run has made one.
    pub fn root(&self) -> Option<NodeId> {
        self.root.child()
    }

    /// State of a side.
    pub fn state(&self, branch: OpenBranch) -> State {
        self.arena.slot(branch).state()
    }

    /// True if the side exists, open or not.
    pub fn has(&self, branch: OpenBranch) -> bool {
        (branch.node.0 as usize) < self.arena.len() && branch.side_index < self.arena.get(branch.node).n_sides
    }

    /// True if the side has not been tried yet.
    pub fn is_open(&self, branch: OpenBranch) -> bool {
        self.arena.slot(branch) == Slot::OPEN
    }

    /// Makes a worker the current one: subsequent runs and jobs belong to it.
    pub fn switch_to(&mut self, worker: usize) {
        if worker != self.worker {
            let n_workers = self.parked.len().max(worker + 1).max(self.worker + 1);
            self.parked.resize_with(n_workers, Last::default);
            std::mem::swap(&mut self.last, &mut self.parked[self.worker]);
            std::mem::swap(&mut self.last, &mut self.parked[worker]);
            self.worker = worker;
        }
    }

    /// Nodes of the last run's path, in order.
    pub fn last_path(&self) -> &[NodeId] {
        &self.last.path
    }

    /// Sets an open side aside: searches skip it, but it stays open.
    pub fn put_off(&mut self, branch: OpenBranch) {
        assert!(self.is_open(branch), "{branch:?} is not open");
        *self.arena.slot_mut(branch) = Slot::PUT_OFF;
    }

    /// Makes a side that was set aside available again, if it is still open.
    pub fn put_back(&mut self, branch: OpenBranch) -> bool {
        let is_put_off = self.arena.slot(branch) == Slot::PUT_OFF;
        if is_put_off {
            *self.arena.slot_mut(branch) = Slot::OPEN;
        }
        is_put_off
    }

    /// Number of sides of `node` that are open, put off or handed out.
    pub fn n_open_of(&self, node: NodeId) -> u16 {
        self.arena.get(node).n_open
    }

    /// Returns the first open side of `node`, starting at `from`.
    pub fn next_open(&self, node: NodeId, from: u16) -> Option<OpenBranch> {
        let record = self.arena.get(node);
        if record.n_open == 0 {
            return None;
        }
        (from..record.n_sides)
            .map(|side_index| OpenBranch { node, side_index })
            .find(|branch| self.arena.slot(*branch) == Slot::OPEN)
    }

    /// Gives an open side to an executor. The job ends with [`Tree::insert`] or [`Tree::resolve`], then
    /// [`Tree::take_back`].
    ///
    /// The parent is the worker's last run if that went through the node, because the worker has its trace at hand.
    /// Otherwise it is the case that made the node.
    pub fn hand_out(&mut self, branch: OpenBranch) -> Flip {
        let slot = self.arena.slot_mut(branch);
        assert_eq!(*slot, Slot::OPEN, "{branch:?} is not open");
        *slot = Slot::HANDED_OUT;
        let node = self.arena.get(branch.node);
        let depth = node.depth as usize;
        let flip = Flip {
            parent: match &self.last {
                Last { case: Some(last), path, exact } if depth < *exact && path[depth] == branch.node => *last,
                _ => node.case,
            },
            decision: node.event,
            side_index: branch.side_index,
            site: node.site,
            before: node.before,
        };
        self.refer(flip.parent, 1);
        flip
    }

    /// Ends a job. Its parent may then be released.
    pub fn take_back(&mut self, flip: &Flip) {
        self.unrefer(flip.parent);
    }

    /// Records that a side which was handed out, for the first time or again, was not taken. If another run took it
    /// meanwhile, that result counts.
    pub fn resolve(&mut self, branch: OpenBranch, why: Untaken) {
        if matches!(self.arena.slot(branch), Slot::HANDED_OUT | Slot::UNKNOWN) {
            let slot = match why {
                Untaken::Infeasible => Slot::INFEASIBLE,
                Untaken::Unknown => Slot::UNKNOWN,
                Untaken::Diverged => Slot::DIVERGED,
                Untaken::Cut => Slot::CUT,
            };
            self.set(branch, slot);
        }
    }

    /// Sides of folded decisions. The flag is true if the side was infeasible everywhere.
    pub fn gone(&self) -> impl Iterator<Item = (Site, u16, bool)> + '_ {
        self.gone.iter().map(|((site, side_index), in_vain)| (*site, *side_index, *in_vain))
    }

    /// Cases that jobs will no longer name as parent, since the last call.
    pub fn take_released(&mut self) -> Vec<CaseId> {
        debug_assert!(!self.released.iter().any(|case| self.is_needed(*case)), "released, but needed");
        std::mem::take(&mut self.released)
    }

    /// True if a job may still name this case as parent.
    pub fn is_needed(&self, case: CaseId) -> bool {
        self.cases.get(case.0 as usize).is_some_and(|(count, _)| *count > 0)
    }

    /// Changes a slot and updates the number of open sides.
    fn set(&mut self, branch: OpenBranch, new: Slot) {
        let old = std::mem::replace(self.arena.slot_mut(branch), new);
        if old.is_open() && !new.is_open() {
            let node = self.arena.get_mut(branch.node);
            node.n_open -= 1;
            let case = node.case;
            self.n_open -= 1;
            self.unrefer(case);
        }
    }

    /// Stores the size of a case's inputs, which are kept while it is needed. Must be called before it is referred to.
    fn set_size(&mut self, case: CaseId, bytes: u32) {
        let index = case.0 as usize;
        if index >= self.cases.len() {
            self.cases.resize(index + 1, (0, 0));
        }
        self.cases[index].1 = bytes;
    }

    fn refer(&mut self, case: CaseId, count: u32) {
        let known = &mut self.cases[case.0 as usize];
        if known.0 == 0 {
            self.input_bytes += u64::from(known.1) + compact::BYTES_OF_CASE;
        }
        known.0 += count;
    }

    fn unrefer(&mut self, case: CaseId) {
        let known = &mut self.cases[case.0 as usize];
        known.0 -= 1;
        if known.0 == 0 {
            self.input_bytes -= u64::from(known.1) + compact::BYTES_OF_CASE;
            self.released.push(case);
        }
    }
}
