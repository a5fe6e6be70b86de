//! The engine as a library: explores a program and reports what happens as events.
//!
//! ```text
//!   Config, Target ──▶ explore ──▶ Event, Event, … ──▶ Sink
//!                         │
//!                         └──▶ Summary
//! ```
//! [`config`] has every setting with its default. [`target`] describes the explored program (`tine-build` makes targets
//! from C files). [`explore`](fn@explore) sets up workers and [`scheduler`]. [`event`] is the stream of all events. A
//! [`record::Recording`] is a sink that writes a session, and a [`resume::Suspended`] continues one.
//! [`suggest`] names options that would explore more.
//! `examples/explore.rs` uses all of it in 30 lines.
//!
//! The engine prints nothing. Flags and exit codes belong to its caller.

pub mod config;
pub mod target;

mod explore;
pub mod scheduler;
mod workers;

pub mod event;

mod emit;
pub mod remote;
mod types;

pub mod folder;
pub mod reach;
pub mod record;
pub mod resume;
pub mod stored;

mod limits;
mod locale;
pub mod minimise;
pub mod seeds;
pub mod suggest;

mod error;
pub mod owned;
pub mod temporary;
pub mod verified;

pub use config::Config;
pub use error::Error;
pub use event::{Event, Sink};
pub use explore::{STOP, explore, explore_with, no_disagreement, require_sandbox};
pub use target::Target;
