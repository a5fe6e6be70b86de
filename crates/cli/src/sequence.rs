//! `tine sequence`: calls of several functions on one object, in every order.

use tine_session::Recorder;
use tine_types::map::Untouched;

use crate::explore::{Target, explore, report, session_failure};
use crate::failure::Failure;
use crate::options::{Init, InputOptions, SequenceOptions};
use crate::shapes::InputTypes;
use crate::test::{unit, unknown_function};
use tine_build::driver::sequence::{Calls, Mistake, driver};

pub(crate) fn sequence(options: &SequenceOptions) -> Result<u8, Failure> {
    let common = &options.common;
    let unit = unit(&options.files, &options.cflags, options.build.as_deref(), common.trust, common.build_timeout)?;
    let calls = Calls::parse(&options.calls, options.max_calls).map_err(|why| mistake(&why))?;
    refuse_what_is_not_followed(&options.inputs)?;
    Recorder::check(&options.common.out).map_err(session_failure)?;
    let (program, _) = unit.types()?;
    let invariants = options.inputs.requires.iter().chain(&options.inputs.ensures);
    if let Some(unknown) =
        calls.names().chain(invariants.map(String::as_str)).find(|name| program.function(name).is_none())
    {
        return Err(unknown_function(&program, unknown, &unit));
    }
    let driver = driver(&program, &calls, unit.main_file(), &options.inputs.requires, &options.inputs.ensures)
        .map_err(|why| mistake(&why))?;
    let (explored, native) = unit.build(&driver.text, options.inputs.volatile)?;
    let types = InputTypes::read(&native, &driver.roots, &driver.callables, options.inputs.bounds())?;
    let settings = serde_json::json!({
        "calls": options.calls,
        "max-calls": options.max_calls,
        "files": options.files,
        "cflags": options.cflags,
        "program": "unit",
        "native": options.inputs.replayed(),
        "inputs": options.inputs.failing.line(),
    });
    let target = Target {
        name: options.calls.clone(),
        files: vec![(explored.clone(), "unit"), (native, "unit.native"), (unit.driver(), "driver.c")],
        program: explored,
        verified: None,
        arguments: Vec::new(),
        directory: None,
        inputs: options.inputs.failing.line(),
        seeds: Vec::new(),
        allow: false,
        settings: settings.as_object().cloned().unwrap_or_default(),
        surroundings: Vec::new(),
        random_fill: options.inputs.init == Init::Random,
        untouched: if options.inputs.lazy { Untouched::Hide } else { Untouched::Show },
        by_calls: true,
        prune: !options.no_prune,
        types,
        sources: unit.sources(),
    };
    report(&explore(target, &options.common, None)?, &options.common)
}

/// Options of `tine test` that mean nothing here.
fn refuse_what_is_not_followed(inputs: &InputOptions) -> Result<(), Failure> {
    let given = [
        ("--len", !inputs.len.is_empty()),
        ("--type", !inputs.types.is_empty()),
        ("--globals", !inputs.globals.is_empty()),
        ("--stub", !inputs.stub.is_empty()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::usage(
            format!("{flag} is not supported for sequences"),
            "write a function around the call that makes such arguments, and name that one in --calls",
        )),
    }
}

fn mistake(why: &Mistake) -> Failure {
    Failure::usage(why.to_string(), why.help())
}
