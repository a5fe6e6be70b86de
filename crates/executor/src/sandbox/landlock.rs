//! Landlock: the unit may read all files except devices, and write only below its scratch directory.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::{SCOPED, check};

const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
/// All `REMOVE_*` and `MAKE_*` rights.
const CHANGE_DIRECTORY: u64 = 0x1ff0;
/// Creation of devices and sockets.
const MAKE_SPECIAL: u64 = 1 << 6 | 1 << 9 | 1 << 11;
/// Linking and renaming between directories; version 2.
const REFER: u64 = 1 << 13;
/// Version 3.
const TRUNCATE: u64 = 1 << 14;
/// Binding and connecting TCP sockets; version 4.
const NETWORK: u64 = 3;
/// Abstract Unix sockets and signals to processes outside; version 6.
const SCOPES: u64 = 3;

/// Harmless devices that may be read and written …
const NO_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];
/// … and those that may be read.
const SOURCES: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/shm"];

#[repr(C)]
struct Ruleset {
    files: u64,
    network: u64,
    scopes: u64,
}

#[repr(C, packed)]
struct Beneath {
    allowed: u64,
    directory: i32,
}

/// Version of Landlock in the kernel, 0 for none.
pub(super) fn version() -> u32 {
    const CREATE_RULESET_VERSION: u32 = 1;
    // SAFETY: the kernel reads no memory if this flag is set.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, CREATE_RULESET_VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Creates the rules of a process that may write below `scratch`. `lifted`: devices and networks are allowed.
pub(super) fn ruleset(version: u32, scratch: Option<&Path>, lifted: bool) -> io::Result<OwnedFd> {
    let mut files = WRITE_FILE | CHANGE_DIRECTORY;
    files |= if lifted { 0 } else { READ_FILE };
    files |= if version >= 2 { REFER } else { 0 };
    files |= if version >= 3 { TRUNCATE } else { 0 };
    let rules = Ruleset {
        files,
        network: if version >= 4 && !lifted { NETWORK } else { 0 },
        scopes: if version >= SCOPED { SCOPES } else { 0 },
    };
    // Older kernels reject a larger structure with non-zero contents, so they get a smaller one.
    let len = match version {
        ..4 => 8,
        4 | 5 => 16,
        _ => 24usize,
    };
    // SAFETY: the structure lives for the call.
    let created = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, &raw const rules, len, 0) };
    check(created as i32)?;
    // SAFETY: a new descriptor that nothing else owns.
    let ruleset = unsafe { OwnedFd::from_raw_fd(created as i32) };
    for device in NO_DEVICES {
        allow_if_there(&ruleset, Path::new(device), files & (WRITE_FILE | READ_FILE | TRUNCATE))?;
    }
    if !lifted {
        allow_reading(&ruleset)?;
    }
    if let Some(scratch) = scratch {
        allow(&ruleset, scratch, files & !MAKE_SPECIAL)?;
    }
    Ok(ruleset)
}

/// Allows reading everything in the root directory except for `/dev`.
fn allow_reading(ruleset: &OwnedFd) -> io::Result<()> {
    for entry in std::fs::read_dir("/")? {
        let path = entry?.path();
        if path != Path::new("/dev") {
            allow_if_there(ruleset, &path, READ_FILE)?;
        }
    }
    SOURCES.iter().try_for_each(|source| allow_if_there(ruleset, Path::new(source), READ_FILE))
}

/// Like [`allow`], for files that may be missing or inaccessible.
fn allow_if_there(ruleset: &OwnedFd, path: &Path, allowed: u64) -> io::Result<()> {
    match allow(ruleset, path, allowed) {
        Err(why) if matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => Ok(()),
        other => other,
    }
}

fn allow(ruleset: &OwnedFd, path: &Path, allowed: u64) -> io::Result<()> {
    const PATH_BENEATH: u32 = 1;
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the path is a C string.
    let directory = unsafe { libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC) };
    check(directory)?;
    // SAFETY: a new descriptor that nothing else owns.
    let directory = unsafe { OwnedFd::from_raw_fd(directory) };
    let rule = Beneath { allowed, directory: directory.as_raw_fd() };
    // SAFETY: the rule lives for the call.
    let added =
        unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), PATH_BENEATH, &raw const rule, 0) };
    check(added as i32)
}

/// Restricts this process and its children.
pub(super) fn restrict(ruleset: &OwnedFd) -> io::Result<()> {
    // SAFETY: takes only numbers.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) } as i32)
}
