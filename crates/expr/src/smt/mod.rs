//! Translation between terms and SMT.
//!
//! [`Lowering`] translates terms into the theories of bit-vectors and floats for all solvers. A [`Target`] builds the
//! pieces for a solver or as text. [`text`] is the target that writes SMT-LIB 2, and [`read`] parses it.
//!
//! There are three differences between terms and SMT:
//! - A one-bit term is a Boolean or a bit-vector, depending on its users.
//! - A float is bits in terms and a number in SMT. `to_fp` turns bits into a number. The bits of a computed number are
//!   a fresh variable that is constrained only by `to_fp`, so every bit pattern of a NaN stays possible.
//! - Inputs are bytes in terms. In SMT each view is a variable, with conditions for overlapping views.

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
