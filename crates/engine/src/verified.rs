//! The program of a session, opened once: its digest is compared with the session's, and the same descriptor is
//! executed. So a file that replaces the program afterwards is not run.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tine_types::literal::hexadecimal;

use crate::Error;
use crate::owned::user;

/// An open program whose digest was checked.
#[derive(Debug)]
pub struct Verified {
    file: File,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Verified {
    /// Opens `path` and compares its digest with the `expected` one.
    pub fn open(path: &Path, expected: &str) -> Result<Verified, Error> {
        let program = Verified::open_any(path)?;
        if program.is(expected) {
            return Ok(program);
        }
        Err(refused(
            format!("{} is not the program of the session: it was changed or replaced", program.path.display()),
            "explore again with another --out, or put back the program of the session",
        ))
    }

    /// Opens `path` without comparing its digest.
    pub fn open_any(path: &Path) -> Result<Verified, Error> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let mut file = File::open(&path).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => {
                refused(format!("{} is gone", path.display()), "build it again and explore again")
            }
            _ => refused(format!("cannot read {}: {why}", path.display()), "explore again"),
        })?;
        check_owner(&file, &path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|why| refused(format!("cannot read {}: {why}", path.display()), "explore again"))?;
        Ok(Verified { file, path, bytes })
    }

    /// True if the program has this digest.
    pub fn is(&self, expected: &str) -> bool {
        digest(&self.bytes) == expected
    }

    /// Path of the program. Do not execute it: the file may have been replaced.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The verified contents.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A path to the open file for this process and its children.
    pub fn descriptor(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
    }

    /// A path to the open file for any process of this user, while it is open.
    pub fn descriptor_for_others(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()))
    }
}

/// Rejects a file that another user can write to: it could change between the check and the start.
fn check_owner(file: &File, path: &Path) -> Result<(), Error> {
    const WRITABLE_BY_OTHERS: u32 = 0o002;
    let about =
        file.metadata().map_err(|why| refused(format!("cannot read {}: {why}", path.display()), "try again"))?;
    if about.is_file() && [0, user()].contains(&about.uid()) && about.mode() & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    Err(refused(
        format!("{} belongs to another user, or others may write to it", path.display()),
        "copy the session to a directory of your own and check who may write there",
    ))
}

fn refused(what: String, help: &'static str) -> Error {
    Error::NotVerified { what, help }
}

/// SHA-256 of some bytes, as hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_program_and_another_owner_are_refused() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("program");
        std::fs::write(&path, "first").expect("a file");
        let known = digest(b"first");
        let verified = Verified::open(&path, &known).expect("it is the same");
        // The file is replaced afterwards: the descriptor still refers to the checked file.
        std::fs::write(folder.path().join("other"), "other").expect("a file");
        std::fs::rename(folder.path().join("other"), &path).expect("a rename");
        assert_eq!(std::fs::read(verified.descriptor()).expect("it is open"), b"first");
        assert_eq!(std::fs::read(verified.descriptor_for_others()).expect("it is open"), b"first");
        let refused = Verified::open(&path, &known).expect_err("another program");
        assert!(refused.to_string().contains("is not the program of the session"), "{refused}");
        assert!(!Verified::open_any(&path).expect("it is there").is(&known));
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).expect("our own file");
        let refused = Verified::open(&path, &digest(b"other")).expect_err("others may write");
        assert!(refused.to_string().contains("others may write"), "{refused}");
    }
}
