//! Terms as SMT solvers know them.
//!
//! [`Lowering`] turns terms into the theories of bit-vectors and floats, once for every solver: a [`Target`]
//! is the solver's (or the printer's) way of making the pieces. [`text`] is the target that writes SMT-LIB 2,
//! and [`read`] reads that again.
//!
//! Three things differ between the two worlds. A one-bit term is a Boolean or a bit-vector, whichever its users
//! need. A float is its bits here and a number there; bits become a number by `to_fp`, while the bits of a computed
//! number are a fresh variable of which only `to_fp` is known, so that every pattern of a NaN stays possible. And
//! inputs are bytes here, while there each view is a variable, with conditions where views overlap.

mod array;
mod function;
mod lower;
mod overlap;
pub mod read;
mod remainder;
pub mod text;

pub use function::{Function, RoundingMode, Sort};
pub use lower::{Lowered, Lowering, Target, Unsupported};
pub use overlap::{Overlap, overlaps};
