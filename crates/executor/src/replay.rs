//! Runs a native program in the sandbox, with the same restrictions as during an exploration.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

use tine_trace::segment::REFUSED_FILE;

use crate::sandbox::{Confined, Confinement};

/// Maximum size of a file of a replay in bytes.
const FILE_LIMIT: u64 = 64 << 20;

/// The end of a program in the sandbox.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub status: ExitStatus,
    /// It was stopped because it wrote more than [`crate::sandbox::SCRATCH_QUOTA`] to files, or had too many files or
    /// threads.
    pub is_over_quota: bool,
}

/// The sandbox of a replay.
pub fn confinement(scratch: &Path) -> Confinement<'_> {
    Confinement { scratch: Some(scratch), lifted: false, n_forks: 0, file_limit: FILE_LIMIT }
}

/// Runs a program in the sandbox.
pub fn run(command: &mut Command, scratch: &Path) -> io::Result<Ended> {
    let Confined { mut child, supervisor, .. } = confinement(scratch).spawn(command)?;
    let status = child.wait()?;
    Ok(Ended { status, is_over_quota: supervisor.take_excess().is_some() })
}

/// The refused system calls with their counts.
pub fn refused(scratch: &Path) -> BTreeMap<u32, u64> {
    let bytes = std::fs::read(scratch.join(REFUSED_FILE)).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for word in bytes.as_chunks::<4>().0 {
        *counts.entry(u32::from_le_bytes(*word)).or_default() += 1;
    }
    counts
}
