//! Renders the results of an exploration as strings. The command line prints them.
//!
//! [`progress`] is the line shown during the exploration, [`terminal`] the summary at its end, and [`table`] that of
//! all functions of a file. [`comparison`] is about two versions. [`json`] is for programs. [`predicate`] writes requirements in C. [`plot`] draws curves.
//! `printable` makes text from a unit safe to print.
//!
//! A [`data::Data`] is a session in memory. [`sarif`], [`junit`], [`lcov`] and [`cobertura`] write it for other tools.
//! [`baseline`] identifies known errors. [`diagnostics`] are for editors. [`condition`] explains branch sides that no run took. [`serve`] answers requests of browsers.

mod causes;
mod printable;
mod xml;

pub mod condition;
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

pub mod comparison;
pub mod progress;
pub mod table;
pub mod terminal;

pub mod diagnostics;
pub mod json;
pub mod predicate;

pub mod plot;

pub mod serve;

mod style;

pub mod system_call;

pub use data::Data;
pub use printable::{printable, printable_bytes, printable_json, printable_lines, run_printably};
pub use progress::Progress;
pub use style::{Style, count};
pub use uri::file_uri;
