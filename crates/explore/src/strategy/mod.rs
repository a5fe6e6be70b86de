//! Strategies answer one question: which open decision next?
//!
//! They see the tree, the program map and coverage, and are told what each run added, so that none of them needs to
//! search the tree. [`catalogue`] lists them by name, with their options.
//!
//! Whatever the order, the end is the same: a strategy is asked until nothing is open, so that each of them gives the
//! same paths and the same verdict when it may run to the end. [`RandomInput`] alone does not solve, and says so.
//! What two orders have in common is in [`frontier`]: branches first, then placements of pointers, then further calls.

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
use crate::map::{AlternativeId, ProgramMap};
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
    /// As in `--strategy`.
    fn name(&self) -> &'static str;

    /// Name of the strategy that asked for the last job: this one, or a part of it.
    fn asking(&self) -> &'static str {
        self.name()
    }

    /// An alternative of the tree that is open, or `None` if the strategy has no more to ask for.
    fn next(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch>;

    /// The same for a worker whose own strategy has nothing: something that this one would not ask for soon.
    fn next_for_another(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        self.next(tree, map, coverage)
    }

    /// Asked about what it asks for: whether that can wait.
    fn puts_off(&mut self, branch: OpenBranch, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> PutOff {
        let _ = (branch, tree, map, coverage);
        PutOff::No
    }

    /// Asked before [`Strategy::next`]: whether this, which was [`PutOff::ForItsCost`], must be done now.
    fn affords(&mut self, branch: OpenBranch, tree: &Tree) -> bool {
        let _ = (branch, tree);
        false
    }

    /// Asked before [`Strategy::next`]: the seed of a new input to run instead of solving for an open decision.
    fn fresh(&mut self) -> Option<u64> {
        None
    }

    /// A run was put into the tree and counted.
    fn inserted(&mut self, added: &Added<'_>);

    /// The tree was folded: decisions have new numbers, and those that are gone have nothing open.
    fn renumbered(&mut self, renumbered: &Renumbered<'_>);

    /// The target of a job was not reached.
    fn untaken(&mut self, branch: OpenBranch, why: Untaken) {
        let _ = (branch, why);
    }
}

/// True if something can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOff {
    No,
    /// Until its strategy affords it, or nothing else is open.
    ForItsCost,
    /// Until nothing else is open.
    ToTheEnd,
}

/// Additions of a run. Its path is [`Tree::last_path`].
#[derive(Clone, Copy, Debug)]
pub struct Added<'a> {
    pub inserted: &'a Inserted,
    /// This strategy asked for it, and not another that works on the same tree.
    pub own: bool,
    /// It came to the limit of time.
    pub is_slow: bool,
    /// Sides of user branches that it was the first to take.
    pub covered: &'a [AlternativeId],
    /// States of specifications that it was the first to reach.
    pub n_states: usize,
    pub tree: &'a Tree,
    pub map: &'a ProgramMap,
    /// With this run.
    pub coverage: &'a Coverage,
}

#[cfg(test)]
mod availability_tests;
