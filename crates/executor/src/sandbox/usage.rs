//! Resources of a unit's processes, measured from outside: the kernel has no limit on their sum that an ordinary user
//! could set. Limits on a single file and on descriptors are set when the program starts.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Limits of all processes of a unit together.
#[derive(Clone, Debug)]
pub(super) struct Quota {
    pub(super) scratch: Option<PathBuf>,
    /// Bytes of files in the scratch directory, of files without a name, and of memory files.
    pub(super) bytes: u64,
    /// Assumed bytes of a file that is only mapped, because its size cannot be queried.
    pub(super) file: u64,
}

/// Maximum number of files and directories below the scratch directory.
const MAX_FILES: u64 = 10_000;
const MAX_THREADS: u64 = 2_000;
/// Memory limit of the first process of a unit, which runs only constructors.
const MAX_START_MEMORY: u64 = 2 << 30;

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Bytes or number of files.
    Files = 1,
    /// Threads, or memory before `main`.
    Memory = 2,
}

impl Excess {
    pub(super) fn from_number(number: u32) -> Option<Excess> {
        [Excess::Files, Excess::Memory].into_iter().find(|excess| *excess as u32 == number)
    }
}

/// The processes of a unit: the first one, and its children. All others are children of the first.
pub(super) fn processes(first: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|number| number.parse().ok());
    std::iter::once(first).chain(children).collect()
}

/// The limit that these processes exceed, if any.
pub(super) fn excess(processes: &[u32], quota: &Quota) -> Option<Excess> {
    let mut used = Used::default();
    if let Some(scratch) = &quota.scratch {
        used.add_directory(scratch, quota);
    }
    for (k, process) in processes.iter().enumerate() {
        used.add_nameless(*process, quota);
        let status = Status::of(*process);
        if status.threads > MAX_THREADS || k == 0 && status.memory > MAX_START_MEMORY {
            return Some(Excess::Memory);
        }
    }
    used.is_over(quota).then_some(Excess::Files)
}

#[derive(Debug, Default)]
struct Used {
    bytes: u64,
    n_files: u64,
    /// Counted files, by device and inode number.
    seen: HashSet<(u64, u64)>,
}

impl Used {
    fn is_over(&self, quota: &Quota) -> bool {
        self.bytes > quota.bytes || self.n_files > MAX_FILES
    }

    fn add(&mut self, about: &fs::Metadata) {
        if self.seen.insert((about.dev(), about.ino())) {
            self.bytes += about.blocks() * 512;
        }
    }

    fn add_directory(&mut self, directory: &Path, quota: &Quota) {
        let Ok(entries) = fs::read_dir(directory) else { return };
        for entry in entries.flatten() {
            let Ok(about) = entry.metadata() else { continue };
            self.n_files += 1;
            self.add(&about);
            if self.is_over(quota) {
                return;
            }
            if about.is_dir() {
                self.add_directory(&entry.path(), quota);
            }
        }
    }

    /// Counts the files that a process has open or mapped and that have no directory entry.
    fn add_nameless(&mut self, process: u32, quota: &Quota) {
        let Ok(entries) = fs::read_dir(format!("/proc/{process}/fd")) else { return };
        for entry in entries.flatten() {
            if let Ok(about) = fs::metadata(entry.path())
                && about.is_file()
                && about.nlink() == 0
            {
                self.add(&about);
            }
        }
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
        // Anonymous shared memory counts as memory.
        let is_file = |line: &&str| line.ends_with(" (deleted)") && !line.ends_with(" /dev/zero (deleted)");
        for line in maps.lines().filter(is_file) {
            if let Some(file) = mapped_file(line)
                && self.seen.insert(file)
            {
                self.bytes += quota.file;
            }
        }
    }
}

/// Device and inode number of the file in a line of `/proc/PID/maps`.
fn mapped_file(line: &str) -> Option<(u64, u64)> {
    let mut fields = line.split_whitespace().skip(3);
    let (major, minor) = fields.next()?.split_once(':')?;
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    let device = libc::makedev(number(major)?, number(minor)?);
    Some((device, fields.next()?.parse().ok()?))
}

/// Parts of `/proc/PID/status`.
#[derive(Debug, Default)]
pub(crate) struct Status {
    threads: u64,
    /// Bytes of private memory and of shared memory.
    pub(crate) memory: u64,
    pub(crate) shared: u64,
}

impl Status {
    pub(crate) fn of(process: u32) -> Status {
        let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
        };
        Status { threads: value("Threads:"), memory: value("RssAnon:") << 10, shared: value("RssShmem:") << 10 }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn files_with_and_without_a_name_count() {
        let directory = std::env::temp_dir().join(format!("tine-usage-{}", std::process::id()));
        fs::create_dir_all(directory.join("below")).expect("a directory");
        let quota = |bytes| Quota { scratch: Some(directory.clone()), bytes, file: 1 << 20 };
        let ours = [std::process::id()];
        assert_eq!(excess(&ours, &quota(64 << 20)), None);
        let mut file = fs::File::create(directory.join("below/named")).expect("a file");
        file.write_all(&vec![1; 4 << 20]).expect("room");
        file.sync_all().expect("room");
        assert_eq!(excess(&[], &quota(3 << 20)), Some(Excess::Files));
        fs::remove_dir_all(&directory).expect("the directory");
        assert_eq!(excess(&[], &quota(3 << 20)), None);
        assert_eq!(excess(&ours, &quota(3 << 20)), Some(Excess::Files), "it is still open");
        drop(file);
    }

    #[test]
    fn lines_of_maps() {
        let line = "7f00-7f01 rw-s 00000000 08:01 42                         /tmp/x (deleted)";
        assert_eq!(mapped_file(line), Some((libc::makedev(8, 1), 42)));
    }
}
