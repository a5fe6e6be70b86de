//! `tine.toml` in the current directory: a [`Config`]. Flags of the command line override it. The file may come from
//! another person, so settings that could harm the user need `--trust` ([`project::trust`]).
//!
//! ```toml
//! max-time = "30s"
//! json = true
//! [test]
//! cflags = "-I include"
//! ```

use serde::Serialize;
use serde_json::Value;
use tine_build::project;
use tine_build::project::settings::{self as file_settings, FILE, check_trust};
use tine_build::project::trust::Source;
use tine_engine::Config;

use crate::failure::Failure;
use crate::options::{self, settings};

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
    let config = file.with(&settings(flags)).and_then(Config::check_experiments);
    config.map_err(|why| Failure::usage(why.to_string(), format!("see `tine {command} --help`")))
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
    let cli = options::command();
    let has = |command: &str, key: &str| {
        let command = cli.find_subcommand(command).expect("a command that explores");
        command.get_arguments().any(|argument| argument.get_long() == Some(key))
    };
    Ok(file_settings::read(text, command, source, &has)?)
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
