//! Runs a case in a build with clang's sanitizers, and reads their report.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use tine_engine::temporary::Temporary;
use tine_executor::{Places, replay};
use tine_trace::segment::{REPLAY_VARIABLE, SCRATCH_VARIABLE};

use crate::Error;

/// Leaks are tine's own check. For leaks and symbol names, the sanitizer would start processes, which the sandbox
/// forbids.
const ADDRESS_OPTIONS: &str = "detect_leaks=0:symbolize=0:detect_stack_use_after_return=1";

/// Prefix of the line after which a report of AddressSanitizer shows shadow bytes.
const LAST_LINE: &str = "SUMMARY: ";

/// Runs the program on a plan, in the sandbox unless `allow` is set. Returns its end and the lines of the report.
pub fn run(program: &Path, plan: &Path, allow: bool) -> Result<(ExitStatus, Vec<String>), Error> {
    let failed = |why: std::io::Error| Error::request(format!("cannot run the sanitized build: {why}"), "set TMPDIR");
    let scratch = Temporary::new("scratch").map_err(failed)?;
    let report = Temporary::new("report").map_err(failed)?;
    let said = report.path().join("stderr");
    let mut command = Command::new(program);
    command
        .env(REPLAY_VARIABLE, plan)
        .env("ASAN_OPTIONS", ADDRESS_OPTIONS)
        .env("UBSAN_OPTIONS", "print_stacktrace=0")
        .env_remove(SCRATCH_VARIABLE)
        .current_dir(scratch.path())
        .stderr(Stdio::from(File::create(&said).map_err(failed)?));
    let status =
        if allow { command.status() } else { replay::run(&mut command, scratch.path()).map(|ended| ended.status) };
    let status = status.map_err(failed)?;
    let bytes = std::fs::read(&said).map_err(failed)?;
    Ok((status, with_places(&String::from_utf8_lossy(&bytes), program)))
}

/// Lines of a report, with source positions instead of addresses.
fn with_places(said: &str, program: &Path) -> Vec<String> {
    let places = Places::of(program);
    let before = format!("({}+0x", program.display());
    let named = |line: &str| {
        let offset = line.split_once(&before).and_then(|(_, rest)| rest.split(')').next());
        let place = offset.and_then(|offset| places.first(&[u64::from_str_radix(offset, 16).ok()?]));
        match (place, line.trim_start().split_once(' ')) {
            (Some(place), Some((frame, _))) if frame.starts_with('#') => {
                format!("    {frame} {} {}:{}", place.function, place.file, place.line)
            }
            _ => line.to_owned(),
        }
    };
    said.lines().take_while(|line| !line.starts_with(LAST_LINE)).map(named).collect()
}

/// The sanitizer whose report contains this line. In a report of AddressSanitizer it is in the call stack of the
/// access, perhaps below code of the C library.
pub fn confirmation(said: &[String], file: &str, line: u32) -> Option<&'static str> {
    let place = format!("{file}:{line}");
    let is_here = |text: &str| {
        text.match_indices(&place)
            .any(|(at, _)| !text[at + place.len()..].starts_with(|next: char| next.is_ascii_digit()))
    };
    if said.iter().any(|text| text.contains(": runtime error: ") && is_here(text)) {
        return Some("UndefinedBehaviorSanitizer");
    }
    let start = said.iter().position(|text| text.contains("ERROR: AddressSanitizer: "))?;
    let mut access = said[start..].iter().take_while(|text| !text.trim().is_empty());
    access.any(|text| is_here(text)).then_some("AddressSanitizer")
}

#[cfg(test)]
mod tests {
    use super::confirmation;

    const ADDRESS: &str = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n\
        WRITE of size 4 at 0x1 thread T0\n    #0 0x5 in use /a/m.c:12:69\n\n\
        allocated by thread T0 here:\n    #1 0x5 in use /a/m.c:7:3\n";

    #[test]
    fn the_line_of_the_access_confirms() {
        let confirmation = |said: &str, file: &str, line: u32| {
            confirmation(&said.lines().map(str::to_owned).collect::<Vec<_>>(), file, line)
        };
        assert_eq!(confirmation(ADDRESS, "/a/m.c", 12), Some("AddressSanitizer"));
        assert_eq!(confirmation(ADDRESS, "/a/m.c", 7), None);
        assert_eq!(confirmation(ADDRESS, "/a/m.c", 1), None);
        let undefined = "/a/m.c:3:18: runtime error: division by zero\n";
        assert_eq!(confirmation(undefined, "/a/m.c", 3), Some("UndefinedBehaviorSanitizer"));
        assert_eq!(confirmation("", "/a/m.c", 3), None);
    }
}
