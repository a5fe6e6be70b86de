//! Reasons why `tine` ends without a result, each with advice and an exit code.

use std::fmt;

use tine_engine::Error;
use tine_executor::ExecutorError;
use tine_executor::unit::UnitError;
use tine_session::SessionError;

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
    pub(crate) fn told() -> Failure {
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
            Error::Refused => Failure::told(),
            Error::Unit { help, .. } => Failure { code: EXIT_UNIT, message, help },
            Error::Interrupted => Failure::interrupted(message),
            Error::Bug(_) => Failure::bug(message),
        }
    }
}

impl From<Error> for Failure {
    fn from(why: Error) -> Failure {
        let message = why.to_string();
        let help = match why {
            Error::Bug(_) => return Failure::bug(message),
            Error::Interrupted(_) => return Failure::interrupted(message),
            Error::Sink(why) => {
                return why.downcast::<Failure>().map_or_else(|why| Failure::bug(why.to_string()), |failure| *failure);
            }
            Error::Session(why) => return why.into(),
            Error::Executor(why) => return executor_failure(&why),
            Error::Hub(why) => return why.into(),
            Error::Start(why) => start_help(&why),
            Error::Solver(_) => "choose another --solver, or install what it needs",
            Error::SolverLog { .. } | Error::SolverLogWrite(_) => "choose another file with --solver-log",
            Error::SolverRecord { .. } | Error::SolverRecordWrite(_) => "choose another file with --solver-record",
            Error::SolverCache(_) => "choose another file with --solver-cache, or remove the one that is there",
            Error::SolverCacheOwner(_) => "choose a file of your own with --solver-cache",
            Error::WeightsFile { .. } => "give a file that can be read as weights=FILE",
            Error::Weights { .. } => "each line is `file.c:12 0.9`; what follows a # is not read",
            Error::Target(_) => "give a function, FILE:LINE or FILE:LINE-LINE as --target",
            Error::Seed { .. } => "give a file, or a directory of files, that can be read",
            Error::SeedWithoutFile => "add --sym-stdin or --sym-file, which receives the seed inputs",
            Error::Sandbox(_) => {
                "use a newer kernel, or a container that does not filter Landlock and seccomp; without `--require-sandbox` it runs with \
                 the protections that there are"
            }
            Error::Map(_) => "build it again with `tine cc`",
            Error::Thread(_) => "raise the limits of `ulimit -u` and `ulimit -v`",
            Error::Recording { folder, .. } => {
                return Failure::usage(
                    message,
                    format!("make room, then go on with `tine resume {}`", folder.display()),
                );
            }
            Error::NotVerified { help, .. } => help,
            Error::SourceChanged(_) => "explore the new version with another --out, or put back the one of the session",
            _ => "explore again with another --out",
        };
        Failure::usage(message, help)
    }
}

/// Advice for a program that does not reach `main`.
fn start_help(why: &UnitError) -> &'static str {
    match why {
        UnitError::OutOfTime { .. } => "give it a longer --max-time",
        UnitError::EndedEarly { output, .. } if output.contains("ulimit -v") => {
            "programs under test reserve terabytes of addresses, which cost no memory: start tine with `ulimit -v unlimited`"
        }
        UnitError::System { .. } | UnitError::Start { .. } => "see `ulimit -a`: limits of files, memory or processes",
        _ => "build the program with `tine cc`; see what it prints when you start it yourself",
    }
}

/// The failure for an exploration that stopped.
fn executor_failure(why: &ExecutorError) -> Failure {
    let help = match why {
        ExecutorError::Unit(UnitError::System { .. } | UnitError::Start { .. }) => {
            "see `ulimit -a`: limits of files, memory or processes"
        }
        ExecutorError::Unit(_) => "see what the program does to its processes when you start it yourself",
        why => return Failure::bug(why.to_string()),
    };
    Failure::usage(why.to_string(), help)
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
        let help = match why {
            Error::Session(why) => {
                return Failure::session(&why, "give the directory of a session (`--out` of the exploration)");
            }
            Error::Stored(why) => return why.into(),
            Error::Folder { .. } => "choose a directory that can be written",
            Error::UnknownFormat { nearest, .. } => {
                return Failure::usage(message, format!("did you mean `{nearest}`? `tine export --help` lists all"));
            }
            Error::OtherFiles { .. } => "choose another --out, or say --force: files of the same names are overwritten",
            Error::Unsupported(_) => "use --format json or corpus, or `tine replay`",
            Error::Types(_) => "explore again with another --out",
            Error::Observing(_) => "see `ulimit -a`: limits of files, memory or processes",
            Error::NothingToUpdate(_) => "export into it first, with --format and --out",
            Error::NotSource(_) => "leave --verify out",
            Error::NoCases => "explore longer, or with weaker preconditions",
        };
        Failure::usage(message, help)
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
