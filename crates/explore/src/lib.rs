//! Exploration: which decision next, and what has been found.
//!
//! An [`explorer`] keeps the execution [`tree`] of all runs, asks a [`strategy`] which open decision to take
//! next, hands it as a [`job`] to an executor, and counts [`coverage`], [`errors`], [`requirements`] and [`reasons`] for an honest
//! verdict. The program [`map`] says where in the source all this is.
//!
//! Pure: no I/O, no clock, no ambient randomness, no expressions, no inputs. Same answers, same exploration.

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
pub mod reasons;
pub mod requirements;
mod restarts;
mod states;
mod varying;

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

// Test support: the engine tests its scheduler with it.
#[doc(hidden)]
pub mod fake;
#[cfg(test)]
mod tree_tests;
#[cfg(test)]
mod workers_tests;
