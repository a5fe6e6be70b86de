//! The functions of a unit that a change concerns, and the units that test them.
//!
//! ```text
//!   git diff REV, or a patch ──▶ changed lines of each file, and its text before
//!   files now, files before ──cc──▶ program maps, with a hash of each function's code
//!   differing hashes ──▶ changed functions ──▶ callers that other files can call
//! ```
//! A function whose code is the same in both versions has not changed, whatever its lines look like. The version before
//! the change is compiled in place: the compiler finds the old contents under the names of the files (`-ivfsoverlay`).

pub(crate) mod functions;
mod patch;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Map;
use tine_engine::Config;
use tine_engine::folder::ROOT;

use crate::revisions::{commit, git, root_of};
use crate::unit::absolute;
use crate::{Error, Unit, project};
use functions::{Code, compiled, functions};
use patch::{Damaged, FilePatch, Lines};

/// Maximum depth of the directories that are searched for files which include a changed one.
const DEPTH: usize = 16;

/// A changed file.
#[derive(Clone, Debug)]
struct Changed {
    lines: Lines,
    /// Text before the change. `None`: the file is new.
    before: Option<String>,
}

/// A change of files.
#[derive(Clone, Debug)]
struct Changes {
    files: BTreeMap<PathBuf, Changed>,
    /// Files that the change removed or renamed, with their text before.
    removed: BTreeMap<PathBuf, String>,
    /// Description for the user: `since HEAD`.
    what: String,
}

/// A changed function and the part of it that changed, as targets of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFunction {
    pub name: String,
    pub file: PathBuf,
    pub targets: Vec<String>,
}

/// Consequences of a change for a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concerned {
    /// Name of the unit, and description of the change: `since HEAD`.
    unit: String,
    what: String,
    pub changed: Vec<ChangedFunction>,
    /// Functions of the unit's first file that other files can call, each with the targets that it leads to.
    pub units: Vec<(String, Vec<String>)>,
    /// Changed functions that none of them calls.
    pub without_unit: Vec<String>,
    /// Targets that each function of the unit leads to.
    leads: BTreeMap<String, Vec<String>>,
}

/// Takes files out of the value of `--changed`, whose revision may be left out: `--changed unit.c`.
pub fn files_apart(config: &mut Config, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = files.to_vec();
    if let Some(first) =
        config.changed.as_deref().map(PathBuf::from).filter(|first| is_source(first) && first.is_file())
    {
        files.insert(0, first);
        config.changed = Some("HEAD".to_owned());
    }
    files
}

/// The C files below the working directory that a change concerns as units, if the settings name one: those that changed,
/// and those that include a changed header.
pub fn units(config: &Config) -> Result<Option<Vec<project::Unit>>, Error> {
    let here = absolute(Path::new("."))?;
    let changes = match (&config.changed, &config.diff) {
        (Some(revision), _) => Changes::since(revision, &here)?,
        (None, Some(patch)) => Changes::of_patch(patch, &[here.join("unit.c")])?,
        (None, None) => return Ok(None),
    };
    let mut files: BTreeSet<PathBuf> = changes.files.keys().filter(|path| is_source(path)).cloned().collect();
    let changed = changes.files.keys().chain(changes.removed.keys()).filter(|path| !is_source(path));
    files.extend(includers(&here, changed.cloned().collect()));
    let files = files.iter().filter_map(|path| path.strip_prefix(&here).ok());
    // Sessions contain C files, too.
    let files = files.filter(|path| !path.starts_with(ROOT));
    let unit = |file: &Path| project::Unit { files: vec![file.into()], functions: Vec::new(), settings: Map::new() };
    Ok(Some(files.map(unit).collect()))
}

/// The C files below a folder that include one of these files, directly or not. Files are compared by name, because
/// directories for includes are not known here. A unit that includes another file of this name has not changed.
fn includers(folder: &Path, mut changed: Vec<PathBuf>) -> BTreeSet<PathBuf> {
    if changed.is_empty() {
        return BTreeSet::new();
    }
    let mut names = BTreeSet::new();
    project::search(folder, folder, DEPTH, &[".c", ".h", ".inc"], &mut names);
    let paths = names.iter().map(|name| folder.join(name));
    let files: Vec<(PathBuf, BTreeSet<OsString>)> =
        paths.filter_map(|path| std::fs::read(&path).ok().map(|text| (path, included(&text)))).collect();
    let mut found = BTreeSet::new();
    while let Some(next) = changed.pop() {
        let Some(name) = next.file_name() else { continue };
        let by = files.iter().filter(|(_, names)| names.contains(name)).map(|(path, _)| path);
        changed.extend(by.filter(|path| found.insert((*path).clone())).cloned());
    }
    found.retain(|path| is_source(path));
    found
}

/// Names, without directories, of the included files.
fn included(text: &[u8]) -> BTreeSet<OsString> {
    let text = String::from_utf8_lossy(text);
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let names = directives.filter_map(|rest| rest.trim_start().strip_prefix("include")?.split(['"', '<', '>']).nth(1));
    names.filter_map(|name| Some(Path::new(name).file_name()?.to_owned())).collect()
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "c")
}

/// Returns the consequences of the change in the settings for a unit.
pub fn concerned(config: &Config, unit: &Unit) -> Result<Option<Concerned>, Error> {
    let changes = match (&config.changed, &config.diff) {
        (Some(revision), _) => Changes::since(revision, unit.main_file())?,
        (None, Some(patch)) => Changes::of_patch(patch, &unit.sources())?,
        (None, None) => return Ok(None),
    };
    changes.concern(unit).map(Some)
}

impl Concerned {
    /// Targets that a function of the unit leads to.
    pub fn targets_of(&self, function: &str) -> Vec<String> {
        self.leads.get(function).cloned().unwrap_or_default()
    }

    /// All targets.
    pub fn targets(&self) -> Vec<String> {
        self.changed.iter().flat_map(|changed| changed.targets.iter().cloned()).collect()
    }
}

impl fmt::Display for Concerned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        if self.changed.is_empty() {
            return write!(f, "no function of {} has changed {}", self.unit, self.what);
        }
        let names = quoted(&mut self.changed.iter().map(|changed| &changed.name));
        write!(f, "changed {}: {names}", self.what)?;
        let others = self.units.iter().filter(|(name, _)| self.changed.iter().all(|changed| changed.name != *name));
        let callers = quoted(&mut others.map(|(name, _)| name));
        if !callers.is_empty() {
            write!(f, "; called by {callers}")?;
        }
        if !self.without_unit.is_empty() {
            let names = quoted(&mut self.without_unit.iter());
            write!(f, "; no function of {} that other files can call leads to {names}", self.unit)?;
        }
        Ok(())
    }
}

impl Changes {
    /// The difference between a revision and the working tree of the repository that contains `near`.
    fn since(revision: &str, near: &Path) -> Result<Changes, Error> {
        let near = absolute(near)?;
        let folder = if near.is_dir() { near.as_path() } else { near.parent().unwrap_or(Path::new("/")) };
        let help = "give the change as a patch, with --diff FILE";
        let root = root_of(folder).map_err(|why| {
            Error::request(format!("--changed: {} is not in a git checkout: {why}", near.display()), help)
        })?;
        let hash = commit(&root, revision)?;
        let failed = |why: String| Error::request(format!("`git diff` failed: {why}"), help);
        let diff = [
            "-c",
            "core.quotePath=false",
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "-M",
            "-U0",
            &hash,
            "--",
        ];
        let text = git(&root, &diff).map_err(failed)?;
        let mut changes =
            Changes { files: BTreeMap::new(), removed: BTreeMap::new(), what: format!("since {revision}") };
        let patches = patch::parse(&text);
        for patch in patches.map_err(|Damaged(line)| failed(format!("its line {line} cannot be read")))? {
            let path = |name: &str, prefix: &str| root.join(name.strip_prefix(prefix).unwrap_or(name));
            let old = patch.old.as_deref().map(|name| path(name, "a/"));
            let new = patch.new.as_deref().map(|name| path(name, "b/"));
            changes.add(old, new, &patch, "the working tree")?;
        }
        let untracked = git(&root, &["ls-files", "--others", "--exclude-standard", "-z"]).map_err(failed)?;
        for name in untracked.split('\0').filter(|name| !name.is_empty()) {
            changes.files.insert(root.join(name), Changed { lines: Lines::default(), before: None });
        }
        Ok(changes)
    }

    /// A change that a patch describes. It has been applied to the files, which are found by the ends of their names.
    fn of_patch(file: &Path, sources: &[PathBuf]) -> Result<Changes, Error> {
        let bytes = std::fs::read(file).map_err(|why| {
            Error::request(format!("--diff: cannot read {}: {why}", file.display()), "give the output of `git diff`")
        })?;
        let patches = patch::parse(&String::from_utf8_lossy(&bytes)).map_err(|Damaged(line)| {
            Error::request(
                format!("--diff: line {line} of {} cannot be read", file.display()),
                "give the output of `git diff` or `diff -u`",
            )
        })?;
        if patches.is_empty() {
            return Err(Error::request(
                format!("--diff: {} is not a unified diff", file.display()),
                "give the output of `git diff` or `diff -u`",
            ));
        }
        let mut changes =
            Changes { files: BTreeMap::new(), removed: BTreeMap::new(), what: format!("by {}", file.display()) };
        let mut others = Vec::new();
        for patch in patches {
            let old = patch.old.as_deref().and_then(|name| located(name, sources, |path| !path.exists()));
            let new = patch.new.as_deref().map(|name| located(name, sources, Path::is_file).ok_or(name));
            match new.transpose() {
                Ok(new) => changes.add(old, new, &patch, &file.display().to_string())?,
                Err(name) => others.push(name.to_owned()),
            }
        }
        if changes.files.is_empty() && changes.removed.is_empty() {
            let names = if others.is_empty() { "removed files".to_owned() } else { others.join(", ") };
            return Err(Error::request(
                format!("--diff: {} is about other files than those of the unit: {names}", file.display()),
                "give the C files that it changes",
            ));
        }
        Ok(changes)
    }

    /// Adds a file with its names before and after the change.
    fn add(
        &mut self,
        old: Option<PathBuf>,
        new: Option<PathBuf>,
        patch: &FilePatch,
        source: &str,
    ) -> Result<(), Error> {
        let Some(path) = new else {
            if let (Some(old), Ok(text)) = (old, patch.before("")) {
                self.removed.insert(old, text);
            }
            return Ok(());
        };
        let Ok(path) = path.canonicalize() else { return Ok(()) };
        // Binary files have no hunks.
        let Ok(now) = std::fs::read(&path) else { return Ok(()) };
        let now = String::from_utf8_lossy(&now);
        let before = match patch.old {
            None => None,
            Some(_) => Some(patch.before(&now).map_err(|patch::Mismatch(line)| {
                Error::request(
                    format!("{source} does not describe {}, which differs in line {line}", path.display()),
                    "apply the patch first: `patch -p1 <FILE`",
                )
            })?),
        };
        if let Some((old, text)) = old.zip(before.as_ref()).filter(|(old, _)| *old != path && !old.exists()) {
            self.removed.insert(old, text.clone());
        }
        self.files.insert(path, Changed { lines: patch.lines(), before });
        Ok(())
    }

    /// The changed functions of a unit, and the functions that lead to them.
    fn concern(&self, unit: &Unit) -> Result<Concerned, Error> {
        let now = compiled(unit, &[], true)?;
        let before = self.compiled_before(unit)?;
        let is_same = |code: &Code| before.as_ref().is_some_and(|before| is_among(code, before));
        let mut concerned =
            Concerned { unit: unit.name().to_string(), what: self.what.clone(), ..Concerned::default() };
        let mut reached = BTreeMap::<usize, Vec<String>>::new();
        for (index, code) in now.iter().enumerate().filter(|(_, code)| !code.is_library && !is_same(code)) {
            let Some(targets) = self.targets(code, &now, before.as_deref()) else { continue };
            let is_unit = |code: &Code| {
                !code.is_local && code.module == 0 && code.name != "main" && code.file == unit.main_file()
            };
            let units: Vec<usize> =
                callers(&now, index, &is_unit).into_iter().filter(|at| is_unit(&now[*at])).collect();
            for caller in callers(&now, index, &|_| false) {
                concerned.leads.entry(now[caller].name.clone()).or_default().extend(targets.iter().cloned());
            }
            if units.is_empty() {
                concerned.without_unit.push(code.name.clone());
            }
            units.into_iter().for_each(|found| reached.entry(found).or_default().extend(targets.iter().cloned()));
            concerned.changed.push(ChangedFunction { name: code.name.clone(), file: code.file.clone(), targets });
        }
        concerned.units = reached.into_iter().map(|(index, targets)| (now[index].name.clone(), targets)).collect();
        Ok(concerned)
    }

    /// The functions of the unit before the change. `None` if it does not compile.
    fn compiled_before(&self, unit: &Unit) -> Result<Option<Vec<Code>>, Error> {
        if self.removed.is_empty() && self.files.values().all(|file| file.before.is_none()) {
            return Ok(Some(if self.files.keys().any(|file| unit.sources().contains(file)) {
                Vec::new()
            } else {
                compiled(unit, &[], true)?
            }));
        }
        let changed = self.files.iter().filter_map(|(path, file)| Some((path, file.before.as_ref()?)));
        let overlay = unit.overlay(changed.chain(&self.removed))?;
        let is_new = |file: &PathBuf| self.files.get(file).is_some_and(|changed| changed.before.is_none());
        let flags = ["-ivfsoverlay".to_owned(), overlay.display().to_string()];
        let mut all = Vec::new();
        for (index, file) in unit.sources().iter().enumerate() {
            if is_new(file) {
                continue;
            }
            match unit.instrumented(index, "before", &flags) {
                Ok(bytes) => all.extend(functions(&bytes, index)),
                Err(Error::Unit { .. }) => {
                    eprintln!(
                        "warning: {} does not compile as it was before the change; each function with changed lines counts \
                         as changed",
                        file.display()
                    );
                    return Ok(None);
                }
                Err(why) => return Err(why),
            }
        }
        Ok(Some(all))
    }

    /// Targets for a function whose code has changed. `None` if no line of it has, and there is nothing to compare with.
    fn targets(&self, code: &Code, all: &[Code], before: Option<&[Code]>) -> Option<Vec<String>> {
        let whole = vec![code.name.clone()];
        let Some(changed) = self.files.get(&code.file) else { return before.map(|_| whole) };
        let is_new = before.is_some_and(|before| before.iter().all(|old| old.name != code.name));
        if changed.before.is_none() || is_new {
            return Some(whole);
        }
        // The function ends before the next one of its file.
        let others = all.iter().filter(|other| other.file == code.file && other.first > code.first);
        let end = others.map(|other| other.first).min().unwrap_or(u32::MAX);
        let own = code.first..end;
        let Lines { added, after_removed } = &changed.lines;
        let mut lines: BTreeSet<u32> = code.lines.intersection(added).copied().collect();
        for line in after_removed.range(own.clone()) {
            lines.extend(code.lines.range(line..).next().or(code.lines.last()));
        }
        if lines.is_empty() {
            let is_touched = added.range(own.clone()).next().is_some();
            return (before.is_some() || is_touched).then_some(whole);
        }
        let target = |line: u32| format!("{}@{}:{line}", code.name, code.file.display());
        Some(lines.into_iter().map(target).collect())
    }
}

/// True if one of the functions has the same name and code. Files may have `static` functions with the same name, so one
/// of the same file counts, unless the function came from another file.
fn is_among(code: &Code, before: &[Code]) -> bool {
    let named: Vec<&Code> = before.iter().filter(|old| old.name == code.name).collect();
    let own: Vec<&Code> = named.iter().copied().filter(|old| old.module == code.module).collect();
    (if own.is_empty() { named } else { own }).iter().any(|old| old.hash == code.hash)
}

/// The function and everything that calls it, directly or not. Callers of functions that are an `end` are left out.
fn callers(all: &[Code], function: usize, is_end: &dyn Fn(&Code) -> bool) -> BTreeSet<usize> {
    let (mut seen, mut waiting) = (BTreeSet::from([function]), vec![function]);
    while let Some(index) = waiting.pop() {
        let callee = &all[index];
        if is_end(callee) {
            continue;
        }
        let uses = |code: &Code| code.uses.contains(&callee.name) && (!callee.is_local || callee.module == code.module);
        for (caller, code) in all.iter().enumerate() {
            if uses(code) && seen.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    seen
}

/// The file of the unit, or one near it, that a patch names, if it `fits`.
fn located(name: &str, sources: &[PathBuf], fits: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let plain = name.split_once('/').filter(|(prefix, _)| *prefix == "b" || *prefix == "a").map(|(_, rest)| rest);
    let names: Vec<&str> = plain.into_iter().chain([name]).collect();
    let own = names.iter().find_map(|name| sources.iter().find(|source| source.ends_with(name)).cloned());
    let own = own.filter(|path| fits(path));
    own.or_else(|| {
        let folders = sources.first()?.ancestors().skip(1);
        folders
            .flat_map(|folder| names.iter().map(|name| folder.join(name)))
            .find(|path| path.parent().is_some_and(Path::is_dir) && fits(path))
    })
}
