//! Output of the unit: stdout and stderr together, in a memory file. At the start of a run it is empty, or holds the
//! output of a shared start-up.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::FileExt;

use super::error::{UnitError, system};

/// Printed text of a unit.
#[derive(Debug)]
pub struct Output {
    file: File,
}

impl Output {
    pub(super) fn new() -> Result<Output, UnitError> {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"tine-output".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(system("make a file for the unit's output"));
        }
        // SAFETY: a new descriptor without another owner.
        let file = unsafe { File::from_raw_fd(fd) };
        // Both streams append, and so do duplicates that the unit makes of them.
        // SAFETY: sets a flag of a file that belongs to the engine.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) } < 0 {
            return Err(system("append to the unit's output"));
        }
        Ok(Output { file })
    }

    /// For the unit's streams.
    pub(super) fn stream(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    pub(super) fn len(&self) -> u64 {
        // The position has no effect on a file that is appended to, and a seek is the cheapest way to get the size.
        (&self.file).seek(SeekFrom::End(0)).unwrap_or(0)
    }

    /// Truncates the output from `len` to the first `wanted` bytes.
    pub(super) fn keep(&self, wanted: u64, len: u64) {
        if len > wanted {
            // A memory file can always be truncated.
            let _ = self.file.set_len(wanted);
            // A program that queries its position sees the same one in every run.
            let _ = (&self.file).seek(SeekFrom::End(0));
        }
    }

    /// Returns the first `cap` bytes.
    pub(super) fn read(&self, cap: usize) -> Vec<u8> {
        let mut bytes = vec![0; (self.len() as usize).min(cap)];
        let n = self.file.read_at(&mut bytes, 0).unwrap_or(0);
        bytes.truncate(n);
        bytes
    }
}
