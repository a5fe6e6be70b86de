//! The memory graph of an input: which cells are pointers, where they may point, which objects there are.
//!
//! [`shapes`] knows the types; [`domains`] says what a pointer may be changed to, [`numbers`] when that
//! may be a number; [`placements`] what it could have been
//! when it was used; [`settle`] makes a consistent graph of what a solver answered;
//! [`locate`] puts functions where they are in this process; [`describe`] tells the graph to people.

pub mod shapes;

pub(crate) mod describe;
pub(crate) mod domains;
pub(crate) mod locate;
pub(crate) mod mentioned;
pub(crate) mod numbers;
pub(crate) mod placements;
pub(crate) mod settle;

pub use shapes::{Bounds, Shapes};
