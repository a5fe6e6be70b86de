//! Results of an exploration on disk: one directory with one SQLite database, written as it goes, so that a
//! killed run loses nothing that was reported.
//!
//! A [`recorder`] writes, one per directory; a [`session`] reads, also while the recorder is at it. [`summary`] is the outcome of the whole, which reports render. From the
//! [`journal`] an exploration continues that was cut off.

pub mod summary;

pub mod recorder;

pub mod journal;

pub mod details;
mod directory;
mod figures;
mod schema;

pub mod session;

mod error;

pub use details::Details;
pub use error::SessionError;
pub use recorder::{Kept, Program, Record, Recorder};
pub use session::Session;
pub use summary::{SUMMARY_VERSION, Summary};
pub use tine_types::input::{CaseInput, Input, Request};

#[cfg(test)]
mod tests;
