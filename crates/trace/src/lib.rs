//! The contract between a unit under test and the engine.
//!
//! The unit writes, the engine reads: expressions ([`node`]), what the path decided ([`event`]), how the
//! run ended ([`outcome`]). The engine writes, the unit reads: the input [`plan`]. All of it lies in one
//! shared [`segment`] of fixed little-endian records with offsets and ids, never pointers or `usize`, so
//! that an executor in another language or on another machine can speak it too.
//!
//! Nothing here does anything: no I/O, no clock, and no allocation but in `planned`, `map::codec` and `map::dataflow`, which the unit's side does not have.
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

/// Version of everything in this crate. A unit built by another version is refused.
pub const VERSION: u32 = 15;
