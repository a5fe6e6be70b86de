//! The contract between a unit under test and the engine.
//!
//! The unit writes and the engine reads: expressions ([`node`]), the decisions of the path ([`event`]), the end of the
//! run ([`outcome`]). The engine writes and the unit reads: the input [`plan`]. All of it is in one shared [`segment`]
//! of fixed little-endian records with offsets and ids, never pointers or `usize`, so that an executor in another
//! language or on another machine can use it, too.
//!
//! This crate only defines data: no I/O and no clock. It allocates only in `planned`, `map::codec` and `map::dataflow`,
//! which the unit's side does not contain.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod batch;
pub mod check;
pub mod contract;
pub mod entry;
pub mod eval;
pub mod event;
pub mod fill;
pub mod filter;
pub mod hash;
pub mod layout;
pub mod map;
pub mod node;
pub mod op;
pub mod outcome;
pub mod plan;
#[cfg(feature = "alloc")]
pub mod planned;
pub mod seal;
pub mod segment;
pub mod state;

/// Version of everything in this crate. A unit built with another version is refused.
pub const VERSION: u32 = 16;
