//! `tine.toml` in the current directory: a [`Config`]. Flags of the command line override it. The file may come from
//! another person, so settings that could harm the user need `--trust` ([`crate::trust`]).
//!
//! ```toml
//! max-time = "30s"
//! json = true
//! [test]
//! cflags = "-I include"
//! ```

use serde::Serialize;
use serde_json::{Map, Value};
use tine_build::cc::allowed;
use tine_build::project;
use tine_build::unit::split_flags;
use tine_engine::Config;

use crate::failure::Failure;
use crate::options::{self, settings};
use crate::trust::Source;

const FILE: &str = "tine.toml";
const COMMANDS: [&str; 5] = ["test", "sequence", "run", "compare", "mutate"];

/// The settings of `command`: the defaults, overridden by the file, overridden by the flags. `is_trusted`: the user
/// trusts the file.
pub(crate) fn load(command: &str, flags: &impl Serialize, is_trusted: bool) -> Result<Config, Failure> {
    let folder = std::env::current_dir().unwrap_or_default();
    let path = folder.join(FILE);
    let file = if path.exists() {
        let text = std::fs::read_to_string(&path)
            .map_err(|why| Failure::usage(format!("cannot read {FILE}: {why}"), "make it readable, or move it away"))?;
        of_file(&text, command, &Source::new(&path, text.as_bytes(), is_trusted))?
    } else {
        Config::default()
    };
    file.with(&settings(flags)).map_err(|why| Failure::usage(why.to_string(), format!("see `tine {command} --help`")))
}

/// The units of the file, and the file's text.
pub(crate) fn units(is_trusted: bool) -> Result<(Vec<project::Unit>, String), Failure> {
    let path = std::env::current_dir().unwrap_or_default().join(FILE);
    let help = "give a file, or list units in `tine.toml`: `tine init` writes a first one";
    let none = || Failure::usage("there are no files to explore", help);
    let text = std::fs::read_to_string(&path).map_err(|_| none())?;
    let table: toml::Table = text.parse().map_err(|_| none())?;
    let list = table.get(project::UNITS).and_then(|list| serde_json::to_value(list).ok()).ok_or_else(none)?;
    let units = project::units(&list).map_err(|why| Failure::usage(format!("{FILE}: {why}"), help))?;
    let source = Source::new(&path, text.as_bytes(), is_trusted);
    for unit in &units {
        Config::default().with(&unit.settings).map_err(|why| Failure::usage(format!("{FILE}: {why}"), help))?;
        for (key, value) in unit.settings.iter().filter(|(_, value)| **value != Value::Bool(false)) {
            check_trust(&source, key, value)?;
        }
    }
    Ok((units, text))
}

/// The settings of a file for `command`.
fn of_file(text: &str, command: &str, source: &Source) -> Result<Config, Failure> {
    let wrong = |what: String| Failure::usage(format!("{FILE}: {what}"), "`tine help` lists the flags; each is a key");
    let table: toml::Table = text.parse().map_err(|why: toml::de::Error| wrong(why.message().to_owned()))?;
    let Ok(Value::Object(table)) = serde_json::to_value(&table) else { unreachable!("a table is a map") };
    let cli = options::command();
    let has = |command: &str, key: &str| {
        let command = cli.find_subcommand(command).expect("a command that explores");
        command.get_arguments().any(|argument| argument.get_long() == Some(key))
    };
    let (mut shared, mut own) = (Map::new(), Map::new());
    for (key, value) in table {
        match value {
            // For `tine test` without files.
            Value::Array(_) if key == project::UNITS => {}
            Value::Object(section) if key == command => own = section,
            Value::Object(_) if COMMANDS.contains(&key.as_str()) => {}
            Value::Object(_) => return Err(wrong(format!("there is no section `[{key}]`"))),
            // Ignore keys of other commands.
            _ if key != "trust" && !has(command, &key) && COMMANDS.iter().any(|other| has(other, &key)) => {}
            value => _ = shared.insert(key, value),
        }
    }
    if shared.contains_key("trust") || own.contains_key("trust") {
        let what = format!("{FILE} cannot declare itself trusted");
        return Err(Failure::usage(what, "give `--trust` on the command line"));
    }
    let known = Config::default().to_map();
    if let Some(key) = own.keys().find(|key| known.contains_key(*key) && !has(command, key)) {
        return Err(wrong(format!("`{key}` is not a flag of `tine {command}`")));
    }
    let layer = |config: Config, layer: &Map<String, Value>| config.with(layer).map_err(|why| wrong(why.to_string()));
    let config = layer(layer(Config::default(), &shared)?, &own)?;
    for (key, value) in shared.iter().chain(&own).filter(|(_, value)| **value != Value::Bool(false)) {
        check_trust(source, key, value)?;
    }
    Ok(config)
}

/// Keys that select what to explore and how long. Every file may set them.
const HARMLESS: &[&str] = &[
    "fn",
    "calls",
    "max-calls",
    "no-prune",
    "build",
    "max-objects",
    "max-elements",
    "max-string",
    "init",
    "len",
    "type",
    "globals",
    "volatile",
    "stub",
    "lazy",
    "requires",
    "ensures",
    "spec",
    "any-enum",
    "strict",
    "sym-argv",
    "sym-stdin",
    "sym-file",
    "sym-env",
    "sym-time",
    "sym-random",
    "sym-fail",
    "seed-input",
    "seed",
    "max-runs",
    "max-time",
    "keep-session",
    "fail-on",
    "min-coverage",
    "verbose",
    "build-timeout",
    "run-timeout",
    "memory",
    "check",
    "two-phase",
    "alignment",
    "snapshot",
    "locale",
    "depth",
    "strategy",
    "jobs",
    "target",
    "solver",
    "solver-timeout",
    "solver-memory",
    "solver-check",
    "no-tier",
    "keep",
    "keep-all",
    "json",
    "show-output",
    "explain",
    "export",
    "quiet",
    "watch",
];
/// Keys that name files to write. They must be below the directory of `tine.toml`.
const WRITTEN: &[&str] =
    &["out", "solver-log", "solver-cache", "solver-record", "corpus", "testcomp", "write-requires", "events", "report"];

/// Rejects settings that only the user or a trusted file may set.
fn check_trust(source: &Source, key: &str, value: &Value) -> Result<(), Failure> {
    let texts: Vec<&str> = match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    };
    match key {
        "cflags" => {
            for text in texts {
                if let Some(flag) = allowed::first_untrusted(&split_flags(text)?) {
                    source.require(&format!("sets `cflags` with `{flag}`"))?;
                }
            }
            Ok(())
        }
        key if WRITTEN.contains(&key) => texts.iter().try_for_each(|text| source.require_inside(key, text)),
        key if HARMLESS.contains(&key) => Ok(()),
        key => source.require(&format!("sets `{key}`")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Parses the text as an untrusted file.
    fn of_file(text: &str, command: &str) -> Result<Config, Failure> {
        super::of_file(text, command, &Source::new(Path::new(FILE), text.as_bytes(), false))
    }

    #[test]
    fn keys_are_settings() {
        let text =
            "max-time = \"30s\"\nseed = 7\njson = true\nquiet = false\n[test]\ncflags = \"-I x\"\n[run]\nseed = 8\n";
        let config = of_file(text, "test").expect("it is fine");
        assert_eq!((config.seed, config.json, config.quiet, config.cflags.as_str()), (7, true, false, "-I x"));
        assert_eq!(config.time_limit().map(|time| time.as_secs()), Some(30));
        // `cflags` does not apply to `run`, which has its own seed.
        let config = of_file(text, "run").expect("it is fine");
        assert_eq!((config.seed, config.cflags.as_str()), (8, ""));
        // Keys of other commands are ignored.
        assert!(of_file("ensures = \"x\"", "run").expect("it is fine").ensures.is_empty());
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("maxtime = 3", "there is no setting `maxtime`; did you mean `max-time`?"),
            ("[run]\nmaxtime = 3", "there is no setting `maxtime`; did you mean `max-time`?"),
            ("[tests]\nseed = 1", "there is no section `[tests]`"),
            ("json = 3", "`json`: invalid type"),
            ("max-time = \"3x\"", "`max-time`: duration `3x` has no unit"),
            ("[run]\nensures = \"x\"", "`ensures` is not a flag of `tine run`"),
            ("seed = ", "tine.toml"),
        ] {
            let failure = of_file(text, "run").expect_err(text).to_string();
            assert!(failure.contains(part), "{text:?} gives {failure:?}");
        }
    }

    #[test]
    fn settings_that_could_do_harm_need_trust() {
        for text in [
            "[run]\nallow = true",
            "out = \"/tmp/elsewhere\"",
            "out = \"../elsewhere\"",
            "solver-log = \"/tmp/log\"",
            "solver-cache = \"/tmp/cache\"",
            "solver-record = \"/tmp/record\"",
            "[run]\ncorpus = \"/tmp/corpus\"",
            "[run]\ntestcomp = \"/tmp/suite\"",
            "cflags = \"-Wall -fplugin=./evil.so\"",
            "cflags = \"-Wl,-Map=/tmp/x\"",
            "cflags = \"-Xclang -load -Xclang ./evil.so\"",
        ] {
            let failure = of_file(text, "run").expect_err(text).to_string();
            assert!(failure.contains("only if you trust the file") && failure.contains("--trust"), "{failure}");
        }
        let own = of_file("trust = true", "run").expect_err("it cannot trust itself").to_string();
        assert!(own.contains("cannot declare itself trusted"), "{own}");
        let fine = "out = \"results\"\ncflags = \"-I include -DX -O2 -lm\"\n[run]\nallow = false\ncorpus = \"a/b\"";
        of_file(fine, "run").expect("nothing in it needs trust");
    }
}
