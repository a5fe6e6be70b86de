//! Reasons why `tine` ends without a result, each with advice and an exit code.

use std::fmt;

use tine_engine::Error;
use tine_session::SessionError;

/// No error found.
pub(crate) const EXIT_FINE: u8 = 0;
/// Errors found.
pub(crate) const EXIT_ERRORS: u8 = 1;
/// Wrong usage or configuration.
pub(crate) const EXIT_USAGE: u8 = 2;
/// The unit does not compile or link.
const EXIT_UNIT: u8 = 3;
/// A bug in tine.
const EXIT_BUG: u8 = 4;
/// Ended by Ctrl-C before there were results. The value that a shell uses: 128 plus the number of SIGINT.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

/// Exit codes with their meaning, for the reference.
pub(crate) const EXIT_CODES: [(u8, &str); 6] = [
    (EXIT_FINE, "no error found"),
    (EXIT_ERRORS, "errors found"),
    (EXIT_USAGE, "wrong usage or configuration"),
    (EXIT_UNIT, "the unit does not compile or link"),
    (EXIT_BUG, "a bug in tine; please report it"),
    (EXIT_INTERRUPTED, "interrupted by Ctrl-C before there was a result, for example during a build"),
];

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: u8,
    message: String,
    help: Option<String>,
}

impl Failure {
    /// A mistake of the user.
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { code: EXIT_USAGE, message: message.into(), help: Some(help.into()) }
    }

    /// A session that cannot be used.
    pub(crate) fn session(why: &SessionError, help: &str) -> Failure {
        let help = match why {
            SessionError::Version { .. } => {
                "use the version of tine that wrote it, or explore again with another --out"
            }
            _ => help,
        };
        Failure::usage(why.to_string(), help)
    }

    /// A mistake of the user that `tine cc` has already reported.
    pub(crate) fn already_reported() -> Failure {
        Failure { code: EXIT_USAGE, message: String::new(), help: None }
    }

    pub(crate) fn is_usage(&self) -> bool {
        self.code == EXIT_USAGE
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// True if the message has already been printed.
    pub(crate) fn is_told(&self) -> bool {
        self.message.is_empty()
    }

    /// The user stopped the command before there were results.
    pub(crate) fn interrupted(message: impl Into<String>) -> Failure {
        Failure { code: EXIT_INTERRUPTED, message: message.into(), help: None }
    }

    /// A bug in tine.
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
            Error::Refused => Failure::already_reported(),
            Error::Unit { help, .. } => Failure { code: EXIT_UNIT, message, help },
            Error::Interrupted => Failure::interrupted(message),
            Error::Bug(_) => Failure::bug(message),
        }
    }
}

impl From<Error> for Failure {
    fn from(why: Error) -> Failure {
        let message = why.to_string();
        match why {
            Error::Bug(_) => Failure::bug(message),
            Error::Interrupted(_) => Failure::interrupted(message),
            Error::Sink(why) => {
                why.downcast::<Failure>().map_or_else(|why| Failure::bug(why.to_string()), |failure| *failure)
            }
            Error::Session(why) => why.into(),
            Error::Hub(why) => why.into(),
            why => match why.help() {
                Some(help) => Failure::usage(message, help),
                None => Failure::bug(message),
            },
        }
    }
}

impl From<SessionError> for Failure {
    fn from(why: SessionError) -> Failure {
        let help = "choose another directory with --out, or remove that one; `tine resume` goes on with a session that was cut off";
        Failure::session(&why, help)
    }
}

impl From<tine_export::Error> for Failure {
    fn from(why: tine_export::Error) -> Failure {
        use tine_export::Error;

        let message = why.to_string();
        match why {
            Error::Session(why) => {
                Failure::session(&why, "give the directory of a session (`--out` of the exploration)")
            }
            Error::Stored(why) => why.into(),
            why => Failure::usage(message, why.help()),
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
