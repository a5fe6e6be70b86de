//! The program that `build.rs` made of Bitwuzla and `native/server.cpp`. It is embedded in this program and runs from a
//! file in memory, so that nothing has to be installed or located.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bitwuzla-server"));
const NAME: &str = "tine-bitwuzla";
/// Required from Linux 6.3 on, where files in memory may not be executable by default.
const MFD_EXEC: libc::c_uint = 0x10;

/// Runs the program with at most `bytes` of address space (0 for no limit).
pub(super) fn command(bytes: u64, cores: bool) -> io::Result<Command> {
    static FILE: Mutex<Option<File>> = Mutex::new(None);
    let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    if file.is_none() {
        *file = Some(create()?);
    }
    let descriptor = file.as_ref().map_or(-1, AsRawFd::as_raw_fd);
    let mut command = Command::new(format!("/proc/self/fd/{descriptor}"));
    // The program restricts itself, so it can be started without a copy of this process, which may be large.
    command.arg0(NAME).arg(std::process::id().to_string()).arg(bytes.to_string()).arg(u8::from(cores).to_string());
    Ok(command)
}

fn create() -> io::Result<File> {
    let named = |flags| {
        // SAFETY: a system call with a zero-terminated string.
        unsafe { libc::memfd_create(c"tine-bitwuzla".as_ptr(), libc::MFD_CLOEXEC | flags) }
    };
    let descriptor = match named(MFD_EXEC) {
        -1 => named(0),
        descriptor => descriptor,
    };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor has just been created and has no other owner.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(PROGRAM)?;
    Ok(file)
}
