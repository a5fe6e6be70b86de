//! Terms of the engine: values of the unit as functions of its inputs.
//!
//! The crate is pure: no I/O, no clock, no randomness. Modules in reading order: a [`term`] lives in a [`pool`]. It is
//! simplified while it is built ([`rewrite`]) and depends on input bytes ([`support`]). It has a [`value`], and is
//! evaluated under an [`assignment`] ([`mod@eval`]). A [`query`] asks a solver for inputs, with some variables in a
//! [`domain`], after [`mod@slice`] has removed the irrelevant constraints. [`text`] is the readable form of terms, and
//! [`smt`] the form for solvers.
#![forbid(unsafe_code)]

pub mod assignment;
mod builder;
pub mod domain;
pub mod eval;
mod float;
mod index;
pub mod pool;
pub mod query;
pub mod rewrite;
pub mod slice;
pub mod smt;
pub mod support;
pub mod term;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod value;

pub use assignment::Assignment;
pub use domain::Domain;
pub use eval::{Evaluator, eval};
pub use pool::{PoolIdentity, TermPool};
pub use query::{Answer, InputByte, Query, Reason, Solver};
pub use slice::independent_slice;
pub use support::{ByteRange, SupportId};
pub use term::{ARRAY, IllFormed, InputView, Kind, Term, TermId};
pub use value::{node_value, same_value};
