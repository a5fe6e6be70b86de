//! Two revisions of a git checkout, as directories: includes of a file are taken from the same revision.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tine_engine::temporary::Temporary;

use crate::Error;
use crate::unit::absolute;

/// Copies of the revisions. They are removed when this is dropped.
#[derive(Debug)]
pub struct Checkouts {
    old: (Temporary, PathBuf),
    /// The new version. A file of the working tree has no copy.
    new: (Option<Temporary>, PathBuf),
}

impl Checkouts {
    /// Checks out the revisions `A..B`, or `A` and the working tree, of the repository that contains `file`.
    pub fn new(range: &str, file: &Path) -> Result<Checkouts, Error> {
        let (old, new) = range.split_once("..").unwrap_or((range, ""));
        let file = match absolute(file) {
            Ok(file) => file,
            // The file may have been removed since.
            Err(why) if new.is_empty() => return Err(why),
            Err(_) => std::env::current_dir().unwrap_or_default().join(file),
        };
        let folder = file.parent().filter(|folder| folder.is_dir()).map_or(PathBuf::from("."), Path::to_path_buf);
        let root = root_of(&folder).map_err(|why| {
            Error::request(
                format!("{} is not in a git checkout: {why}", file.display()),
                "leave --rev out and give two files",
            )
        })?;
        let inside = file.strip_prefix(&root).map_err(|_| {
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
        let old = copy(if old.is_empty() { "HEAD" } else { old })?;
        let new = match new {
            "" => (None, file),
            revision => copy(revision).map(|(folder, path)| (Some(folder), path))?,
        };
        Ok(Checkouts { old, new })
    }

    /// Directory with the old revision.
    pub fn old(&self) -> PathBuf {
        self.old.1.clone()
    }

    /// Directory with the new revision.
    pub fn new_version(&self) -> PathBuf {
        self.new.1.clone()
    }
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
