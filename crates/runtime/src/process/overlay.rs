//! Files that the unit writes outside of its scratch directory. They are written into the scratch directory instead,
//! and found there when the unit opens them again. The user's files do not change.
//!
//! ```text
//!   open("/home/x/log", O_WRONLY | O_APPEND)  ─▶  copy to SCRATCH/.tine-5f3c…, open that
//!   open("log", O_RDONLY)                     ─▶  the copy, because there is one
//!   unlink("log")                             ─▶  removes the copy, never a file of the user
//! ```
//! A copy is named by a hash of the absolute path. After a run that wrote, the process is replaced and the scratch
//! directory emptied: each run finds the disk as the user left it. Queries of a path (`stat`, `access`) see only the
//! user's file.

use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use tine_trace::hash;
use tine_trace::segment::REFUSED_FILE;

use crate::sys::{self, Errno};

/// The scratch directory, without its zero byte.
static SCRATCH: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
static SCRATCH_LEN: AtomicUsize = AtomicUsize::new(0);
/// True if this run has written a copy.
static USED: AtomicBool = AtomicBool::new(false);

/// Longest path of the kernel, with its zero byte.
const PATH_MAX: usize = 4096;
/// Maximum size of a file that is copied for writing. Larger files are left to Landlock, which refuses the call.
const MAX_COPY: usize = 64 << 20;

pub(super) const O_ACCMODE: usize = 3;
pub(super) const O_CREAT: usize = 0o100;
const O_EXCL: usize = 0o200;
pub(super) const O_TRUNC: usize = 0o1000;
const O_DIRECTORY: usize = 0o20_0000;
const O_TMPFILE: usize = 0o2000_0000;
const AT_FDCWD: usize = -100isize as usize;

mod nr {
    pub(super) const LSEEK: usize = 8;
    pub(super) const SENDFILE: usize = 40;
    pub(super) const GETCWD: usize = 79;
    pub(super) const FSTAT: usize = 5;
    pub(super) const RENAME: usize = 82;
    pub(super) const UNLINK: usize = 87;
    pub(super) const FACCESSAT: usize = 269;
}

/// Sets the directory of the copies: `scratch` ends with a zero byte and lives as long as the process.
pub(super) fn install(scratch: &'static [u8]) {
    SCRATCH_LEN.store(scratch.len() - 1, Ordering::Relaxed);
    SCRATCH.store(scratch.as_ptr().cast_mut(), Ordering::Release);
}

fn scratch() -> Option<&'static [u8]> {
    let at = SCRATCH.load(Ordering::Acquire);
    // SAFETY: the pointer passed to `install`.
    (!at.is_null()).then(|| unsafe { core::slice::from_raw_parts(at, SCRATCH_LEN.load(Ordering::Relaxed)) })
}

/// Records a refused system call for `tine replay`: there is no engine, but a file in the directory.
pub(super) fn note_refused(number: u32) {
    const O_WRONLY_APPEND: usize = 0o2001;
    let mut list = Path::new();
    let Some(()) = scratch().and_then(|scratch| {
        list.push(scratch)?;
        list.push(b"/")?;
        list.push(REFUSED_FILE.as_bytes())
    }) else {
        return;
    };
    if let Ok(fd) = list.open(O_WRONLY_APPEND | O_CREAT, 0o600) {
        let _ = sys::write_all(fd as i32, &number.to_le_bytes());
        sys::close(fd as i32);
    }
}

/// A path with a terminating zero byte.
struct Path {
    bytes: [u8; PATH_MAX],
    len: usize,
}

impl Path {
    fn new() -> Path {
        Path { bytes: [0; PATH_MAX], len: 0 }
    }

    fn push(&mut self, part: &[u8]) -> Option<()> {
        let end = self.len + part.len();
        self.bytes.get_mut(self.len..end)?.copy_from_slice(part);
        self.len = end;
        *self.bytes.get_mut(end)? = 0;
        Some(())
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Address for the kernel. Calls pass `AT_FDCWD` before it.
    fn address(&self) -> usize {
        self.bytes.as_ptr() as usize
    }

    /// `/a/./b//../c` without detours. Symbolic links before `..` are not resolved.
    fn absolute(path: &[u8]) -> Option<Path> {
        let mut whole = Path::new();
        if path.first() != Some(&b'/') {
            // SAFETY: there is enough room.
            let len = unsafe { sys::call(nr::GETCWD, [whole.address(), PATH_MAX, 0, 0, 0, 0]) }.ok()?;
            whole.len = len - 1;
        }
        for part in path.split(|byte| *byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." => whole.len = whole.as_bytes().iter().rposition(|byte| *byte == b'/').unwrap_or(0),
                part => {
                    whole.push(b"/")?;
                    whole.push(part)?;
                }
            }
        }
        Some(whole)
    }

    /// Path of the copy of a file; `None` for files in the scratch directory and devices.
    fn copy(&self) -> Option<Path> {
        let scratch = scratch()?;
        let beneath =
            |folder: &[u8]| self.as_bytes().strip_prefix(folder).is_some_and(|rest| rest.first() == Some(&b'/'));
        if beneath(scratch) || beneath(b"/dev") || beneath(b"/proc") {
            return None;
        }
        let hash = hash::of(self.as_bytes());
        let digits: [u8; 16] = core::array::from_fn(|k| b"0123456789abcdef"[(hash >> (60 - 4 * k)) as usize & 15]);
        let mut copy = Path::new();
        copy.push(scratch)?;
        copy.push(b"/.tine-")?;
        copy.push(&digits)?;
        Some(copy)
    }

    fn exists(&self) -> bool {
        // SAFETY: a path with a zero byte.
        unsafe { sys::call(nr::FACCESSAT, [AT_FDCWD, self.address(), 0, 0, 0, 0]) }.is_ok()
    }

    fn open(&self, flags: usize, mode: usize) -> sys::Result<usize> {
        // SAFETY: a path with a zero byte.
        unsafe { sys::call(sys::nr::OPENAT, [AT_FDCWD, self.address(), flags, mode, 0, 0]) }
    }

    /// True if the directory that contains it exists.
    fn has_folder(&self) -> bool {
        let mut folder = Path::new();
        let end = self.as_bytes().iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        folder.push(if end == 0 { b"/" } else { &self.as_bytes()[..end] }).is_some() && folder.exists()
    }
}

/// Opens `path`. `None` if the call is performed unchanged.
pub(super) fn open(path: &[u8], flags: usize, mode: usize) -> Option<sys::Result<usize>> {
    const EEXIST: Errno = Errno(17);
    if path.is_empty() {
        return None;
    }
    if flags & O_TMPFILE != 0 {
        return open_nameless(path, flags, mode);
    }
    if flags & O_DIRECTORY != 0 {
        return None;
    }
    let writes = flags & O_ACCMODE != 0 || flags & (O_CREAT | O_TRUNC) != 0;
    if !writes && !USED.load(Ordering::Relaxed) {
        return None;
    }
    let original = Path::absolute(path)?;
    let copy = original.copy()?;
    if copy.exists() {
        return Some(copy.open(flags, mode));
    }
    if !writes {
        return None;
    }
    match kind_of(&original) {
        None if flags & O_CREAT == 0 || !original.has_folder() => return None,
        None => {}
        Some(_) if flags & (O_CREAT | O_EXCL) == O_CREAT | O_EXCL => return Some(Err(EEXIST)),
        // Devices, directories and unreadable files have no contents to copy.
        Some(size) if flags & O_TRUNC == 0 => copy_up(&original, &copy, size?)?,
        Some(size) => {
            size?;
        }
    }
    USED.store(true, Ordering::Relaxed);
    Some(copy.open(flags | O_CREAT, if mode == 0 { 0o600 } else { mode }))
}

/// `tmpfile`: a file without a name, made in the scratch directory instead of another existing directory.
fn open_nameless(folder: &[u8], flags: usize, mode: usize) -> Option<sys::Result<usize>> {
    if !Path::absolute(folder)?.exists() {
        return None;
    }
    let mut instead = Path::new();
    instead.push(scratch()?)?;
    USED.store(true, Ordering::Relaxed);
    Some(instead.open(flags, mode))
}

/// Removes the copy, if this run made the file.
pub(super) fn unlink(path: &[u8]) -> Option<sys::Result<usize>> {
    if !USED.load(Ordering::Relaxed) {
        return None;
    }
    let original = Path::absolute(path)?;
    let copy = original.copy()?;
    if !copy.exists() || original.exists() {
        return None;
    }
    // SAFETY: a path with a zero byte.
    Some(unsafe { sys::call(nr::UNLINK, [copy.address(), 0, 0, 0, 0, 0]) })
}

/// Renames a file that this run wrote. Afterwards there is a copy with the new name.
pub(super) fn rename(from: &[u8], to: &[u8]) -> Option<sys::Result<usize>> {
    if !USED.load(Ordering::Relaxed) {
        return None;
    }
    let (from, to) = (Path::absolute(from)?, Path::absolute(to)?);
    let (copy, target) = (from.copy()?, to.copy()?);
    if !copy.exists() || from.exists() || !to.has_folder() {
        return None;
    }
    // SAFETY: paths with zero bytes.
    Some(unsafe { sys::call(nr::RENAME, [copy.address(), target.address(), 0, 0, 0, 0]) })
}

/// `None` if there is no such file, otherwise the size of a readable regular file.
fn kind_of(path: &Path) -> Option<Option<usize>> {
    const O_PATH: usize = 0x20_0000;
    const S_IFMT: u32 = 0o17_0000;
    const S_IFREG: u32 = 0o10_0000;
    let fd = path.open(O_PATH, 0).ok()?;
    // The kernel's `struct stat`: the mode at 24, the size at 48.
    let mut status = [0u64; 18];
    // SAFETY: there is room for the structure.
    let known = unsafe { sys::call(nr::FSTAT, [fd, status.as_mut_ptr() as usize, 0, 0, 0, 0]) };
    sys::close(fd as i32);
    let is_regular = known.is_ok() && status[3] as u32 & S_IFMT == S_IFREG;
    Some((is_regular && status[6] as usize <= MAX_COPY).then_some(status[6] as usize))
}

fn copy_up(original: &Path, copy: &Path, size: usize) -> Option<()> {
    const O_WRONLY: usize = 1;
    let from = original.open(0, 0).ok()?;
    let to = match copy.open(O_WRONLY | O_CREAT | O_EXCL, 0o600) {
        Ok(to) => to,
        Err(_) => {
            sys::close(from as i32);
            return None;
        }
    };
    let mut left = size;
    while left > 0 {
        // SAFETY: descriptors and a length.
        match unsafe { sys::call(nr::SENDFILE, [to, from, 0, left, 0, 0]) } {
            Ok(0) | Err(_) => break,
            Ok(n) => left -= n.min(left),
        }
    }
    // SAFETY: a descriptor.
    let _ = unsafe { sys::call(nr::LSEEK, [to, 0, 0, 0, 0, 0]) };
    sys::close(from as i32);
    sys::close(to as i32);
    (left == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let path = Path::absolute(path.as_bytes()).expect("it fits");
        assert_eq!(core::str::from_utf8(path.as_bytes()), Ok(expected));
        assert_eq!(path.bytes[path.len], 0);
    }

    #[test]
    fn paths_lose_their_detours() {
        check("/a/./b//../c", "/a/c");
        check("/../a/", "/a");
        check("/", "");
    }

    #[test]
    fn long_paths_are_left_alone() {
        let mut long = [b'a'; PATH_MAX + 1];
        long[0] = b'/';
        assert!(Path::absolute(&long).is_none());
        assert!(Path::absolute(&long[..PATH_MAX]).is_none());
        assert!(Path::absolute(&long[..PATH_MAX - 1]).is_some());
    }
}
