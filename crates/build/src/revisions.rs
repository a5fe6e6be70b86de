//! Two revisions of a git checkout, as directories.
//!
//! Everything of the checkout that a version needs comes from its revision: other files, and directories for includes in
//! the flags. Files that git does not have, such as generated headers, are those of the working tree.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tine_engine::temporary::Temporary;

use crate::Error;
use crate::unit::absolute;

/// Copies of the revisions. They are removed when this is dropped.
#[derive(Debug)]
pub struct Checkouts {
    root: PathBuf,
    old: (Temporary, PathBuf),
    /// The new version. A file of the working tree has no copy.
    new: (Option<Temporary>, PathBuf),
}

impl Checkouts {
    /// Checks out the revisions `A..B`, or `A` and the working tree, of the repository that contains `file`. `A...B` is the
    /// change of `B` since it branched off `A`.
    pub fn new(range: &str, file: &Path) -> Result<Checkouts, Error> {
        let file = match absolute(file) {
            Ok(file) => file,
            // The file may have been removed since.
            Err(why) if !range.contains("..") || range.ends_with("..") => return Err(why),
            Err(_) => std::env::current_dir().unwrap_or_default().join(file),
        };
        let folder = file.parent().filter(|folder| folder.is_dir()).map_or(PathBuf::from("."), Path::to_path_buf);
        let root = root_of(&folder).map_err(|why| {
            Error::request(
                format!("{} is not in a git checkout: {why}", file.display()),
                "leave --rev out and give two files",
            )
        })?;
        let (old, new) = ends(&root, range)?;
        let file_name = file.clone();
        let inside = file_name.strip_prefix(&root).map_err(|_| {
            Error::request(format!("{} is not below {}", file.display(), root.display()), "give a file of the checkout")
        })?;
        let copy = |revision: &str| -> Result<(Temporary, PathBuf), Error> {
            let copy = extract(&root, revision)?;
            let path = copy.path().join(inside);
            if !path.is_file() {
                return Err(Error::request(
                    format!("revision `{revision}` has no file {}", inside.display()),
                    "`git log --follow` shows earlier names; give two files instead of --rev",
                ));
            }
            Ok((copy, path))
        };
        let old = copy(&old)?;
        let new = match &*new {
            "" => (None, file),
            revision => copy(revision).map(|(folder, path)| (Some(folder), path))?,
        };
        Ok(Checkouts { root, old, new })
    }

    /// Flags and other files of the old version, from those of the working tree.
    pub fn moved_to_old(&self, flags: &[String], files: &[PathBuf]) -> (Vec<String>, Vec<PathBuf>) {
        moved(&self.root, self.old.0.path(), flags, files)
    }

    /// Flags and other files of the new version, from those of the working tree.
    pub fn moved_to_new(&self, flags: &[String], files: &[PathBuf]) -> (Vec<String>, Vec<PathBuf>) {
        match &self.new.0 {
            None => (flags.to_vec(), files.to_vec()),
            Some(copy) => moved(&self.root, copy.path(), flags, files),
        }
    }

    /// The file in the old revision.
    pub fn old(&self) -> PathBuf {
        self.old.1.clone()
    }

    /// The file in the new revision.
    pub fn new_version(&self) -> PathBuf {
        self.new.1.clone()
    }
}

/// The revisions that a range names. The new one is empty for the working tree.
fn ends(root: &Path, range: &str) -> Result<(String, String), Error> {
    let or_head = |revision: &str| if revision.is_empty() { "HEAD".to_owned() } else { revision.to_owned() };
    if let Some((old, new)) = range.split_once("...") {
        let (old, new) = (commit(root, &or_head(old))?, commit(root, &or_head(new))?);
        let base = git(root, &["merge-base", &old, &new]).map_err(|_| {
            Error::request(format!("the revisions of `{range}` have no common ancestor"), "give A..B instead")
        })?;
        return Ok((base.trim().to_owned(), new));
    }
    let (old, new) = range.split_once("..").unwrap_or((range, ""));
    Ok((or_head(old), new.to_owned()))
}

/// Flags whose value is a directory with headers.
const DIRECTORIES: &[&str] = &["-I", "-iquote", "-isystem", "-idirafter"];
/// Flags whose value is a file.
const FILES: &[&str] = &["-include", "-imacros"];

/// Flags and files with paths in `copy` instead of `root`. Headers that are only in the working tree are found last.
fn moved(root: &Path, copy: &Path, flags: &[String], files: &[PathBuf]) -> (Vec<String>, Vec<PathBuf>) {
    let place = |path: &Path| {
        let path = path.canonicalize().unwrap_or_else(|_| std::env::current_dir().unwrap_or_default().join(path));
        path.strip_prefix(root).ok().map(|inside| copy.join(inside))
    };
    let in_copy = |path: &Path| place(path).filter(|path| path.is_file()).unwrap_or_else(|| path.to_path_buf());
    let mut moved = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let Some(name) = DIRECTORIES.iter().chain(FILES).find(|name| flag.starts_with(**name)) else {
            moved.push(flag.clone());
            continue;
        };
        let value = match &flag[name.len()..] {
            "" => flags.next().cloned().unwrap_or_default(),
            joined => joined.to_owned(),
        };
        let is_directory = DIRECTORIES.contains(name);
        match place(Path::new(&value)).filter(|_| is_directory) {
            Some(place) => {
                moved.extend([(*name).to_owned(), place.display().to_string()]);
                moved.extend(["-idirafter".to_owned(), value]);
            }
            None if is_directory => moved.extend([(*name).to_owned(), value]),
            None => moved.extend([(*name).to_owned(), in_copy(Path::new(&value)).display().to_string()]),
        }
    }
    (moved, files.iter().map(|file| in_copy(file)).collect())
}

/// The top directory of the checkout that contains a folder.
pub(crate) fn root_of(folder: &Path) -> Result<PathBuf, String> {
    git(folder, &["rev-parse", "--show-toplevel"]).map(|root| PathBuf::from(root.trim_end_matches('\n')))
}

/// The commit that a revision means.
pub(crate) fn commit(root: &Path, revision: &str) -> Result<String, Error> {
    let commit = format!("{revision}^{{commit}}");
    git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
        .map(|hash| hash.trim().to_owned())
        .map_err(|_| Error::request(format!("git knows no revision `{revision}`"), "`git log --oneline` lists them"))
}

/// Output of git in a folder, or its messages if it fails.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|why| match why.kind() {
        std::io::ErrorKind::NotFound => "`git` not found".to_owned(),
        _ => why.to_string(),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(said.lines().next().unwrap_or("git failed").to_owned())
}

/// Extracts the files of a revision into a directory.
fn extract(root: &Path, revision: &str) -> Result<Temporary, Error> {
    let hash = commit(root, revision)?;
    let failed = |why: String| {
        Error::request(format!("cannot extract `{revision}`: {why}"), "set TMPDIR to a writable directory")
    };
    let folder = Temporary::new("revision").map_err(|why| failed(why.to_string()))?;
    let archive = folder.path().join("revision.tar");
    let output = format!("--output={}", archive.display());
    git(root, &["archive", "--format=tar", &output, &hash]).map_err(failed)?;
    let status =
        Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(folder.path()).stdin(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(folder),
        Ok(status) => Err(failed(status.to_string())),
        Err(why) => Err(failed(format!("`tar`: {why}"))),
    }
}
