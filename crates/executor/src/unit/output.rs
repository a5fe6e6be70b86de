//! Output of the unit: stdout and stderr together, in a file in memory that each run finds empty, or with what the
//! program printed before its first input, where that is done once.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::FileExt;

use super::error::{UnitError, system};

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
        // Both streams, and whatever the unit makes of them, append.
        // SAFETY: sets a flag of our own file.
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
        // Where the next byte goes is of no matter to a file that is appended to, and asking so costs least.
        (&self.file).seek(SeekFrom::End(0)).unwrap_or(0)
    }

    /// Keeps the first `wanted` bytes of `len`.
    pub(super) fn keep(&self, wanted: u64, len: u64) {
        if len > wanted {
            // A file in memory can always be made shorter.
            let _ = self.file.set_len(wanted);
            // A program that asks for its place begins at the same one in every run.
            let _ = (&self.file).seek(SeekFrom::End(0));
        }
    }

    /// The first `cap` bytes.
    pub(super) fn read(&self, cap: usize) -> Vec<u8> {
        let mut bytes = vec![0; (self.len() as usize).min(cap)];
        let n = self.file.read_at(&mut bytes, 0).unwrap_or(0);
        bytes.truncate(n);
        bytes
    }
}
