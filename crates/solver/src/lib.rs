//! Answers queries: a chain of tiers, the cheap ones first, and the SMT solvers at its end.
//!
//! ```no_run
//! # fn main() -> Result<(), tine_solver::Error> {
//! let mut solver = tine_solver::chain(&tine_solver::Options::default())?;
//! # Ok(()) }
//! ```
//!
//! [`chain`](mod@chain) builds the chain and documents it. This is the only crate that runs SMT solvers, each in a
//! separate process: Bitwuzla, which the build script builds, and Z3 if it is requested and installed.

pub mod answers;
mod backoff;
mod bitwuzla;
pub mod chain;
mod fingerprint;
mod haste;
pub mod log;
mod options;
mod process;
mod smt;
mod stats;
pub mod stream;
#[cfg(test)]
mod tests;
mod tier;
mod z3;

pub use answers::Answers;
pub use backoff::Backoff;
pub use chain::{Chain, chain, plain};
pub use log::Log;
use options::Limits;
pub use options::{Backend, Options, TierName};
pub use stats::{Stats, TierStats};
pub use stream::Recording;

/// Reasons why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the program `z3`, of Debian's package `z3`, is in no folder of PATH")]
    NoZ3,
}
