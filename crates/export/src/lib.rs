//! Cases of a session, and programs, in formats of other tools.
//!
//! [`format`](mod@format) has the formats: source code that does not need tine, and data for other tools. [`source`] turns cases
//! into tests for the source formats. [`folder`] writes them, [`update`] refreshes those of a committed suite, and
//! [`verify`] builds and runs them. [`shell`] runs a case without tine. [`graph`] draws control flow and calls, and [`influence`]
//! lists branches that are related to a place.

pub mod format;
pub mod source;

pub mod folder;

pub mod update;

pub mod verify;

pub mod shell;

pub mod graph;

pub mod influence;

use std::io;
use std::path::{Path, PathBuf};

use tine_session::SessionError;

/// Reasons why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Stored(#[from] tine_engine::Error),
    #[error("cannot write to {}: {why}", folder.display())]
    Folder { folder: PathBuf, why: io::Error },
    #[error("there is no format `{name}`")]
    UnknownFormat { name: String, nearest: &'static str },
    #[error("{} has files that are not of an export, such as {}", folder.display(), file.display())]
    OtherFiles { folder: PathBuf, file: PathBuf },
    #[error("{0} cannot be exported as source code")]
    Unsupported(&'static str),
    #[error("the types of the unit cannot be read: {0}")]
    Types(String),
    #[error("a test cannot be started: {0}")]
    Observing(io::Error),
    #[error("{} has no tests of an earlier export", .0.display())]
    NothingToUpdate(PathBuf),
    #[error("`{0}` is data: there is nothing to compile")]
    NotSource(&'static str),
    #[error("the session has no cases")]
    NoCases,
}

impl Error {
    /// Advice for the user. For an error of a session, the caller knows more.
    pub fn help(&self) -> String {
        let help = match self {
            Error::Session(_) => "give the directory of a session",
            Error::Stored(why) => return why.help().unwrap_or_default(),
            Error::Folder { .. } => "choose a directory that can be written",
            Error::UnknownFormat { nearest, .. } => {
                return format!("did you mean `{nearest}`? `tine export --help` lists all");
            }
            Error::OtherFiles { .. } => "choose another --out, or say --force: files of the same names are overwritten",
            Error::Unsupported(_) => "use --format json or corpus, or `tine replay`",
            Error::Types(_) => "explore again with another --out",
            Error::Observing(_) => "see `ulimit -a`: limits of files, memory or processes",
            Error::NothingToUpdate(_) => "export into it first, with --format and --out",
            Error::NotSource(_) => "leave --verify out",
            Error::NoCases => "explore longer, or with weaker preconditions",
        };
        help.to_owned()
    }
}

/// Converts errors of writing a folder.
fn failed(folder: &Path) -> impl Fn(io::Error) -> Error {
    move |why| Error::Folder { folder: folder.to_path_buf(), why }
}
