//! Files and directories that only this user may write to: caches, and the list of trusted items. One that another user
//! owns or may write to is not used, because its contents are not trusted.

use std::fs::{DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

/// The reason why a file is not used, as a message for the user.
#[derive(Debug, thiserror::Error)]
pub enum NotOwned {
    #[error("{0} belongs to another user (number {1})")]
    Owner(String, u32),
    #[error("other users may write to {0}")]
    Writable(String),
    #[error("{0} is not a directory")]
    NoDirectory(String),
    #[error("{0}: {1}")]
    Io(String, io::Error),
}

/// Creates a directory that only this user can enter, and its parents, or checks the existing one.
pub fn private_directory(path: &Path) -> Result<(), NotOwned> {
    let failed = |why| NotOwned::Io(path.display().to_string(), why);
    match DirBuilder::new().mode(0o700).recursive(true).create(path) {
        Ok(()) => {}
        // A broken link, or a file.
        Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
            return Err(NotOwned::NoDirectory(path.display().to_string()));
        }
        Err(why) => return Err(failed(why)),
    }
    let about = path.symlink_metadata().map_err(failed)?;
    // A link could point to another user's directory. A link that this user owns is trusted like its target.
    check(path, &about)?;
    let about = path.metadata().map_err(failed)?;
    if !about.is_dir() {
        return Err(NotOwned::NoDirectory(path.display().to_string()));
    }
    check(path, &about)
}

/// User ID of this process.
pub fn user() -> u32 {
    std::fs::metadata("/proc/self").map_or(u32::MAX, |process| process.uid())
}

/// Checks that a file belongs to this user or to root, and that others cannot change it.
pub fn check(path: &Path, about: &Metadata) -> Result<(), NotOwned> {
    const GROUP: u32 = 0o020;
    const OTHERS: u32 = 0o002;
    let name = || path.display().to_string();
    if ![0, user()].contains(&about.uid()) {
        return Err(NotOwned::Owner(name(), about.uid()));
    }
    // Many systems give each user a group of the same number with write permission.
    let of_others = if about.gid() == about.uid() { OTHERS } else { GROUP | OTHERS };
    if !about.is_symlink() && about.mode() & of_others != 0 {
        return Err(NotOwned::Writable(name()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_what_is_ours_alone_is_used() {
        let folder = tempfile::tempdir().expect("a directory");
        let made = folder.path().join("a/b");
        private_directory(&made).expect("a fresh directory");
        assert_eq!(fs::metadata(&made).expect("it is there").mode() & 0o777, 0o700);
        private_directory(&made).expect("it is ours");
        fs::set_permissions(&made, Permissions::from_mode(0o777)).expect("our own");
        assert!(matches!(private_directory(&made), Err(NotOwned::Writable(_))));
        fs::write(folder.path().join("file"), "").expect("a file");
        assert!(private_directory(&folder.path().join("file")).is_err());
        // `/proc/1` belongs to root or another user. A broken link of this user is rejected, too.
        std::os::unix::fs::symlink("/nowhere/at/all", folder.path().join("link")).expect("a link");
        assert!(private_directory(&folder.path().join("link")).is_err());
    }
}
