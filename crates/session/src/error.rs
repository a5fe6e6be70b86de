//! Errors of a session's directory.

use std::io;
use std::path::{Path, PathBuf};

/// Reason why a session cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("`{}` already holds a session", .0.display())]
    Exists(PathBuf),
    #[error("another tine is using `{}`", .0.display())]
    InUse(PathBuf),
    #[error("cannot write to `{}`: {error}", .dir.display())]
    Unwritable { dir: PathBuf, error: io::Error },
    #[error("there is no session in `{}`", .0.display())]
    Missing(PathBuf),
    #[error("`{}` is not a session of tine", .0.display())]
    NotASession(PathBuf),
    #[error(
        "the session in `{}` was written by another version of tine (format {found}; this version reads format {expected})",
        .dir.display()
    )]
    Version { dir: PathBuf, found: i64, expected: i64 },
    #[error("the session has no case {case}{}", list(.kept))]
    NoSuchCase { case: u32, kept: Vec<u32> },
    #[error("the session's data is damaged: {0}")]
    Damaged(String),
    #[error("interrupted")]
    Interrupted,
    #[error("the disk is full; the session is as it was when there was room")]
    Full,
    #[error("the session cannot be read or written: {0} (is the disk faulty, or files limited by `ulimit -f`?)")]
    Unwritten(rusqlite::Error),
    #[error("the session cannot be read or written: {0}")]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for SessionError {
    fn from(error: rusqlite::Error) -> SessionError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => SessionError::Full,
            Some(rusqlite::ErrorCode::SystemIoFailure) => SessionError::Unwritten(error),
            _ => SessionError::Database(error),
        }
    }
}

impl SessionError {
    pub(crate) fn unwritable(dir: &Path, error: io::Error) -> SessionError {
        SessionError::Unwritable { dir: dir.to_path_buf(), error }
    }
}

impl From<serde_json::Error> for SessionError {
    fn from(error: serde_json::Error) -> SessionError {
        SessionError::Damaged(error.to_string())
    }
}

/// "; it has 1, 3, 7": some of the kept cases.
fn list(kept: &[u32]) -> String {
    const SHOWN: usize = 12;
    if kept.is_empty() {
        return "; it kept none".to_string();
    }
    let shown: Vec<String> = kept.iter().take(SHOWN).map(u32::to_string).collect();
    let more = if kept.len() > SHOWN { ", …" } else { "" };
    format!("; it has {}{more}", shown.join(", "))
}
