//! `tine mutate`: makes small changes to a function, and reports which of them the tests detect.
//!
//! The file with all mutants is compared with the original as the new version ([`crate::compare`]).

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use tine_build::mutants;
use tine_build::mutants::table;
use tine_build::mutants::trial::{Fate, Suite, switched, try_one};
use tine_build::targets::Versions;
use tine_build::unit::absolute;
use tine_engine::target::UNIT_NATIVE;
use tine_engine::temporary::Temporary;
use tine_engine::{Config, STOP};
use tine_report::printable;
use tine_session::Session;

use crate::config;
use crate::display::{print_json, print_safe};
use crate::explore::{stop_on_interrupt, unit};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::MutateOptions;
use crate::sessions;

pub(crate) fn mutate(options: &MutateOptions) -> Result<u8, Failure> {
    let config = config::load("mutate", options, options.common.trust)?;
    if config.hub.is_some() {
        return Err(Failure::usage("mutants are explored on this machine", "leave --hub out"));
    }
    let Some(name) = config.function.clone() else {
        return Err(Failure::usage("the function is missing", "name it with --fn"));
    };
    let suite = options.suite.as_deref().map(|folder| inputs(folder, &name)).transpose()?;
    let original = unit(&options.files, &config, options.common.trust)?;
    let schema = mutants::schema(&original, &name)?;
    if schema.mutants.is_empty() {
        return Err(Failure::usage(format!("`{name}` has nothing to mutate"), "code from macros stays as it is"));
    }
    let failed = |why: std::io::Error| {
        Failure::usage(format!("cannot write the mutants: {why}"), "set TMPDIR to a writable directory")
    };
    let folder = Temporary::new("mutants").map_err(failed)?;
    let file = folder.path().join(original.main_file().file_name().unwrap_or_default());
    std::fs::write(&file, &schema.text).map_err(failed)?;
    let home = original.main_file().parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let quoted = home.replace('\\', "\\\\").replace('\'', "'\\''");
    let of_mutants = Config { cflags: format!("{} -w -iquote '{quoted}'", config.cflags), ..config.clone() };
    let files: Vec<PathBuf> = std::iter::once(Ok(file))
        .chain(options.files[1..].iter().map(|file| absolute(file)))
        .collect::<Result<_, _>>()?;
    let mutated = unit(&files, &of_mutants, options.common.trust)?;
    let versions = Versions::new(&original, &mutated, &config)?;
    let mut compared = versions.target(&name, &[])?;
    compared.state.retain(|variable| variable != mutants::SWITCH);
    let native = compared.target.files.iter().find(|(_, name)| name == UNIT_NATIVE).map(|(file, _)| file.clone());
    let suite = suite.map(|suite| suite.inputs_for(&native.unwrap_or_default())).transpose()?;

    compared
        .notes
        .iter()
        .for_each(|note| eprintln!("note: {note}, which is not compared: no mutant is proved equivalent"));
    if !compared.state.is_empty() && !config.quiet {
        let names = compared.state.join("`, `");
        eprintln!("note: only the initial values of `{names}` are tried; --globals makes variables inputs");
    }
    stop_on_interrupt();
    let place = sessions::place(&config, &format!("{name}-mutants"), original.main_file())?;
    let n_all = schema.mutants.len();
    if let Some(unknown) = options.only.iter().flatten().find(|only| **only == 0 || **only as usize > n_all) {
        return Err(Failure::usage(
            format!("there is no mutant {unknown}"),
            format!("the mutants of `{name}` have the numbers 1 to {n_all}"),
        ));
    }
    let mut tried = Vec::new();
    for mutant in schema.mutants {
        if options.only.as_ref().is_some_and(|only| !only.contains(&mutant.number)) {
            continue;
        }
        let target = switched(&compared.target, mutant.number, folder.path())?;
        let mut one = try_one(mutant, target, &config, &place.folder, suite.as_deref())?;
        if one.fate != Fate::Killed && !compared.notes.is_empty() {
            one.fate = Fate::Alive;
        } else if one.fate == Fate::Equivalent && !compared.state.is_empty() {
            one.fate = Fate::Bounded;
        }
        if !config.quiet {
            eprintln!("mutant {} of {n_all}: {}", one.mutant.number, table::fate(one.fate));
        }
        tried.push(one);
        if STOP.load(Ordering::Relaxed) {
            break;
        }
    }
    if config.json {
        print_json(&(table::json(&name, &tried, suite.is_some()) + "\n"))?;
    } else {
        for one in &mut tried {
            one.mutant.change = printable(&one.mutant.change).to_string();
            if let Some((_, input)) = &mut one.evidence {
                *input = printable(input).to_string();
            }
        }
        print_safe(&table::text(&tried, suite.is_some()))?;
    }
    Ok(EXIT_FINE)
}

/// The kept cases of a session.
fn inputs(folder: &Path, function: &str) -> Result<Suite, Failure> {
    let folder = sessions::session(folder)?;
    let session =
        Session::open(&folder).map_err(|why| Failure::session(&why, "give the directory of a session (`--out`)"))?;
    let summary = session.summary().ok().flatten();
    if let Some(other) = summary.map(|summary| summary.target).filter(|target| target != function) {
        return Err(Failure::usage(
            format!("the session in {} is about `{other}`, not about `{function}`", folder.display()),
            format!("explore `{function}` with `tine test`, or name `{other}` with --fn"),
        ));
    }
    let cases = session.cases().map_err(|why| Failure::session(&why, "give the directory of a session (`--out`)"))?;
    if cases.is_empty() {
        return Err(Failure::usage(format!("the session in {} has no cases", folder.display()), "explore again"));
    }
    Ok(Suite::new(cases, &folder.join(UNIT_NATIVE))?)
}
