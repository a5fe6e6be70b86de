//! Directories of sessions: places for new sessions, and lookup of existing ones.

use std::path::{Path, PathBuf};

use tine_engine::Config;
use tine_engine::folder::{self, Place, ROOT};
use tine_report::printable;
use tine_session::Recorder;

use crate::failure::Failure;

/// The place of a new session of the target `name`, which is defined by `from` or is that program. Fails if the place
/// is not writable.
pub(crate) fn place(config: &Config, name: &str, from: &Path) -> Result<Place, Failure> {
    let place = match &config.out {
        Some(folder) => Place::given(folder.clone()),
        None => Place::below(Path::new(ROOT), name, from, config.keep_session)?,
    };
    Recorder::check(&place.folder, place.replaces)?;
    if let (Some(unfinished), false) = (&place.unfinished, config.quiet) {
        let (folder, kept) = (place.folder.display().to_string(), unfinished.display().to_string());
        let (folder, kept) = (printable(&folder), printable(&kept));
        eprintln!("note: the session in `{kept}` is unfinished and stays; `tine resume {kept}` continues it");
        eprintln!("note: the new session is `{folder}`");
    }
    Ok(place)
}

/// The session in a directory: its own, or the only one below it.
pub(crate) fn session(given: &Path) -> Result<PathBuf, Failure> {
    let found = folder::sessions(given);
    match &found[..] {
        // The command reports the problem when it opens the directory.
        [] => Ok(given.to_path_buf()),
        [one] => Ok(one.clone()),
        many => {
            let names: Vec<String> = many.iter().map(|folder| format!("`{}`", folder.display())).collect();
            Err(Failure::usage(
                format!("`{}` has sessions of {} targets", given.display(), many.len()),
                format!("give one of {}", names.join(", ")),
            ))
        }
    }
}

/// The session and the case of a command line. Without a directory, a number is a case of the session in `tine-out`.
pub(crate) fn session_and_case(given: &Path, case: Option<u32>) -> Result<(PathBuf, Option<u32>), Failure> {
    let number = given.to_str().and_then(|text| text.parse().ok());
    match (number, case) {
        (Some(number), None) if !given.exists() => Ok((session(Path::new(ROOT))?, Some(number))),
        _ => Ok((session(given)?, case)),
    }
}
