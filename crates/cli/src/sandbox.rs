//! Protections that the kernel does not have: named, or a reason not to run.

use tine_executor::sandbox::Protections;

use crate::failure::Failure;
use crate::options::RequiredSandbox;

/// Fails if the user insists on protections that are missing.
pub(crate) fn require(
    protections: &Protections,
    allow: bool,
    required: Option<RequiredSandbox>,
) -> Result<(), Failure> {
    let missing = protections.missing(allow);
    if required.is_none() || missing.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("the sandbox is not complete: {}", missing.join("; ")),
        "use a newer kernel, or a container that does not filter Landlock and seccomp; without `--require-sandbox` it runs with \
         the protections that there are",
    ))
}

/// As [`require`]; otherwise names what is missing.
pub(crate) fn check(
    protections: &Protections,
    allow: bool,
    required: Option<RequiredSandbox>,
    quiet: bool,
) -> Result<(), Failure> {
    require(protections, allow, required)?;
    if !quiet {
        protections.missing(allow).iter().for_each(|missing| eprintln!("warning: sandbox: {missing}"));
    }
    Ok(())
}
