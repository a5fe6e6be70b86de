//! Strategies choose the next open decision.
//!
//! They see the tree, the program map and coverage. They are informed of the additions of each run, so that none of
//! them needs to search the tree. [`catalogue`] lists them by name, with their options.
//!
//! All orders give the same result: a strategy is called until nothing is open, so that each of them gives the same
//! paths and the same verdict if it may run to the end. Only [`RandomInput`] does not solve, and its verdict states
//! this. [`frontier`] contains the common order: branches first, then aliasing choices, then further calls.

pub mod catalogue;
mod costs;
mod frontier;
mod hopes;
mod random;

mod auto;
mod bfs;
mod bounded_dfs;
mod cfg;
mod dfs;
mod generational;
mod priority;
mod probabilistic;
mod random_branch;
mod random_input;
mod random_path;
mod random_search;
mod rare;
mod spec;
mod targeted;
mod uncovered;
pub mod weights;

use crate::coverage::Coverage;
use crate::map::{ProgramMap, SideId};
use crate::tree::{Inserted, OpenBranch, Renumbered, Tree, Untaken};

pub use auto::Auto;
pub use bfs::Bfs;
pub use bounded_dfs::BoundedDfs;
pub use catalogue::{Situation, Spec, SpecError};
pub use cfg::Cfg;
pub use dfs::Dfs;
pub use generational::Generational;
pub use priority::Priority;
pub use probabilistic::Probabilistic;
pub use random::Random;
pub use random_branch::RandomBranch;
pub use random_input::RandomInput;
pub use random_path::RandomPath;
pub use random_search::RandomSearch;
pub use rare::Rare;
pub use spec::NearViolation;
pub use targeted::Targeted;
pub use uncovered::Uncovered;

pub trait Strategy: Send {
    /// Name in `--strategy`.
    fn name(&self) -> &'static str;

    /// Name of the strategy that chose the last job: this one, or a part of it.
    fn asking(&self) -> &'static str {
        self.name()
    }

    /// Returns an open side of the tree, or `None` if the strategy has no further choice.
    fn next(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch>;

    /// Returns a branch for a worker whose own strategy has none: one that this strategy would not choose soon.
    fn next_for_another(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        self.next(tree, map, coverage)
    }

    /// Decides whether a branch that this strategy has chosen can wait.
    fn puts_off(&mut self, branch: OpenBranch, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> PutOff {
        let _ = (branch, tree, map, coverage);
        PutOff::No
    }

    /// Called before [`Strategy::next`]. True if a branch that was [`PutOff::ForItsCost`] must be tried now.
    fn affords(&mut self, branch: OpenBranch, tree: &Tree) -> bool {
        let _ = (branch, tree);
        false
    }

    /// Called before [`Strategy::next`]. Returns the seed of a new input to run instead of solving for an open
    /// decision.
    fn fresh(&mut self) -> Option<u64> {
        None
    }

    /// Called after a run was put into the tree and counted.
    fn inserted(&mut self, added: &Added<'_>);

    /// Called after the tree was compacted. Decisions have new numbers, and those that were removed have no open sides.
    fn renumbered(&mut self, renumbered: &Renumbered<'_>);

    /// Called if the target of a job was not reached.
    fn untaken(&mut self, branch: OpenBranch, why: Untaken) {
        let _ = (branch, why);
    }
}

/// Decision whether a branch can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOff {
    No,
    /// Until the strategy can afford it, or nothing else is open.
    ForItsCost,
    /// Until nothing else is open.
    ToTheEnd,
}

/// Additions of a run. The path of the run is [`Tree::last_path`].
#[derive(Clone, Copy, Debug)]
pub struct Added<'a> {
    pub inserted: &'a Inserted,
    /// True if this strategy chose the run, not another one on the same tree.
    pub own: bool,
    /// True if the run reached its time limit.
    pub is_slow: bool,
    /// Sides of user branches first covered by the run.
    pub covered: &'a [SideId],
    /// Number of states of specifications first reached by the run.
    pub n_states: usize,
    pub tree: &'a Tree,
    pub map: &'a ProgramMap,
    /// Coverage including this run.
    pub coverage: &'a Coverage,
}

#[cfg(test)]
mod availability_tests;
