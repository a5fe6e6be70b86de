//! Directories of exports: what is written where, and what is not overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use tine_session::Session;

use crate::format::{Exported, Exporting, Format};
use crate::{Error, failed};

/// The list of files that an export has written.
const LIST: &str = ".tine-export";

/// Exports a session into a directory. Unless `force`, the directory has no files but those of earlier exports.
pub fn export(session: &Path, format: &dyn Format, out: &Path, force: bool) -> Result<Exported, Error> {
    let opened = Session::open(session)?;
    if opened.cases()?.is_empty() {
        return Err(Error::NoCases);
    }
    let failed = failed(out);
    let known: Vec<PathBuf> =
        fs::read_to_string(out.join(LIST)).unwrap_or_default().lines().map(PathBuf::from).collect();
    if !force && out.is_dir() {
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
    let exported = format.export(&Exporting { session: &opened, folder: session, out })?;
    for gone in known.iter().filter(|file| !exported.files.iter().any(|(path, _)| path == *file)) {
        let _ = fs::remove_file(out.join(gone));
    }
    write(out, &exported)?;
    let list: String = exported.files.iter().map(|(path, _)| format!("{}\n", path.display())).collect();
    fs::write(out.join(LIST), list).map_err(&failed)?;
    Ok(exported)
}

/// Adds the files of a format to a directory.
pub fn add(session: &Path, format: &dyn Format, out: &Path) -> Result<(), Error> {
    let opened = Session::open(session)?;
    fs::create_dir_all(out).map_err(failed(out))?;
    let exported = format.export(&Exporting { session: &opened, folder: session, out })?;
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

/// Objects and programs that `make` has made of the files.
fn is_built(known: &[PathBuf], name: &Path) -> bool {
    let stem = name.with_extension("");
    name.extension().is_some_and(|extension| extension == "o")
        || known.iter().any(|file| file.with_extension("") == stem && name.extension().is_none())
}
