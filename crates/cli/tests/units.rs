//! Runs every annotated C file below `tests/units` and `examples` through the real tool.
//!
//! Each expectation is on the line that it is about (`//~ ERROR division by zero`); `tests/units/README.md` has the
//! format. Every kept case is run again natively, and must end there as it did before.

#[path = "units/gcov.rs"]
mod gcov;
#[path = "units/native.rs"]
mod native;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
    let mut trials = Vec::new();
    for folder in ["tests/units", "tests/structures", "tests/programs", "examples"] {
        for file in c_files(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
            for (k, expected) in Expected::parse(&text).into_iter().enumerate() {
                let name = if k == 0 { name.clone() } else { format!("{name}#{}", k + 1) };
                let file = file.clone();
                trials.push(Trial::test(name, move || check(&file, &expected)));
            }
        }
    }
    assert!(trials.len() > 50, "the units are missing: found {}", trials.len());
    libtest_mimic::run(&arguments, trials).exit();
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Annotations of a file.
#[derive(Clone, Debug, Default)]
struct Expected {
    options: BTreeMap<String, String>,
    /// Kinds of errors by line.
    errors: BTreeSet<(u64, String)>,
    /// Function of an error by line, for lines with several.
    functions: BTreeMap<u64, String>,
    /// Conditions by line.
    requirements: BTreeSet<(u64, String)>,
    not_shown: BTreeSet<u64>,
    covered: Vec<Covered>,
    unreachable: BTreeSet<u64>,
    /// Reason for a different gcov count by line.
    gcov: BTreeMap<u64, String>,
}

/// `COVERED [function] [but N: reason]`.
#[derive(Clone, Debug)]
struct Covered {
    line: u64,
    /// Function, for a macro that defines several functions on one line.
    function: Option<String>,
    /// Number of sides that no run takes.
    but: usize,
}

impl Covered {
    fn parse(line: u64, text: &str) -> Covered {
        let (function, but) = text.split_once("but ").unwrap_or((text, "0:"));
        let count = but.split(':').next().and_then(|count| count.trim().parse().ok());
        let but = count.unwrap_or_else(|| panic!("line {line}: `but N: reason`, not `but {but}`"));
        let function = Some(function.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
        Covered { line, function, but }
    }
}

impl Expected {
    /// One entry per line that specifies an exploration of the file.
    fn parse(text: &str) -> Vec<Expected> {
        let mut expected = Expected::default();
        for (index, line) in text.lines().enumerate() {
            let number = index as u64 + 1;
            for annotation in line.split("//~").skip(1) {
                let annotation = annotation.trim();
                if let Some(kind) = annotation.strip_prefix("ERROR") {
                    let (kind, function) = kind.split_once(" in ").unwrap_or((kind, ""));
                    expected.errors.insert((number, kind.trim().to_owned()));
                    if !function.is_empty() {
                        expected.functions.insert(number, function.to_owned());
                    }
                } else if let Some(condition) = annotation.strip_prefix("REQUIRES") {
                    expected.requirements.insert((number, condition.trim().to_owned()));
                } else if annotation == "NOT SHOWN REACHABLE" {
                    expected.not_shown.insert(number);
                } else if let Some(what) = annotation.strip_prefix("COVERED") {
                    expected.covered.push(Covered::parse(number, what));
                } else if let Some(reason) = annotation.strip_prefix("GCOV") {
                    expected.gcov.insert(number, reason.trim().to_owned());
                } else if annotation.starts_with("UNREACHABLE") {
                    expected.unreachable.insert(number);
                } else {
                    panic!("line {number}: unknown annotation `{annotation}`");
                }
            }
        }
        let headers = text.lines().filter_map(|line| line.trim().strip_prefix("// tine-test:"));
        let all: Vec<_> = headers.map(options).collect();
        let explored: Vec<String> = all.iter().filter_map(|options| options.get("fn").cloned()).collect();
        let bodies: Vec<_> = explored.iter().filter_map(|name| Some((name, body(text, name)?))).collect();
        let of = |options: BTreeMap<String, String>| {
            let own = options.get("fn");
            let other = bodies.iter().filter(|(name, _)| own.is_some_and(|own| own != *name));
            let other: Vec<Range<u64>> = other.map(|(_, lines)| lines.clone()).collect();
            let mut expected = expected.clone();
            if all_differ(&explored) {
                expected.forget(|line| other.iter().any(|lines| lines.contains(&line)));
            }
            Expected { options, ..expected }
        };
        all.into_iter().map(of).collect()
    }

    /// Removes the expectations on these lines.
    fn forget(&mut self, is_other: impl Fn(u64) -> bool) {
        self.errors.retain(|(line, _)| !is_other(*line));
        self.requirements.retain(|(line, _)| !is_other(*line));
        self.not_shown.retain(|line| !is_other(*line));
        self.covered.retain(|covered| !is_other(covered.line));
        self.unreachable.retain(|line| !is_other(*line));
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.options.get(key).map(String::as_str)
    }
}

/// Lines of the definition of a function, which starts in the first column and ends with a brace there.
fn body(text: &str, name: &str) -> Option<Range<u64>> {
    let is_start = |line: &str| {
        let before = line.find(&format!("{name}(")).map(|place| &line[..place]);
        before.is_some_and(|before| before.ends_with([' ', '*']))
            && !line.starts_with([' ', '/'])
            && line.ends_with('{')
    };
    let start = text.lines().position(is_start)?;
    let length = text.lines().skip(start).position(|line| line == "}")?;
    Some(start as u64 + 1..(start + length) as u64 + 2)
}

/// True if each test explores a function of its own.
fn all_differ(functions: &[String]) -> bool {
    functions.iter().collect::<BTreeSet<_>>().len() == functions.len()
}

/// Parses `fn=f depth=3 cflags="-O1 -DX"` and the bare word `program`.
fn options(header: &str) -> BTreeMap<String, String> {
    let mut options = BTreeMap::new();
    let mut rest = header.trim();
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            None => ("", after),
            Some(quoted) if quoted.starts_with('"') => {
                let close = quoted[1..].find('"').map_or(quoted.len(), |at| at + 1);
                (&quoted[1..close], quoted.get(close + 1..).unwrap_or(""))
            }
            Some(plain) => plain.split_at(plain.find(' ').unwrap_or(plain.len())),
        };
        options.insert(key.to_owned(), value.to_owned());
        rest = after.trim_start();
    }
    options
}

/// Keys that are options of tine with one value.
const VALUES: [&str; 15] = [
    "check",
    "depth",
    "max-elements",
    "max-objects",
    "max-runs",
    "max-string",
    "max-time",
    "memory",
    "run-timeout",
    "seed",
    "solver",
    "strategy",
    "sym-argv",
    "sym-fail",
    "sym-stdin",
];
/// Keys with several values, separated by spaces.
const LISTS: [&str; 6] = ["ensures", "len", "requires", "spec", "sym-env", "sym-file"];

/// Keys without a value.
const SWITCHES: [&str; 3] = ["any-enum", "lazy", "strict"];

/// Folders for which gcov must count the same branches.
const COUNTED_BY_GCOV: [&str; 2] = ["tests/programs", "examples"];

fn check(file: &Path, expected: &Expected) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out");
    let mut command = tine();
    let twin = if expected.options.contains_key("program") {
        let program = folder.path().join("program");
        let twin = folder.path().join("program.native");
        let flags: Vec<&str> = expected.get("cflags").unwrap_or("").split_whitespace().collect();
        for (how, to) in [(&[][..], &program), (&["--native", "--checks"], &twin)] {
            let mut cc = tine();
            cc.arg("cc").args(how).args(["-g", "-Wno-everything"]).args(&flags).arg(file).arg("-o").arg(to);
            let built = cc.output()?;
            if !built.status.success() {
                return Err(format!("does not compile:\n{}", String::from_utf8_lossy(&built.stderr)).into());
            }
        }
        command.arg("run").arg(&program);
        twin
    } else {
        let function = expected.get("fn").ok_or("neither fn= nor program")?;
        command.arg("test").arg(file).args(["--fn", function]);
        if let Some(flags) = expected.get("cflags") {
            command.args(["--cflags", flags]);
        }
        out.join("unit.native")
    };
    for key in VALUES {
        if let Some(value) = expected.get(key) {
            command.args([format!("--{key}"), value.to_owned()]);
        }
    }
    if expected.get("by-run").is_some() {
        // Several workers run ahead by a varying number of runs.
        command.args(["--jobs", "1"]);
    }
    for key in LISTS {
        for value in expected.get(key).unwrap_or("").split_whitespace() {
            command.args([format!("--{key}"), value.to_owned()]);
        }
    }
    for switch in SWITCHES {
        if expected.options.contains_key(switch) {
            command.arg(format!("--{switch}"));
        }
    }
    command.args(["--json", "--quiet", "--out"]).arg(&out);
    let arguments: Vec<&str> = expected.get("args").unwrap_or("").split_whitespace().collect();
    if !arguments.is_empty() {
        command.arg("--").args(&arguments);
    }
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let summary: Value = serde_json::from_slice(&output.stdout)
        .map_err(|why| format!("no summary ({why}); exit {:?}\n{stderr}", output.status.code()))?;
    let mut complaints = compare(file, expected, &summary);
    complaints.extend(native::compare(&out, &twin, &arguments, expected.options.contains_key("unnoticed"))?);
    if COUNTED_BY_GCOV.iter().any(|folder| file.parent().is_some_and(|parent| parent.ends_with(folder))) {
        let named = ["requires", "ensures"].into_iter().flat_map(|key| expected.get(key).unwrap_or("").split(','));
        let predicates: Vec<&str> = named.collect();
        let unit = gcov::Unit {
            file,
            is_program: expected.options.contains_key("program"),
            flags: expected.get("cflags").unwrap_or(""),
            arguments: &arguments,
            predicates: &predicates,
            differences: &expected.gcov,
        };
        complaints.extend(gcov::compare(&out, &unit)?);
    }
    let code = if expected.errors.is_empty() && expected.not_shown.is_empty() { 0 } else { 1 };
    if output.status.code() != Some(code) {
        complaints.push(format!("exit code {:?}, not {code}", output.status.code()));
    }
    if complaints.is_empty() { Ok(()) } else { Err(format!("{}\n{summary:#}\n{stderr}", complaints.join("\n")).into()) }
}

fn compare(file: &Path, expected: &Expected, summary: &Value) -> Vec<String> {
    let mut complaints = Vec::new();
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let here = |value: &Value| value["file"].as_str().is_some_and(|path| path.ends_with(&name));
    let lines = |list: &str| -> Vec<&Value> { summary[list].as_array().into_iter().flatten().collect() };

    let found: BTreeSet<(u64, String)> = lines("errors")
        .into_iter()
        .map(|error| {
            let line = if here(error) { error["line"].as_u64().unwrap_or(0) } else { 0 };
            (line, error["kind"].as_str().unwrap_or("").to_owned())
        })
        .collect();
    for (line, kind) in expected.errors.difference(&found) {
        complaints.push(format!("line {line}: `{kind}` was not reported"));
    }
    for (line, kind) in found.difference(&expected.errors) {
        complaints.push(format!("line {line}: `{kind}` was reported but is not expected"));
    }

    let not_shown: BTreeSet<u64> =
        lines("not_shown_reachable").into_iter().map(|error| error["line"].as_u64().unwrap_or(0)).collect();
    for line in expected.not_shown.difference(&not_shown) {
        complaints.push(format!("line {line}: no error was listed as not shown reachable"));
    }
    for line in not_shown.difference(&expected.not_shown) {
        complaints.push(format!("line {line}: an error is listed as not shown reachable, which is not expected"));
    }

    let required: BTreeSet<(u64, String)> = lines("requirements")
        .into_iter()
        .map(|required| {
            let evidence = &required["evidence"];
            let line = if here(evidence) { evidence["line"].as_u64().unwrap_or(0) } else { 0 };
            (line, required["condition"].as_str().unwrap_or("").to_owned())
        })
        .collect();
    if expected.options.contains_key("strict") && !required.is_empty() {
        complaints.push("requirements were reported in spite of --strict".to_owned());
    }
    // With `--strict`, the same units show errors instead.
    let wanted = if expected.options.contains_key("strict") { &BTreeSet::new() } else { &expected.requirements };
    for (line, condition) in wanted.difference(&required) {
        complaints.push(format!("line {line}: `{condition}` was not reported as a requirement"));
    }
    for (line, condition) in required.difference(wanted) {
        complaints.push(format!("line {line}: the requirement `{condition}` was reported but is not expected"));
    }

    for (line, function) in &expected.functions {
        let is_here = |error: &&Value| error["line"].as_u64() == Some(*line);
        for error in lines("errors").into_iter().filter(is_here).filter(|error| error["function"] != function.as_str())
        {
            complaints.push(format!("line {line}: the error is in {}, not in {function}", error["function"]));
        }
    }

    let missed = lines("uncovered");
    for Covered { line, function, but } in &expected.covered {
        let is_meant = |m: &Value| function.is_none() || m["function"].as_str() == function.as_deref();
        let uncovered = missed.iter().filter(|m| here(m) && m["line"].as_u64() == Some(*line) && is_meant(m)).count();
        if uncovered != *but {
            let what = function.as_deref().unwrap_or("its branches");
            complaints.push(format!("line {line}: {uncovered} sides of {what} are not covered, not {but}"));
        }
    }
    for line in &expected.unreachable {
        if !missed.iter().any(|m| here(m) && m["leads_to"].as_u64() == Some(*line)) {
            complaints.push(format!("line {line}: it was reached, or no branch leads to it"));
        }
    }

    let verdict = summary["verdict"].as_str().unwrap_or("");
    // What follows an uninitialised read is not explored.
    let is_cut = expected.errors.iter().any(|(_, kind)| kind == "uninitialised read");
    let wanted = expected.get("verdict").unwrap_or(if is_cut { "bounded" } else { "complete" });
    if verdict != wanted {
        complaints.push(format!("the verdict is {verdict}, not {wanted}"));
    }
    if let Some(paths) = expected.get("paths")
        && summary["paths"].as_u64().map(|n| n.to_string()).as_deref() != Some(paths)
    {
        complaints.push(format!("{} paths, not {paths}", summary["paths"]));
    }
    let infeasible = missed.iter().filter(|side| side["why"].as_str() == Some("infeasible")).count() as u64;
    for (key, found) in [("branches", summary["branches_total"].as_u64()), ("infeasible", Some(infeasible))] {
        let found = found.map(|count| count.to_string()).unwrap_or_default();
        if expected.get(key).is_some_and(|wanted| wanted != found) {
            complaints.push(format!("{key}: {found}, not {}", expected.get(key).unwrap_or("")));
        }
    }
    let errors = lines("errors");
    if let Some(run) = expected.get("by-run").and_then(|run| run.parse::<u64>().ok()) {
        for error in errors.iter().filter(|error| error["case"].as_u64().is_none_or(|case| case > run)) {
            complaints.push(format!("`{}` was found in run {}, not by run {run}", error["kind"], error["case"]));
        }
    }
    if let Some(input) = expected.get("input")
        && !errors.iter().any(|error| error["input"].as_str().is_some_and(|text| text.contains(input)))
    {
        complaints.push(format!("no error has the input `{input}`"));
    }
    if let Some(reason) = expected.get("reason")
        && !lines("reasons").iter().any(|r| r["what"].as_str().is_some_and(|what| what.contains(reason)))
    {
        complaints.push(format!("no reason mentions `{reason}`"));
    }
    if summary["divergences"].as_u64() != Some(0) && !lines("reasons").iter().any(|r| concretises(&r["what"])) {
        complaints.push(format!("{} divergences, although nothing was concretised", summary["divergences"]));
    }
    complaints
}

/// True if a reason of the verdict lets a run differ from its prediction. Limits and unanswered queries do not.
fn concretises(reason: &Value) -> bool {
    const OTHERS: [&str; 8] = [
        "bound reached",
        "depth bound reached",
        "input arrays that overlap",
        "open branches not tried",
        "run diverged",
        "run stopped",
        "run was stopped",
        "solver could not decide",
    ];
    !OTHERS.iter().any(|other| reason.as_str().unwrap_or_default().starts_with(other))
}

fn tine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tine"))
}
