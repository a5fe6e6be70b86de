//! `tine run`: a whole program that was built with `tine cc`.

use std::ffi::OsString;

use tine_session::Recorder;
use tine_types::map::Untouched;

use crate::explore::{Target, absolute, explore, report, session_failure};
use crate::failure::Failure;
use crate::options::RunOptions;
use crate::shapes::InputTypes;

pub(crate) fn run(options: &RunOptions) -> Result<u8, Failure> {
    let program = absolute(&options.program)?;
    Recorder::check(&options.common.out).map_err(session_failure)?;
    let directory = std::env::current_dir()
        .map_err(|why| Failure::usage(format!("there is no working directory: {why}"), "change to one that exists"))?;
    let inputs =
        options.surroundings.text().map_err(|why| Failure::usage(why, "explore the program with fewer of them"))?;
    let seeds = options.suite.seeds(&options.surroundings)?;
    let settings = serde_json::json!({
        "program": program,
        "arguments": options.arguments,
        "directory": directory,
        "inputs": inputs,
        "corpus": options.suite.corpus.as_deref().map(std::path::absolute).and_then(Result::ok),
        "testcomp": options.suite.testcomp.as_deref().map(std::path::absolute).and_then(Result::ok),
    });
    let target = Target {
        name: options.program.file_name().unwrap_or(options.program.as_os_str()).to_string_lossy().into_owned(),
        program,
        files: Vec::new(),
        arguments: options.arguments.iter().map(OsString::from).collect(),
        directory: Some(directory),
        inputs,
        seeds,
        allow: options.allow,
        surroundings: Vec::new(),
        random_fill: true,
        untouched: Untouched::Show,
        by_calls: false,
        prune: false,
        types: InputTypes::default(),
        sources: Vec::new(),
        settings: settings.as_object().cloned().unwrap_or_default(),
    };
    let explored = explore(&target, &options.common, None)?;
    let code = report(&explored, &options.common)?;
    options.suite.write(&options.common.out)?;
    Ok(code)
}
