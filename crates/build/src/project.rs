//! Projects: the units that `tine.toml` lists, explored by one command.
//!
//! ```toml
//! max-time = "10s"             # keys at the top are for all units
//! [[unit]]
//! file = "src/list.c"          # or files = ["src/list.c", "src/memory.c"]
//! fn = ["push", "pop"]         # default: every function that other files can call
//! requires = ["is_valid"]      # every flag of `tine test` is a key
//! ```
//! Each unit, or each of its functions that are named, is explored by a separate process (`run`). A [`Job`] is
//! skipped if its code and settings have not changed since its session: `Marker` holds their digest and the exit
//! code. Code is compared after preprocessing, so every included file and the compiler's version count. [`settings`]
//! reads the other keys, and [`trust`] remembers whose files may set them.

mod init;
mod linked;
pub mod settings;
pub mod trust;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use serde_json::{Map, Value};
use tine_engine::Config;
use tine_engine::verified::digest;
use tine_session::{Session, Summary};

pub(crate) use init::search;
pub use init::{Found, init};

/// Replaces the digest while a job runs.
const UNFINISHED: &str = "unfinished";

/// Flags that apply to all units together.
const OWN: [&str; 4] = ["--out", "--jobs", "--json", "--quiet"];

/// Key of the list of units in `tine.toml`.
pub const UNITS: &str = "unit";

/// A unit of a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub files: Vec<PathBuf>,
    /// Functions to explore. If empty, all that other files can call.
    pub functions: Vec<String>,
    /// Flags of `tine test`.
    pub settings: Map<String, Value>,
}

/// The units of a file, or a description of the mistake.
pub fn units(list: &Value) -> Result<Vec<Unit>, String> {
    let Value::Array(list) = list else { return Err("units are written `[[unit]]`".to_owned()) };
    list.iter()
        .enumerate()
        .map(|(index, unit)| self::unit(unit).map_err(|why| format!("unit {}: {why}", index + 1)))
        .collect()
}

fn unit(value: &Value) -> Result<Unit, String> {
    let Value::Object(table) = value else { return Err("it has no keys".to_owned()) };
    let mut settings = table.clone();
    let mut strings = |key: &str| match settings.remove(key) {
        None => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(vec![text]),
        Some(Value::Array(list)) => {
            let names = list.iter().map(|text| text.as_str().map(str::to_owned));
            names.collect::<Option<Vec<_>>>().ok_or_else(|| format!("`{key}` is a list of names"))
        }
        Some(_) => Err(format!("`{key}` is a name or a list of names")),
    };
    let files: Vec<PathBuf> = [strings("file")?, strings("files")?].concat().into_iter().map(PathBuf::from).collect();
    let functions = strings("fn")?;
    match files.iter().find(|file| file.as_os_str().is_empty() || file.to_string_lossy().starts_with('-')) {
        Some(file) => Err(format!("`{}` is not a file", file.display())),
        None if OWN.iter().any(|flag| settings.contains_key(&flag[2..])) => {
            Err(format!("{} cannot be keys of a unit", OWN.join(", ")))
        }
        None if files.is_empty() => Err("`file` is missing".to_owned()),
        None => Ok(Unit { files, functions, settings }),
    }
}

/// An exploration of a unit, or of one function of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    pub name: String,
    /// Directory of the session, or of one session per function.
    pub out: PathBuf,
    pub files: Vec<PathBuf>,
    /// Its own settings.
    pub settings: Map<String, Value>,
    arguments: Vec<OsString>,
}

/// The jobs of units. `flags` are added to each, after its own.
pub fn jobs(units: &[Unit], out: &Path, flags: &[OsString]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for unit in units {
        let file = unit.files[0].with_extension("").display().to_string();
        let name: String = file.chars().map(|c| if c == '/' || c == '.' { '_' } else { c }).collect();
        let functions: Vec<Option<&String>> =
            if unit.functions.is_empty() { vec![None] } else { unit.functions.iter().map(Some).collect() };
        for function in functions {
            let name = match function {
                Some(function) => format!("{}.{function}", name.trim_matches('_')),
                None => name.trim_matches('_').to_owned(),
            };
            // Number the directories of a function that is explored with several settings.
            let n_before =
                jobs.iter().filter(|job| job.name == name || job.name.starts_with(&format!("{name}-"))).count();
            let name = if n_before == 0 { name } else { format!("{name}-{}", n_before + 1) };
            let out = out.join(&name);
            let mut arguments = vec![OsString::from("test")];
            arguments.extend(unit.files.iter().map(OsString::from));
            if let Some(function) = function {
                arguments.push(format!("--fn={function}").into());
            }
            arguments.extend(unit.settings.iter().flat_map(|(key, value)| flag(key, value)).map(OsString::from));
            arguments.extend(flags.iter().cloned());
            arguments.extend(["--quiet", "--jobs=1"].map(OsString::from));
            arguments.push(OsString::from(format!("--out={}", out.display())));
            let (files, settings) = (unit.files.clone(), unit.settings.clone());
            jobs.push(Job { name, out, files, settings, arguments });
        }
    }
    jobs
}

/// Flags of a command line without files that apply to each job. The others set the directory of sessions, the number
/// of parallel jobs, and the output.
pub fn flags_for_jobs(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut is_value = false;
    for argument in arguments {
        let text = argument.to_string_lossy();
        let name = text.split('=').next().unwrap_or_default();
        if std::mem::take(&mut is_value) {
            continue;
        }
        if OWN.contains(&name) {
            is_value = matches!(name, "--out" | "--jobs") && !text.contains('=');
            continue;
        }
        flags.push(argument);
    }
    flags
}

/// A setting as flags of the command line.
fn flag(key: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Bool(false) | Value::Null => Vec::new(),
        Value::Bool(true) => vec![format!("--{key}")],
        Value::Array(values) => values.iter().flat_map(|value| flag(key, value)).collect(),
        Value::String(text) => vec![format!("--{key}={text}")],
        value => vec![format!("--{key}={value}")],
    }
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub code: u8,
    /// Nothing has changed since the session.
    pub is_unchanged: bool,
    /// Messages of a job without session.
    pub messages: String,
}

/// Runs jobs in parallel. `settings` has everything that all of them depend on. `code` returns a digest of everything
/// else that a job depends on; `None`: it is not known, so the job is not skipped.
pub fn run(
    jobs: &[Job],
    n_workers: usize,
    settings: &[u8],
    code: &(dyn Fn(&Job) -> Option<String> + Sync),
    stop: &AtomicBool,
) -> Vec<Option<Done>> {
    let results: Mutex<Vec<Option<Done>>> = Mutex::new(vec![None; jobs.len()]);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..n_workers.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                while let Some((index, job)) = jobs.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let done = job.run(&job.digest(settings, code));
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[index] = Some(done);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Job {
    fn run(&self, digest: &str) -> Done {
        let marker = Marker::read(&self.out);
        let same = marker.as_ref().filter(|marker| marker.digest == digest && digest != UNFINISHED);
        if let Some(Marker { code, .. }) = same
            && finished(&self.out).len() == sessions(&self.out).len()
        {
            return Done { code: *code, is_unchanged: true, messages: String::new() };
        }
        // Only a directory of an earlier run is replaced.
        if marker.is_none() && self.out.exists() {
            let messages = format!("error: {} was not made by `tine test` for this project", self.out.display());
            return Done { code: 2, is_unchanged: false, messages };
        }
        if marker.is_some() {
            let _ = fs::remove_file(Marker::path(&self.out));
            let _ = fs::remove_dir_all(&self.out);
        }
        // If the exploration is interrupted, the next one replaces its session.
        Marker { digest: UNFINISHED.to_owned(), code: 3 }.write(&self.out);
        let failed = |why: String| Done { code: 3, is_unchanged: false, messages: why };
        let program = match std::env::current_exe() {
            Ok(program) => program,
            Err(why) => return failed(why.to_string()),
        };
        let mut command = Command::new(program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = match command.output() {
            Ok(output) => output,
            Err(why) => return failed(why.to_string()),
        };
        let code = output.status.code().map_or(3, |code| code as u8);
        if code <= 1 {
            Marker { digest: digest.to_owned(), code }.write(&self.out);
        } else if !self.out.exists() {
            let _ = fs::remove_file(Marker::path(&self.out));
        }
        Done { code, is_unchanged: false, messages: String::from_utf8_lossy(&output.stderr).into_owned() }
    }

    /// Digest of settings, code, and tine itself.
    fn digest(&self, settings: &[u8], code: &dyn Fn(&Job) -> Option<String>) -> String {
        let (Some(code), Some(program)) = (code(self), own_digest()) else { return UNFINISHED.to_owned() };
        let mut bytes = settings.to_vec();
        for argument in &self.arguments {
            bytes.extend(argument.as_encoded_bytes());
            bytes.push(0);
        }
        bytes.extend(code.bytes().chain(program.bytes()));
        digest(&bytes)
    }
}

/// Digest of this program.
fn own_digest() -> Option<&'static str> {
    static DIGEST: OnceLock<Option<String>> = OnceLock::new();
    let read = || Some(digest(&fs::read(std::env::current_exe().ok()?).ok()?));
    DIGEST.get_or_init(read).as_deref()
}

/// Digest of the files that settings name: specifications, seed inputs, a patch. `None` if they name a revision, which
/// may move.
pub fn files_digest(config: &Config) -> Option<String> {
    if config.changed.is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    for path in config.spec.iter().chain(&config.seed_input).chain(&config.diff) {
        let inner = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = if path.is_dir() { inner.collect() } else { vec![path.clone()] };
        files.sort();
        for file in files {
            bytes.extend(digest(&fs::read(file).unwrap_or_default()).bytes());
        }
    }
    Some(digest(&bytes))
}

/// Digest and exit code of a finished job, stored beside the directory of its session.
struct Marker {
    digest: String,
    code: u8,
}

impl Marker {
    fn path(out: &Path) -> PathBuf {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".unchanged");
        out.with_file_name(name)
    }

    fn read(out: &Path) -> Option<Marker> {
        let text = fs::read_to_string(Marker::path(out)).ok()?;
        let (digest, code) = text.trim().split_once(' ')?;
        Some(Marker { digest: digest.to_owned(), code: code.parse().ok()? })
    }

    fn write(&self, out: &Path) {
        let _ = out.parent().map(fs::create_dir_all);
        // Without it the unit is explored again, which only costs time.
        let _ = fs::write(Marker::path(out), format!("{} {}\n", self.digest, self.code));
    }
}

/// The directory itself, or the sessions of functions in it.
pub fn sessions(folder: &Path) -> Vec<PathBuf> {
    let has_session = |folder: &Path| folder.join("session.db").exists();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inner: Vec<PathBuf> = entries.filter(|path| has_session(path)).collect();
    if has_session(folder) || inner.is_empty() {
        return vec![folder.to_owned()];
    }
    inner.sort();
    inner
}

/// Finished sessions in a directory, or directly below it.
pub fn finished(out: &Path) -> Vec<(PathBuf, Summary)> {
    let summary = |folder: PathBuf| {
        let summary = Session::open(&folder).ok()?.summary().ok()??;
        Some((folder, summary))
    };
    sessions(out).into_iter().filter_map(summary).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn units_become_jobs() {
        let list = json!([
            { "file": "src/a.c", "fn": ["f", "g"], "max-runs": 5, "len": ["p=n"], "lazy": true, "strict": false },
            { "files": ["b.c", "c.c"] },
            { "file": "b.c" },
        ]);
        let units = units(&list).expect("they are right");
        let line = ["--json", "--out", "x", "--seed=3", "--jobs=2"].map(OsString::from);
        let jobs = jobs(&units, Path::new("out"), &flags_for_jobs(line.into_iter()));
        let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names, ["src_a.f", "src_a.g", "b", "b-2"]);
        let arguments: Vec<String> =
            jobs[0].arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
        assert_eq!(
            arguments.join(" "),
            "test src/a.c --fn=f --lazy --len=p=n --max-runs=5 --seed=3 --quiet --jobs=1 --out=out/src_a.f"
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (list, part) in [
            (json!({}), "[[unit]]"),
            (json!([{}]), "unit 1: `file` is missing"),
            (json!([{ "file": "a.c", "fn": 3 }]), "`fn` is a name"),
            (json!([{ "file": "--allow" }]), "is not a file"),
        ] {
            let why = units(&list).expect_err("a mistake");
            assert!(why.contains(part), "{why}");
        }
    }
}
