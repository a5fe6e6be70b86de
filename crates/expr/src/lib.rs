//! Terms of the engine: what values of the unit are as functions of its inputs.
//!
//! Pure: no I/O, no clock, no randomness. Read in this order: a [`term`] lives in a [`pool`], is simplified while it
//! is built ([`rewrite`]), depends on input bytes ([`support`]), has a [`value`] and, under an [`assignment`], is
//! evaluated ([`eval`]). A [`query`] asks a solver for inputs, with some variables in a [`domain`], after [`slice`] has
//! left out what does not matter.
//! [`text`] is the form of terms for people, [`smt`] that for solvers.
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
