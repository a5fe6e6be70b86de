//! Reasons why there is nothing to explore.

/// Why a unit was not built. The variants say who has to act.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file, an option or a declaration does not fit the request.
    #[error("{what}")]
    Request { what: String, help: String },
    /// The compiler refused the request and has printed why.
    #[error("the compiler refused the request")]
    Refused,
    /// The unit does not compile or link. The compiler has printed why, unless there is help.
    #[error("{what}")]
    Unit { what: String, help: Option<String> },
    /// The caller stopped the build.
    #[error("the build was interrupted")]
    Interrupted,
    /// A bug in tine.
    #[error("{0}")]
    Bug(String),
}

impl Error {
    pub fn request(what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Request { what: what.into(), help: help.into() }
    }
}
