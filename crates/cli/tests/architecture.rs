//! Checks the invariants of ARCHITECTURE.md that are visible in the sources.

#[path = "architecture/code.rs"]
mod code;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// Normal (not dev, not build) dependencies of each package of the workspace.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("packages is a list");
    let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies is a list");
            let normal = dependencies.iter().filter(|d| d["kind"].is_null()).map(|d| text(&d["name"]));
            (text(&package["name"]), normal.collect())
        })
        .collect()
}

/// Rust files below `crates/NAME/src`.
fn sources(name: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("crates").join(name).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("it is text");
                files.push((path, text));
            }
        }
    }
    files
}

/// Lines of code (not comments, not tests) of `name` that contain one of `words`.
fn lines_with(name: &str, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources(name) {
        let inside = path.strip_prefix(root().join("crates").join(name)).unwrap_or(&path);
        if inside.components().any(|part| part.as_os_str().to_string_lossy().contains("test")) {
            continue;
        }
        for (number, line) in code::lines(&text).iter().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    found
}

#[track_caller]
fn none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn crates_depend_only_in_the_direction_of_the_table() {
    let allowed: &[(&str, &[&str])] = &[
        ("tine-trace", &[]),
        ("tine-types", &["tine-trace"]),
        ("tine-runtime", &["tine-trace"]),
        ("tine-instrument", &["tine-trace"]),
        ("tine-expr", &["tine-trace"]),
        ("tine-solver", &["tine-expr", "tine-trace"]),
        ("tine-explore", &["tine-trace"]),
        ("tine-executor", &["tine-explore", "tine-expr", "tine-solver", "tine-trace", "tine-types"]),
        ("tine-engine", &["tine-executor", "tine-explore", "tine-session", "tine-solver", "tine-trace", "tine-types"]),
        (
            "tine-build",
            &[
                "tine-engine",
                "tine-executor",
                "tine-instrument",
                "tine-session",
                "tine-spec",
                "tine-trace",
                "tine-types",
            ],
        ),
        ("tine-spec", &["tine-trace"]),
        (
            "tine-export",
            &[
                "tine-engine",
                "tine-executor",
                "tine-explore",
                "tine-report",
                "tine-session",
                "tine-trace",
                "tine-types",
            ],
        ),
        ("tine-session", &["tine-explore", "tine-trace", "tine-types"]),
        ("tine-report", &["tine-session"]),
        ("tine-remote", &["tine-engine", "tine-explore", "tine-session", "tine-trace", "tine-types"]),
    ];
    let actual = dependencies();
    for (package, may) in allowed {
        let own = actual[*package].iter().filter(|name| name.starts_with("tine-"));
        for dependency in own {
            assert!(may.contains(&dependency.as_str()), "{package} must not depend on {dependency}");
        }
    }
    let known: BTreeSet<&str> = allowed.iter().map(|(name, _)| *name).chain(["tine-cli"]).collect();
    let all: BTreeSet<&str> = actual.keys().map(String::as_str).collect();
    assert_eq!(all, known, "a crate was added or removed: update the table here and in ARCHITECTURE.md");
}

#[test]
fn the_runtime_depends_on_the_contract_alone() {
    assert_eq!(dependencies()["tine-runtime"], BTreeSet::from(["tine-trace".to_owned()]));
    assert!(dependencies()["tine-trace"].is_empty());
    none(&lines_with("runtime", &["std::", "extern crate std"]), "the runtime is no_std");
}

#[test]
fn native_libraries_are_fenced_in() {
    for (package, dependencies) in dependencies() {
        assert!(!dependencies.contains("llvm-sys") || package == "tine-instrument", "{package} links LLVM");
    }
}

#[test]
fn only_the_solver_crate_starts_smt_solvers() {
    let starting = ["Command::new", "posix_spawn(", "libc::exec", "libc::fork("];
    for name in ["trace", "types", "instrument", "expr", "explore", "session", "report", "engine", "spec"] {
        none(&lines_with(name, &starting), "only build, cli, executor, export and solver start processes");
    }
    assert!(!lines_with("solver", &starting).is_empty(), "the words to look for are out of date");
    // The names of solvers are options in `engine`, which starts no processes.
    for name in ["build", "cli", "executor", "export"] {
        none(
            &lines_with(name, &["\"z3", "\"bitwuzla", "\"cvc5", "tine_solver::process"]),
            "only solver starts SMT solvers",
        );
    }
    for (package, dependencies) in dependencies() {
        let solvers = dependencies.iter().filter(|name| name.contains("bitwuzla") || name.contains("z3"));
        assert_eq!(solvers.count(), 0, "{package} links an SMT solver");
    }
}

#[test]
fn terms_and_exploration_are_pure() {
    let impure = ["std::fs", "std::io", "std::env", "std::net", "std::process", "std::thread", "Instant", "SystemTime"];
    for package in ["tine-expr", "tine-explore"] {
        let dependencies = &dependencies()[package];
        assert!(!dependencies.iter().any(|name| name.contains("rand")), "{package} has its own seeded random numbers");
    }
    none(&lines_with("expr", &impure), "expr does no I/O and reads no clock");
    none(&lines_with("explore", &impure), "explore does no I/O and reads no clock");
}

#[test]
fn only_the_cli_prints_and_reads_the_environment() {
    let words = ["println!", "print!(", "eprint!", "dbg!", "env::var", "env::args", "process::exit"];
    let names = [
        "trace",
        "types",
        "instrument",
        "expr",
        "solver",
        "explore",
        "executor",
        "session",
        "report",
        "engine",
        "export",
        "spec",
    ];
    for name in names {
        let mut found = lines_with(name, &words);
        // Z3 is searched for in the same directories as the shell does.
        found.retain(|line| name != "solver" || !line.contains("env::var_os(\"PATH\")"));
        none(&found, "only cli prints, reads the environment and exits");
    }
}

/// A compiler prints messages, and the cache has a directory. Results belong to the caller.
#[test]
fn building_prints_no_results() {
    none(
        &lines_with("build", &[" println!", " print!(", "dbg!", "process::exit"]),
        "tine-build leaves results to its caller",
    );
}

/// Only flags, displays and exit codes: everything else has a separate crate. The description of the flags counts as
/// data.
#[test]
fn the_command_line_is_glue() {
    let n_code = |text: &str| code::lines(text).iter().filter(|line| !line.trim().is_empty()).count();
    // Options, and the pages that are generated from them, are descriptions.
    let is_description =
        |path: &Path| path.ends_with("src/options.rs") || path.components().any(|part| part.as_os_str() == "generate");
    let glue = sources("cli").into_iter().filter(|(path, _)| !is_description(path));
    let n_lines: usize = glue.map(|(_, text)| n_code(&text)).sum();
    assert!(n_lines < 2600, "{n_lines} lines of code");
    none(&lines_with("cli", &["Explorer::", "LocalExecutor", "scheduler"]), "the engine explores, not cli");
}

#[test]
fn entry_points_are_listed_once() {
    // The instrumenter names entry points only through the list, the runtime defines them only from it.
    none(&lines_with("instrument", &["\"__tine_binary", "\"__tine_load", "\"__tine_branch"]), "declared from the list");
    none(&lines_with("runtime", &["fn __tine_binary", "fn __tine_load", "fn __tine_branch"]), "defined from the list");
    let uses: Vec<_> =
        ["instrument", "runtime"].iter().map(|name| lines_with(name, &["entry_points!("]).len()).collect();
    assert_eq!(uses, [1, 1], "each side expands the list exactly once");
}

#[test]
fn what_is_serialised_is_declared_in_few_crates() {
    for name in ["instrument", "expr", "solver", "executor"] {
        none(
            &lines_with(name, &["derive(Serialize", "Serialize,", "serde::"]),
            "only trace, session and the input map of types serialise",
        );
    }
}

/// The runtime has the names of the kernel for numbers of system calls and flags.
#[test]
fn public_items_are_documented() {
    let packages = dependencies();
    let names = packages.keys().filter_map(|name| name.strip_prefix("tine-"));
    for name in names.filter(|name| !["cli", "runtime"].contains(name)) {
        for (path, text) in sources(name) {
            let inside = path.strip_prefix(root()).unwrap_or(&path);
            if !inside.components().any(|part| part.as_os_str().to_string_lossy().contains("test")) {
                none(&code::undocumented(&text), &format!("{}: public items need a doc comment", inside.display()));
            }
        }
    }
}
