//! Other files and stubs that each C file of a project needs.
//!
//! ```text
//!   each file ──clang──▶ object ──▶ defined and called functions
//!   undefined function ──▶ defined by another file ──▶ that file belongs to the unit, and its needs count, too
//!                     └──▶ defined nowhere, or too far away ──▶ stub
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use tine_engine::temporary::Temporary;
use tine_types::linkage;

use crate::cc::{allowed, database};
use crate::external::is_linkers;
use crate::unit::{OLDER_C, library_names};

/// Maximum number of files of a unit. Functions of further files are stubs.
const MAX_FILES: usize = 16;

/// The needs of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Other files, nearest first.
    pub(super) files: Vec<String>,
    pub(super) stubs: Vec<String>,
}

#[derive(Debug, Default)]
struct Symbols {
    defined: BTreeSet<String>,
    called: BTreeSet<String>,
}

/// The needs of each file. A file that does not compile has none. `build` has `compile_commands.json`; `includes` are
/// the flags of files without it.
pub(super) fn needs(
    folder: &Path,
    files: &BTreeSet<String>,
    build: Option<&Path>,
    includes: &[String],
) -> BTreeMap<String, Needs> {
    let Ok(scratch) = Temporary::new("init") else { return BTreeMap::new() };
    let object = scratch.path().join("unit.o");
    let symbols = |file: &String| {
        let flags = match build {
            Some(build) => {
                let found = database::flags_of(build, &folder.join(file).canonicalize().ok()?).ok()?;
                found.flags
            }
            None => includes.to_vec(),
        };
        // The database may come from another person.
        if allowed::first_untrusted(&flags).is_some() {
            return None;
        }
        let mut command = Command::new("clang-22");
        command.args(["-c", "-w", "-O0"]).args(&flags).args(OLDER_C).arg(file).arg("-o").arg(&object);
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if !command.status().ok()?.success() {
            return None;
        }
        let bytes = std::fs::read(&object).ok()?;
        let linkage = linkage::read(&bytes).ok()?;
        let called = linkage.called.difference(&linkage.weak).cloned().collect();
        Some((file.clone(), Symbols { defined: linkage::defined(&bytes).ok()?, called }))
    };
    let all: BTreeMap<String, Symbols> = files.iter().filter_map(symbols).collect();
    let known = library_names();
    all.keys().map(|file| (file.clone(), needs_of(file, &all, &known))).collect()
}

fn needs_of(file: &String, all: &BTreeMap<String, Symbols>, known: &BTreeSet<String>) -> Needs {
    let mut needs = Needs::default();
    let mut defined = all[file].defined.clone();
    let mut open: Vec<&String> = all[file].called.iter().collect();
    let mut next = 0;
    while let Some(name) = open.get(next).copied() {
        next += 1;
        if defined.contains(name) || known.contains(name) || is_linkers(name) || needs.stubs.contains(name) {
            continue;
        }
        // Files that define a function twice are alternatives.
        let fits = |symbols: &&Symbols| {
            let is_new = |symbol: &String| symbol == "main" || !defined.contains(symbol);
            symbols.defined.contains(name) && symbols.defined.iter().all(is_new)
        };
        let found = all.iter().find(|(_, symbols)| fits(symbols)).filter(|_| needs.files.len() + 1 < MAX_FILES);
        match found {
            Some((other, symbols)) => {
                needs.files.push(other.clone());
                defined.extend(symbols.defined.iter().cloned());
                open.extend(&symbols.called);
            }
            // A stub needs the declaration in the file itself.
            None => needs.stubs.extend(Some(name.clone()).filter(|name| all[file].called.contains(name))),
        }
    }
    needs.stubs.sort();
    needs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_followed_through_other_files() {
        let symbols = |defined: &[&str], called: &[&str]| {
            let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            Symbols { defined: names(defined), called: names(called) }
        };
        let all = BTreeMap::from([
            ("a.c".to_owned(), symbols(&["a", "main"], &["b", "puts", "sensor"])),
            ("b.c".to_owned(), symbols(&["b", "main"], &["c", "a"])),
            ("c.c".to_owned(), symbols(&["c"], &["d"])),
            ("d1.c".to_owned(), symbols(&["d", "c"], &[])),
            ("d2.c".to_owned(), symbols(&["d"], &[])),
        ]);
        let known = BTreeSet::from(["puts".to_owned()]);
        let needs = needs_of(&"a.c".to_owned(), &all, &known);
        assert_eq!((needs.files.join(" "), needs.stubs.join(" ")), ("b.c c.c d2.c".to_owned(), "sensor".to_owned()));
        assert_eq!(needs_of(&"d2.c".to_owned(), &all, &known), Needs::default());
    }
}
