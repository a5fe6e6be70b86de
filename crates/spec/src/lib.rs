//! Specifications: how the functions of a component may be called, and how they must behave.
//!
//! ```text
//!   text ──parse──▶ Spec ──Monitor::new──▶ automaton ──c::monitors──▶ C code that runs inside the unit
//! ```
//! Regular expressions, past-time and future-time formulas all become one kind of deterministic automaton. This crate
//! does no input or output and knows nothing about processes: `build` compiles the C code together with the unit.

#![forbid(unsafe_code)]

pub mod syntax;

mod lex;
mod parse;

pub mod letters;

mod future;
mod past;
mod regular;

pub mod monitor;

pub mod c;

pub use monitor::Monitor;
pub use parse::{Mistake, parse, parse_comments};
pub use syntax::{Spec, Specs};
