//! Files in a directory (`tine.toml`, `compile_commands.json`) may select what to explore. Settings that could harm the
//! user are accepted only from trusted files. `--trust` is stored with the digest of the file, so it is valid until the
//! file changes.
//!
//! ```text
//!   $XDG_STATE_HOME/tine/trusted     <digest> <path>     one line per file, accessible only by this user
//! ```

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use tine_engine::owned;
use tine_engine::verified::digest;

use crate::Error;

/// A file with its trust status.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    is_trusted: bool,
}

impl Source {
    /// `is_given`: the user passed `--trust`, which applies to the current contents.
    pub fn new(path: &Path, bytes: &[u8], is_given: bool) -> Source {
        let digest = digest(bytes);
        let is_trusted = is_given || is_known(&digest);
        if is_given && !is_known(&digest) {
            remember(&digest, path);
        }
        Source { path: path.to_path_buf(), is_trusted }
    }

    /// Rejects a setting that only a trusted file may have.
    pub fn require(&self, what: &str) -> Result<(), Error> {
        if self.is_trusted {
            return Ok(());
        }
        Err(Error::request(
            format!("{} {what}, which is done only if you trust the file", self.path.display()),
            "read the file; then say `--trust`, which is remembered until the file changes, or give the flag yourself",
        ))
    }

    /// Rejects an output path outside of the file's directory.
    pub fn require_inside(&self, key: &str, value: &str) -> Result<(), Error> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        if is_inside(folder, Path::new(value)) {
            return Ok(());
        }
        self.require(&format!("sets `{key}` to `{value}`, outside of its directory"))
    }
}

/// True if a path, which may be relative to `folder`, is below it after resolving links.
pub fn is_inside(folder: &Path, path: &Path) -> bool {
    if path.components().any(|part| part == Component::ParentDir) {
        return false;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(root), whole) = (folder.canonicalize(), folder.join(path)) else { return false };
    // A path that does not exist yet will be created below its existing part. A dangling link could point anywhere.
    let Some(existing) = whole.ancestors().find(|path| path.symlink_metadata().is_ok()) else { return false };
    existing.canonicalize().is_ok_and(|existing| existing.starts_with(root))
}

fn list() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("tine/trusted"))
}

fn is_known(digest: &str) -> bool {
    let Some(path) = list() else { return false };
    let Ok(about) = path.metadata() else { return false };
    if let Err(why) = owned::check(&path, &about) {
        eprintln!("warning: the list of trusted files is not used: {}", why.to_string().escape_debug());
        return false;
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    text.lines().any(|line| line.split(' ').next() == Some(digest))
}

/// Stores the trust. If that fails, it applies only to this command.
fn remember(digest: &str, path: &Path) {
    let Some(list) = list() else { return };
    let write = || -> Result<(), String> {
        owned::private_directory(list.parent().unwrap_or(Path::new("/"))).map_err(|why| why.to_string())?;
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&list);
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let line = format!("{digest} {}\n", absolute.to_string_lossy().escape_debug());
        file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|why| format!("{}: {why}", list.display()))
    };
    if let Err(why) = write() {
        eprintln!("warning: cannot remember what is trusted: {}", why.escape_debug());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_directory() {
        let folder = tempfile::tempdir().expect("a directory");
        let root = folder.path().join("project");
        fs::create_dir_all(root.join("sub")).expect("a directory");
        std::os::unix::fs::symlink("/tmp", root.join("out-of-it")).expect("a link");
        std::os::unix::fs::symlink("sub", root.join("within")).expect("a link");
        std::os::unix::fs::symlink("/nowhere/at/all", root.join("dangling")).expect("a link");
        for inside in ["a", "./a/b", "sub", "sub/new", "within/x"] {
            assert!(is_inside(&root, Path::new(inside)), "{inside}");
        }
        assert!(is_inside(&root, &root.join("new")));
        for outside in ["/tmp", "..", "../x", "sub/../../x", "out-of-it/x", "out-of-it", "dangling", "dangling/x"] {
            assert!(!is_inside(&root, Path::new(outside)), "{outside}");
        }
    }
}
