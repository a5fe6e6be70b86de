//! Names of the unit, and stubs for what it does not define.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::{Command, Stdio};

use tine_types::graph::Enumerator;
use tine_types::{Function, Kind, Program, TypeId};

use super::bits;
use super::frame::{Head, OLDER_C};
use super::{STUB_CALLS, write};
use crate::Error;

/// Macros that are defined at the end of the unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Macros {
    /// Without parameters.
    pub(super) objects: BTreeSet<String>,
    /// With parameters.
    pub(super) functions: BTreeSet<String>,
    /// Values of those that are numbers.
    pub(super) values: BTreeMap<String, u128>,
}

impl Macros {
    pub(super) fn of(head: &Head) -> Macros {
        let mut command = Command::new("clang-22");
        command.args(["-E", "-dM", "-w"]).args(&head.flags).args(OLDER_C).arg(&head.main_file);
        let output = command.current_dir(&head.directory).env("LC_ALL", "C").stdin(Stdio::null()).output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        let mut macros = Macros::default();
        for line in String::from_utf8_lossy(&text).lines() {
            let Some(rest) = line.strip_prefix("#define ") else { continue };
            let end = rest.find([' ', '(']).unwrap_or(rest.len());
            let set = if rest[end..].starts_with('(') { &mut macros.functions } else { &mut macros.objects };
            set.insert(rest[..end].to_owned());
            macros.values.extend(bits::value(&rest[end..]).map(|value| (rest[..end].to_owned(), value)));
        }
        macros
    }

    /// Macros with the names of members, which initialisers need.
    pub(super) fn over_members(&self, program: &Program) -> Vec<String> {
        let members = program.types.iter().flat_map(|(_, ty)| match &ty.kind {
            Kind::Struct { members } | Kind::Union { members } => members.as_slice(),
            _ => &[],
        });
        let names: BTreeSet<&String> = members.filter_map(|member| member.name.as_ref()).collect();
        self.objects.iter().filter(|name| names.contains(name)).cloned().collect()
    }
}

/// Macros and enumerators of the unit that are numbers.
pub(super) fn constants(program: &Program, macros: &Macros, head: &Head) -> BTreeMap<String, u128> {
    let mut constants = macros.values.clone();
    constants.retain(|name, _| !head.hidden.contains(name));
    for (_, ty) in program.types.iter() {
        let Kind::Enum { values, .. } = &ty.kind else { continue };
        let number = |one: &Enumerator| Some((one.name.clone(), u128::try_from(one.value).ok()?));
        constants.extend(values.iter().filter_map(number));
    }
    constants
}

/// Names that the unit uses.
pub(super) fn taken(program: &Program) -> BTreeSet<String> {
    let functions = program.functions().iter().chain(program.declared()).map(|function| function.name.clone());
    let variables = program.variables().iter().map(|variable| variable.name.clone());
    let types = program
        .types
        .iter()
        .filter(|(_, ty)| matches!(ty.kind, Kind::Typedef { .. }))
        .filter_map(|(_, ty)| ty.name.clone());
    let enumerators = program.types.iter().flat_map(|(_, ty)| match &ty.kind {
        Kind::Enum { values, .. } => values.iter().map(|one| one.name.clone()).collect(),
        _ => Vec::new(),
    });
    functions.chain(variables).chain(types).chain(enumerators).collect()
}

/// A stub that returns the results of a test in turn.
pub(super) fn stub_text(program: &Program, stub: &Function, name: &str) -> Result<String, Error> {
    let graph = &program.types;
    let describe =
        |ty: TypeId, name: &str| write::declaration(graph, ty, name).map_err(|why| Error::Types(why.to_string()));
    let mut params = Vec::new();
    let mut uses = String::new();
    for (index, parameter) in stub.params.iter().enumerate() {
        params.push(describe(parameter.ty, &format!("arg{index}"))?);
        let _ = writeln!(uses, "    (void)arg{index};");
    }
    if stub.variadic {
        params.push("...".to_owned());
    }
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let linkage = if stub.external { "" } else { "static __attribute__((unused)) " };
    let prototype = describe(stub.ret, &format!("{name}({params})"))?;
    let mut text = String::from("\n/* Returns what a test expects of it. */\n");
    if graph.strip(stub.ret) == TypeId::VOID {
        let _ = writeln!(text, "{linkage}{prototype} {{\n{uses}}}");
        return Ok(text);
    }
    let results = describe(write::unqualified(graph, stub.ret), &format!("{name}_results[{STUB_CALLS}]"))?;
    let _ = writeln!(text, "static {results};\nstatic unsigned {name}_calls;");
    let _ =
        writeln!(text, "{linkage}{prototype} {{\n{uses}    return {name}_results[{name}_calls++ % {STUB_CALLS}];\n}}");
    Ok(text)
}
