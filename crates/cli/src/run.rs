//! `tine run`: a whole program that was built with `tine cc`, or is built for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tine_build::Unit;
use tine_build::unit::absolute;
use tine_session::Recorder;
use tine_session::summary::{How, Surrounding};
use tine_types::map::Untouched;

use crate::explore::{Target, explore, report, session_failure};
use crate::failure::Failure;
use crate::options::RunOptions;
use crate::shapes::InputTypes;

/// The name of a program in its session.
const BUILT: &str = "program";

pub(crate) fn run(options: &RunOptions) -> Result<u8, Failure> {
    let sources = sources(&options.program)?;
    let build =
        || crate::test::unit(sources, &options.cflags, None, options.common.trust, options.common.build_timeout);
    let unit = if sources.is_empty() { None } else { Some(build()?) };
    Recorder::check(&options.common.out).map_err(session_failure)?;
    let given = &options.program[0];
    let mut missing = Vec::new();
    let (program, stored, files, name) = match &unit {
        None => (absolute(given)?, absolute(given)?, Vec::new(), given.file_name()),
        Some(unit) => {
            missing = unit.missing_functions()?;
            let program = unit.build_program(&missing)?;
            // What was built for the session lives with it.
            (program.clone(), PathBuf::from(BUILT), vec![(program, BUILT)], given.file_stem())
        }
    };
    let directory = std::env::current_dir()
        .map_err(|why| Failure::usage(format!("there is no working directory: {why}"), "change to one that exists"))?;
    let inputs =
        options.surroundings.text().map_err(|why| Failure::usage(why, "explore the program with fewer of them"))?;
    let seeds = options.suite.seeds(&options.surroundings)?;
    let settings = serde_json::json!({
        "program": stored,
        "arguments": options.arguments,
        "directory": directory,
        "inputs": inputs,
        "corpus": options.suite.corpus.as_deref().map(std::path::absolute).and_then(Result::ok),
        "testcomp": options.suite.testcomp.as_deref().map(std::path::absolute).and_then(Result::ok),
    });
    let target = Target {
        name: name.unwrap_or(given.as_os_str()).to_string_lossy().into_owned(),
        program,
        verified: None,
        files,
        arguments: options.arguments.iter().map(OsString::from).collect(),
        directory: Some(directory),
        inputs,
        seeds,
        allow: options.allow,
        surroundings: missing.into_iter().map(|function| Surrounding { function, how: How::Missing }).collect(),
        random_fill: true,
        untouched: Untouched::Show,
        by_calls: false,
        prune: false,
        types: InputTypes::default(),
        sources: unit.as_ref().map(Unit::sources).unwrap_or_default(),
        settings: settings.as_object().cloned().unwrap_or_default(),
    };
    let explored = explore(target, &options.common, None)?;
    let code = report(&explored, &options.common)?;
    options.suite.write(&options.common.out)?;
    Ok(code)
}

/// The C files to build the program of; none if it is there already.
fn sources(given: &[PathBuf]) -> Result<&[PathBuf], Failure> {
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
