//! Landlock: the unit may read everywhere, but write only below its scratch directory.

use crate::sys::{self, nr};

const WRITE_FILE: u64 = 1 << 1;
const REMOVE_DIR: u64 = 1 << 4;
/// All of `REMOVE_*` and `MAKE_*`.
const CHANGE_DIRECTORY: u64 = 0x1ff0;
/// Linking and renaming between directories; version 2.
const REFER: u64 = 1 << 13;
/// Version 3.
const TRUNCATE: u64 = 1 << 14;
/// Binding and connecting of TCP sockets; version 4.
const NETWORK: u64 = 3;
/// Abstract Unix sockets and signals to processes outside; version 6.
const SCOPES: u64 = 3;

const _: () = assert!(CHANGE_DIRECTORY & REMOVE_DIR != 0);

/// Devices that may be written: nothing comes of it.
const DEVICES: [&[u8]; 3] = [b"/dev/null\0", b"/dev/zero\0", b"/dev/full\0"];

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

/// Restricts this process and what it forks. `scratch` ends with a zero byte. False where the kernel has no
/// Landlock, or not enough of it.
pub(super) fn restrict(scratch: Option<&[u8]>) -> bool {
    let version = version();
    if version < 1 {
        return false;
    }
    let mut files = WRITE_FILE | CHANGE_DIRECTORY;
    files |= if version >= 2 { REFER } else { 0 };
    files |= if version >= 3 { TRUNCATE } else { 0 };
    let rules = Ruleset {
        files,
        network: if version >= 4 { NETWORK } else { 0 },
        scopes: if version >= 6 { SCOPES } else { 0 },
    };
    // Older kernels refuse a larger structure with anything in it, and know a smaller one.
    let len = match version {
        ..4 => 8,
        4 | 5 => 16,
        _ => 24,
    };
    // SAFETY: the structure lives for the call.
    let created = unsafe { sys::call(nr::LANDLOCK_CREATE_RULESET, [&raw const rules as usize, len, 0, 0, 0, 0]) };
    let Ok(ruleset) = created else { return false };
    let mut ok = DEVICES.iter().all(|device| allow(ruleset, device, files & (WRITE_FILE | TRUNCATE)).is_ok());
    if let Some(scratch) = scratch {
        ok &= allow(ruleset, scratch, files).is_ok();
    }
    // SAFETY: takes numbers only.
    ok &= unsafe { sys::call(nr::LANDLOCK_RESTRICT_SELF, [ruleset, 0, 0, 0, 0, 0]) }.is_ok();
    sys::close(ruleset as i32);
    ok
}

/// The kernel's version of Landlock, 0 for none.
fn version() -> usize {
    const CREATE_RULESET_VERSION: usize = 1;
    // SAFETY: with this flag the kernel reads nothing.
    unsafe { sys::call(nr::LANDLOCK_CREATE_RULESET, [0, 0, CREATE_RULESET_VERSION, 0, 0, 0]) }.unwrap_or(0)
}

fn allow(ruleset: usize, path: &[u8], allowed: u64) -> sys::Result<()> {
    const O_PATH: u32 = 0x20_0000;
    const O_CLOEXEC: u32 = 0x8_0000;
    const PATH_BENEATH: usize = 1;
    let directory = sys::open(path, O_PATH | O_CLOEXEC)?;
    let rule = Beneath { allowed, directory };
    // SAFETY: the rule lives for the call.
    let added = unsafe { sys::call(nr::LANDLOCK_ADD_RULE, [ruleset, PATH_BENEATH, &raw const rule as usize, 0, 0, 0]) };
    sys::close(directory);
    added.map(drop)
}
