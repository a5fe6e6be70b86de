//! What ends `tine` without a result, with what to do next and the exit code.

use std::fmt;

/// No error found.
pub(crate) const EXIT_FINE: u8 = 0;
/// Errors found.
pub(crate) const EXIT_ERRORS: u8 = 1;
/// Wrong usage or configuration.
const EXIT_USAGE: u8 = 2;
/// The unit does not compile or link.
const EXIT_UNIT: u8 = 3;
/// A bug in tine.
const EXIT_BUG: u8 = 4;
/// Ended by Ctrl-C before there was anything to report, as a shell counts it: 128 and the number of SIGINT.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: u8,
    message: String,
    help: Option<String>,
}

impl Failure {
    /// The user's mistake.
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { code: EXIT_USAGE, message: message.into(), help: Some(help.into()) }
    }

    /// The user's mistake, which `tine cc` has told already.
    pub(crate) fn told() -> Failure {
        Failure { code: EXIT_USAGE, message: String::new(), help: None }
    }

    pub(crate) fn is_usage(&self) -> bool {
        self.code == EXIT_USAGE
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Whether there is anything left to say.
    pub(crate) fn is_told(&self) -> bool {
        self.message.is_empty()
    }

    /// The user ended it before there was anything to report.
    pub(crate) fn interrupted(message: impl Into<String>) -> Failure {
        Failure { code: EXIT_INTERRUPTED, message: message.into(), help: None }
    }

    /// Ours.
    pub(crate) fn bug(message: impl Into<String>) -> Failure {
        let help = "this is a bug in tine: please report it with the unit and the command line";
        Failure { code: EXIT_BUG, message: message.into(), help: Some(help.to_owned()) }
    }
}

impl From<tine_build::Error> for Failure {
    fn from(why: tine_build::Error) -> Failure {
        use tine_build::Error;
        let message = why.to_string();
        match why {
            Error::Request { help, .. } => Failure::usage(message, help),
            Error::Refused => Failure::told(),
            Error::Unit { help, .. } => Failure { code: EXIT_UNIT, message, help },
            Error::Interrupted => Failure::interrupted(message),
            Error::Bug(_) => Failure::bug(message),
        }
    }
}

impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  = help: {help}")?;
        }
        Ok(())
    }
}
