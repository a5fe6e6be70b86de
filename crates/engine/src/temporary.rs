//! Temporary directories. Those of a process that was killed are removed by the next one.
//!
//! Each is locked by the process that made it; the kernel releases the lock when the process ends, for whatever reason. A
//! directory that can be locked is therefore not used any more. (Process numbers would not do: containers that share `/tmp`
//! have numbers of their own.)

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// The prefix of all these directories.
const PREFIX: &str = "tine-tmp-";
/// Ample time between making a directory and locking it.
const YOUNG: Duration = Duration::from_secs(60);

/// Removed when it goes out of scope.
#[derive(Debug)]
pub struct Temporary {
    directory: tempfile::TempDir,
    _lock: File,
}

impl Temporary {
    /// Makes a directory below `$TMPDIR`; `what` becomes part of its name.
    pub fn new(what: &str) -> io::Result<Temporary> {
        let directory = tempfile::Builder::new().prefix(&format!("{PREFIX}{what}-")).tempdir()?;
        let lock = File::open(directory.path())?;
        // On file systems without locks, all directories look used.
        let _ = lock.try_lock();
        Ok(Temporary { directory, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Removes directories of processes that ended without doing so. Failures do not matter.
pub fn sweep() {
    sweep_in(&std::env::temp_dir(), YOUNG);
}

fn sweep_in(parent: &Path, young: Duration) {
    let (Ok(entries), Ok(us)) = (fs::read_dir(parent), fs::metadata("/proc/self")) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) {
            let _ = remove_if_left(&entry.path(), us.uid(), young);
        }
    }
}

fn remove_if_left(path: &Path, user: u32, young: Duration) -> io::Result<()> {
    let about = fs::symlink_metadata(path)?;
    let old = about.modified()?.elapsed().is_ok_and(|age| age >= young);
    if !about.is_dir() || about.uid() != user || !old {
        return Ok(());
    }
    let directory = File::open(path)?;
    match directory.try_lock() {
        Ok(()) => fs::remove_dir_all(path),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_uses_is_removed() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        let make = |name: &str| {
            let path = parent.path().join(name);
            fs::create_dir(&path).expect("a fresh directory");
            fs::write(path.join("file"), "x").expect("a fresh directory");
            path
        };
        let (left, used) = (make("tine-tmp-build-1"), make("tine-tmp-build-2"));
        let (other, cache) = (make("other-tmp-1"), make("tine-cache-0"));
        let lock = File::open(&used).expect("it is there");
        lock.try_lock().expect("nobody else knows it");

        sweep_in(parent.path(), YOUNG);
        assert!(left.exists(), "it may be so young that it is not locked yet");
        sweep_in(parent.path(), Duration::ZERO);
        assert!(!left.exists());
        assert!(used.exists() && other.exists() && cache.exists());
        drop(lock);
        sweep_in(parent.path(), Duration::ZERO);
        assert!(!used.exists());
    }

    #[test]
    fn a_temporary_directory_is_locked_and_goes_away() {
        let temporary = Temporary::new("test").expect("a temporary directory");
        let path = temporary.path().to_path_buf();
        let another = File::open(&path).expect("it is there");
        assert!(another.try_lock().is_err());
        drop(temporary);
        assert!(!path.exists());
    }
}
