//! `tine compare`: runs two versions of a function on the same inputs.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tine_build::Unit;
use tine_build::revisions::Checkouts;
use tine_build::targets::{Compared, Versions};
use tine_engine::Config;
use tine_engine::config::values::TimeLimit;
use tine_report::comparison::{self, Comparison, Unpaired};

use crate::config;
use crate::display::{Display, print_json, print_safe, style};
use crate::explore::{TIME_EACH, explore, flags, unit, unit_with};
use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::options::CompareOptions;
use crate::sessions;

/// The two versions of a unit.
struct Units {
    old: Unit,
    new: Unit,
    /// Copies of revisions. They are removed at the end.
    _checkouts: Option<Checkouts>,
}

pub(crate) fn compare(options: &CompareOptions) -> Result<u8, Failure> {
    let config = config::load("compare", options, options.common.trust)?;
    refuse_unsupported(&config)?;
    let Units { old, new, _checkouts } = &units(options, &config)?;
    let versions = Versions::new(old, new, &config)?;
    let names = match &config.function {
        Some(name) => vec![name.clone()],
        None => versions.names()?,
    };
    let [removed, added] = if config.function.is_some() { Default::default() } else { versions.unpaired() };
    let unpaired = Unpaired { removed, added };
    if names.is_empty() {
        return Err(Failure::usage(
            "there is no function that both versions have and that other files can call",
            "name a `static` one with --fn",
        ));
    }
    let mut comparisons = Vec::new();
    let mut spent = Duration::ZERO;
    for (index, name) in names.iter().enumerate() {
        let share = |total: Duration| total.saturating_sub(spent) / (names.len() - index) as u32;
        let max_time = config.max_time.map_or(Some(TIME_EACH), |total| total.0.map(share));
        let max_time = Some(TimeLimit(max_time.map(|time| time.max(Duration::from_millis(1)))));
        let own = Config { max_time, ..config.clone() };
        match compare_one(&versions, name, &own, &options.except, new.main_file(), index == 0) {
            Ok(comparison) => {
                spent += comparison.time();
                comparisons.push(comparison);
            }
            Err(failure) if failure.is_usage() && names.len() > 1 => {
                comparisons.push(Comparison::skipped(name, failure.message()));
            }
            Err(failure) => return Err(failure),
        }
    }
    if config.json {
        print_json(&(comparison::json(&comparisons, &unpaired) + "\n"))?;
    } else {
        print_safe(&comparison::text(&comparisons, &unpaired, style(std::io::stdout().is_terminal())))?;
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
        out: config.out.as_ref().map(|out| if config.function.is_some() { out.clone() } else { out.join(name) }),
        ..config.clone()
    };
    let place = sessions::place(&own, name, file)?;
    let Compared { target, notes, state } = versions.target(name, except)?;
    let mut display = Display::of_many(&own, &place.folder, is_first);
    let summary = explore(&own, target, &place, &mut display)?;
    Ok(Comparison::of(name, &summary, &place.folder, notes, state))
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

/// The units that the command line names.
fn units(options: &CompareOptions, config: &Config) -> Result<Units, Failure> {
    let is_trusted = options.common.trust;
    let with = |file: PathBuf, others: &[PathBuf]| [&[file], others].concat();
    let Some(range) = &options.rev else {
        let [old, new, shared @ ..] = &options.files[..] else {
            return Err(Failure::usage(
                "the new version is missing",
                "give two files, `tine compare OLD NEW`, or revisions of one with --rev",
            ));
        };
        let old = named(unit(&with(old.clone(), shared), config, is_trusted), "old")?;
        let new = named(unit(&with(new.clone(), shared), config, is_trusted), "new")?;
        return Ok(Units { old, new, _checkouts: None });
    };
    let (file, shared) = (&options.files[0], &options.files[1..]);
    let checkouts = Checkouts::new(range, file)?;
    let flags = flags(file, config, is_trusted)?;
    let (old_flags, old_shared) = checkouts.moved_to_old(&flags, shared);
    let (new_flags, new_shared) = checkouts.moved_to_new(&flags, shared);
    let old = named(unit_with(&with(checkouts.old(), &old_shared), old_flags, config), "old")?;
    let new = named(unit_with(&with(checkouts.new_version(), &new_shared), new_flags, config), "new")?;
    Ok(Units { old, new, _checkouts: Some(checkouts) })
}
