//! What a session remembers of how its exploration was started, and whether that still holds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use tine_explore::ProgramMap;
use tine_report::printable;
use tine_session::input::to_hex;
use tine_session::settings::KEY;
use tine_session::{Exploration, Session};
use tine_types::map::Untouched;

use crate::explore::Target;
use crate::failure::Failure;
use crate::locale::Locale;
use crate::options::{CommonOptions, RequiredSandbox, SolverName};
use crate::verified::{Verified, digest};

/// Everything that `tine replay` and `tine resume` need to know.
pub(crate) fn settings(
    target: &Target,
    options: &CommonOptions,
    map: &ProgramMap,
) -> serde_json::Map<String, serde_json::Value> {
    let bounds = target.types.bounds;
    let exploration = Exploration {
        started_in: std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned(),
        digest: digest_of(&target.program).unwrap_or_default(),
        files: target.files.iter().filter_map(|(file, name)| Some(((*name).to_owned(), digest_of(file)?))).collect(),
        sources: sources(target, map),
        surroundings: target.surroundings.clone(),
        random_fill: target.random_fill,
        lazy: target.untouched == Untouched::Hide,
        by_calls: target.by_calls,
        prune: target.prune,
        roots: target.types.roots.clone(),
        callables: target.types.callables.clone(),
        max_objects: bounds.objects,
        max_elements: bounds.elements,
        max_string: bounds.text,
        seeds: target.seeds.iter().map(|seed| seed.iter().map(|bytes| to_hex(bytes)).collect()).collect(),
        allow: target.allow,
        flags: flags(options),
    };
    let mut settings = target.settings.clone();
    settings.insert(KEY.to_owned(), serde_json::to_value(exploration).unwrap_or_default());
    settings
}

pub(crate) fn digest_of(file: &Path) -> Option<String> {
    Some(digest(&std::fs::read(file).ok()?))
}

/// The unit's files, and those that the map names: headers with code in them.
fn sources(target: &Target, map: &ProgramMap) -> Vec<(String, String)> {
    if target.sources.is_empty() {
        return Vec::new();
    }
    let named = map.sites().iter().map(|site| PathBuf::from(&*site.file)).filter(|file| file.is_absolute());
    // What is made for one exploration, the driver, is not there for the next.
    let temporary = std::env::temp_dir();
    let named = named.filter(|file| !file.starts_with(&temporary));
    let all: BTreeSet<PathBuf> = target.sources.iter().cloned().chain(named).collect();
    all.into_iter().filter_map(|file| Some((file.to_str()?.to_owned(), digest_of(&file)?))).collect()
}

#[derive(Debug, Parser)]
#[command(no_binary_name = true, args_override_self = true)]
struct Flags {
    #[command(flatten)]
    common: CommonOptions,
}

/// Flags that give the same options again.
fn flags(options: &CommonOptions) -> Vec<String> {
    let CommonOptions { seed, max_runs, max_time, run_timeout, memory, depth, strategy, jobs, solving, .. } = options;
    let switch = |on: bool| if on { "on" } else { "off" };
    let time = |time: &Duration| format!("{}ms", time.as_secs_f64() * 1e3);
    let mut flags = vec![
        format!("--seed={seed}"),
        format!("--run-timeout={}", time(run_timeout)),
        format!("--memory={memory}"),
        format!("--two-phase={}", switch(options.two_phase)),
        format!("--snapshot={}", switch(options.snapshot)),
        format!("--alignment={}", switch(options.alignment)),
        format!("--strategy={strategy}"),
        format!("--locale={}", options.locale.name()),
        format!("--solver-timeout={}", time(&solving.solver_timeout)),
        format!("--solver-memory={}", solving.solver_memory),
    ];
    flags.extend(max_runs.map(|runs| format!("--max-runs={runs}")));
    flags.extend(max_time.as_ref().map(|limit| format!("--max-time={}", time(limit))));
    flags.extend(depth.map(|depth| format!("--depth={depth}")));
    flags.extend(jobs.map(|jobs| format!("--jobs={jobs}")));
    flags.extend(options.require_sandbox.map(|RequiredSandbox::Full| "--require-sandbox=full".to_owned()));
    flags.push(match solving.solver {
        SolverName::Bitwuzla => "--solver=bitwuzla".to_owned(),
        SolverName::Z3 => "--solver=z3".to_owned(),
        SolverName::Portfolio => "--solver=portfolio".to_owned(),
    });
    flags.extend(solving.solver_check.then(|| "--solver-check".to_owned()));
    flags.extend(solving.no_tier.iter().map(|tier| format!("--no-tier={}", tier.name())));
    let absolute = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
    flags.extend(options.solver_cache.as_ref().map(|file| format!("--solver-cache={}", absolute(file).display())));
    flags.extend(options.keeps_all().then(|| "--keep=all".to_owned()));
    flags
}

/// The options that a session was started with, but for those given now.
pub(crate) fn options(exploration: &Exploration, now: &[String]) -> Result<CommonOptions, Failure> {
    let flags = exploration.flags.iter().chain(now);
    match Flags::try_parse_from(flags) {
        Ok(flags) => Ok(flags.common),
        Err(why) => Err(Failure::usage(
            format!("the session's settings cannot be read: {}", why.kind()),
            "it was made by another version of tine: explore again",
        )),
    }
}

/// The locale that a session's programs are in.
pub(crate) fn locale(session: &Session) -> Locale {
    exploration(session)
        .and_then(|exploration| options(&exploration, &[]).ok())
        .map_or(Locale::C, |options| options.locale)
}

/// What a session remembers of how its exploration was started.
pub(crate) fn exploration(session: &Session) -> Option<Exploration> {
    session.setting(KEY).ok().flatten().and_then(|value| serde_json::from_value(value).ok())
}

/// Opens a program of the session by the name that its settings have, if it is the one that was explored.
pub(crate) fn open_program(exploration: &Exploration, folder: &Path, name: &str) -> Result<Verified, Failure> {
    let stored = exploration.files.iter().find(|(file, _)| file == name).map(|(_, digest)| digest);
    Verified::open(&folder.join(name), stored.unwrap_or(&exploration.digest))
}

/// The same. A program that does not lie in the session's directory is the user's, who may have built it again since.
pub(crate) fn open_rebuilt(exploration: &Exploration, folder: &Path, name: &str) -> Result<Verified, Failure> {
    if !Path::new(name).is_absolute() {
        return open_program(exploration, folder, name);
    }
    let program = Verified::open_any(Path::new(name))?;
    if !program.is(&exploration.digest) {
        eprintln!("note: {} was built again since the session", printable(&program.path().to_string_lossy()));
    }
    Ok(program)
}

/// Whether the files that the program was made of are those of the session.
pub(crate) fn check_sources(exploration: &Exploration) -> Result<(), Failure> {
    for (file, known) in &exploration.sources {
        // What cannot be read any more says nothing.
        if digest_of(Path::new(file)).is_some_and(|digest| digest != *known) {
            let help = "explore the new version with another --out, or put back the one of the session";
            return Err(Failure::usage(format!("{file} has changed since the session began"), help));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_as_flags() {
        let given = "--seed=7 --max-runs=12 --max-time=1.5s --run-timeout=20ms --memory=64M,primitive --two-phase=off --snapshot=off --alignment=off --depth=3 --jobs=2 \
                     --strategy=bounded-dfs:bound=8 --locale=C.UTF-8 --solver=z3 --solver-timeout=3s --solver-memory=1G --solver-cache=/a/b --solver-check \
                     --no-tier=cache,guess --keep=all";
        for given in [given, ""] {
            let first = Flags::try_parse_from(given.split_whitespace()).expect("flags").common;
            let again = Flags::try_parse_from(flags(&first)).expect("flags").common;
            assert_eq!(flags(&again), flags(&first));
            let fields = |options: &CommonOptions| {
                let CommonOptions { seed, max_runs, max_time, run_timeout, memory, depth, .. } = options;
                format!(
                    "{:?}",
                    (seed, max_runs, max_time, run_timeout, memory, depth, options.keeps_all(), options.pointers())
                )
            };
            assert_eq!(fields(&again), fields(&first));
            assert_eq!(format!("{:?}", again.solving), format!("{:?}", first.solving));
            assert_eq!((again.strategy, again.jobs, again.locale), (first.strategy, first.jobs, first.locale));
        }
    }
}
