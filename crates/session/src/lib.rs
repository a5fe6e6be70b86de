//! Results of an exploration on disk: one directory with one SQLite database. It is written during the exploration, so
//! that a killed run loses nothing that was reported.
//!
//! A [`recorder`] writes, one per directory. A [`session`] reads, even while the recorder is writing. [`summary`] is
//! the overall result, which reports render. The [`journal`] allows an interrupted exploration to continue.

pub mod summary;

pub mod recorder;

pub mod journal;

pub mod details;
mod directory;
mod figures;
mod schema;

pub mod session;

mod error;

pub use details::{Details, SoFar};
pub use error::SessionError;
pub use recorder::{Kept, Program, Record, Recorder};
pub use session::Session;
pub use summary::{SUMMARY_VERSION, Summary};
pub use tine_types::input::{CaseInput, Input, Request};

#[cfg(test)]
mod tests;
