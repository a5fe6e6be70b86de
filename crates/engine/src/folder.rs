//! Directories of sessions: `tine-out/TARGET`, one per target.
//!
//! A new session takes the first of `tine-out/f`, `tine-out/f-2`, `tine-out/f-3` … that has no session, or that has a
//! finished session of the same target, which it replaces. Other sessions stay: those of another target with the same
//! name, interrupted ones (they can be resumed), and those that another process is writing.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tine_session::summary::Stopped;
use tine_session::{Session, SessionError};

use crate::stored::Stored;

/// Parent directory of all sessions without a directory of their own (`--out`).
pub const ROOT: &str = "tine-out";
/// Maximum number of characters of a target's name in the name of its directory.
const MAX_NAME: usize = 60;

/// The directory for a new session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub folder: PathBuf,
    /// True if the directory has a finished session of the same target, which is replaced.
    pub replaces: bool,
    /// An unfinished session of the same target, which stays.
    pub unfinished: Option<PathBuf>,
}

impl Place {
    /// A directory that the user named: nothing in it is replaced.
    pub fn given(folder: PathBuf) -> Place {
        Place { folder, replaces: false, unfinished: None }
    }

    /// The directory below `root` for the target `name` of the file or program `from`. `keep`: finished sessions stay.
    pub fn below(root: &Path, name: &str, from: &Path, keep: bool) -> Result<Place, SessionError> {
        if root.is_symlink() {
            let error = std::io::Error::other("it is a symbolic link; give the directory that it points to");
            return Err(SessionError::Unwritable { dir: root.to_path_buf(), error });
        }
        let name_of = |number: u32| match number {
            1 => file_name(name),
            number => format!("{}-{number}", file_name(name)),
        };
        let mut unfinished = None;
        for number in 1.. {
            let folder = root.join(name_of(number));
            match earlier(&folder, name, from) {
                Earlier::None => return Ok(Place { folder, replaces: false, unfinished }),
                Earlier::Finished if !keep => return Ok(Place { folder, replaces: true, unfinished }),
                Earlier::Unfinished => unfinished = unfinished.or(Some(folder)),
                Earlier::Finished | Earlier::Other => {}
            }
        }
        unreachable!("some number is free")
    }
}

/// An existing session where a new one should be.
enum Earlier {
    None,
    /// Same target; its exploration ended or reached a limit.
    Finished,
    /// Same target; it was interrupted or killed.
    Unfinished,
    /// Another target, in use, or not readable by this version.
    Other,
}

fn earlier(folder: &Path, name: &str, from: &Path) -> Earlier {
    let session = match Session::open(folder) {
        Ok(session) => session,
        Err(SessionError::Missing(_)) => return Earlier::None,
        Err(_) => return Earlier::Other,
    };
    let is_locked = || File::open(folder).is_ok_and(|file| file.try_lock().is_err());
    match Stored::read(&session) {
        Ok(stored) if stored.is_of(name, from) && !is_locked() => {}
        _ => return Earlier::Other,
    }
    match session.summary() {
        Ok(Some(summary)) if summary.stopped != Stopped::Interrupted => Earlier::Finished,
        _ => Earlier::Unfinished,
    }
}

/// Converts a target's name to the name of a directory.
fn file_name(target: &str) -> String {
    let mut name = String::new();
    for character in target.chars().take(MAX_NAME) {
        let is_plain = character.is_alphanumeric() || "_-.".contains(character);
        match character {
            _ if is_plain && !(name.is_empty() && "-.".contains(character)) => name.push(character),
            _ if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    let name = name.trim_end_matches('_');
    if name.is_empty() { "target".to_owned() } else { name.to_owned() }
}

/// The sessions in a directory: its own, or those in its subdirectories, by name.
pub fn sessions(folder: &Path) -> Vec<PathBuf> {
    let holds = |folder: &Path| folder.join("session.db").exists();
    if holds(folder) {
        return vec![folder.to_path_buf()];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut found: Vec<PathBuf> = entries.filter(|path| !is_hidden(path) && holds(path)).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_targets_are_names_of_directories() {
        for (target, name) in [
            ("scale", "scale"),
            ("init,add*,find?", "init_add_find"),
            ("../x", "x"),
            ("_private", "_private"),
            ("größe", "größe"),
            ("*", "target"),
        ] {
            assert_eq!(file_name(target), name);
        }
        assert_eq!(file_name(&"a".repeat(500)).len(), MAX_NAME);
    }

    #[test]
    fn a_directory_stands_for_the_sessions_in_it() {
        let root = tempfile::tempdir().expect("a directory");
        for name in ["b", "a", ".a.new", "empty"] {
            fs::create_dir(root.path().join(name)).expect("a directory");
        }
        for name in ["b", "a", ".a.new"] {
            fs::write(root.path().join(name).join("session.db"), "").expect("a file");
        }
        assert_eq!(sessions(root.path()), [root.path().join("a"), root.path().join("b")]);
        assert_eq!(sessions(&root.path().join("b")), [root.path().join("b")]);
        assert!(sessions(&root.path().join("empty")).is_empty());
        assert!(sessions(&root.path().join("missing")).is_empty());
    }
}
