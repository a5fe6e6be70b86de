//! Generated pages and links.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::is_blessing;

/// Compares `docs/reference` with the output of `tine generate reference`.
pub(crate) fn reference(root: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let ran = Command::new(env!("CARGO_BIN_EXE_tine"))
        .args(["generate", "reference"])
        .arg(folder.path())
        .current_dir(root)
        .output()
        .map_err(|why| why.to_string())?;
    if !ran.status.success() {
        return Err(format!("tine generate reference: {}", String::from_utf8_lossy(&ran.stderr)));
    }
    let committed = root.join("docs/reference");
    let mut different = Vec::new();
    for (name, text) in read(folder.path())? {
        if fs::read_to_string(committed.join(&name)).ok().as_ref() == Some(&text) {
            continue;
        }
        if is_blessing() {
            fs::write(committed.join(&name), text).map_err(|why| format!("{name}: {why}"))?;
        } else {
            different.push(name);
        }
    }
    if different.is_empty() {
        return Ok(());
    }
    Err(format!("docs/reference is out of date: {}\nrun `make docs` and commit the result", different.join(", ")))
}

fn read(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let entries = fs::read_dir(folder).map_err(|why| why.to_string())?.flatten();
    let text = |path: &Path| fs::read_to_string(path).map_err(|why| why.to_string());
    entries.map(|entry| Ok((entry.file_name().to_string_lossy().into_owned(), text(&entry.path())?))).collect()
}

/// Every relative link of a document names a file.
pub(crate) fn links(root: &Path, path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|why| why.to_string())?;
    let folder = path.parent().unwrap_or(root);
    let targets = text.split("](").skip(1).filter_map(|part| part.split(')').next());
    let broken: Vec<&str> = targets
        .filter(|target| !target.contains("://") && !target.starts_with('#') && !target.contains(' '))
        .filter(|target| !folder.join(target.split('#').next().unwrap_or_default()).exists())
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(format!("broken links: {}", broken.join(", "))) }
}
