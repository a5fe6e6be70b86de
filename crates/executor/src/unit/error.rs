//! Failures of a unit's process that are not the outcome of a run.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Failures that are not behaviour of the unit; that is an [`Outcome`](tine_trace::outcome::Outcome).
#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    #[error("cannot read the program `{}`: {error}", path.display())]
    Program { path: PathBuf, error: io::Error },
    #[error("`{}` was not linked by `tine cc` of this version: it would run, but not tell anything", path.display())]
    NotInstrumented { path: PathBuf },
    #[error("cannot start `{}`: {error}", path.display())]
    Start { path: PathBuf, error: io::Error },
    #[error("`{}` ended before its `main` ({how}){}", path.display(), says(output))]
    EndedEarly { path: PathBuf, how: String, output: String },
    #[error("`{}` did not reach its `main` within {time:?}: does a constructor of it wait for something?", path.display())]
    StartTimeout { path: PathBuf, time: Duration },
    #[error("the exploration ended before `{}` reached its `main`", path.display())]
    OutOfTime { path: PathBuf },
    #[error("`{}` was stopped before its `main`: it used too much disk space or memory", path.display())]
    Excess { path: PathBuf },
    #[error("an input plan of {len} bytes does not fit the segment, which has room for {room}")]
    PlanTooLarge { len: usize, room: usize },
    #[error("`{}` describes itself with more than {room} bytes", path.display())]
    MapTooLarge { path: PathBuf, room: usize },
    #[error("cannot {what}: {error}")]
    System { what: &'static str, error: io::Error },
    #[error("the unit's processes end again and again without running anything{}", says(output))]
    Unusable { output: String },
}

fn says(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(": {}", output.trim_end()) }
}

/// Converts the last error of the C library.
pub(super) fn system(what: &'static str) -> UnitError {
    UnitError::System { what, error: io::Error::last_os_error() }
}
