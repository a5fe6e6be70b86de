//! Settings in `tine.toml`, a [`Config`]. The file may come from another person, so settings that could harm the user
//! need trust ([`super::trust`]).

use serde_json::{Map, Value};
use tine_engine::Config;

use super::UNITS;
use super::trust::Source;
use crate::Error;
use crate::cc::allowed;
use crate::unit::split_flags;

/// Name of the file.
pub const FILE: &str = "tine.toml";
const COMMANDS: [&str; 5] = ["test", "sequence", "run", "compare", "mutate"];

/// The settings of a file for `command`.
/// `has` tells whether a command has a flag.
pub fn read(text: &str, command: &str, source: &Source, has: &dyn Fn(&str, &str) -> bool) -> Result<Config, Error> {
    let wrong = |what: String| Error::request(format!("{FILE}: {what}"), "`tine help` lists the flags; each is a key");
    let table: toml::Table = text.parse().map_err(|why: toml::de::Error| wrong(why.message().to_owned()))?;
    let Ok(Value::Object(table)) = serde_json::to_value(&table) else { unreachable!("a table is a map") };
    let (mut shared, mut own) = (Map::new(), Map::new());
    for (key, value) in table {
        match value {
            // For `tine test` without files.
            Value::Array(_) if key == UNITS => {}
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
        return Err(Error::request(what, "give `--trust` on the command line"));
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
    "baseline",
    "min-coverage",
    "verbose",
    "build-timeout",
    "run-timeout",
    "memory",
    "check",
    "experimental",
    "two-phase",
    "alignment",
    "fork-server",
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
pub fn check_trust(source: &Source, key: &str, value: &Value) -> Result<(), Error> {
    let values: Vec<&str> = match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    };
    match key {
        "cflags" => {
            for text in values {
                if let Some(flag) = allowed::first_untrusted(&split_flags(text)?) {
                    source.require(&format!("sets `cflags` with `{flag}`"))?;
                }
            }
            Ok(())
        }
        key if WRITTEN.contains(&key) => values.iter().try_for_each(|text| source.require_inside(key, text)),
        key if HARMLESS.contains(&key) => Ok(()),
        key => source.require(&format!("sets `{key}`")),
    }
}
