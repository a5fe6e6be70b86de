//! The directory of a session: created when needed, and locked while a process writes.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::error::SessionError;

/// Attempts to lock a session, 20 ms apart. A unit's process holds the lock for a moment after its tine was killed.
const LOCK_TRIES: u32 = 50;

/// Locks the directory itself, so that no lock file remains.
pub(crate) fn lock(dir: &Path) -> Result<File, SessionError> {
    let file = File::open(dir).map_err(|error| SessionError::unwritable(dir, error))?;
    // A child that a killed tine was just starting holds the lock until it calls `exec` or ends.
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::Error(error)) => return Err(SessionError::unwritable(dir, error)),
        }
    }
    Err(SessionError::InUse(dir.to_path_buf()))
}

/// A directory that exists from now on. Unless it is kept, the directories that were created for it are removed again.
pub(crate) struct Directory {
    /// Created directories, outermost first.
    made: Vec<PathBuf>,
}

impl Directory {
    pub(crate) fn make(dir: &Path) -> Result<Directory, SessionError> {
        if dir.is_symlink() {
            let why = std::io::Error::other("it is a symbolic link; give the directory that it points to");
            return Err(SessionError::unwritable(dir, why));
        }
        let missing = dir.ancestors().take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        missing.reverse();
        let mut directory = Directory { made: Vec::new() };
        for path in missing {
            fs::create_dir(&path).map_err(|error| SessionError::unwritable(dir, error))?;
            directory.made.push(path);
        }
        Ok(directory)
    }

    pub(crate) fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        for path in self.made.iter().rev() {
            // If it is not empty, another process uses it now.
            let _ = fs::remove_dir(path);
        }
    }
}
