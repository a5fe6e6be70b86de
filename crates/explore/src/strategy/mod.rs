//! Strategies choose the next open decision.
//!
//! They see the tree, the program map and coverage. They are informed of the additions of each run, so that none of
//! them needs to search the tree. [`catalogue`] lists them by name, with their options. [`classic`] has strategies of
//! papers that no other strategy is composed of.
//!
//! All orders give the same result: a strategy is called until nothing is open, so that each of them gives the same
//! paths and the same verdict if it may run to the end. Only [`classic::RandomInput`] does not solve, and its verdict states
//! this. `frontier` contains the common order: branches first, then aliasing choices, then further calls.

pub mod catalogue;
mod cost_limit;
mod failure_limit;
mod frontier;
mod random;

mod auto;
mod cfg;
pub mod classic;
mod dfs;
mod generational;
mod priority;
mod random_branch;
mod random_path;
mod random_search;
mod rare;
mod spec;
mod targeted;
mod uncovered;

use tine_trace::event::Site;

use crate::coverage::Coverage;
use crate::map::{ProgramMap, SideId};
use crate::tree::{Inserted, OpenBranch, Renumbered, Tree, Untaken};

pub use auto::{PARTS, auto};
pub use catalogue::{Situation, Spec, SpecError};
pub use cfg::Cfg;
pub use dfs::Dfs;
pub use generational::Generational;
pub use priority::Priority;
pub use random::Random;
pub use random_branch::RandomBranch;
pub use random_path::RandomPath;
pub use random_search::RandomSearch;
pub use rare::Rare;
pub use spec::NearViolation;
pub use targeted::Targeted;
pub use uncovered::Uncovered;

/// A search strategy. Strategies compose: [`auto`] shares the choices among several, and its limits
/// (`failure_limit.rs`, `cost_limit.rs`) are strategies around another one.
pub trait Strategy: Send {
    /// Name in `--strategy`.
    fn name(&self) -> &'static str;

    /// Returns the next choice, or `None` if the strategy has none.
    fn next(&mut self, view: &View<'_>) -> Option<Choice>;

    /// Receives everything that happens to the tree.
    fn happened(&mut self, event: &Happened<'_>);
}

/// The exploration as a strategy sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub tree: &'a Tree,
    pub map: &'a ProgramMap,
    pub coverage: &'a Coverage,
    /// The choice is for a worker whose own strategy has none. It should be one that this strategy would not make soon.
    pub for_another: bool,
    /// The branch that has waited longest because of its cost ([`Postponed::Expensive`]).
    pub waiting: Option<OpenBranch>,
}

/// A choice of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub action: Action,
    /// Name of the strategy that chose, if it is a part of the asked one.
    pub part: Option<&'static str>,
}

/// The act that a strategy chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Try an open branch.
    Try(OpenBranch),
    /// Try the branch [`View::waiting`].
    Resume(OpenBranch),
    /// Let an open branch wait, and ask again.
    Postpone(OpenBranch, Postponed),
    /// Run the input that is drawn from this seed, without solving.
    Fresh(u64),
}

/// Reason why a branch waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Postponed {
    /// Until a strategy resumes it, or nothing else is open.
    Expensive,
    /// Until nothing else is open.
    Unlikely,
}

impl From<Action> for Choice {
    fn from(action: Action) -> Choice {
        Choice { action, part: None }
    }
}

impl From<OpenBranch> for Choice {
    fn from(branch: OpenBranch) -> Choice {
        Action::Try(branch).into()
    }
}

/// A change of the tree.
#[derive(Clone, Copy, Debug)]
pub enum Happened<'a> {
    /// A run was put into the tree and counted.
    Ran(Added<'a>),
    /// The target of a job of this strategy was not reached.
    Untaken { branch: OpenBranch, why: Untaken },
    /// The tree was compacted. Decisions have new numbers, and those that were removed have no open sides.
    Renumbered(&'a Renumbered<'a>),
}

/// A side of a branch in the code.
type Side = (Site, u16);

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
