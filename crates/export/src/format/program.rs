//! Cases of `tine run`: a shell script each, which creates the files of the case and runs the program, and the expected
//! results.
//!
//! ```text
//!   cases/exits_2.sh  .status  .out      errors/abort_line_7.sh      run.sh  Makefile  CMakeLists.txt (CTest)
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tine_engine::stored::Stored;
use tine_engine::target::Kind;
use tine_engine::temporary::Temporary;
use tine_session::session::{Case, Error as Found};
use tine_trace::plan::InputKind;
use tine_trace::segment::{INPUTS_VARIABLE, REPLAY_VARIABLE};

use super::source::MADE_BY;
use super::{Exported, Exporting};
use crate::source::observe::run_confined_in;
use crate::source::{LeftOut, Reason, unused_name};
use crate::{Error, shell};

/// Maximum number of bytes of standard output that are compared.
const MAX_OUTPUT: usize = 64 << 10;

const RUNNER: &str = include_str!("run.sh");

/// A case as a script.
struct Script {
    name: String,
    text: String,
    /// Exit status in a shell; `error` for any status except 0.
    status: String,
    output: Option<Vec<u8>>,
    is_error: bool,
}

pub(super) fn export(exporting: &Exporting<'_>, stored: &Stored) -> Result<Exported, Error> {
    let Kind::Program { arguments, .. } = &stored.target.kind else {
        return Err(Error::Unsupported("a session of `tine sequence`"));
    };
    let path = std::path::absolute(exporting.folder.join(&stored.target.program)).unwrap_or_default();
    let program = shell::Program {
        path: path.to_string_lossy().into_owned(),
        arguments: arguments.clone(),
        inputs: stored.target.inputs(&stored.config).unwrap_or_default(),
        locale: stored.config.locale,
    };
    let found = exporting.session.errors()?;
    let mut exported = Exported::default();
    let mut scripts: Vec<Script> = Vec::new();
    for case in exporting.session.cases()? {
        let fails = |kind: InputKind| kind == InputKind::Failure;
        if case.input.input.requests.iter().any(|one| fails(one.kind) && one.failing_call().is_some()) {
            let why = "a call fails in it, which only tine can bring about".to_owned();
            exported.left_out.push(LeftOut { case: case.id, reason: Reason::Unreproduced(why) });
            continue;
        }
        scripts.push(script(exporting, stored, &program, &case, &found)?);
    }
    scripts.sort_by(|one, other| {
        let key = |script: &Script| (script.name.clone(), script.text.len(), script.text.clone());
        key(one).cmp(&key(other))
    });
    scripts.dedup_by(|one, other| one.text == other.text);
    let mut used = std::collections::BTreeSet::new();
    for script in &mut scripts {
        script.name = unused_name(&script.name, &mut used);
    }
    let files = scripts.iter().flat_map(files_of).chain([
        ("run.sh".into(), RUNNER.as_bytes().to_vec()),
        ("Makefile".into(), makefile(&scripts).into_bytes()),
        ("CMakeLists.txt".into(), cmake(&scripts).into_bytes()),
    ]);
    exported.files = files.collect();
    exported.n_errors = scripts.iter().filter(|script| script.is_error).count();
    exported.n_tests = scripts.len() - exported.n_errors;
    Ok(exported)
}

fn script(
    exporting: &Exporting<'_>,
    stored: &Stored,
    program: &shell::Program,
    case: &Case,
    found: &[Found],
) -> Result<Script, Error> {
    let errors: Vec<&Found> = found.iter().filter(|error| error.case == case.id).collect();
    let is_error = !errors.is_empty() || case.outcome != "exited";
    let mut about = format!("# {MADE_BY} `PROGRAM=… sh run.sh` runs another build.\n");
    for error in &errors {
        let file = error.file.rsplit('/').next().unwrap_or(&error.file);
        let _ = writeln!(
            about,
            "# Shows: {} at {file}:{} in `{}`. {}",
            error.kind, error.line, error.function, error.about
        );
    }
    let text = shell::script(program, &case.input.input).replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{about}"), 1);
    let name = match errors.first() {
        Some(error) => format!("{}_line_{}", error.kind, error.line),
        None if is_error => format!("ends_with_{}", case.outcome),
        None => format!("exits_{}", case.code & 0xff),
    };
    let status = if is_error { "error".to_owned() } else { (case.code & 0xff).to_string() };
    let output = if is_error { None } else { output(exporting, stored, case)? };
    Ok(Script { name, text, status, output, is_error })
}

/// Standard output, if it is the same in two runs.
fn output(exporting: &Exporting<'_>, stored: &Stored, case: &Case) -> Result<Option<Vec<u8>>, Error> {
    let one = run(exporting, stored, case)?;
    Ok(if one.is_some() && one == run(exporting, stored, case)? { one } else { None })
}

fn run(exporting: &Exporting<'_>, stored: &Stored, case: &Case) -> Result<Option<Vec<u8>>, Error> {
    let (program, _) = stored.open_rebuilt(exporting.folder, &stored.target.program)?;
    let scratch = Temporary::new("export").map_err(Error::Observing)?;
    let inputs = Temporary::new("replay").map_err(Error::Observing)?;
    let plan = inputs.path().join("input");
    fs::write(&plan, case.input.input.file()).map_err(Error::Observing)?;
    let mut command = Command::new(program.descriptor());
    command.args(stored.target.arguments()).env(REPLAY_VARIABLE, &plan);
    if let Some(inputs) = stored.target.inputs(&stored.config) {
        command.env(INPUTS_VARIABLE, inputs);
    }
    stored.config.locale.set(&mut command);
    let output = run_confined_in(&mut command, scratch.path()).and_then(|run| run.only_output);
    Ok(output.filter(|output| output.len() <= MAX_OUTPUT))
}

fn files_of(script: &Script) -> Vec<(PathBuf, Vec<u8>)> {
    let path = |end: &str| Path::new(folder(script)).join(format!("{}.{end}", script.name));
    let mut files = vec![
        (path("sh"), script.text.clone().into_bytes()),
        (path("status"), format!("{}\n", script.status).into_bytes()),
    ];
    files.extend(script.output.clone().map(|output| (path("out"), output)));
    files
}

fn folder(script: &Script) -> &'static str {
    if script.is_error { "errors" } else { "cases" }
}

fn makefile(scripts: &[Script]) -> String {
    let list = |is_error: bool| -> String {
        let own = scripts.iter().filter(|script| script.is_error == is_error);
        own.map(|script| format!(" {}/{}", folder(script), script.name)).collect()
    };
    format!(
        "# {MADE_BY}\n\
         # make check PROGRAM=… runs the cases, make check-errors PROGRAM=… those that show errors: build it with sanitizers.\n\
         .PHONY: all check check-errors clean\nall:\n\n\
         check:\n\t@sh run.sh{}\n\ncheck-errors:\n\t@sh run.sh{}\n\nclean:\n",
        list(false),
        list(true)
    )
}

fn cmake(scripts: &[Script]) -> String {
    let mut text =
        format!("# {MADE_BY}\ncmake_minimum_required(VERSION 3.13)\nproject(cases NONE)\nenable_testing()\n\n");
    for script in scripts.iter().filter(|script| !script.is_error) {
        let _ = writeln!(text, "add_test(NAME {0} COMMAND sh \"${{CMAKE_SOURCE_DIR}}/run.sh\" cases/{0})", script.name);
    }
    text
}
