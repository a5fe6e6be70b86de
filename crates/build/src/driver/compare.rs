//! The harness of `tine compare`: calls two versions of a function with the same input and compares the observable
//! results.
//!
//! The harness includes the new version, as for `tine test`. A separate file includes the old one. Its symbols are
//! local except for those that begin with [`OLD`], so both versions may define the same names.
//!
//! ```c
//! void tine_old_call(void **arguments, void *result) { … }     // old.c: calls the old version
//! void *tine_old_addresses[] = { &count, … };                  //        its variables and functions
//!
//! static void tine_new_call(void **arguments, void *result) { … }
//! int main(void) { …; tine_compare(&versions, twins, n); }     // compare.c
//! ```

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use tine_trace::map::MAIN_OF_UNIT;
use tine_types::graph::{Member, Qualifier};
use tine_types::{Function, Kind, Program, ScalarKind, TypeId};

use super::callables::Callables;
use super::layouts::Layouts;
use super::roots::Roots;
use super::{Driver, Wishes, check_predicate, lengths, missing, quoted, text};
use crate::Error;

/// Prefix of the old version's symbols that the harness uses.
pub const OLD: &str = "tine_old_";

const COMPARE: &str = include_str!("compare.c");

/// A version of the function.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub unit: &'a Path,
    pub wishes: &'a Wishes,
    /// The function calls functions that print.
    pub prints: bool,
}

/// The harness, the file of the old version, and descriptions of results that are not compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub driver: Driver,
    pub old: String,
    pub notes: Vec<String>,
}

/// A variable or a function that both versions have.
struct Twin<'a> {
    name: &'a str,
    is_variable: bool,
    is_compared: bool,
}

/// The harness that calls both versions of a function once. Inputs for which a predicate of `except` holds are left
/// out.
pub fn driver(old: Version<'_>, new: Version<'_>, except: &[String]) -> Result<Comparison, Error> {
    let Version { program, function, wishes, .. } = new;
    check_signatures(&old, &new)?;
    let mut roots = Roots::new(program);
    let arguments = roots.parameters(function, &wishes.types)?;
    if function.params.iter().any(|parameter| roots.is_stream(parameter.ty)) {
        return Err(Error::request(
            format!("`{}` takes a stream, which the second version would find as the first one left it", function.name),
            "write a function around it that opens the stream, in both versions",
        ));
    }
    for name in &wishes.globals {
        roots.global(name)?;
        if old.program.variable(name).is_none() {
            return Err(Error::request(format!("the old version has no global variable `{name}`"), "leave it out"));
        }
    }
    let lengths = lengths::parse(program, function, &roots, &wishes.lengths)?;
    for predicate in wishes.requires.iter().chain(except) {
        check_predicate(program, function, predicate, false)?;
    }
    let requests = roots.requests();
    let callables = Callables::new(program, &mut roots, wishes)?;
    let (twins, notes) = twins(&old, &new);

    let arguments = arguments.join(", ");
    let mut body = callables.announcement() + &requests;
    for (index, parameter) in function.params.iter().enumerate().filter(|_| !wishes.any_enum) {
        let values = program.types.enum_values(parameter.ty);
        if !values.is_empty() && !values.contains(&0) {
            let _ = writeln!(body, "    if (!{})\n        __tine_reject();", super::roots::variable(index + 1));
        }
    }
    for length in &lengths {
        body += &length.statements(wishes.max_elements);
    }
    for requires in &wishes.requires {
        let _ = writeln!(body, "    if (!{requires}({arguments}))\n        __tine_reject();");
    }
    for except in except {
        let _ = writeln!(body, "    if ({except}({arguments}))\n        __tine_reject();");
    }
    let mut layouts = Layouts::new(program);
    body += &comparison(&new, &twins, &mut layouts);
    let declarations = [
        declared(function),
        roots.declarations(),
        callables.definitions(),
        missing(&wishes.missing),
        wishes.variables.iter().map(|definition| format!("{definition}\n")).collect(),
        "extern __attribute__((noreturn)) void __tine_beyond(void);\n".to_owned(),
        format!("extern void {OLD}call(void **, void *);\nextern void *{OLD}addresses[];\n"),
        if old.prints || new.prints { "#define TINE_OUTPUT 1\n".to_owned() } else { String::new() },
        COMPARE.to_owned(),
        layouts.definitions(),
        caller(&new, "static void tine_new_call"),
    ]
    .concat();
    let text = text(new.unit, &declarations, &body);
    let driver = Driver {
        text,
        roots: roots.names(),
        callables: callables.names(),
        contract: None,
        implied_lengths: Vec::new(),
    };
    Ok(Comparison { driver, old: old_file(&old, &twins), notes })
}

/// An `inline` function without an `extern` declaration has no code of its own.
fn declared(function: &Function) -> String {
    if !function.external {
        return String::new();
    }
    format!("extern __typeof__({name}) {name};\n", name = function.name)
}

/// The statements that call both versions and compare the results.
fn comparison(new: &Version<'_>, twins: &[Twin<'_>], layouts: &mut Layouts<'_>) -> String {
    let Version { program, function, wishes, .. } = *new;
    let n = function.params.len();
    let variables: Vec<String> = (1..=n).map(|number| format!("(void *)&{}", super::roots::variable(number))).collect();
    let mut body = format!("    static void *tine_arguments[{}];\n", n.max(1));
    for (index, variable) in variables.iter().enumerate() {
        let _ = writeln!(body, "    tine_arguments[{index}] = {variable};");
    }
    let size = if function.ret == TypeId::VOID { 0 } else { program.types.size(function.ret).unwrap_or(0) };
    let is_float = program.types.scalar(function.ret).is_some_and(|scalar| scalar.kind == ScalarKind::Float);
    let _ = writeln!(body, "    static _Alignas(16) char tine_results[2][{}];", size.max(1).next_multiple_of(16));
    let _ = writeln!(body, "    static struct tine_twin tine_both[{}];", twins.len().max(1));
    for (index, Twin { name, is_variable, is_compared }) in twins.iter().enumerate() {
        let extent = if *is_variable { format!("sizeof {name}") } else { "1".to_owned() };
        let is_input = u32::from(wishes.globals.iter().any(|global| global == name));
        let ty = program.variable(name).filter(|_| *is_variable).map_or(0, |variable| layouts.number(variable.ty));
        let _ = writeln!(
            body,
            "    tine_both[{index}] = (struct tine_twin){{\"{name}\", {OLD}addresses[{index}], (void *)&{name}, {extent}, {}, \
             {is_input}, {ty}}};",
            u32::from(*is_compared)
        );
    }
    let _ = writeln!(
        body,
        "    static struct tine_versions tine_versions;\n    tine_versions = (struct tine_versions){{{OLD}call, tine_new_call, \
         tine_arguments, tine_results[0], tine_results[1], {size}, {}, {}, tine_types, \"{}\", {}, \"{}\"}};\n    \
         tine_compare(&tine_versions, tine_both, {});",
        u32::from(is_float),
        layouts.number(function.ret),
        function.file.escape_default(),
        function.line,
        function.name,
        twins.len()
    );
    body
}

/// The function that calls one version. Types are those of this version.
fn caller(version: &Version<'_>, declaration: &str) -> String {
    let Version { function, program, .. } = *version;
    let types = &program.types;
    let mut text = format!(
        "{declaration}(void **tine_arguments, void *tine_result) {{\n    (void)tine_arguments, (void)tine_result;\n"
    );
    let mut arguments = Vec::new();
    for (index, parameter) in function.params.iter().enumerate() {
        let _ = writeln!(
            text,
            "    {} = tine_arguments[{index}];",
            pointer_to(program, parameter.ty, &format!("tine_a{index}"))
        );
        arguments.push(format!("*tine_a{index}"));
    }
    let call = format!("{}({})", function.name, arguments.join(", "));
    if function.ret == TypeId::VOID {
        let _ = writeln!(text, "    {call};");
    } else if matches!(types.kind(types.strip(function.ret)), Kind::Struct { .. } | Kind::Union { .. }) {
        let _ = writeln!(
            text,
            "    __typeof__({call}) tine_returned = {call};\n    __builtin_memcpy(tine_result, &tine_returned, sizeof tine_returned);"
        );
    } else {
        let _ = writeln!(
            text,
            "    {} = tine_result;\n    *tine_to = {call};",
            pointer_to(program, types.strip(function.ret), "tine_to")
        );
    }
    text + "}\n"
}

fn pointer_to(program: &Program, ty: TypeId, name: &str) -> String {
    let types = &program.types;
    let mut ty = ty;
    while let Kind::Qualified { to, .. } = types.kind(ty) {
        ty = *to;
    }
    // A declarator in parentheses is correct for every type.
    types.declare(ty, &format!("(*{name})"))
}

/// The file of the old version.
fn old_file(old: &Version<'_>, twins: &[Twin<'_>]) -> String {
    let addresses: Vec<String> = twins.iter().map(|twin| format!("(void *)&{}", twin.name)).collect();
    let variables: String = old.wishes.variables.iter().map(|definition| format!("{definition}\n")).collect();
    format!(
        "/* The old version of a function. */\n\
         #undef main\n#define main {MAIN_OF_UNIT}\n#include {unit}\n#undef main\n\
         #pragma clang diagnostic ignored \"-Weverything\"\n\
         {declared}{missing}{variables}{caller}\
         void *{OLD}addresses[] = {{ {addresses} }};\n",
        unit = quoted(old.unit),
        declared = declared(old.function),
        missing = missing(&old.wishes.missing),
        caller = caller(old, &format!("void {OLD}call")),
        addresses = if addresses.is_empty() { "0".to_owned() } else { addresses.join(", ") },
    )
}

/// Variables and functions of both files. The notes name variables that are not compared.
fn twins<'a>(old: &Version<'_>, new: &Version<'a>) -> (Vec<Twin<'a>>, Vec<String>) {
    let (mut twins, mut notes) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let is_own = |file: &str| Path::new(file).file_name() == new.unit.file_name();
    for variable in new.program.variables().iter().filter(|variable| is_own(&variable.file)) {
        let Some(twin) = old.program.variable(&variable.name) else { continue };
        if !seen.insert(&variable.name) {
            continue;
        }
        if !is_same(old.program, twin.ty, new.program, variable.ty, &mut HashSet::new()) {
            notes.push(format!("the global variable `{}` has another type in the old version", variable.name));
            continue;
        }
        let is_compared = !is_const(new.program, variable.ty);
        twins.push(Twin { name: &variable.name, is_variable: true, is_compared });
    }
    for function in new.program.functions().iter().filter(|function| is_own(&function.file) && function.has_code) {
        let is_twin = old.program.function(&function.name).is_some_and(|twin| twin.has_code);
        if is_twin && function.name != "main" && seen.insert(&function.name) {
            twins.push(Twin { name: &function.name, is_variable: false, is_compared: false });
        }
    }
    (twins, notes)
}

/// True for variables that no code may change.
pub(crate) fn is_const(program: &Program, mut ty: TypeId) -> bool {
    let types = &program.types;
    while let Kind::Array { element, .. } = types.kind(types.strip(ty)) {
        ty = *element;
    }
    types.is_qualified(ty, Qualifier::Const)
}

/// Checks that both versions take and return the same types with the same layout.
fn check_signatures(old: &Version<'_>, new: &Version<'_>) -> Result<(), Error> {
    if new.function.name == "main" {
        return Err(Error::request("`main` cannot be compared as a function", "compare the functions that it calls"));
    }
    let (old_function, new_function) = (old.function, new.function);
    let types = |function: &Function| -> Vec<TypeId> {
        std::iter::once(function.ret).chain(function.params.iter().map(|parameter| parameter.ty)).collect()
    };
    let (of_old, of_new) = (types(old_function), types(new_function));
    let fits = of_old.len() == of_new.len()
        && old_function.variadic == new_function.variadic
        && of_old.iter().zip(&of_new).all(|(a, b)| is_same(old.program, *a, new.program, *b, &mut HashSet::new()));
    if fits {
        return Ok(());
    }
    let prototypes = [old.program.prototype(old_function), new.program.prototype(new_function)];
    let why = if prototypes[0] == prototypes[1] {
        format!("types of `{}` have another layout in the two versions", prototypes[0])
    } else {
        format!("the versions have different signatures: `{}` and `{}`", prototypes[0], prototypes[1])
    };
    Err(Error::request(why, "write a function with the same parameters around each version, and compare these"))
}

/// True if two types have the same layout, and so do the types that they point to.
fn is_same(a: &Program, at: TypeId, b: &Program, bt: TypeId, seen: &mut HashSet<(TypeId, TypeId)>) -> bool {
    let (at, bt) = (a.types.strip(at), b.types.strip(bt));
    if !seen.insert((at, bt)) {
        return true;
    }
    match (a.types.kind(at), b.types.kind(bt)) {
        (Kind::Pointer { to: x }, Kind::Pointer { to: y }) => is_same(a, *x, b, *y, seen),
        (Kind::Array { element: x, .. }, Kind::Array { element: y, .. }) => {
            a.types.size(at) == b.types.size(bt) && is_same(a, *x, b, *y, seen)
        }
        (Kind::Struct { members: x }, Kind::Struct { members: y })
        | (Kind::Union { members: x }, Kind::Union { members: y }) => {
            let same = |(x, y): (&Member, &Member)| {
                x.offset == y.offset && x.bits == y.bits && is_same(a, x.ty, b, y.ty, seen)
            };
            a.types.size(at) == b.types.size(bt) && x.len() == y.len() && x.iter().zip(y).all(same)
        }
        (Kind::Function(x), Kind::Function(y)) => {
            x.params.len() == y.params.len()
                && is_same(a, x.ret, b, y.ret, seen)
                && x.params.iter().zip(&y.params).all(|(x, y)| is_same(a, *x, b, *y, seen))
        }
        _ => match (a.types.scalar(at), b.types.scalar(bt)) {
            (Some(x), Some(y)) => x.kind == y.kind && x.size == y.size,
            _ => a.types.describe(at) == b.types.describe(bt),
        },
    }
}
