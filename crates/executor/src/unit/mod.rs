//! The unit's process, from the engine's side: starting it, requesting runs, reading their records.
//!
//! ```text
//!   Unit::start ──▶ zygote: maps of all modules
//!   Unit::run   ──▶ worker: one run; its trace, inputs and outcome lie in the segment until the next
//! ```
//! Records of the unit are not trusted: [`segment`] checks every count and offset. The engine must survive anything
//! that the unit's process does: [`process`] replaces a worker that hung, died or changed itself, and enforces time
//! limits.

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
/// Distinguishes versions of the runtime.
pub const RUNTIME_DIGEST: &str = env!("TINE_RUNTIME_DIGEST");
