//! Reasons why there is nothing to explore.

/// The reason why a unit was not built. The variants tell whose mistake it is.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file, an option or a declaration does not fit the request.
    #[error("{what}")]
    Request { what: String, help: String },
    /// The compiler rejected the request and has printed the reason.
    #[error("the compiler refused the request")]
    Refused,
    /// The unit does not compile or link. The compiler has printed the reason, unless there is help.
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
    /// An error of the request, with advice.
    pub fn request(what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Request { what: what.into(), help: help.into() }
    }
}
