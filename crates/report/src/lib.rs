//! Renders what an exploration found. Returns texts; printing them is left to the command line.
//!
//! [`progress`] is the line shown while it runs, [`terminal`] the summary at its end, [`json`] the same for
//! programs.

pub mod progress;
pub mod terminal;

pub mod json;

mod style;

mod system_call;

pub use progress::Progress;
pub use style::Style;
