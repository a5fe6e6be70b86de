//! One document: its blocks, run in order.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::is_blessing;
use crate::pattern;
use crate::workflow;

/// Allowed labels of blocks. A block without a label or with another one could contain a command that is never run.
const LABELS: [&str; 10] = ["c", "console", "sh", "toml", "yaml", "json", "text", "rust", "make", "smt2"];

/// Runs the commands of a document and compares their output.
pub(crate) fn run(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let mut shell = Shell { folder: folder.path().canonicalize().map_err(|why| why.to_string())?, last: 0 };
    copy_sources(path.parent().unwrap_or(path), &shell.folder)?;
    let (mut written, mut failures) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        written += line;
        written.push('\n');
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace();
        let label = words.next().unwrap_or_default();
        if !LABELS.contains(&label) {
            failures.push(format!("block with unknown label `{info}`; use one of {LABELS:?}"));
        }
        if label == "sh" && block.iter().any(|line| line.starts_with("tine ")) {
            failures.push("a command of tine in an `sh` block is not run; use `console`".to_owned());
        }
        if let Some(name) = info.split_once("file=").map(|(_, name)| name.trim_matches('"')) {
            write(&shell.folder.join(name), &(block.join("\n") + "\n")).map_err(|why| format!("{name}: {why}"))?;
        }
        if let Some(last) = words.find_map(|word| word.strip_prefix("last=")) {
            failures.extend(workflow::run(&block, &shell, last).err());
        }
        let block = if label == "console" { shell.session(&block, &mut failures)? } else { block.join("\n") };
        written += &block;
        written += if block.is_empty() { "```\n" } else { "\n```\n" };
    }
    if is_blessing() && written != text {
        return fs::write(path, written).map_err(|why| why.to_string());
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n") + "\n`TINE_BLESS=1` rewrites the outputs") }
}

/// Writes a file, and makes its directory.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)
}

/// Gives the document the C files beside it, for `examples/README.md`.
fn copy_sources(from: &Path, to: &Path) -> Result<(), String> {
    for entry in fs::read_dir(from).map_err(|why| why.to_string())?.flatten() {
        if entry.path().extension().is_some_and(|end| end == "c") {
            fs::copy(entry.path(), to.join(entry.file_name())).map_err(|why| why.to_string())?;
        }
    }
    Ok(())
}

/// Runs commands in one directory, with `tine` in the search path.
pub(crate) struct Shell {
    pub(crate) folder: std::path::PathBuf,
    /// Exit code of the last command, for `$ echo $?`.
    last: i32,
}

impl Shell {
    /// Runs a `console` block. Returns it with the actual output where the documented one does not match.
    fn session(&mut self, block: &[&str], failures: &mut Vec<String>) -> Result<String, String> {
        let mut result: Vec<String> = Vec::new();
        let mut rest = block;
        while let [line, after @ ..] = rest {
            let Some(command) = line.strip_prefix("$ ") else {
                failures.push(format!("output before the first command: {line}"));
                return Ok(block.join("\n"));
            };
            let length = after.iter().position(|line| line.starts_with("$ ")).unwrap_or(after.len());
            let (shown, next) = after.split_at(length);
            rest = next;
            result.push((*line).to_owned());
            let output = self.output(command)?;
            let actual: Vec<&str> = output.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
            let expected: Vec<&str> = shown.iter().copied().filter(|line| !line.is_empty()).collect();
            if pattern::matches(&expected, &actual) {
                result.extend(shown.iter().map(|line| (*line).to_owned()));
            } else {
                failures.push(format!("$ {command}\n--- shown\n{}\n--- printed\n{output}", shown.join("\n")));
                let lines = output.trim_end().lines().filter(|_| !output.trim().is_empty());
                result.extend(lines.map(|line| pattern::bless(line.trim_end(), &expected)));
            }
        }
        Ok(result.join("\n"))
    }

    /// A shell that runs a command in a directory.
    pub(crate) fn command(folder: &Path, command: &str) -> Command {
        let tine = Path::new(env!("CARGO_BIN_EXE_tine"));
        let programs = tine.parent().expect("a folder").display().to_string();
        let search = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(folder).env("PATH", search);
        shell.env_remove("TINE_BLESS").stdin(Stdio::null());
        shell
    }

    fn output(&mut self, command: &str) -> Result<String, String> {
        let ran = Shell::command(&self.folder, &format!("(exit {}); {command}", self.last))
            .output()
            .map_err(|why| format!("sh: {why}"))?;
        self.last = ran.status.code().unwrap_or(-1);
        let text = String::from_utf8_lossy(&ran.stdout);
        // Errors are reported when they are found, in an order that depends on the workers. The summary has all of
        // them.
        let text: String = text.split_inclusive('\n').filter(|line| !line.starts_with("found: ")).collect();
        Ok(text.replace(&self.folder.display().to_string(), "/src"))
    }
}
