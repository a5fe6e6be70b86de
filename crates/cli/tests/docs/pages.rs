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

/// Every relative link of a document names a file, and a heading of it if it has a `#`. Every `make` command of its
/// shell blocks names a target.
pub(crate) fn links(root: &Path, path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|why| why.to_string())?;
    let folder = path.parent().unwrap_or(root);
    let targets = text.split("](").skip(1).filter_map(|part| part.split(')').next());
    let broken: Vec<&str> = targets
        .filter(|target| !target.contains("://") && !target.contains(' '))
        .filter(|target| {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.to_owned() } else { folder.join(file) };
            !file.exists() || !heading.is_empty() && !has_heading(&file, heading)
        })
        .collect();
    if !broken.is_empty() {
        return Err(format!("broken links: {}", broken.join(", ")));
    }
    let makefile = fs::read_to_string(root.join("Makefile")).map_err(|why| why.to_string())?;
    let unknown: Vec<&str> = make_targets(&text).filter(|name| !makefile.contains(&format!("\n{name}:"))).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("unknown targets of make: {}", unknown.join(", "))) }
}

/// True if the document has a heading with this anchor. Line anchors (`#L10`) of other files are not checked.
fn has_heading(file: &Path, anchor: &str) -> bool {
    if file.extension().is_none_or(|end| end != "md") {
        return true;
    }
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.strip_prefix('#'))
        .any(|line| anchor_of(line.trim_matches(['#', ' '])) == anchor)
}

/// The anchor of a heading: lower case, hyphens for spaces, without punctuation.
fn anchor_of(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
}

/// Targets of the `make` commands in shell blocks.
fn make_targets(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|part| part.split("```").next());
    let commands = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("make "));
    commands.filter_map(|rest| rest.split_whitespace().next()).filter(|word| !word.starts_with('-'))
}
