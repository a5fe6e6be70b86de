//! `tine replay --sanitize`: one case in a build with clang's sanitizers, as a second opinion about its errors.
//!
//! The harness of the session and its sources are compiled again each time, because a program in the session could have
//! been exchanged. A missing confirmation says nothing about an error, because a sanitizer checks less than tine.

use std::io::Write as _;
use std::path::Path;

use tine_build::cc::allowed;
use tine_build::sanitized::{confirmation, run};
use tine_build::unit::split_flags;
use tine_engine::stored::Stored;
use tine_engine::target::UNIT_NATIVE;
use tine_report::printable;
use tine_session::Session;
use tine_session::session::Case;

use crate::explore;
use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::ReplayOptions;
use crate::replay::plan_of;
use crate::show::printed;

/// Runs the case and prints the sanitizers' report and their verdict about each recorded error.
pub(crate) fn replay(
    options: &ReplayOptions,
    directory: &Path,
    session: &Session,
    case: &Case,
    stored: &Stored,
) -> Result<u8, Failure> {
    let Stored { config, target, .. } = stored;
    if target.replayed(config) != Path::new(UNIT_NATIVE) || target.sources.is_empty() {
        return Err(Failure::usage(
            "--sanitize needs a case of a function or a call sequence, without --volatile and --sym-fail",
            "for a program, build it with `-fsanitize=address` and run `tine show SESSION CASE --shell` with it",
        ));
    }
    stored.check_sources()?;
    let untrusted = allowed::first_untrusted(&split_flags(&config.cflags)?);
    if let Some(flag) = untrusted.filter(|_| !options.trust) {
        let what = format!("the session compiles with `{flag}`");
        return Err(Failure::usage(what, "give `--trust` if the session is your own"));
    }
    let unit = explore::unit(&target.sources, config, options.trust)?;
    let program = unit.build_sanitized(&directory.join("driver.c"))?;
    let (_inputs, plan) = plan_of(case)?;
    println!("{}", printed(&case.input.lines()));
    let _ = std::io::stdout().flush();

    let (status, said) = run(&program, &plan, options.allow)?;
    said.iter().for_each(|line| println!("{}", printable(line)));
    let mut is_confirmed = false;
    for error in session.errors().unwrap_or_default().iter().filter(|error| error.case == case.id) {
        let (file, line) = (printable(&error.file), error.line);
        let opinion = match confirmation(&said, &error.file, line) {
            Some(sanitizer) => {
                is_confirmed = true;
                format!("confirmed by {sanitizer}")
            }
            None => "not confirmed by a sanitizer, which does not refute it".to_owned(),
        };
        println!("recorded: {} at {file}:{line}: {opinion}", printable(&error.kind));
    }
    Ok(if status.success() && !is_confirmed { EXIT_FINE } else { EXIT_ERRORS })
}
