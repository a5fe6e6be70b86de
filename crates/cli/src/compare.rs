//! `tine compare`: runs two versions of a function on the same inputs.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use tine_build::Unit;
use tine_build::revisions::Checkouts;
use tine_build::targets::{Compared, Versions};
use tine_engine::Config;
use tine_engine::config::values::TimeLimit;
use tine_report::comparison::{self, Comparison};

use crate::config;
use crate::display::{Display, print_json, print_safe, style};
use crate::explore::{TIME_EACH, explore, unit};
use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::CompareOptions;
use crate::sessions;

/// The two versions of a file, with their names.
struct Files {
    old: PathBuf,
    new: PathBuf,
    /// Files that both versions need.
    shared: Vec<PathBuf>,
    /// Copies of revisions. They are removed at the end.
    _checkouts: Option<Checkouts>,
}

pub(crate) fn compare(options: &CompareOptions) -> Result<u8, Failure> {
    let config = config::load("compare", options, options.common.trust)?;
    refuse_unsupported(&config)?;
    let files = files(options)?;
    let units = [&files.old, &files.new].map(|file| {
        let all: Vec<PathBuf> = std::iter::once(file.clone()).chain(files.shared.iter().cloned()).collect();
        unit(&all, &config, options.common.trust)
    });
    let [old, new] = units;
    let (old, new) = (named(old, "old")?, named(new, "new")?);
    let versions = Versions::new(&old, &new, &config)?;
    let names = match &config.function {
        Some(name) => vec![name.clone()],
        None => versions.names()?,
    };
    if names.is_empty() {
        return Err(Failure::usage(
            "there is no function that both versions have and that other files can call",
            "name a `static` one with --fn",
        ));
    }
    let mut comparisons = Vec::new();
    for (index, name) in names.iter().enumerate() {
        match compare_one(&versions, name, &config, &options.except, new.main_file(), index == 0) {
            Ok(comparison) => comparisons.push(comparison),
            Err(failure) if failure.is_usage() && names.len() > 1 => {
                comparisons.push(Comparison::skipped(name, failure.message()));
            }
            Err(failure) => return Err(failure),
        }
    }
    if config.json {
        print_json(&(comparison::json(&comparisons) + "\n"))?;
    } else {
        print_safe(&comparison::text(&comparisons, style(std::io::stdout().is_terminal())))?;
    }
    let differs = comparisons.iter().any(Comparison::differs);
    Ok(if differs { EXIT_ERRORS } else { EXIT_FINE })
}

/// Compares the versions of one function.
fn compare_one(
    versions: &Versions<'_>,
    name: &str,
    config: &Config,
    except: &[String],
    file: &Path,
    is_first: bool,
) -> Result<Comparison, Failure> {
    let own = Config {
        max_time: config.max_time.or(Some(TimeLimit(Some(TIME_EACH)))),
        out: config.out.as_ref().map(|out| if config.function.is_some() { out.clone() } else { out.join(name) }),
        ..config.clone()
    };
    let place = sessions::place(&own, name, file)?;
    let Compared { target, notes } = versions.target(name, except)?;
    let mut display = Display::of_many(&own, &place.folder, is_first);
    let summary = explore(&own, target, &place, &mut display)?;
    Ok(Comparison::of(name, &summary, &place.folder, notes))
}

/// Adds the name of the version to a build failure.
fn named(unit: Result<Unit, Failure>, version: &str) -> Result<Unit, Failure> {
    unit.inspect_err(|_| eprintln!("note: this is the {version} version"))
}

/// Rejects settings that a comparison does not support.
fn refuse_unsupported(config: &Config) -> Result<(), Failure> {
    let given = [
        ("--ensures", !config.ensures.is_empty()),
        ("--write-requires", config.write_requires.is_some()),
        ("--export", config.export.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::usage(
            format!("{flag} is not supported for comparisons"),
            "explore each version with `tine test`",
        )),
    }
}

/// The files that the command line names.
fn files(options: &CompareOptions) -> Result<Files, Failure> {
    let Some(range) = &options.rev else {
        let [old, new, shared @ ..] = &options.files[..] else {
            return Err(Failure::usage(
                "the new version is missing",
                "give two files, `tine compare OLD NEW`, or revisions of one with --rev",
            ));
        };
        return Ok(Files { old: old.clone(), new: new.clone(), shared: shared.to_vec(), _checkouts: None });
    };
    let (file, shared) = (&options.files[0], &options.files[1..]);
    let checkouts = Checkouts::new(range, file)?;
    let (old, new) = (checkouts.old(), checkouts.new_version());
    Ok(Files { old, new, shared: shared.to_vec(), _checkouts: Some(checkouts) })
}
