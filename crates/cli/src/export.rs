//! `tine export`: the cases of a session as tests or data.

use std::path::{Path, PathBuf};

use tine_export::folder;
use tine_export::format::{self, Exported, Format};
use tine_report::printable;

use crate::display::print_text;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::ExportOptions;

pub(crate) fn export(options: &ExportOptions) -> Result<u8, Failure> {
    let format = format::find(&options.format)?;
    for session in sessions(&options.session) {
        let out = match session.strip_prefix(&options.session) {
            Ok(inner) if !inner.as_os_str().is_empty() => options.out.join(inner),
            _ => options.out.clone(),
        };
        let exported = folder::export(&session, format, &out, options.force)?;
        print(&out, format, &exported)?;
    }
    Ok(EXIT_FINE)
}

/// The directory itself, or the sessions of functions in it.
fn sessions(folder: &Path) -> Vec<PathBuf> {
    let has_session = |folder: &Path| folder.join("session.db").exists();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inner: Vec<PathBuf> = entries.filter(|path| has_session(path)).collect();
    if has_session(folder) || inner.is_empty() {
        return vec![folder.to_owned()];
    }
    inner.sort();
    inner
}

/// Prints what became of the cases of one session.
pub(crate) fn print(out: &Path, format: &dyn Format, exported: &Exported) -> Result<(), Failure> {
    let errors = match exported.n_errors {
        0 => String::new(),
        n => format!(" and {n} that show errors"),
    };
    let mut text = format!("{}: {} tests{errors} ({})\n", out.display(), exported.n_tests, format.name());
    for left in &exported.left_out {
        text.push_str(&format!("  case {} is left out: {}\n", left.case, printable(&left.reason.to_string())));
    }
    print_text(&text)
}
