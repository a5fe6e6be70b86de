//! Turns a job into a run: solves for the input, runs the unit on it, and imports its records.
//!
//! [`local`] is the executor itself. [`unit`](mod@unit) drives the unit's process. [`import`] converts a run's trace to terms and
//! checks it. [`cases`] keeps inputs. [`graph`] knows the possible targets of input pointers, and [`memory`] their
//! possible addresses. [`places`] finds source positions of crashes. [`cores`] assigns cores to workers. [`sandbox`]
//! confines the unit's processes, and [`replay`] runs a case in it. `states` recognises states of a call sequence. `mutate` mutates inputs. `endless`
//! handles runs with unbounded requests.

mod arrays;
pub mod cases;
pub mod cores;
mod endless;
mod fault;
pub mod graph;
pub mod import;
pub mod local;
pub mod memory;
mod mutate;
pub mod places;
pub mod replay;
mod requirements;
pub mod sandbox;
mod seen;
mod slow;
mod solving;
mod states;
mod traces;
pub mod unit;

pub use cases::Cases;
pub use graph::{Bounds, Shapes};
pub use local::{ExecutorError, LocalExecutor};
pub use memory::{Memory, Model};
pub use places::Places;
pub use requirements::Contract;
