//! The part of a session that records the target and its settings, and checks of its files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tine_explore::ProgramMap;
use tine_session::Session;

use crate::Error;
use crate::config::Config;
use crate::target::Target;
use crate::verified::{Verified, digest};

/// The key of the session's settings.
const KEY: &str = "exploration";

/// See the module's documentation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stored {
    pub config: Config,
    pub target: Target,
    /// Digest of the program.
    digest: String,
    /// Digests of the files in the session's directory, by name.
    files: Vec<(String, String)>,
    /// Digests of the source files.
    sources: Vec<(String, String)>,
}

impl Stored {
    pub(crate) fn new(config: &Config, target: &Target, map: &ProgramMap) -> Stored {
        let absolute =
            |path: &Option<PathBuf>| path.as_ref().map(|path| std::path::absolute(path).unwrap_or(path.clone()));
        let config = Config {
            solver_cache: absolute(&config.solver_cache),
            corpus: absolute(&config.corpus),
            testcomp: absolute(&config.testcomp),
            ..config.without_hub()
        };
        let mut stored_target = target.clone();
        // A program that was built for the session lies in its directory.
        if let Some((_, name)) = target.files.iter().find(|(file, _)| *file == target.program) {
            stored_target.program = PathBuf::from(name);
        }
        Stored {
            config,
            target: stored_target,
            digest: digest_of(&target.program).unwrap_or_default(),
            files: target.files.iter().filter_map(|(file, name)| Some((name.clone(), digest_of(file)?))).collect(),
            sources: sources(target, map),
        }
    }

    /// Converts to the settings of a session.
    pub(crate) fn settings(&self) -> serde_json::Map<String, serde_json::Value> {
        let value = serde_json::to_value(self).expect("settings are JSON");
        serde_json::Map::from_iter([(KEY.to_owned(), value)])
    }

    /// Reads what a session stored for resuming and replaying.
    pub fn read(session: &Session) -> Result<Stored, Error> {
        let value = session.setting(KEY)?.ok_or_else(|| Error::Damaged("its settings are missing".to_owned()))?;
        serde_json::from_value(value).map_err(|why| Error::Damaged(format!("its settings cannot be read: {why}")))
    }

    /// True if the session belongs to the target `name` of this source file or program.
    pub(crate) fn is_of(&self, name: &str, from: &Path) -> bool {
        let has_source = || self.sources.iter().any(|(file, _)| Path::new(file) == from);
        self.target.name == name && (self.target.program == from || has_source())
    }

    /// Opens a program of the session if it has not changed. `name` is relative to the session's directory.
    pub fn open_program(&self, folder: &Path, name: &Path) -> Result<Verified, Error> {
        let stored = self.files.iter().find(|(file, _)| Path::new(file) == name).map(|(_, digest)| digest);
        Verified::open(&folder.join(name), stored.unwrap_or(&self.digest))
    }

    /// Like `open_program`, but a program outside the session's directory may have been rebuilt. The second result is
    /// true if it was.
    pub fn open_rebuilt(&self, folder: &Path, name: &Path) -> Result<(Verified, bool), Error> {
        if !name.is_absolute() {
            return Ok((self.open_program(folder, name)?, false));
        }
        let program = Verified::open_any(name)?;
        let is_rebuilt = !program.is(&self.digest);
        Ok((program, is_rebuilt))
    }

    /// True if these bytes differ from those of the explored source file.
    pub fn is_changed(&self, file: &str, bytes: &[u8]) -> bool {
        self.sources.iter().any(|(known, stored)| known == file && digest(bytes) != *stored)
    }

    /// Source files, and headers with code in them.
    pub fn source_files(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().map(|(file, _)| Path::new(file))
    }

    /// Fails if a source file has changed.
    pub fn check_sources(&self) -> Result<(), Error> {
        // A file that cannot be read any more does not count as changed.
        let is_changed =
            |(file, known): &&(String, String)| digest_of(Path::new(file)).is_some_and(|now| now != *known);
        match self.sources.iter().find(is_changed) {
            Some((file, _)) => Err(Error::SourceChanged(file.clone())),
            None => Ok(()),
        }
    }
}

fn digest_of(file: &Path) -> Option<String> {
    Some(digest(&std::fs::read(file).ok()?))
}

/// Files of the unit, and those that the map names: headers with code in them.
fn sources(target: &Target, map: &ProgramMap) -> Vec<(String, String)> {
    if target.sources.is_empty() {
        return Vec::new();
    }
    let named = map.sites().iter().map(|site| PathBuf::from(&*site.file)).filter(|file| file.is_absolute());
    // The harness is generated for each exploration.
    let temporary = std::env::temp_dir();
    let named = named.filter(|file| !file.starts_with(&temporary));
    let all: BTreeSet<PathBuf> = target.sources.iter().cloned().chain(named).collect();
    all.into_iter().filter_map(|file| Some((file.to_str()?.to_owned(), digest_of(&file)?))).collect()
}
