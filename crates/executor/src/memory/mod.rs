//! Input pointers as integers: queries that depend on more than the equality of addresses.
//!
//! Most queries are about NULL and about equal pointers. A list of possible targets for each pointer answers them
//! ([`graph::domains`](crate::graph::domains)). A branch on `q - p`, on `p < q` or on the low bits of an address is
//! different: its outcome depends on where the objects lie. For such a query every object gets a variable for its
//! address (`bases`). Axioms restrict the relative positions of objects (`axioms`): disjoint, or one inside the
//! other where their types allow it. A query is refined in three steps, each of which may show that there is no such
//! input:
//!
//! ```text
//!   1. pointers that may not overlap differ          cheap, and often enough                    --two-phase
//!   2. … and are as far apart as their types are large
//!   3. … and lie in slots, as tine can create them   no answer here is a bound, not a proof      layout.rs
//! ```
//!
//! The steps are those of "Test Input Generation for Programs with Pointers" (TACAS 2009, sections 5 to 7). The cells
//! of the objects take the role of the paper's maps from addresses to values: the path binds each followed pointer to
//! its object.

mod axioms;
mod bases;
mod layout;
mod leaves;
mod theory;

pub(crate) use theory::{Layout, solve};

/// Settings for reasoning about input pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The model of pointers.
    pub model: Model,
    /// First require only that pointers which may not overlap differ.
    pub two_phase: bool,
    /// Keep primitive objects of one type apart by alignment instead of in pairs.
    pub alignment: bool,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { model: Model::Cheapest, two_phase: true, alignment: true }
    }
}

/// Pointer model of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Chosen per query: lists of targets for questions of equality, otherwise addresses.
    #[default]
    Cheapest,
    /// Addresses; whole objects are disjoint.
    Typed,
    /// Addresses; the primitive parts of objects are disjoint.
    Primitive,
    /// Logical targets, which are equal or not (CUTE). Other queries are not answered.
    Logical,
}
