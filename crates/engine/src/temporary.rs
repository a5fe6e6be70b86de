//! Temporary directories. Those of a process that was killed are removed by the next one.
//!
//! The process that creates a directory locks it. The kernel releases the lock when the process ends for any reason, so
//! a directory that can be locked is unused. It gets its name only once it is locked. (Process numbers would not work:
//! containers that share `/tmp` have separate numbers.)

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The prefix of all these directories.
const PREFIX: &str = "tine-tmp-";
/// The prefix of directories that are not locked yet.
const FRESH: &str = "tine-new-";
/// Ample time between creating a directory and locking it.
const YOUNG: Duration = Duration::from_secs(60);

/// Removed when it goes out of scope.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    _lock: File,
}

impl Temporary {
    /// Creates a directory below `$TMPDIR`. `what` becomes part of its name.
    pub fn new(what: &str) -> io::Result<Temporary> {
        let fresh = tempfile::Builder::new().prefix(&format!("{FRESH}{what}-")).rand_bytes(10).tempdir()?;
        let lock = File::open(fresh.path())?;
        // On file systems without locks, all directories look used.
        let _ = lock.try_lock();
        let name = fresh.path().file_name().unwrap_or_default().to_string_lossy();
        let path = fresh.path().with_file_name(name.replacen(FRESH, PREFIX, 1));
        // Fails if a non-empty directory has that name.
        fs::rename(fresh.path(), &path)?;
        let _ = fresh.keep();
        Ok(Temporary { path, _lock: lock })
    }

    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A later process removes directories that cannot be removed now.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes directories of processes that did not clean up. Failures do not matter.
pub fn sweep() {
    sweep_in(&std::env::temp_dir());
}

fn sweep_in(parent: &Path) {
    let (Ok(entries), Ok(us)) = (fs::read_dir(parent), fs::metadata("/proc/self")) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let young = if name.starts_with(FRESH) { YOUNG } else { Duration::ZERO };
        if name.starts_with(FRESH) || name.starts_with(PREFIX) {
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
        let (other, cache, young) = (make("other-tmp-1"), make("tine-cache-0"), make("tine-new-build-3"));
        let lock = File::open(&used).expect("it is there");
        lock.try_lock().expect("no other process knows the file");

        sweep_in(parent.path());
        assert!(!left.exists());
        assert!(young.exists(), "it may be so young that it is not locked yet");
        assert!(used.exists() && other.exists() && cache.exists());
        drop(lock);
        sweep_in(parent.path());
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
