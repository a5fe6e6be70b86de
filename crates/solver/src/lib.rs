//! Answers queries: a chain of tiers, the cheap ones first, and the SMT solvers at its end.
//!
//! ```no_run
//! # fn main() -> Result<(), tine_solver::Error> {
//! let mut solver = tine_solver::chain(&tine_solver::Options::default())?;
//! # Ok(()) }
//! ```
//!
//! [`chain`](mod@chain) builds the chain and documents it. This is the only crate that links SMT solvers: Bitwuzla
//! statically, built by the build script. Z3 is a program that is run if it is asked for.

pub mod answers;
mod bitwuzla;
pub mod chain;
mod fingerprint;
mod haste;
pub mod log;
mod options;
mod smt;
mod stats;
pub mod stream;
#[cfg(test)]
mod tests;
mod tier;
mod worth;
mod z3;

pub use answers::Answers;
pub use chain::{Chain, chain, plain};
pub use log::Log;
use options::Limits;
pub use options::{Backend, Options, TierName};
pub use stats::{Stats, TierStats};
pub use stream::Recording;
pub use worth::Worth;

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the program `z3`, of Debian's package `z3`, is in no folder of PATH")]
    NoZ3,
}
