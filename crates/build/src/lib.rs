//! Builds programs that can be explored.
//!
//! ```text
//!   files.c ──types──▶ harness (driver.c) ──cc──▶ unit          instrumented, for the engine
//!                                            └──▶ unit.native   for replays, and for the types of inputs
//! ```
//! [`cc`] is a compiler driver that works with `make` and `configure`. [`targets`] makes functions, sequences and
//! programs available to the engine. [`driver`] writes a harness around a function or a sequence of calls. [`unit`](mod@unit)
//! compiles both. [`external`] sorts undefined symbols. [`mutants`] are changes of a file that tests should notice.
//! [`revisions`] are two versions in a git checkout; [`changes`] are the functions that differ from an earlier version. [`sanitized`] runs cases with clang's sanitizers. [`project`] has the units of `tine.toml`. `building` limits the time of compilers.
//!
//! Compilers run as separate processes, so that they can be killed: this program starts itself with `cc` as the first
//! argument. Every program that uses [`unit::Unit`] therefore calls [`compiler_main`] first.

pub mod changes;
pub mod project;
pub mod targets;
pub mod unit;

pub mod driver;
pub mod external;
pub mod mutants;
pub mod revisions;
pub mod sanitized;
mod specs;

pub mod cc;

mod building;
mod error;

use std::ffi::OsString;

pub use error::Error;
pub use unit::Unit;

/// Runs the compiler if this process was started as `PROGRAM cc …` or `PROGRAM c++ …`. Returns the compiler's exit
/// code.
pub fn compiler_main() -> Option<Result<u8, cc::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let is_cxx = match arguments.next()?.to_str()? {
        "cc" => false,
        "c++" => true,
        _ => return None,
    };
    Some(cc::run(arguments.collect::<Vec<OsString>>(), is_cxx))
}
