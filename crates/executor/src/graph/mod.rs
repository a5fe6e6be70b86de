//! The memory graph of an input: pointer cells, their possible values, and the objects.
//!
//! [`shapes`] knows the types. `domains` lists the values that a pointer may be changed to, and `numbers` decides
//! when a pointer may hold a number. `aliasing` finds the sides of an aliasing choice. `settle` makes a
//! consistent graph from a solver's answer. `locate` converts function numbers to addresses of this process, and
//! `describe` makes the readable input map.

pub mod shapes;

pub(crate) mod aliasing;
pub(crate) mod describe;
pub(crate) mod domains;
pub(crate) mod locate;
pub(crate) mod mentioned;
pub(crate) mod numbers;
pub(crate) mod settle;

pub use shapes::{Bounds, Shapes};
