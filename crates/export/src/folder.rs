//! Directories of exports: file lists, and protection of existing files.

use std::fs;
use std::path::{Path, PathBuf};

use tine_session::Session;

use crate::format::{Exported, Exporting, Format};
use crate::update::Recorded;
use crate::{Error, failed};

/// The list of files that an export has written.
const LIST: &str = ".tine-export";

/// Treatment of existing files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only files of earlier exports are replaced.
    Careful,
    /// The directory may have other files.
    Force,
    /// Valid existing tests stay: see [`crate::update`].
    Update,
}

/// The format of an earlier export in a directory.
pub fn format_of(out: &Path) -> Result<&'static dyn Format, Error> {
    let list = fs::read_to_string(out.join(LIST)).map_err(|_| Error::NothingToUpdate(out.to_owned()))?;
    let name = list.lines().find_map(|line| line.strip_prefix("# format "));
    crate::format::find(name.ok_or_else(|| Error::NothingToUpdate(out.to_owned()))?)
}

/// Exports a session into a directory.
pub fn export(session: &Path, format: &dyn Format, out: &Path, mode: Mode) -> Result<Exported, Error> {
    let opened = Session::open(session)?;
    if opened.cases()?.is_empty() {
        return Err(Error::NoCases);
    }
    let failed = failed(out);
    let list = fs::read_to_string(out.join(LIST)).unwrap_or_default();
    let known: Vec<PathBuf> = list.lines().filter(|line| !line.starts_with('#')).map(PathBuf::from).collect();
    if mode == Mode::Careful && out.is_dir() {
        for entry in fs::read_dir(out).map_err(&failed)? {
            let name = PathBuf::from(entry.map_err(&failed)?.file_name());
            if name != Path::new(LIST)
                && !known.iter().any(|file| file.starts_with(&name))
                && !known.contains(&name)
                && !is_built(&known, &name)
            {
                return Err(Error::OtherFiles { folder: out.to_owned(), file: name });
            }
        }
    }
    fs::create_dir_all(out).map_err(&failed)?;
    let recorded: Vec<Recorded> = list.lines().filter_map(Recorded::parse).collect();
    let previous = (mode == Mode::Update).then_some(recorded.as_slice());
    let exported = format.export(&Exporting { session: &opened, folder: session, out, previous })?;
    for gone in known.iter().filter(|file| !exported.files.iter().any(|(path, _)| path == *file)) {
        let _ = fs::remove_file(out.join(gone));
    }
    write(out, &exported)?;
    let mut list = format!("# format {}\n", format.name());
    list.extend(exported.recorded.iter().map(Recorded::line));
    list.extend(exported.files.iter().map(|(path, _)| format!("{}\n", path.display())));
    fs::write(out.join(LIST), list).map_err(&failed)?;
    Ok(exported)
}

/// Adds the files of a format to a directory.
pub fn add(session: &Path, format: &dyn Format, out: &Path) -> Result<(), Error> {
    let opened = Session::open(session)?;
    fs::create_dir_all(out).map_err(failed(out))?;
    let exported = format.export(&Exporting { session: &opened, folder: session, out, previous: None })?;
    write(out, &exported)
}

fn write(out: &Path, exported: &Exported) -> Result<(), Error> {
    for (path, contents) in &exported.files {
        let path = out.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(out))?;
        }
        fs::write(&path, contents).map_err(failed(&path))?;
    }
    Ok(())
}

/// True for objects and programs that `make` has built from the files.
fn is_built(known: &[PathBuf], name: &Path) -> bool {
    let stem = name.with_extension("");
    name.extension().is_some_and(|extension| extension == "o")
        || known.iter().any(|file| file.with_extension("") == stem && name.extension().is_none())
}
