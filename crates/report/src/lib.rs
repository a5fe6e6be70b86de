//! Renders what an exploration found. Returns texts; printing them is left to the command line.
//!
//! [`progress`] is the line shown while it runs, [`terminal`] the summary at its end, [`table`] that of all
//! functions of a file, [`json`] what programs read, [`predicate`] requirements in C, [`plot`] curves as a picture. `printable` makes safe what came from a unit.
//!
//! A [`data::Data`] is a session in memory. [`sarif`], [`junit`], [`lcov`] and [`cobertura`] write it for other tools;
//! [`baseline`] says which errors were known before.

mod printable;
mod xml;

pub mod data;
pub mod source;

mod base64;
mod fingerprint;
mod totals;
mod uri;

pub mod baseline;
pub mod cobertura;
pub mod html;
pub mod junit;
pub mod lcov;
pub mod sarif;

pub mod progress;
pub mod table;
pub mod terminal;

pub mod json;
pub mod predicate;

pub mod plot;

mod style;

pub mod system_call;

pub use data::Data;
pub use printable::{printable, printable_bytes, printable_json, printable_lines};
pub use progress::Progress;
pub use style::Style;
pub use uri::file_uri;
