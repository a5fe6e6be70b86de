//! `tine export`: the cases of a session as tests or data.

use std::path::Path;

use tine_export::folder::{self, Mode};
use tine_export::format::{self, Exported, Format};
use tine_export::verify::{self, Verified};
use tine_report::printable;

use crate::display::print_text;
use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::ExportOptions;

pub(crate) fn export(options: &ExportOptions) -> Result<u8, Failure> {
    let mut code = EXIT_FINE;
    for session in tine_build::project::sessions(&options.session) {
        let own = |folder: &Path| match session.strip_prefix(&options.session) {
            Ok(inner) if !inner.as_os_str().is_empty() => folder.join(inner),
            _ => folder.to_owned(),
        };
        let (format, out, mode) = match (&options.update, &options.format, &options.out) {
            (Some(folder), ..) => (folder::format_of(&own(folder))?, own(folder), Mode::Update),
            (None, Some(format), Some(out)) => {
                let mode = if options.force { Mode::Force } else { Mode::Careful };
                (format::find(format)?, own(out), mode)
            }
            _ => unreachable!("the command line requires them"),
        };
        if options.verify && !format.is_source() {
            return Err(tine_export::Error::NotSource(format.name()).into());
        }
        let exported = folder::export(&session, format, &out, mode)?;
        print(&out, format, &exported)?;
        if options.verify && !print_verified(&verify::verify(&session, &out, !exported.left_out.is_empty())?)? {
            code = EXIT_ERRORS;
        }
    }
    Ok(code)
}

/// Prints the result of building and running. True if everything passed.
fn print_verified(verified: &Verified) -> Result<bool, Failure> {
    let mut text = String::new();
    for (name, wrong) in &verified.builds {
        let result =
            wrong.as_ref().map_or_else(|| "passed".to_owned(), |wrong| format!("FAILED: {}", printable(wrong)));
        text.push_str(&format!("  {name}: {result}\n"));
    }
    if verified.claimed > 0 {
        let missed: Vec<String> = verified.missed.iter().map(u32::to_string).collect();
        let missed = if missed.is_empty() { String::new() } else { format!("; not line {}", missed.join(", ")) };
        let executed = verified.claimed - verified.missed.len();
        let partial = verified.is_partial && !verified.missed.is_empty();
        let why = if partial { " (cases are left out)" } else { "" };
        text.push_str(&format!("  gcov: {executed} of {} claimed lines are executed{missed}{why}\n", verified.claimed));
    }
    print_text(&text)?;
    Ok(verified.is_fine())
}

/// Prints the numbers of exported and omitted cases of a session.
pub(crate) fn print(out: &Path, format: &dyn Format, exported: &Exported) -> Result<(), Failure> {
    let errors = match exported.n_errors {
        0 => String::new(),
        n => format!(" and {n} that show errors"),
    };
    let mut text = format!("{}: {} tests{errors} ({})\n", out.display(), exported.n_tests, format.name());
    for left in &exported.left_out {
        text.push_str(&format!("  case {} is left out: {}\n", left.case, printable(&left.reason.to_string())));
    }
    for difference in &exported.differences {
        let lines: Vec<String> = difference.lines().map(|line| printable(line).into_owned()).collect();
        text.push_str(&format!("  {}\n", lines.join("\n  ")));
    }
    print_text(&text)
}
