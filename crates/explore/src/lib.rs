//! Exploration: choice of the next decision, and collection of the results.
//!
//! An [`explorer`] keeps the execution [`tree`] of all runs and asks a [`strategy`] which open decision to take next.
//! It hands this decision as a [`job`] to an executor. It counts [`coverage`], [`errors`], [`requirements`] and
//! [`reasons`] for an honest verdict. The program [`map`] gives the source positions.
//!
//! The crate is pure: no I/O, no clock, no ambient randomness, no expressions, no inputs. The same answers give the
//! same exploration.

pub mod graph;
pub mod influence;
pub mod job;
pub mod lease;
pub mod map;

pub mod tree;

pub mod strategy;

pub mod coverage;
pub mod errors;
pub mod monitored;
mod mutations;
pub mod reasons;
pub mod requirements;
mod restarts;
mod states;

pub mod budget;
pub mod close;
pub mod explorer;
pub mod lines;
pub mod missed;
pub mod step;
pub mod suite;
mod waiting;

pub use budget::{Budget, StopReason};
pub use coverage::Coverage;
pub use explorer::{Explorer, Settings};
pub use job::{CaseId, Decision, Done, Executor, Flip, Job, JobResult, Place, Prefix, Run, RunEnd};
pub use map::ProgramMap;
pub use reasons::{Reason, Verdict};
pub use step::{Chosen, Control, Counters, Keep, Next, Past, Step, Ticket};
pub use strategy::{Dfs, Strategy};
pub use tree::{OpenBranch, Tree};

// Test support, public because the engine tests its scheduler with it.
#[doc(hidden)]
pub mod fake;
#[cfg(test)]
mod tree_tests;
#[cfg(test)]
mod workers_tests;
