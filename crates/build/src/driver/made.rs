//! The harness that calls a function with objects made by the unit's own functions, instead of invented memory.
//!
//! ```c
//! static int tine_make_1(void) { … parser_init(&tine_storage_1, tine_in_3); … }   // one per object
//! int main(void) {
//!     if (tine_make_1()) return 0;
//!     for (…) { __tine_state(left); … one of the unit's functions that take the object … }
//!     parser_execute(tine_object_1, tine_in_2);
//! }
//! ```
//! A *maker* returns a pointer to the type, or initialises its parameter and has a name such as `parser_init`. Objects
//! that a maker needs are made, too. All other arguments are inputs.

use std::fmt::Write as _;
use std::path::Path;

use tine_trace::plan::InputKind;
use tine_types::{Function, Kind, Program, TypeId};

use super::callables::Callables;
use super::roots::{Roots, variable};
use super::sequence::is_same;
use super::{Driver, Wishes, contract, lengths, missing, text};
use crate::Error;

/// Maximum number of calls after the objects are made and before the function is called.
const MAX_STEPS: u32 = 4;
/// Maximum number of makers of one type.
const MAX_MAKERS: usize = 6;
/// Maximum number of functions from which these calls are chosen.
const MAX_CHANGERS: usize = 24;
/// Maximum number of objects: those of the function, and those that their makers need.
const MAX_OBJECTS: usize = 6;

/// Words in the name of a function that initialises its parameter.
const INITIALISES: [&str; 11] =
    ["init", "initialize", "initialise", "new", "create", "setup", "make", "alloc", "open", "construct", "begin"];
/// Words in the name of a function after which the object must not be used any more.
const DESTROYS: [&str; 13] = [
    "free", "destroy", "delete", "fini", "finish", "release", "close", "deinit", "cleanup", "dispose", "unref",
    "uninit", "end",
];

/// The structure that a parameter points to.
fn pointee(program: &Program, ty: TypeId) -> Option<TypeId> {
    let types = &program.types;
    let Kind::Pointer { to } = types.kind(types.strip(ty)) else { return None };
    // Only calls can make an object of an opaque type.
    let is_structure =
        matches!(types.kind(types.strip(*to)), Kind::Struct { .. } | Kind::Union { .. } | Kind::Opaque { .. });
    (is_structure && !types.is_stream(*to)).then_some(*to)
}

/// `list_newNode` has the words `list`, `new` and `node`.
fn has_word(name: &str, words: &[&str]) -> bool {
    let mut found: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        if !character.is_alphabetic() || (character.is_uppercase() && was_lower) {
            found.push(String::new());
        }
        was_lower = character.is_lowercase();
        if let (true, Some(word)) = (character.is_alphabetic(), found.last_mut()) {
            word.extend(character.to_lowercase());
        }
    }
    found.iter().any(|word| words.contains(&word.as_str()))
}

/// Way in which a function makes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It returns a new object.
    Returns,
    /// It initialises the object of its first parameter.
    Initialises,
}

/// The way in which a function makes an object of this type, if it does. `except` is the function that needs the
/// object.
fn makes(program: &Program, function: &Function, ty: TypeId, except: &str) -> Option<How> {
    let types = &program.types;
    let takes =
        |parameter: &tine_types::Parameter| pointee(program, parameter.ty).is_some_and(|to| is_same(types, to, ty));
    if !is_public(function) || function.name == except || has_word(&function.name, &DESTROYS) {
        return None;
    }
    if pointee(program, function.ret).is_some_and(|to| is_same(types, to, ty)) {
        // `list_next(list)` returns another object, and `list_new(parent)` makes one.
        let is_new = !function.params.iter().any(takes) || has_word(&function.name, &INITIALISES);
        return is_new.then_some(How::Returns);
    }
    let is_first = function.params.first().is_some_and(takes);
    (is_first && types.size(ty).is_some() && has_word(&function.name, &INITIALISES)).then_some(How::Initialises)
}

fn is_public(function: &Function) -> bool {
    function.external && function.has_code && !function.variadic && function.name != "main"
}

fn makers<'p>(program: &'p Program, ty: TypeId, except: &str) -> Vec<(&'p Function, How)> {
    let mut found: Vec<(&Function, How)> = program
        .functions()
        .iter()
        .filter_map(|function| Some((function, makes(program, function, ty, except)?)))
        .collect();
    // Makers with few parameters come first.
    found.sort_by_key(|(function, _)| (function.params.len(), function.line));
    found.truncate(MAX_MAKERS);
    found
}

/// Names of the structures that parameters of a function point to and that functions of the unit make.
pub(crate) fn made_types(program: &Program, function: &Function) -> Vec<String> {
    let types = &program.types;
    let made = |parameter: &tine_types::Parameter| {
        let to = pointee(program, parameter.ty)?;
        let has_makers = !makers(program, to, &function.name).is_empty();
        has_makers.then(|| [types.describe(to), types.describe(types.strip(to))])
    };
    let plain = |name: String| name.trim_start_matches("const ").to_owned();
    function.params.iter().filter_map(made).flatten().map(plain).collect()
}

/// The harness that calls `function` once, with objects from makers and further calls. `None` if none of its parameters
/// has a maker.
pub(crate) fn driver(
    program: &Program,
    function: &Function,
    unit: &Path,
    wishes: &Wishes,
) -> Result<Option<Driver>, Error> {
    if made_types(program, function).is_empty() {
        return Ok(None);
    }
    let mut roots = Roots::new(program);
    // Keep this order, because the contract counts the parameters.
    let usual = roots.parameters(function, &wishes.types)?;
    for name in &wishes.globals {
        roots.global(name)?;
    }
    let n_own = roots.len();
    let lengths = lengths::implied(program, function, &roots, &wishes.stated_lengths());
    let mut writer = Writer { program, target: &function.name, roots, objects: Vec::new(), functions: String::new() };
    let mut arguments = Vec::new();
    let mut requests = String::new();
    for (index, usual) in usual.into_iter().enumerate() {
        let made = pointee(program, function.params[index].ty).and_then(|to| writer.object(to));
        match made {
            Some(number) => arguments.push(format!("tine_object_{number}")),
            None => {
                arguments.push(usual);
                requests += &writer.roots.request(index + 1);
            }
        }
    }
    for number in function.params.len() + 1..=n_own {
        requests += &writer.roots.request(number);
    }
    if writer.objects.iter().all(|object| !object.is_possible) {
        return Ok(None);
    }
    let steps = writer.steps();
    let Writer { mut roots, objects, functions, .. } = writer;
    let callables = Callables::new(program, &mut roots, wishes)?;

    let mut body = callables.announcement();
    for number in writer_order(&objects) {
        let _ = writeln!(body, "    if (tine_make_{number}())\n        return 0;");
    }
    body += &steps.body;
    let _ = writeln!(body, "    __tine_input(0, 0, \"{}\", {});", function.name, InputKind::Call as u32);
    body += &requests;
    body.extend(lengths.iter().map(|length| length.statements(wishes.max_elements)));
    let _ = writeln!(body, "    (void){}({});", function.name, arguments.join(", "));
    let declarations = [
        format!("extern __typeof__({name}) {name};\n", name = function.name).repeat(usize::from(function.external)),
        PROTOTYPES.to_owned(),
        roots.declarations(),
        kept(roots.len()),
        objects.iter().map(|object| object.declaration.clone()).collect(),
        callables.definitions(),
        missing(&wishes.missing),
        wishes.variables.iter().map(|definition| format!("{definition}\n")).collect(),
        functions,
        steps.functions,
    ]
    .concat();
    let text = text(unit, &declarations, &body);
    let contract = contract(program, function);
    let implied_lengths = lengths.iter().filter_map(|length| Some(length.implied()?.option.clone())).collect();
    Ok(Some(Driver { text, roots: roots.names(), callables: callables.names(), contract, implied_lengths }))
}

/// Mentions all inputs, because the compiler describes only variables that are used.
fn kept(n_roots: usize) -> String {
    let addresses: String = (1..=n_roots).map(|number| format!("(const void *)&{}, ", variable(number))).collect();
    format!("static const void *const tine_kept[] __attribute__((used)) = {{ {addresses}0 }};\n")
}

/// Entry points of the runtime that the ordinary harness does not need.
const PROTOTYPES: &str = "extern void __tine_input(void *, unsigned long, const char *, unsigned);\n\
                          extern unsigned __tine_choice(unsigned, const char *);\n\
                          extern void __tine_state(unsigned);\n\
                          extern unsigned __tine_alive(const void *);\n";

/// Numbers of the objects that the function itself needs. Their makers make the others.
fn writer_order(objects: &[Object]) -> Vec<usize> {
    (1..).zip(objects).filter(|(_, object)| object.is_own).map(|(number, _)| number).collect()
}

/// An object of the harness, numbered from 1.
struct Object {
    ty: TypeId,
    declaration: String,
    /// The function under test takes it.
    is_own: bool,
    is_possible: bool,
}

struct Steps {
    functions: String,
    body: String,
}

struct Writer<'a> {
    program: &'a Program,
    target: &'a str,
    roots: Roots<'a>,
    objects: Vec<Object>,
    /// Functions that make the objects.
    functions: String,
}

impl Writer<'_> {
    /// Adds an object that the function under test takes. Returns its number.
    fn object(&mut self, ty: TypeId) -> Option<usize> {
        let number = self.made(ty, &mut Vec::new())?;
        self.objects[number - 1].is_own = true;
        Some(number)
    }

    /// Adds an object. Returns its number. `within` are the types whose makers need it.
    fn made(&mut self, ty: TypeId, within: &mut Vec<TypeId>) -> Option<usize> {
        let types = &self.program.types;
        let is_within = within.iter().any(|outer| is_same(types, *outer, ty));
        let makers = makers(self.program, ty, self.target);
        if makers.is_empty() || is_within || self.objects.len() >= MAX_OBJECTS {
            return None;
        }
        let number = self.objects.len() + 1;
        let plain = self.roots.unqualified(ty);
        let mut declaration = format!("static {};\n", types.declare(plain, &format!("*tine_object_{number}")));
        if types.size(ty).is_some() {
            let _ = writeln!(declaration, "static {};", types.declare(plain, &format!("tine_storage_{number}")));
        }
        self.objects.push(Object { ty, declaration, is_own: false, is_possible: false });
        within.push(ty);
        let mut cases = Vec::new();
        for (maker, how) in makers {
            if let Some(case) = self.making(maker, how, number, within) {
                cases.push(case);
            }
        }
        within.pop();
        self.objects[number - 1].is_possible = !cases.is_empty();
        let mut text = format!("static int tine_make_{number}(void) {{\n");
        text += &choice(&cases);
        let _ = writeln!(text, "    return !tine_object_{number};\n}}");
        self.functions += &text;
        (!cases.is_empty()).then_some(number)
    }

    /// Statements that make an object by one of its makers.
    fn making(&mut self, maker: &Function, how: How, number: usize, within: &mut Vec<TypeId>) -> Option<String> {
        let first = self.roots.len();
        let mut text = String::new();
        let mut arguments = Vec::new();
        for (index, parameter) in maker.params.iter().enumerate() {
            if how == How::Initialises && index == 0 {
                arguments.push(format!("&tine_storage_{number}"));
                continue;
            }
            if let Some(other) = pointee(self.program, parameter.ty).and_then(|to| self.made(to, within)) {
                let _ = writeln!(text, "        if (tine_make_{other}())\n            return 1;");
                arguments.push(format!("tine_object_{other}"));
                continue;
            }
            // A parent of the same type is left out.
            let is_within = |to| within.iter().any(|outer| is_same(&self.program.types, *outer, to));
            if pointee(self.program, parameter.ty).is_some_and(is_within) {
                arguments.push("0".to_owned());
                continue;
            }
            arguments.push(self.argument(maker, index)?);
        }
        let (call, arguments) = (self.begin(maker, first), arguments.join(", "));
        text += &call;
        let _ = match how {
            How::Returns => writeln!(text, "        tine_object_{number} = {}({arguments});", maker.name),
            How::Initialises => writeln!(
                text,
                "        (void){}({arguments});\n        tine_object_{number} = &tine_storage_{number};",
                maker.name
            ),
        };
        Some(text + &self.forget(first))
    }

    /// An input as an argument of a call that prepares the object.
    fn argument(&mut self, called: &Function, index: usize) -> Option<String> {
        self.roots.parameter(called, index).ok()
    }

    /// Announces a call and requests its arguments: the roots after `first`, including strings and buffers.
    fn begin(&self, called: &Function, first: usize) -> String {
        let types = &self.program.types;
        let mut text = format!("        __tine_input(0, 0, \"{}\", {});\n", called.name, InputKind::Call as u32);
        text += &self.roots.requests_from(first);
        for (index, ty) in self.roots.types().iter().enumerate().skip(first) {
            let Kind::Pointer { to } = types.kind(types.strip(*ty)) else { continue };
            let is_buffer = types.scalar(*to).is_some() || types.strip(*to) == TypeId::VOID;
            if is_buffer {
                let _ = writeln!(text, "        if (!{})\n            __tine_reject();", variable(index + 1));
            }
        }
        text
    }

    /// Statements after a call that reset its inputs, so that states with the same objects are equal.
    fn forget(&self, first: usize) -> String {
        let forget = |number| {
            let variable = variable(number);
            format!("        __builtin_memset((void *)&{variable}, 0, sizeof {variable});\n")
        };
        (first + 1..=self.roots.len()).map(forget).collect()
    }

    /// The calls before the function under test: functions that may change one of the objects.
    fn steps(&mut self) -> Steps {
        let program = self.program;
        let types = &program.types;
        let mut cases = Vec::new();
        let mut functions = String::new();
        for called in program.functions().iter().filter(|function| is_public(function)) {
            // A call before with invented memory would show errors that look like those of the last call.
            if called.name == self.target && self.invents(called) {
                continue;
            }
            let objects: Vec<usize> =
                (1..).zip(&self.objects).filter(|(_, object)| object.is_possible).map(|(number, _)| number).collect();
            if cases.len() >= MAX_CHANGERS || has_word(&called.name, &DESTROYS) {
                continue;
            }
            for number in objects {
                let ty = self.objects[number - 1].ty;
                if makes(program, called, ty, self.target) == Some(How::Initialises) {
                    continue;
                }
                let changes = |parameter: &tine_types::Parameter| {
                    pointee(program, parameter.ty).is_some_and(|to| {
                        is_same(types, to, ty) && !types.is_qualified(to, tine_types::graph::Qualifier::Const)
                    })
                };
                let Some(changed) = called.params.iter().position(changes) else { continue };
                if let Some(call) = self.step(called, number, changed) {
                    let name = format!("tine_step_{}_{number}", called.name);
                    let _ = writeln!(functions, "static int {name}(void) {{\n{call}    return 0;\n}}");
                    cases.push(name);
                }
            }
        }
        if cases.is_empty() {
            return Steps { functions, body: String::new() };
        }
        let n = cases.len() + 1;
        let mut body = format!(
            "    for (unsigned left = {MAX_STEPS}; left > 0; left--) {{\n        __tine_state(left);\n        \
             unsigned next = __tine_choice({n}, 0), over = 0;\n        if (next == 0)\n            break;\n        \
             switch (next) {{\n"
        );
        for (index, name) in cases.iter().enumerate() {
            let _ = writeln!(body, "        case {}:\n            over = {name}();\n            break;", index + 1);
        }
        body += "        }\n        if (over)\n            return 0;\n    }\n";
        Steps { functions, body }
    }

    /// True if a call of the function needs a structure that no function makes.
    fn invents(&self, called: &Function) -> bool {
        let is_invented = |to: TypeId| {
            let is_made = |object: &Object| object.is_possible && is_same(&self.program.types, object.ty, to);
            !self.objects.iter().any(is_made)
        };
        called.params.iter().any(|parameter| pointee(self.program, parameter.ty).is_some_and(is_invented))
    }

    /// Statements that call a function with object `number` as argument `changed`.
    fn step(&mut self, called: &Function, number: usize, changed: usize) -> Option<String> {
        let types = &self.program.types;
        let first = self.roots.len();
        let mut arguments = Vec::new();
        for (index, parameter) in called.params.iter().enumerate() {
            let other = pointee(self.program, parameter.ty).and_then(|to| {
                let fits = |object: &Object| object.is_possible && is_same(types, object.ty, to);
                self.objects.iter().rposition(fits).map(|index| index + 1)
            });
            match other {
                _ if index == changed => arguments.push(format!("tine_object_{number}")),
                Some(other) => arguments.push(format!("tine_object_{other}")),
                None => arguments.push(self.argument(called, index)?),
            }
        }
        let needed: String = (1..)
            .zip(&self.objects)
            .filter(|(other, _)| arguments.contains(&format!("tine_object_{other}")))
            .map(|(other, _)| format!("        if (!tine_object_{other})\n            return 1;\n"))
            .collect();
        let alive = format!("        if (!__tine_alive(tine_object_{number}))\n            return 1;\n");
        let call = format!("        (void){}({});\n", called.name, arguments.join(", "));
        Some([needed, self.begin(called, first), call, self.forget(first), alive].concat())
    }
}

/// Selection of one of several blocks of statements.
fn choice(cases: &[String]) -> String {
    match cases {
        [] => String::new(),
        [one] => format!("    {{\n{one}    }}\n"),
        many => {
            let mut text = format!("    switch (__tine_choice({}, 0)) {{\n", many.len());
            for (index, case) in many.iter().enumerate() {
                let _ = write!(text, "    case {index}: {{\n{case}        break;\n    }}\n");
            }
            text + "    }\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names_are_separated_by_signs_and_capitals() {
        for name in ["csv_init", "GifInit", "newThing", "XML_InitParser", "es_newStr"] {
            assert!(has_word(name, &INITIALISES), "{name}");
        }
        for name in ["initial_value", "renew", "list_open_ended_x2makes", "reopened"] {
            assert_eq!(has_word(name, &INITIALISES), name.contains("_open_"), "{name}");
        }
        assert!(has_word("yaml_parser_delete", &DESTROYS));
    }
}
