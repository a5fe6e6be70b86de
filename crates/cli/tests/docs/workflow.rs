//! The steps of a continuous integration job in a document: a `yaml` block with `last=CODE`. Shell commands are run in
//! order, in a new directory with the document's `src`. All of them succeed, except that the last one ends with CODE.
//!
//! tine itself is in the search path already, so `make` in its sources only shows what it would do. Then all files that
//! the job uploads must exist.

use std::path::Path;

use crate::document::Shell;

/// Runs the steps.
pub(crate) fn run(block: &[&str], shell: &Shell, last: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let at = |text: &str| Shell::command(folder.path(), text).output().map_err(|why| format!("sh: {why}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    at(&format!("cp -r '{}/src' . && ln -s '{}' tine", shell.folder.display(), root.display()))?;
    let commands = commands(block);
    for (index, command) in commands.iter().enumerate() {
        let command = command.replace("sudo make ", "make --dry-run ");
        let ran = at(&format!("set -e; {command}"))?;
        let expected = if index + 1 == commands.len() { last } else { "0" };
        let code = ran.status.code().map_or("a signal".to_owned(), |code| code.to_string());
        if code != expected {
            let said = String::from_utf8_lossy(&ran.stdout);
            return Err(format!("step `{command}` ended with {code} instead of {expected}:\n{said}"));
        }
    }
    match files(block).into_iter().find(|file| !folder.path().join(file).exists()) {
        Some(missing) => Err(format!("no step has written `{missing}`")),
        None if commands.is_empty() => Err("no commands were found".to_owned()),
        None => Ok(()),
    }
}

/// `- run: COMMAND` of GitHub, and the items of GitLab's `script:`.
fn commands(block: &[&str]) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_script = false;
    for line in block.iter().map(|line| line.trim()) {
        if let Some(command) = line.strip_prefix("- run: ") {
            commands.push(command.to_owned());
        } else if let Some(command) = line.strip_prefix("- ").filter(|_| in_script) {
            commands.push(command.to_owned());
        } else {
            in_script = line == "script:";
        }
    }
    commands
}

/// Files that the job uploads.
fn files(block: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    let mut in_list = false;
    for line in block.iter().map(|line| line.trim()) {
        let value = ["sarif_file: ", "junit: ", "path: "].iter().find_map(|key| line.strip_prefix(key));
        match value {
            Some("|") => in_list = true,
            Some(file) => files.push(file.to_owned()),
            None => {
                in_list &= !line.contains(':');
                files.extend(in_list.then(|| line.to_owned()));
            }
        }
    }
    files
}
