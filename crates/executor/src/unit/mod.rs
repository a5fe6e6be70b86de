//! The unit's process, from the engine's side: starting it, asking for runs, reading what they left.
//!
//! ```text
//!   Unit::start ──▶ zygote: maps of all modules
//!   Unit::run   ──▶ worker: one run; its trace, inputs and outcome lie in the segment until the next
//! ```
//! Records of the unit are not trusted: [`segment`] checks every count and offset. What its process
//! does must not matter: [`process`] replaces a worker that hung, died or changed itself, and keeps time.

pub mod error;
pub mod output;
mod patience;
pub mod process;
mod records;
pub mod segment;
mod spawn;
mod worker;

pub use error::UnitError;
pub use process::{RunEnd, Starts, Unit, UnitOptions};
pub use records::Integrity;
pub use segment::{Segment, SegmentSizes};

/// The runtime that programs are linked with, of the same version as this engine:
/// `clang … libtine_rt.a -Wl,--wrap=main`.
pub const RUNTIME_ARCHIVE: &[u8] = include_bytes!(env!("TINE_RUNTIME_ARCHIVE"));
/// Tells versions of it apart.
pub const RUNTIME_DIGEST: &str = env!("TINE_RUNTIME_DIGEST");
