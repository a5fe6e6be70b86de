//! The settings of an exploration, with all defaults.
//!
//! A [`Config`] is filled from flags and from `tine.toml`, and a session stores it unchanged. A key of the file is the
//! name of the flag, and a value is written as on the command line. [`Config::with`] puts one layer of settings over
//! another.

pub mod environment;
pub mod values;

use std::path::PathBuf;
use std::time::Duration;

use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tine_executor::Bounds;
use tine_explore::strategy::Spec;

use environment::{Arguments, Failing, MAX_LEN, Named, Variable};
use values::{
    Count, FailOn, Init, Keep, Locale, Make, Memory, RequiredSandbox, Selected, Size, Solver, Switch, Tier, Time,
    TimeLimit, text,
};

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    // Building.
    /// Flags for the compiler, as one string.
    pub cflags: String,
    /// Directory with a `compile_commands.json`.
    pub build: Option<PathBuf>,
    pub build_timeout: Time,

    // Functions to call.
    /// The function to explore; without it, every function that other files can call.
    #[serde(rename = "fn")]
    pub function: Option<String>,
    /// Calls of a sequence: `init,add*,remove*`.
    pub calls: Option<String>,
    pub max_calls: Option<Count<1, 1000>>,
    /// Explore states again that another sequence has reached.
    pub no_prune: bool,

    // Inputs of a function.
    pub max_objects: u32,
    pub max_elements: Count<1, MAX_LEN>,
    pub max_string: Count<0, MAX_LEN>,
    pub init: Init,
    pub make: Make,
    /// Lengths of arrays: `PTR=N` or `PTR=PARAM`.
    #[serde(deserialize_with = "list")]
    pub len: Vec<String>,
    /// Types that untyped pointers point to: `PARAM=TYPE`.
    #[serde(rename = "type", deserialize_with = "list")]
    pub types: Vec<String>,
    /// Global variables that are inputs, or `all`.
    #[serde(deserialize_with = "names")]
    pub globals: Vec<String>,
    pub volatile: bool,
    /// Functions that return inputs instead of being called, or `all`.
    #[serde(deserialize_with = "names")]
    pub stub: Vec<String>,
    /// Show only the parts of an input that the function read.
    pub lazy: bool,
    /// Preconditions.
    #[serde(deserialize_with = "list")]
    pub requires: Vec<String>,
    /// Postconditions.
    #[serde(deserialize_with = "list")]
    pub ensures: Vec<String>,
    /// Files of specifications, or names of those that ship with tine.
    #[serde(deserialize_with = "list")]
    pub spec: Vec<PathBuf>,
    /// Enumerations may have values that are not their enumerators.
    pub any_enum: bool,
    /// Inputs that violate a requirement are errors.
    pub strict: bool,
    /// File for the requirements, as a predicate in C.
    pub write_requires: Option<PathBuf>,

    // Inputs of a program.
    pub sym_argv: Option<Arguments>,
    pub sym_stdin: Option<Count<1, MAX_LEN>>,
    #[serde(deserialize_with = "list")]
    pub sym_file: Vec<Named>,
    #[serde(deserialize_with = "list")]
    pub sym_env: Vec<Variable>,
    pub sym_time: bool,
    pub sym_random: bool,
    pub sym_fail: Failing,
    /// Files, or directories of files, with inputs to start from.
    #[serde(deserialize_with = "list")]
    pub seed_input: Vec<PathBuf>,

    // Runs.
    pub seed: u64,
    pub run_timeout: Time,
    pub memory: Memory,
    pub check: Selected,
    /// Settings that serve a single experiment may be used ([`Config::check_experiments`]).
    pub experimental: bool,
    /// If pointers are modelled as addresses: first require only that objects have different ones.
    pub two_phase: Switch,
    /// If pointers are modelled as addresses: keep primitive objects of one type apart by their alignment.
    pub alignment: Switch,
    /// Start runs from a fork server at the first input.
    pub fork_server: Switch,
    pub locale: Locale,
    /// The program may start processes and open sockets.
    pub allow: bool,
    pub require_sandbox: Option<RequiredSandbox>,

    // The search.
    #[serde(with = "text")]
    pub strategy: Spec,
    pub depth: Option<Count<1, { u32::MAX as u64 }>>,
    pub max_runs: Option<Count<1, { u64::MAX }>>,
    /// `None`: the default of the command.
    pub max_time: Option<TimeLimit>,
    pub jobs: Option<Count<1, 1024>>,
    /// Functions and lines to reach first: `FN`, `FILE:LINE`, `FILE:LINE-LINE`.
    #[serde(deserialize_with = "list")]
    pub target: Vec<String>,
    /// Revision since which changes are targets.
    pub changed: Option<String>,
    /// Patch whose changes are targets.
    pub diff: Option<PathBuf>,
    /// Address of a NATS server whose workers take part.
    pub hub: Option<String>,
    /// Explore on this machine alone if that server cannot be reached.
    pub hub_optional: bool,
    /// Files for the login: credentials, an NKey, certificates of authorities.
    pub hub_creds: Option<PathBuf>,
    pub hub_nkey: Option<PathBuf>,
    pub hub_ca: Option<PathBuf>,
    /// Certificate of this machine, and its private key.
    pub hub_cert: Option<PathBuf>,
    pub hub_key: Option<PathBuf>,
    /// The NKey that signs the exploration.
    pub hub_sign: Option<PathBuf>,

    // The solver.
    pub solver: Solver,
    pub solver_timeout: Time,
    pub solver_memory: Size,
    /// Compare every answer with that of plain SMT.
    pub solver_check: bool,
    #[serde(deserialize_with = "names")]
    pub no_tier: Vec<Tier>,
    pub solver_log: Option<PathBuf>,
    pub solver_cache: Option<PathBuf>,
    pub solver_record: Option<PathBuf>,

    // Results.
    /// Directory of the session. `None`: a directory below `tine-out`, named after the target.
    pub out: Option<PathBuf>,
    /// Keep finished sessions of the same target.
    pub keep_session: bool,
    pub keep: Keep,
    pub keep_all: bool,
    pub corpus: Option<PathBuf>,
    pub testcomp: Option<PathBuf>,
    /// File for events as JSON lines.
    pub events: Option<PathBuf>,
    /// Directory for the HTML report.
    pub report: Option<PathBuf>,
    pub watch: bool,
    /// Name of the format in which the kept cases are written to the session's directory.
    pub export: Option<String>,
    pub explain: bool,
    pub show_output: bool,
    pub json: bool,
    pub quiet: bool,
    pub verbose: bool,
    /// Results that cause exit code 1.
    #[serde(deserialize_with = "names")]
    pub fail_on: Vec<FailOn>,
    /// Session or SARIF file whose errors are known.
    pub baseline: Option<PathBuf>,
    /// Branch coverage in percent below which the exit code is 1.
    pub min_coverage: Option<Count<0, 100>>,
}

impl Default for Config {
    fn default() -> Config {
        let Bounds { objects, elements, text, .. } = Bounds::default();
        Config {
            cflags: String::new(),
            build: None,
            build_timeout: Time::seconds(5 * 60),
            function: None,
            calls: None,
            max_calls: None,
            no_prune: false,
            max_objects: objects,
            max_elements: Count(elements.into()),
            max_string: Count(text.into()),
            init: Init::Random,
            make: Make::Both,
            len: Vec::new(),
            types: Vec::new(),
            globals: Vec::new(),
            volatile: false,
            stub: Vec::new(),
            lazy: false,
            requires: Vec::new(),
            ensures: Vec::new(),
            spec: Vec::new(),
            any_enum: false,
            strict: false,
            write_requires: None,
            sym_argv: None,
            sym_stdin: None,
            sym_file: Vec::new(),
            sym_env: Vec::new(),
            sym_time: false,
            sym_random: false,
            sym_fail: Failing::default(),
            seed_input: Vec::new(),
            seed: 0,
            run_timeout: Time::seconds(1),
            memory: Memory::default(),
            check: Selected::default(),
            experimental: false,
            two_phase: Switch(true),
            alignment: Switch(true),
            fork_server: Switch(true),
            locale: Locale::C,
            allow: false,
            require_sandbox: None,
            strategy: Spec::parse("auto").expect("a strategy of the catalogue"),
            depth: None,
            max_runs: None,
            max_time: None,
            jobs: None,
            target: Vec::new(),
            changed: None,
            diff: None,
            hub: None,
            hub_optional: false,
            hub_creds: None,
            hub_nkey: None,
            hub_ca: None,
            hub_cert: None,
            hub_key: None,
            hub_sign: None,
            solver: Solver::Bitwuzla,
            solver_timeout: Time::seconds(10),
            solver_memory: Size(2 << 30),
            solver_check: false,
            no_tier: Vec::new(),
            solver_log: None,
            solver_cache: None,
            solver_record: None,
            out: None,
            keep_session: false,
            keep: Keep::Suite,
            keep_all: false,
            corpus: None,
            testcomp: None,
            events: None,
            report: None,
            baseline: None,
            watch: false,
            export: None,
            explain: false,
            show_output: false,
            json: false,
            quiet: false,
            verbose: false,
            fail_on: Vec::new(),
            min_coverage: None,
        }
    }
}

/// Invalid settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("there is no setting `{key}`; did you mean `{nearest}`?")]
    Unknown { key: String, nearest: String },
    #[error("`{key}`: {why}")]
    Value { key: String, why: String },
    #[error("{0}")]
    Environment(String),
    #[error("`{0}` is for experiments only: add `--experimental` to use it")]
    Experiment(&'static str),
}

impl Config {
    /// These settings with those of `layer` over them. Lists are concatenated.
    pub fn with(&self, layer: &Map<String, Value>) -> Result<Config, ConfigError> {
        let mut all = self.to_map();
        for (key, value) in layer {
            let Some(known) = all.get_mut(key) else {
                return Err(ConfigError::Unknown { key: key.clone(), nearest: nearest(key, all.keys()) });
            };
            // Each value is parsed alone, so that an error can name its key.
            let alone = Map::from_iter([(key.clone(), value.clone())]);
            let alone: Result<Config, _> = serde_json::from_value(Value::Object(alone));
            let read = alone.map_err(|why| ConfigError::Value { key: key.clone(), why: why.to_string() })?;
            match (known, read.to_map().remove(key)) {
                (Value::Array(before), Some(Value::Array(more))) => before.extend(more),
                (known, value) => *known = value.unwrap_or_default(),
            }
        }
        let config: Config = serde_json::from_value(Value::Object(all))
            .map_err(|why| ConfigError::Value { key: String::new(), why: why.to_string() })?;
        config.check_environment().map_err(ConfigError::Environment)?;
        Ok(config)
    }

    /// All settings by their keys.
    pub fn to_map(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            other => unreachable!("settings are a map, not {other:?}"),
        }
    }

    /// Settings for workers on other machines, without paths of this machine and secrets.
    pub(crate) fn for_workers(&self) -> Config {
        let mut config = self.without_hub();
        for path in [
            &mut config.solver_log,
            &mut config.solver_cache,
            &mut config.solver_record,
            &mut config.out,
            &mut config.corpus,
            &mut config.testcomp,
            &mut config.events,
            &mut config.report,
            &mut config.baseline,
            &mut config.write_requires,
            &mut config.diff,
        ] {
            *path = None;
        }
        config
    }

    /// Settings without the hub and its login data, which sessions do not store.
    pub(crate) fn without_hub(&self) -> Config {
        Config {
            hub: None,
            hub_optional: false,
            hub_creds: None,
            hub_nkey: None,
            hub_ca: None,
            hub_cert: None,
            hub_key: None,
            hub_sign: None,
            ..self.clone()
        }
    }

    /// The limit of an exploration's time.
    pub fn time_limit(&self) -> Option<Duration> {
        self.max_time.and_then(|limit| limit.0)
    }

    /// True if this result causes exit code 1. Errors do, unless only new ones are selected.
    pub fn fails_on(&self, result: FailOn) -> bool {
        let is_default = result == FailOn::Error && !self.fail_on.contains(&FailOn::New);
        is_default || self.fail_on.contains(&result)
    }

    /// Fails if a setting serves a single experiment and [`Config::experimental`] is false.
    pub fn check_experiments(self) -> Result<Config, ConfigError> {
        let default = Config::default();
        let all = [
            ("--memory MODEL", self.memory.model != default.memory.model),
            ("--two-phase", self.two_phase != default.two_phase),
            ("--alignment", self.alignment != default.alignment),
            ("--solver-record", self.solver_record.is_some()),
        ];
        match all.into_iter().find(|(_, is_used)| *is_used && !self.experimental) {
            Some((flag, _)) => Err(ConfigError::Experiment(flag)),
            None => Ok(self),
        }
    }

    /// True if every path is kept.
    pub fn keeps_all(&self) -> bool {
        self.keep_all || self.keep == Keep::All
    }

    /// Bounds on the inputs of a function.
    pub fn bounds(&self) -> Bounds {
        let number = |text: &String| text.split_once('=').and_then(|(_, count)| count.parse().ok());
        // An object must have room for the longest requested array.
        let longest: u32 = self.len.iter().filter_map(number).max().unwrap_or(0);
        let elements = (self.max_elements.get() as u32).max(longest);
        let text = self.max_string.get() as u32;
        Bounds { objects: self.max_objects, elements, text, any_enum: self.any_enum }
    }

    /// Settings for reasoning about pointers.
    pub(crate) fn pointers(&self) -> tine_executor::Memory {
        let Config { memory, two_phase, alignment, .. } = self;
        tine_executor::Memory { model: memory.model, two_phase: two_phase.0, alignment: alignment.0 }
    }

    /// Solver options.
    pub fn solver_options(&self) -> tine_solver::Options {
        tine_solver::Options {
            backend: self.solver.backend(),
            timeout_ms: self.solver_timeout.0.as_millis() as u64,
            memory_mb: self.solver_memory.0.div_ceil(1 << 20),
            without: self.no_tier.iter().map(|tier| tier.0).collect(),
            check: self.solver_check,
            ..tine_solver::Options::default()
        }
    }
}

/// The key with the smallest edit distance.
fn nearest<'a>(key: &str, known: impl Iterator<Item = &'a String>) -> String {
    known.min_by_key(|known| strsim::damerau_levenshtein(key, known)).cloned().unwrap_or_default()
}

/// A single value, or a list of values.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    Many(Vec<T>),
    One(T),
}

fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::Many(all) => all,
        OneOrMany::One(one) => vec![one],
    })
}

/// A list of names, which commas separate, too.
fn names<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let lists: Vec<String> = list(deserializer)?;
    let names = lists.iter().flat_map(|text| text.split(','));
    names.map(|name| name.parse().map_err(serde::de::Error::custom)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).expect("a layer")
    }

    #[test]
    fn a_config_survives_as_json() {
        let changed = layer(
            r#"{"seed": 7, "max-runs": 12, "max-time": "1.5s", "run-timeout": "20ms", "memory": "64M,primitive",
                "two-phase": "off", "fork-server": "off", "alignment": "off", "depth": 3, "jobs": 2,
                "strategy": "bounded-dfs:bound=8", "locale": "C.UTF-8", "solver": "z3", "solver-timeout": "3s",
                "solver-memory": "1G", "solver-cache": "/a/b", "solver-check": true, "no-tier": "cache,guess",
                "check": "+narrowing", "keep": "all", "fn": "f", "type": "p=struct item", "sym-fail": "alloc,2", "sym-file": ["a,3"]}"#,
        );
        let config = Config::default().with(&changed).expect("settings");
        for (key, value) in Config::default().to_map() {
            assert_eq!(config.to_map()[&key] != value, changed.contains_key(&key), "{key}");
        }
        let again: Config = serde_json::from_value(serde_json::to_value(&config).expect("JSON")).expect("settings");
        assert_eq!(again, config);
        let default: Config = serde_json::from_str("{}").expect("settings");
        assert_eq!(default, Config::default());
    }

    #[test]
    fn later_layers_win_and_lists_are_joined() {
        let first =
            Config::default().with(&layer(r#"{"seed": 1, "stub": "a,b", "max-time": "1s"}"#)).expect("settings");
        let second = first.with(&layer(r#"{"seed": 2, "stub": ["c"]}"#)).expect("settings");
        assert_eq!((second.seed, second.stub), (2, ["a", "b", "c"].map(str::to_owned).to_vec()));
        assert_eq!(second.max_time, first.max_time);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            (r#"{"maxtime": 3}"#, "there is no setting `maxtime`; did you mean `max-time`?"),
            (r#"{"json": 3}"#, "`json`: invalid type"),
            (r#"{"max-time": "3x"}"#, "`max-time`: duration `3x` has no unit"),
            (r#"{"jobs": 0}"#, "`jobs`: invalid number `0` (expected a number from 1 to 1024)"),
            (r#"{"strategy": "dsf"}"#, "did you mean `dfs`?"),
            (r#"{"check": "bounds,narowing"}"#, "`narowing` is not a check; did you mean `narrowing`?"),
            (r#"{"no-tier": "cach"}"#, "`cach` is not a solver tier"),
        ] {
            let why = Config::default().with(&layer(text)).expect_err(text).to_string();
            assert!(why.contains(part), "{text} gives {why}");
        }
    }
}
