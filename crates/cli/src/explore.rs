//! `tine test`, `tine sequence`, `tine run` and `tine resume`: settings and targets for the engine.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tine_build::changes::{self, Concerned};
use tine_build::project::trust::{Source, is_inside};
use tine_build::targets::{self, Functions};
use tine_build::unit::{absolute, split_flags};
use tine_build::{Unit, cc::database};
use tine_engine::config::values::{Make, TimeLimit};
use tine_engine::event::Event;
use tine_engine::folder::{Place, ROOT};
use tine_engine::reach::Confirming;
use tine_engine::record::Recording;
use tine_engine::resume::Suspended;
use tine_engine::target::{Kind, Target};
use tine_engine::{Config, STOP, seeds};
use tine_export::folder::Mode;
use tine_report::table::{self, Row};
use tine_report::{printable, printable_lines};
use tine_session::Summary;

use crate::config;
use crate::display::{Compiling, Display, print_json, print_safe, print_text, style};
use crate::exit_rules::ExitRules;
use crate::failure::{EXIT_FINE, EXIT_INTERRUPTED, Failure};
use crate::options::{ResumeOptions, RunOptions, SequenceOptions, TestOptions, settings};
use crate::sessions;
use crate::work;

/// Default time limit per function.
pub(crate) const TIME_EACH: Duration = Duration::from_secs(60);

/// Handles Ctrl-C: the first stops the exploration, which prints its summary; the second quits.
pub(crate) fn stop_on_interrupt() {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // A process has only one handler, so the first one stays.
    let _ = ctrlc::set_handler(|| {
        STOP.store(true, Ordering::Relaxed);
        if COUNT.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    });
}

fn is_interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The unit of some files, with its flags from the settings.
pub(crate) fn unit(files: &[PathBuf], config: &Config, is_trusted: bool) -> Result<Unit, Failure> {
    unit_with(files, flags(&files[0], config, is_trusted)?, config)
}

/// The unit of some files with flags.
pub(crate) fn unit_with(files: &[PathBuf], flags: Vec<String>, config: &Config) -> Result<Unit, Failure> {
    stop_on_interrupt();
    // Check before building, which takes longer.
    work::check(config)?;
    Ok(Unit::new(files, flags, config.check.0, config.build_timeout.0, &STOP)?)
}

/// The flags for a file from the settings.
pub(crate) fn flags(file: &Path, config: &Config, is_trusted: bool) -> Result<Vec<String>, Failure> {
    let mut flags = Vec::new();
    if let Some(build) = &config.build {
        let found = database::flags_of(build, &absolute(file)?).map_err(|why| {
            let help = "let cmake (CMAKE_EXPORT_COMPILE_COMMANDS=1), meson or bear make it, or give --cflags";
            Failure::usage(why.to_string(), help)
        })?;
        let source = Source::new(&found.database, found.text.as_bytes(), is_trusted);
        if let Some(flag) = &found.untrusted {
            source.require(&format!("compiles with `{flag}`"))?;
        }
        flags = found.flags;
    }
    flags.extend(split_flags(&config.cflags)?);
    Ok(flags)
}

/// Explores, records and reports.
pub(crate) fn explore(
    config: &Config,
    target: Target,
    place: &Place,
    display: &mut Display<'_>,
) -> Result<Summary, Failure> {
    stop_on_interrupt();
    display.open(&target.name)?;
    config.export.as_deref().map(tine_export::format::find).transpose()?;
    let hub = work::hub(config)?;
    let mut recording = Recording::new(config, &target, place.clone(), display);
    let summary = tine_engine::explore_with(config.clone(), target, hub, &mut recording)?;
    export_cases(config, place)?;
    Ok(summary)
}

/// Writes the kept cases as tests, if `--export` is given.
fn export_cases(config: &Config, place: &Place) -> Result<(), Failure> {
    let Some(format) = config.export.as_deref().map(tine_export::format::find).transpose()? else { return Ok(()) };
    let session = &place.folder;
    let out = session.join(format.name());
    let exported = tine_export::folder::export(session, format, &out, Mode::Force)?;
    if !config.json && !config.quiet {
        crate::export::print(&out, format, &exported)?;
    }
    Ok(())
}

/// `tine test`: explores one function of a file, or each in turn, with their parameters as inputs.
pub(crate) fn test(options: &TestOptions) -> Result<u8, Failure> {
    let mut config = config::load("test", options, options.common.trust)?;
    let rules = ExitRules::new(&config)?;
    let files = changes::files_apart(&mut config, &options.files);
    if files.is_empty() {
        return crate::project::test(&config, &settings(options), options.common.trust);
    }
    let unit = unit(&files, &config, options.common.trust)?;
    let concerned = concerned(&mut config, &unit)?;
    if let Some(concerned) = concerned.as_ref().filter(|_| config.target.is_empty()) {
        return nothing_to_test(concerned, &config);
    }
    let Some(name) = &config.function else {
        let functions = Functions::new(&unit, &config)?;
        let names = match concerned {
            Some(concerned) if concerned.units.is_empty() => return nothing_to_test(&concerned, &config),
            Some(concerned) => concerned.units,
            None => functions.names()?.into_iter().map(|name| (name, config.target.clone())).collect(),
        };
        return test_each(&functions, &names, unit.main_file(), &config, &rules);
    };
    let config = Config { max_time: config.max_time.or(Some(TimeLimit(Some(TIME_EACH)))), ..config.clone() };
    let place = sessions::place(&config, name, unit.main_file())?;
    let compiling = Compiling::new(unit.main_file(), &config);
    let functions = Functions::new(&unit, &config)?;
    let target = target(&functions, name, &config)?;
    drop(compiling);
    let parameters = target.parameters().map(<[String]>::to_vec);
    let mut display = Display::new(&config, &place.folder);
    let summary = explore_function(&functions, &config, target, &place, &mut display)?;
    if let Some(file) = &config.write_requires {
        write_requires(file, unit.main_file(), &summary, parameters.as_deref())?;
    }
    write_report(&config, std::slice::from_ref(&place.folder))?;
    check_requirements(&summary, &config.requires)?;
    rules.apply(&[summary], std::slice::from_ref(&place.folder))
}

/// Finds the functions that `--changed` or `--diff` concerns. Their changed lines become targets: all of them, or those
/// that the function of the settings leads to.
pub(crate) fn concerned(config: &mut Config, unit: &Unit) -> Result<Option<Concerned>, Failure> {
    let Some(concerned) = changes::concerned(config, unit)? else { return Ok(None) };
    let targets = config.function.as_ref().map_or_else(|| concerned.targets(), |name| concerned.targets_of(name));
    if !config.json && !config.quiet && !targets.is_empty() {
        eprintln!("{}", printable(&concerned.to_string()));
    }
    config.target.extend(targets);
    Ok(Some(concerned))
}

/// Reports that there is nothing to test.
fn nothing_to_test(concerned: &Concerned, config: &Config) -> Result<u8, Failure> {
    let without = config.function.as_ref().filter(|_| !concerned.changed.is_empty());
    let without = without.map_or_else(String::new, |name| format!("; `{name}` does not lead there"));
    let text = format!("{concerned}{without}\n");
    if config.json { print_json("{\"functions\":[]}\n") } else { print_safe(&printable_lines(&text)) }?;
    Ok(EXIT_FINE)
}

/// The harness of a function, with objects according to `--make`.
fn target(functions: &Functions<'_>, name: &str, config: &Config) -> Result<Target, Failure> {
    if config.make != Make::Calls {
        return Ok(functions.target(name)?);
    }
    functions.made_target(name)?.ok_or_else(|| {
        let what = format!("no function of the given files makes an object that `{name}` takes");
        Failure::usage(what, "leave --make out, or give the file with the function that makes it, too")
    })
}

/// Explores a function. If functions of the unit make objects that it takes, a second exploration with such objects
/// shows which errors are reachable.
fn explore_function(
    functions: &Functions<'_>,
    config: &Config,
    target: Target,
    place: &Place,
    display: &mut Display<'_>,
) -> Result<Summary, Failure> {
    let name = target.name.clone();
    let has_contract = !config.requires.is_empty() || config.make != Make::Both;
    let made = if has_contract { Vec::new() } else { functions.made_types(&name) };
    if made.is_empty() {
        return explore(config, target, place, display);
    }
    display.open(&name)?;
    let time = |limit: Duration| Some(TimeLimit(Some(limit.max(Duration::from_millis(1)))));
    let first =
        Config { max_time: config.time_limit().map_or(config.max_time, |total| time(total * 2 / 3)), ..config.clone() };
    let mut probe = |summary: &Summary| {
        let Ok(Some(target)) = functions.made_target(&name) else { return Ok(None) };
        let spent = Duration::from_millis(summary.time_ms);
        let left = config.time_limit().map_or(TIME_EACH, |total| total.saturating_sub(spent).min(total / 2));
        let second = Config { max_time: time(left), events: None, export: None, ..config.clone() };
        let folder = place.folder.join(tine_report::terminal::CALLS);
        let mut nothing = |_: &Event<'_>| Ok(());
        let mut recording = Recording::new(&second, &target, Place::given(folder), &mut nothing);
        let hub = work::hub(&second).ok().flatten();
        tine_engine::explore_with(second.clone(), target, hub, &mut recording).map(Some).or_else(|why| {
            eprintln!("warning: which errors of `{name}` calls lead to is not known: {}", printable(&why.to_string()));
            Ok(None)
        })
    };
    let hub = work::hub(config)?;
    let mut recording = Recording::new(&first, &target, place.clone(), display);
    let mut confirming = Confirming::new(made, &mut probe, &mut recording);
    let summary = tine_engine::explore_with(first.clone(), target, hub, &mut confirming)?;
    let summary = confirming.into_summary().unwrap_or(summary);
    export_cases(config, place)?;
    Ok(summary)
}

/// Writes the requirements of a function as a file that can be explored instead of the unit.
fn write_requires(file: &Path, unit: &Path, summary: &Summary, parameters: Option<&[String]>) -> Result<(), Failure> {
    let Some(parameters) = parameters else {
        let help = "leave --write-requires out: --requires states the contract";
        return Err(Failure::usage(format!("requirements of `{}` are not inferred", summary.target), help));
    };
    let text = tine_report::predicate::predicate(summary, parameters, unit, file);
    std::fs::write(file, text).map_err(|why| {
        Failure::usage(format!("cannot write {}: {why}", file.display()), "choose another file with --write-requires")
    })
}

/// Explores each of these functions with its targets. They share the time limit, which excludes building. Prints the
/// errors and one table.
fn test_each(
    functions: &Functions<'_>,
    names: &[(String, Vec<String>)],
    file: &Path,
    config: &Config,
    rules: &ExitRules,
) -> Result<u8, Failure> {
    let own = |name: &String| Config { out: config.out.as_ref().map(|out| out.join(name)), ..config.clone() };
    let places =
        names.iter().map(|(name, _)| sessions::place(&own(name), name, file)).collect::<Result<Vec<_>, _>>()?;
    let mut spent = Duration::ZERO;
    let (mut rows, mut summaries, mut folders, mut skipped) = (Vec::new(), Vec::new(), Vec::new(), None);
    for (index, ((name, targets), place)) in names.iter().zip(&places).enumerate() {
        let left = (names.len() - index) as u32;
        let share = |total: Duration| (total.saturating_sub(spent) / left).max(Duration::from_millis(1));
        let max_time = config.max_time.map_or(Some(TIME_EACH), |total| total.0.map(share));
        let own = Config { max_time: Some(TimeLimit(max_time)), target: targets.clone(), ..own(name) };
        let mut display = Display::of_many(&own, &place.folder, index == 0);
        let compiling = Compiling::new(file, &own);
        let target = target(functions, name, &own);
        drop(compiling);
        let explored = target.and_then(|target| explore_function(functions, &own, target, place, &mut display));
        match explored {
            Ok(summary) => {
                spent += Duration::from_millis(summary.time_ms);
                rows.push(Row::of(&summary));
                summaries.push(summary);
                folders.push(place.folder.clone());
            }
            // Report the results so far.
            Err(_) if is_interrupted() && !summaries.is_empty() => break,
            Err(failure) if failure.is_usage() => {
                rows.push(Row::skipped(name, failure.message()));
                skipped.get_or_insert(failure);
            }
            Err(failure) => return Err(failure),
        }
        if display.is_out_of_memory {
            eprintln!("warning: `{name}` used up --memory and could not be stopped; the rest is left out");
        }
        if is_interrupted() || display.is_out_of_memory {
            break;
        }
    }
    // The targets are wrong if no function can be explored with them.
    if let Some(failure) = skipped.filter(|_| !config.target.is_empty() && summaries.is_empty()) {
        return Err(failure);
    }
    if !folders.is_empty() {
        write_report(config, &folders)?;
    }
    if config.json {
        print_json(&(serde_json::json!({ "functions": summaries }).to_string() + "\n"))?;
    } else {
        let out = config.out.as_deref().unwrap_or(Path::new(ROOT));
        let style = style(std::io::stdout().is_terminal());
        print_safe(
            &(table::errors(&summaries, &folders, style) + &table::functions(&rows, &out.join("FUNCTION"), style)),
        )?;
    }
    rules.apply(&summaries, &folders)
}

/// Fails if no input satisfies the preconditions. Otherwise that would look like success.
fn check_requirements(summary: &Summary, requires: &[String]) -> Result<(), Failure> {
    if summary.paths > 0 || summary.rejected == 0 {
        return Ok(());
    }
    let what = match requires {
        [] => "the assumptions".to_owned(),
        predicates => format!("`{}`", predicates.join("` and `")),
    };
    if summary.open > 0 || summary.solver.unknown > 0 {
        return Err(Failure::usage(
            format!("no input that satisfies {what} was found"),
            "give it more time, or a predicate that holds for smaller inputs",
        ));
    }
    Err(Failure::usage(
        format!("no input satisfies {what}"),
        "it is never true within the bounds: see --max-objects, --max-elements and --max-string",
    ))
}

/// `tine sequence`: calls several functions on one object, in every order.
pub(crate) fn sequence(options: &SequenceOptions) -> Result<u8, Failure> {
    let config = config::load("sequence", options, options.common.trust)?;
    require("--max-calls <K>", config.max_calls.is_some())?;
    let rules = ExitRules::new(&config)?;
    let unit = unit(&options.files, &config, options.common.trust)?;
    refuse_unsupported(&config)?;
    let place = sessions::place(&config, config.calls.as_deref().unwrap_or("sequence"), unit.main_file())?;
    let compiling = Compiling::new(unit.main_file(), &config);
    let target = targets::sequence(&unit, &config)?;
    drop(compiling);
    let mut display = Display::new(&config, &place.folder);
    let summary = explore(&config, target, &place, &mut display)?;
    write_report(&config, std::slice::from_ref(&place.folder))?;
    rules.apply(&[summary], std::slice::from_ref(&place.folder))
}

fn require(flag: &str, is_given: bool) -> Result<(), Failure> {
    if is_given {
        return Ok(());
    }
    Err(Failure::usage(
        format!("the following required arguments were not provided: {flag}"),
        "for more information, try `tine sequence --help`",
    ))
}

/// Rejects settings of functions that sequences do not support.
fn refuse_unsupported(config: &Config) -> Result<(), Failure> {
    if config.make == Make::Both {
        return Ok(());
    }
    Err(Failure::usage("--make is not supported for sequences", "leave it out: the calls make the object"))
}

/// `tine run`: explores a whole program that was built with `tine cc`, or builds it first.
pub(crate) fn run(options: &RunOptions) -> Result<u8, Failure> {
    let mut config = config::load("run", options, options.common.trust)?;
    let rules = ExitRules::new(&config)?;
    let sources = sources(&options.program)?;
    let unit = if sources.is_empty() { None } else { Some(unit(sources, &config, options.common.trust)?) };
    let concerned = match &unit {
        Some(unit) => concerned(&mut config, unit)?,
        None if config.changed.is_some() || config.diff.is_some() => {
            let help = "give the C files of the program, or name the lines with --target";
            return Err(Failure::usage("--changed and --diff compile the version before the change", help));
        }
        None if !config.spec.is_empty() => {
            let help = "give the C files of the program: they are compiled with the monitors";
            return Err(Failure::usage("--spec cannot monitor a program that is built already", help));
        }
        None => None,
    };
    if let Some(concerned) = concerned.filter(|_| config.target.is_empty()) {
        return nothing_to_test(&concerned, &config);
    }
    let given = &options.program[0];
    let directory = std::env::current_dir()
        .map_err(|why| Failure::usage(format!("there is no working directory: {why}"), "change to one that exists"))?;
    let name = if unit.is_some() { given.file_stem() } else { given.file_name() };
    let name = name.unwrap_or(given.as_os_str()).to_string_lossy().into_owned();
    let from = absolute(given)?;
    let place = sessions::place(&config, &name, &from)?;
    let arguments = options.arguments.clone();
    let mut target = match &unit {
        Some(unit) => targets::program(unit, name, arguments, directory, &config.spec)?,
        None => Target {
            name,
            program: from,
            kind: Kind::Program { arguments, directory },
            seeds: Vec::new(),
            specs: Vec::new(),
            environment: Vec::new(),
            files: Vec::new(),
            sources: Vec::new(),
            flags: Vec::new(),
            built_in: PathBuf::new(),
        },
    };
    let read = seeds::read(&config)?;
    if read.n_cut > 0 {
        let n_seeds = read.seeds.len();
        eprintln!("warning: {} of {n_seeds} seeds are longer than the input can be, and were cut off", read.n_cut);
    }
    target.seeds = read.seeds;
    let summary = explore(&config, target, &place, &mut Display::new(&config, &place.folder))?;
    write_suites(&config, &place.folder)?;
    write_report(&config, std::slice::from_ref(&place.folder))?;
    rules.apply(&[summary], std::slice::from_ref(&place.folder))
}

/// The C files to build; empty if the program is already built.
pub(crate) fn sources(given: &[PathBuf]) -> Result<&[PathBuf], Failure> {
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "c" || extension == "i");
    match given {
        [program] if !is_source(program) => Ok(&[]),
        files => match files.iter().find(|file| !is_source(file)) {
            None => Ok(files),
            Some(other) => Err(Failure::usage(
                format!("{} is not a C source file, and there is one program at a time", other.display()),
                "arguments of the program come after `--`",
            )),
        },
    }
}

/// Writes the HTML report about sessions, if requested.
fn write_report(config: &Config, sessions: &[PathBuf]) -> Result<(), Failure> {
    config.report.as_ref().map_or(Ok(()), |dir| crate::report::write_page(sessions, dir))
}

/// Writes the cases that a session kept for other tools.
fn write_suites(config: &Config, session: &Path) -> Result<(), Failure> {
    for (name, folder) in [("corpus", &config.corpus), ("testcomp", &config.testcomp)] {
        if let Some(folder) = folder {
            tine_export::folder::add(session, tine_export::format::find(name)?, folder)?;
        }
    }
    Ok(())
}

/// `tine resume`: continues an interrupted exploration.
pub(crate) fn resume(options: &ResumeOptions) -> Result<u8, Failure> {
    stop_on_interrupt();
    let folder = &sessions::session(&options.session)?;
    let session = Suspended::open(folder).map_err(not_a_session)?;
    // The event file and the display belong to this command.
    let begun = Config {
        solver_log: None,
        solver_record: None,
        events: None,
        report: None,
        watch: false,
        explain: false,
        show_output: false,
        json: false,
        quiet: false,
        verbose: false,
        fail_on: Vec::new(),
        baseline: None,
        min_coverage: None,
        ..session.config().clone()
    };
    let config =
        begun.with(&settings(options)).map_err(|why| Failure::usage(why.to_string(), "see `tine resume --help`"))?;
    consent(&config, options)?;
    let rules = ExitRules::new(&config)?;
    session.verify()?;
    if let Some((summary, why)) = session.finished(&config)? {
        let line = format!("the session in `{}` is finished: {why}\n", folder.display());
        if config.json { print_json(&(tine_report::json::json(&summary) + "\n")) } else { print_text(&line) }?;
        return rules.apply(&[summary], std::slice::from_ref(folder));
    }
    let hub = work::hub(&config)?;
    let mut display = Display::new(&config, folder);
    display.open(session.name())?;
    let summary = session.explore_with(&config, hub, &mut display)?;
    write_suites(&config, folder)?;
    write_report(&config, std::slice::from_ref(folder))?;
    rules.apply(&[summary], std::slice::from_ref(folder))
}

/// A session may come from another person, so the user must confirm settings that could do harm.
fn consent(config: &Config, options: &ResumeOptions) -> Result<(), Failure> {
    if config.allow && !options.allow {
        return Err(Failure::usage(
            "the session's program was allowed to start processes and open sockets",
            "say `--allow` again, if you trust the program",
        ));
    }
    let mut written = [&config.corpus, &config.testcomp, &config.solver_cache].into_iter().flatten();
    match written.find(|path| !options.trust && !is_inside(Path::new("."), path)) {
        None => Ok(()),
        Some(path) => Err(Failure::usage(
            format!("the session writes to {}, outside of the current directory", path.display()),
            "say `--trust` if that is what you want, or go on in the directory where the session began",
        )),
    }
}

fn not_a_session(why: tine_engine::Error) -> Failure {
    match why {
        tine_engine::Error::Session(why) => {
            Failure::session(&why, "give the directory of a session (`--out`) that no other tine is using")
        }
        why => why.into(),
    }
}
