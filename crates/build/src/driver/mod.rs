//! The harness of `tine test`: a C file that includes the unit and calls one of its functions with inputs of its
//! parameters' types. Including the file makes `static` functions accessible and leaves every declaration unchanged.
//!
//! Every input is a variable: one of the harness (`tine_in_1`, `tine_in_2` …) or a global of the unit. The engine gets
//! its type from debug information, and creates the objects that its pointers point to.
//!
//! `roots` are those variables. `callables` are the targets of function pointers, including stubs. [`lengths`] ties
//! lengths to pointers, also those that `pairs` infers. [`compare`] calls two versions of a function.

mod callables;
pub mod compare;
mod layouts;
pub mod lengths;
pub(crate) mod made;
mod pairs;
mod roots;
pub mod sequence;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use tine_engine::target::Contract;
use tine_trace::map::{DRIVER_FILE, ENSURE, MAIN_OF_UNIT};
use tine_trace::outcome::ErrorKind;
use tine_types::{Function, Kind, Parameter, Program, TypeId};

use crate::Error;
use callables::Callables;
use roots::Roots;

/// Settings of the harness.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Predicates over the same parameters.
    pub requires: Vec<String>,
    /// Predicates over the parameters and, last, the result.
    pub ensures: Vec<String>,
    /// `PTR=N` or `PTR=PARAM`.
    pub lengths: Vec<String>,
    /// `PARAM=TYPE`.
    pub types: Vec<String>,
    /// Global variables that are inputs.
    pub globals: Vec<String>,
    /// Undefined functions that return inputs.
    pub stubs: Vec<Function>,
    /// Undefined functions: calling them is an error.
    pub missing: Vec<String>,
    /// Definitions of undefined variables.
    pub variables: Vec<String>,
    /// Functions of the unit that pointers may point to.
    pub address_taken: Vec<String>,
    /// Allow enumerations to have values that are not their enumerators.
    pub any_enum: bool,
    /// Maximum number of elements of an array, and of bytes of a stream.
    pub max_elements: u32,
}

impl Wishes {
    /// `PTR=…` for the pointers whose targets the user has described.
    fn stated_lengths(&self) -> Vec<String> {
        self.lengths.iter().chain(&self.types).cloned().collect()
    }
}

/// A harness, and its description for the engine.
#[derive(Clone, Debug)]
pub struct Driver {
    pub text: String,
    /// Variable with each input's type, by the number that the harness passes, from 1.
    pub roots: Vec<String>,
    /// Functions and streams in the harness's table, in order.
    pub callables: Vec<String>,
    /// The function whose parameters may have requirements.
    pub contract: Option<Contract>,
    /// Lengths of arrays that the code implies, in the form of `--len`.
    pub implied_lengths: Vec<String>,
}

/// Names of the functions that a preprocessed file declares or defines.
pub fn declared_functions(text: &str) -> BTreeSet<&str> {
    pairs::tokens::declared(text)
}

/// The harness that calls `function` once.
pub fn driver(program: &Program, function: &Function, unit: &Path, wishes: &Wishes) -> Result<Driver, Error> {
    let mut roots = Roots::new(program);
    let arguments = roots.parameters(function, &wishes.types)?;
    for name in &wishes.globals {
        roots.global(name)?;
    }
    let mut lengths = lengths::parse(program, function, &roots, &wishes.lengths)?;
    lengths.extend(lengths::implied(program, function, &roots, &wishes.stated_lengths()));
    for predicate in wishes.requires.iter().chain(&wishes.ensures) {
        check_predicate(program, function, predicate, wishes.ensures.contains(predicate))?;
    }
    let requests = roots.requests();
    let callables = Callables::new(program, &mut roots, wishes)?;

    let arguments = arguments.join(", ");
    let mut body = callables.announcement();
    body += &requests;
    // The solver chooses other values than 0 and knows the enumerators.
    for (index, parameter) in function.params.iter().enumerate().filter(|_| !wishes.any_enum) {
        let values = program.types.enum_values(parameter.ty);
        if !values.is_empty() && !values.contains(&0) {
            let _ = writeln!(body, "    if (!{})\n        __tine_reject();", roots::variable(index + 1));
        }
    }
    for length in &lengths {
        body += &length.statements(wishes.max_elements);
    }
    if function.name == "main" {
        body += &lengths::argument_vector(function);
    }
    for requires in &wishes.requires {
        let _ = writeln!(body, "    if (!{requires}({arguments}))\n        __tine_reject();");
    }
    body += &call(program, function, &arguments, wishes);
    // An `inline` function without an `extern` declaration has no code of its own.
    let declared = if function.external && function.name != "main" {
        format!("extern __typeof__({name}) {name};\n", name = function.name)
    } else {
        String::new()
    };
    // A macro of the same name, with parameters, is for the unit's users.
    let hidden = if function.name == "main" { String::new() } else { format!("#undef {}\n", function.name) };
    let declarations = [
        hidden,
        declared,
        roots.declarations(),
        callables.definitions(),
        missing(&wishes.missing),
        wishes.variables.iter().map(|definition| format!("{definition}\n")).collect(),
        postconditions(program, function, wishes),
    ]
    .concat();
    let untested = lengths.iter().filter_map(|length| length.implied()?.untested.clone()).collect();
    let contract = if wishes.requires.is_empty() { contract(program, function) } else { None };
    let contract = contract.map(|contract| Contract { untested_counts: untested, ..contract });
    let text = text(unit, &declarations, &body);
    let implied_lengths = lengths.iter().filter_map(|length| Some(length.implied()?.option.clone())).collect();
    Ok(Driver { text, roots: roots.names(), callables: callables.names(), contract, implied_lengths })
}

/// The contract of a function whose parameters are passed one by one, as C lists them. Structures passed by value break
/// that.
fn contract(program: &Program, function: &Function) -> Option<Contract> {
    let is_structure =
        |ty: TypeId| matches!(program.types.kind(program.types.strip(ty)), Kind::Struct { .. } | Kind::Union { .. });
    let is_plain = !is_structure(function.ret) && !function.params.iter().any(|parameter| is_structure(parameter.ty));
    let n_parameters = function.params.len() as u32;
    let declare =
        |(index, parameter): (usize, &Parameter)| program.types.declare(parameter.ty, &roots::name_of(function, index));
    let parameters = function.params.iter().enumerate().map(declare).collect();
    let contract = Contract { function: function.name.clone(), n_parameters, parameters, untested_counts: Vec::new() };
    (is_plain && function.name != "main").then_some(contract)
}

/// A file of a program, followed by monitors of specifications.
pub fn monitored(file: &Path, monitors: &str) -> String {
    format!("#include {}\n#line 1 \"{DRIVER_FILE}\"\n{monitors}", quoted(file))
}

/// Definitions of functions of which only the name is known.
pub fn missing(names: &[String]) -> String {
    let define = |name: &String| {
        format!(
            "__asm__(\".pushsection .text; .globl {name}; .type {name},@function; {name}: lea 1f(%rip), %rdi; \"\n        \
             \"jmp __tine_missing; .popsection; .pushsection .rodata; 1: .asciz \\\"{name}\\\"; .popsection\");\n"
        )
    };
    names.iter().map(define).collect()
}

/// Checks that a predicate has the parameters of the function, and with `--ensures` also its result.
fn check_predicate(program: &Program, function: &Function, name: &str, sees_result: bool) -> Result<(), Error> {
    let Some(predicate) = program.function(name) else {
        let near = program.nearest_functions(name);
        let help = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "define it in the unit's file, or declare it there and give the file that defines it".to_owned(),
        };
        return Err(Error::request(format!("there is no predicate `{name}`"), help));
    };
    let result = (sees_result && function.ret != TypeId::VOID).then_some(function.ret);
    let expected: Vec<TypeId> = function.params.iter().map(|parameter| parameter.ty).chain(result).collect();
    let given: Vec<TypeId> = predicate.params.iter().map(|parameter| parameter.ty).collect();
    let plain = |ty: &TypeId| program.types.describe(program.types.strip(*ty)).replace("const ", "");
    let fits = expected.len() == given.len() && expected.iter().zip(&given).all(|(a, b)| plain(a) == plain(b));
    if fits && predicate.ret != TypeId::VOID {
        return Ok(());
    }
    let types: Vec<String> = expected.iter().map(|ty| program.types.describe(*ty)).collect();
    Err(Error::request(
        format!("`{}` does not fit `{}`", program.prototype(predicate), program.prototype(function)),
        format!("a predicate for it is declared `int {name}({})`", types.join(", ")),
    ))
}

/// The call, followed by its postconditions.
fn call(program: &Program, function: &Function, arguments: &str, wishes: &Wishes) -> String {
    let name = if function.name == "main" { MAIN_OF_UNIT } else { &function.name };
    if wishes.ensures.is_empty() && function.ret == TypeId::VOID {
        return format!("    {name}({arguments});\n");
    }
    if wishes.ensures.is_empty() {
        // Memory that the function returns does not count as leaked. Types with constant members cannot be assigned.
        return format!(
            "    __typeof__({name}({arguments})) tine_result = {name}({arguments});\n    \
             static _Alignas(16) char tine_kept[sizeof tine_result];\n    \
             __builtin_memcpy(tine_kept, &tine_result, sizeof tine_result);\n"
        );
    }
    let mut text = String::new();
    let mut with_result = arguments.to_owned();
    if function.ret == TypeId::VOID {
        let _ = writeln!(text, "    {name}({arguments});");
    } else {
        let _ = writeln!(text, "    {} = {name}({arguments});", program.types.declare(function.ret, "tine_result"));
        with_result += if arguments.is_empty() { "tine_result" } else { ", tine_result" };
    }
    let _ = writeln!(text, "    {ENSURE}{}({with_result});", function.name);
    text
}

/// The function that checks the postconditions. It has the source position of the called function, so that errors are
/// reported there.
fn postconditions(program: &Program, function: &Function, wishes: &Wishes) -> String {
    if wishes.ensures.is_empty() {
        return String::new();
    }
    let kind = ErrorKind::PostconditionFailure as u32;
    let (file, line) = (function.file.escape_default(), function.line);
    let result = (function.ret != TypeId::VOID).then_some(function.ret);
    let types = function.params.iter().map(|parameter| parameter.ty).chain(result);
    let (mut params, mut names) = (Vec::new(), Vec::new());
    for (index, ty) in types.enumerate() {
        let name = format!("tine_p{index}");
        params.push(program.types.declare(ty, &name));
        names.push(name);
    }
    let (params, names) = (params.join(", "), names.join(", "));
    let mut text = format!("#line {line} \"{file}\"\nstatic void {ENSURE}{}({params}) {{", function.name);
    for ensures in &wishes.ensures {
        let _ = write!(text, " if (!{ensures}({names})) __tine_fail({kind}, \"{ensures}\", \"{file}\", {line});");
    }
    let _ = writeln!(text, " }}\n#line 1 \"{DRIVER_FILE}\"");
    text
}

/// Suppresses warnings about the harness, also those that the user's flags request.
const QUIET: &str = "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Weverything\"\n";

/// The whole file.
fn text(unit: &Path, declarations: &str, body: &str) -> String {
    format!(
        "/* Calls a function of the unit with inputs. */\n\
         {QUIET}\
         extern void __tine_root(void *, unsigned long, const char *, unsigned, unsigned);\n\
         extern void __tine_length(void *const *, const void *, unsigned long, unsigned long, unsigned);\n\
         extern void __tine_functions(void *const *, unsigned);\n\
         extern struct _IO_FILE *__tine_stream(const char *, unsigned);\n\
         extern __attribute__((noreturn)) void __tine_beyond(void);\n\
         extern __attribute__((noreturn)) void __tine_missing(const char *);\n\
         extern __attribute__((noreturn)) void __tine_reject(void);\n\
         extern void __tine_fail(unsigned, const char *, const char *, unsigned);\n\
         #undef main\n\
         #define main {MAIN_OF_UNIT}\n\
         #pragma clang diagnostic pop\n\
         #include {unit}\n\
         #undef main\n\
         #pragma clang diagnostic ignored \"-Weverything\"\n\
         \n\
         {declarations}\n\
         int main(void) {{\n\
         {body}    return 0;\n\
         }}\n",
        unit = quoted(unit),
    )
}

/// A path for `#include`, which has no escapes: see `Unit::new`.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}
