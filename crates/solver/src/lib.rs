//! Answers queries: a chain of tiers, the cheap ones first, and the SMT solvers at its end.
//!
//! ```no_run
//! # fn main() -> Result<(), tine_solver::Error> {
//! let mut solver = tine_solver::chain(&tine_solver::Options::default())?;
//! # Ok(()) }
//! ```
//!
//! [`chain`](mod@chain) builds the chain and documents it. This is the only crate that links SMT solvers: Bitwuzla
//! statically, built by the build script; Z3 opened at run time if it is asked for.

mod bitwuzla;
pub mod chain;
mod smt;
mod stats;
#[cfg(test)]
mod tests;
mod tier;
mod z3;

pub use chain::{Chain, chain, plain};
pub use stats::{Stats, TierStats};

/// How to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub backend: Backend,
    /// Time for one query.
    pub timeout_ms: u64,
    /// How much the process may grow during one query; 0 is no limit.
    pub memory_mb: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { backend: Backend::Bitwuzla, timeout_ms: 10_000, memory_mb: 2048 }
    }
}

impl Options {
    fn limits(&self) -> Limits {
        Limits { timeout_ms: self.timeout_ms, memory_mb: self.memory_mb }
    }
}

/// Which SMT solver stands at the end of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Bitwuzla,
    Z3,
}

/// Limits of one query.
#[derive(Clone, Copy, Debug)]
struct Limits {
    timeout_ms: u64,
    memory_mb: u64,
}

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("Z3 cannot be opened: {0}\n  = help: install Debian's `libz3-4`, or use Bitwuzla, which is built in")]
    NoZ3(String),
    #[error("the Z3 library found has no function `{0}`\n  = help: install Debian's `libz3-4`, or use Bitwuzla")]
    OldZ3(&'static str),
}
