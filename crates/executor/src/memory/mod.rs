//! Input pointers as integers: queries that say more of addresses than which are equal.
//!
//! Most queries ask which pointers are NULL and which are equal, and a list of places for each pointer answers them
//! ([`graph::domains`](crate::graph::domains)). A branch on `q - p`, on `p < q` or on the low bits of an address is another
//! matter: it goes the other way if the objects lie elsewhere. For such a query every object gets a variable for its address
//! ([`bases`]), and axioms say how objects may lie to each other ([`axioms`]): apart, or one inside the other where their types
//! say so. Queries grow in three steps, each of which may say that there is no such input:
//!
//! ```text
//!   1. pointers that may not overlap differ          cheap, and often enough                    --two-phase
//!   2. … and are as far apart as their types are large
//!   3. … and lie in slots, as tine can build them    no answer here is a bound, not a proof      layout.rs
//! ```
//!
//! The steps are those of "Test Input Generation for Programs with Pointers" (TACAS 2009, sections 5 to 7), whose maps from
//! addresses to values are the objects' cells here: a pointer that was followed is bound to its object by the path.

mod axioms;
mod bases;
mod layout;
mod leaves;
mod theory;

pub(crate) use theory::{Layout, solve};

/// Reasoning about pointers among the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub model: Model,
    /// True if pointers that may not overlap are only said to differ at first.
    pub two_phase: bool,
    /// True if primitive objects of one type are kept apart by being aligned, instead of in pairs.
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
    /// Whatever the query needs: places if it asks which pointers are equal, else addresses.
    #[default]
    Cheapest,
    /// Addresses; objects are apart as wholes.
    Typed,
    /// Addresses; the primitive parts of objects are apart.
    Primitive,
    /// Places, which are equal or not (CUTE). Other questions are not answered.
    Logical,
}
