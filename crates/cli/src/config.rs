//! `tine.toml` in the current directory: every long flag is also a key there. What the command line says
//! comes later and wins. The file may come from another person, so settings that could harm the user need `--trust` ([`crate::trust`]).
//!
//! ```toml
//! max-time = "30s"
//! json = true
//! [test]
//! cflags = "-I include"
//! ```

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use tine_build::cc::allowed;
use tine_build::unit::split_flags;
use toml::Value;

use crate::failure::Failure;
use crate::options::Cli;
use crate::trust::Source;

pub(crate) const FILE: &str = "tine.toml";

/// The command line with the configuration's flags put behind the subcommand.
pub(crate) fn extend(arguments: Vec<OsString>, folder: &Path) -> Result<Vec<OsString>, Failure> {
    let path = folder.join(FILE);
    let Some(command) = arguments.get(1).and_then(|word| word.to_str()).map(str::to_owned) else {
        return Ok(arguments);
    };
    if !matches!(command.as_str(), "test" | "sequence" | "run") || !path.exists() {
        return Ok(arguments);
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|why| Failure::usage(format!("cannot read {FILE}: {why}"), "make it readable, or move it away"))?;
    let is_trust = |word: &&OsString| word.as_os_str() == "--trust";
    let is_given = arguments.iter().take_while(|word| word.as_os_str() != "--").any(|word| is_trust(&word));
    let flags = flags(&text, &command, &Source::new(&path, text.as_bytes(), is_given))?;
    let mut extended = arguments[..2].to_vec();
    extended.extend(flags.into_iter().map(OsString::from));
    extended.extend_from_slice(&arguments[2..]);
    Ok(extended)
}

/// Keys that say what to explore and how long: anybody's file may set them.
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
    "sym-argv",
    "sym-stdin",
    "sym-file",
    "sym-env",
    "sym-time",
    "sym-fail",
    "seed-input",
    "seed",
    "max-runs",
    "max-time",
    "build-timeout",
    "run-timeout",
    "memory",
    "two-phase",
    "alignment",
    "snapshot",
    "locale",
    "depth",
    "strategy",
    "jobs",
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
    "quiet",
];
/// Keys that name what tine writes: below the file's directory.
const WRITTEN: &[&str] = &["out", "solver-log", "solver-cache", "solver-record", "corpus", "testcomp"];

/// Refuses what the user has to have said.
fn check_trust(source: &Source, key: &str, value: &Value) -> Result<(), Failure> {
    let texts: Vec<&str> = match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    };
    match key {
        "trust" => Err(Failure::usage(format!("{FILE} cannot say that it is to be trusted"), "say `--trust` yourself")),
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

/// The flags that the configuration gives to `command`.
fn flags(text: &str, command: &str, source: &Source) -> Result<Vec<String>, Failure> {
    let wrong = |what: String| Failure::usage(format!("{FILE}: {what}"), "`tine help` lists the flags; each is a key");
    let table: toml::Table = text.parse().map_err(|why: toml::de::Error| wrong(why.message().to_owned()))?;
    let cli = Cli::command();
    let known = |key: &str, command: &str| {
        let command = cli.find_subcommand(command)?;
        command.get_arguments().find(|argument| argument.get_long() == Some(key)).cloned()
    };
    let mut flags = Vec::new();
    let mut add = |key: &str, value: &Value, own: bool| -> Result<(), Failure> {
        let elsewhere = ["test", "sequence", "run"].iter().any(|other| known(key, other).is_some());
        let Some(argument) = known(key, command) else {
            // A key of the other command is not for us; a key of none is a mistake.
            return if elsewhere && !own {
                Ok(())
            } else {
                Err(wrong(format!("`{key}` is no flag of `tine {command}`")))
            };
        };
        if *value != Value::Boolean(false) {
            check_trust(source, key, value)?;
        }
        let takes_value = argument.get_action().takes_values();
        match value {
            Value::Boolean(true) if !takes_value => flags.push(format!("--{key}")),
            Value::Boolean(false) if !takes_value => {}
            Value::String(text) if takes_value => flags.push(format!("--{key}={text}")),
            Value::Integer(number) if takes_value => flags.push(format!("--{key}={number}")),
            Value::Array(values) if takes_value && values.iter().all(Value::is_str) => {
                flags.extend(values.iter().filter_map(Value::as_str).map(|text| format!("--{key}={text}")));
            }
            _ => return Err(wrong(format!("`{key}` has a value of the wrong kind"))),
        }
        Ok(())
    };
    for (key, value) in &table {
        match value {
            Value::Table(own) if key == command => {
                for (key, value) in own {
                    add(key, value, true)?;
                }
            }
            Value::Table(_) if matches!(key.as_str(), "test" | "sequence" | "run") => {}
            Value::Table(_) => return Err(wrong(format!("`[{key}]` is no section"))),
            _ => add(key, value, false)?,
        }
    }
    Ok(flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As if the file were not trusted.
    fn flags(text: &str, command: &str) -> Result<Vec<String>, Failure> {
        super::flags(text, command, &Source::new(Path::new(FILE), text.as_bytes(), false))
    }

    #[test]
    fn keys_become_flags() {
        let text = "max-time = \"30s\"\nseed = 7\njson = true\nquiet = false\n[test]\ncflags = \"-I x\"\n[run]\n";
        assert_eq!(
            flags(text, "test").expect("it is fine"),
            ["--json", "--max-time=30s", "--seed=7", "--cflags=-I x"].map(str::to_owned)
        );
        // `cflags` is not for `run`.
        assert_eq!(flags(text, "run").expect("it is fine").len(), 3);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("maxtime = 3", "`maxtime` is no flag"),
            ("[tests]\nseed = 1", "`[tests]` is no section"),
            ("json = 3", "wrong kind"),
            ("[run]\nensures = \"x\"", "`ensures` is no flag of `tine run`"),
            ("seed = ", "tine.toml"),
        ] {
            let failure = flags(text, "run").expect_err(text).to_string();
            assert!(failure.contains(part), "{text:?} gives {failure:?}");
        }
    }

    #[test]
    fn what_could_harm_needs_trust() {
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
            let failure = flags(text, "run").expect_err(text).to_string();
            assert!(failure.contains("only if you trust the file") && failure.contains("--trust"), "{failure}");
            let source = Source::new(Path::new(FILE), b"", false);
            assert!(super::flags(text, "run", &source).is_err());
        }
        let own = flags("trust = true", "run").expect_err("it cannot trust itself").to_string();
        assert!(own.contains("cannot say that it is to be trusted"), "{own}");
        let fine = "out = \"results\"\ncflags = \"-I include -DX -O2 -lm\"\n[run]\nallow = false\ncorpus = \"a/b\"";
        flags(fine, "run").expect("nothing in it needs trust");
    }
}
