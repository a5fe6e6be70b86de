//! Turns a job into a run: solves for the input, runs the unit on it, imports what it recorded.
//!
//! [`local`] is the executor itself. [`unit`] drives the unit's process; [`import`] reads a run's trace as terms
//! and checks it; [`cases`] keeps inputs; [`graph`] knows what pointers among them may point to; [`places`] finds source positions of crashes;
//! [`memory`] knows what their addresses may be; [`cores`] are where workers run; [`sandbox`] confines the unit's processes; `states` recognises states of a sequence of calls;
//! `vary` makes inputs of parts of others; `endless` is about runs that ask forever.

mod arrays;
pub mod cases;
pub mod cores;
mod endless;
mod fault;
pub mod graph;
pub mod import;
pub mod local;
pub mod memory;
pub mod places;
mod requirements;
pub mod sandbox;
mod seen;
mod slow;
mod solving;
mod states;
mod traces;
pub mod unit;
mod vary;

pub use cases::Cases;
pub use graph::{Bounds, Shapes};
pub use local::{ExecutorError, LocalExecutor};
pub use memory::{Memory, Model};
pub use places::Places;
pub use requirements::Contract;
