//! Specifications of a unit: `--spec` files, specifications that ship with tine, and `//@` comments of the unit's files
//! and of the headers that the first one includes.
//!
//! They become C code after the harness, compiled with the unit's types (`tine_spec::c`).

use std::path::{Path, PathBuf};

use tine_engine::target::SpecStates;
use tine_spec::c::{self, Signature, Source, Variable};
use tine_spec::{Mistake, Specs};
use tine_types::{Function, Program, TypeId};

use crate::{Error, Unit};

/// Specifications that ship with tine, by name.
const SHIPPED: [(&str, &str); 3] = [
    ("libc/mutex", include_str!("../../../specs/libc/mutex.spec")),
    ("libc/stdio", include_str!("../../../specs/libc/stdio.spec")),
    ("libc/malloc", include_str!("../../../specs/libc/malloc.spec")),
];

/// Monitors of a unit: C code for its harness, and the states of each specification. Empty without specifications.
#[derive(Clone, Debug, Default)]
pub(crate) struct Monitors {
    pub(crate) text: String,
    pub(crate) specs: Vec<SpecStates>,
}

/// Calls for `tine sequence` from the specifications of a unit. Its first function makes the object, and any of the
/// others may follow. The preconditions of the specification exclude sequences that the protocol does not allow.
pub(crate) fn calls(unit: &Unit, files: &[PathBuf]) -> Result<Option<String>, Error> {
    let read = read(unit, files)?;
    let program = unit.types_with_declarations()?;
    let mut calls: Vec<String> = Vec::new();
    for proposition in read.iter().flat_map(|(_, specs)| specs.iter()).flat_map(|spec| &spec.propositions) {
        let name = &proposition.function;
        let is_own = program.function(name).is_some_and(|function| function.has_code);
        if is_own && calls.iter().all(|known| known.trim_end_matches('*') != name) {
            calls.push(if calls.is_empty() { name.clone() } else { format!("{name}*") });
        }
    }
    Ok((!calls.is_empty()).then(|| calls.join(",")))
}

/// The specifications of a unit, with the file that each was read from.
fn read(unit: &Unit, files: &[PathBuf]) -> Result<Vec<(String, Specs)>, Error> {
    let mut read: Vec<(String, Specs)> = Vec::new();
    for file in files {
        let (name, text) = load(file)?;
        let specs = tine_spec::parse(&text).map_err(|mistake| at(&name, &mistake))?;
        read.push((name, specs));
    }
    for file in unit.sources().into_iter().chain(unit.headers()?) {
        let name = file.display().to_string();
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap_or_default()).into_owned();
        if text.contains("//@") {
            let (specs, skipped) = tine_spec::parse_comments(&text).map_err(|mistake| at(&name, &mistake))?;
            if let Some(line) = skipped.first() {
                eprintln!("warning: {name}:{line}: a `//@` comment outside of a specification is ignored");
            }
            read.push((name, specs));
        }
    }
    Ok(read)
}

/// Returns all monitors of a unit. Prints warnings about properties.
pub(crate) fn monitors(unit: &Unit, files: &[PathBuf]) -> Result<Monitors, Error> {
    let mut read = read(unit, files)?;
    if read.iter().all(|(_, specs)| specs.is_empty()) {
        return Ok(Monitors::default());
    }
    let program = unit.types_with_declarations()?;
    // A specification of a library mentions more functions than a unit calls.
    for (name, specs) in &mut read {
        if SHIPPED.iter().any(|(shipped, _)| shipped == name) {
            keep_known(specs, &program);
        }
    }
    let sources: Vec<Source<'_>> = read.iter().map(|(path, specs)| Source { path, specs }).collect();
    let monitors = c::monitors(&sources, &|name| signature(&program, name)).map_err(|(path, mistake)| {
        let unknown = mistake.message.contains("is not defined in the unit");
        let near = unknown.then(|| mistake.message.split('`').nth(1).map(|name| program.nearest_functions(name)));
        match near.flatten().and_then(|near| near.first().map(|near| format!("did you mean `{near}`?"))) {
            Some(help) => at(&path, &Mistake { help: Some(help), ..mistake }),
            None => at(&path, &mistake),
        }
    })?;
    for (path, line, what) in &monitors.warnings {
        eprintln!("warning: {path}:{line}: {what}");
    }
    let states = |states: c::States| SpecStates { name: states.spec, properties: states.properties };
    Ok(Monitors { text: monitors.text, specs: monitors.states.into_iter().map(states).collect() })
}

fn load(file: &Path) -> Result<(String, String), Error> {
    let name = file.display().to_string();
    if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        return Ok((name, (*text).to_owned()));
    }
    let text = std::fs::read_to_string(file).map_err(|why| {
        let names: Vec<String> = SHIPPED.iter().map(|(name, _)| format!("`{name}`")).collect();
        let help = format!("give a .spec file, or a specification that ships with tine: {}", names.join(", "));
        Error::request(format!("cannot read the specification {name}: {why}"), help)
    })?;
    Ok((name, text))
}

fn at(path: &str, mistake: &Mistake) -> Error {
    let help =
        mistake.help.clone().unwrap_or_else(|| "docs/reference/specifications.md describes the language".to_owned());
    Error::request(format!("{path}:{}:{}: {}", mistake.line, mistake.column, mistake.message), help)
}

/// Drops the propositions about functions that the unit neither defines nor calls. They can never hold.
fn keep_known(specs: &mut Specs, program: &Program) {
    specs.retain_mut(|spec| {
        let known: Vec<bool> = spec.propositions.iter().map(|p| function(program, &p.function).is_some()).collect();
        spec.forget(&known);
        known.iter().any(|known| *known)
    });
}

fn function<'a>(program: &'a Program, name: &str) -> Option<&'a Function> {
    program.function(name).or_else(|| program.declared().iter().find(|function| function.name == name))
}

fn signature(program: &Program, name: &str) -> Option<Signature> {
    let function = function(program, name)?;
    let variable = |ty: TypeId, name: &str| Variable {
        name: name.to_owned(),
        declaration: program.types.declare(ty, name),
        ty: program.types.describe(ty),
    };
    let parameters = function.params.iter().enumerate().map(|(index, parameter)| {
        variable(parameter.ty, &parameter.name.clone().unwrap_or_else(|| format!("tine_p{index}")))
    });
    let result = (function.ret != TypeId::VOID).then(|| variable(function.ret, "result"));
    Some(Signature { result, parameters: parameters.collect() })
}
