//! The harness of `tine sequence`: calls functions of the unit one after the other, on one object.
//!
//! ```c
//! static struct list *tine_object;
//! static int tine_call_add(void) {             // one per function; 1 if the sequence cannot continue
//!     __tine_input(0, 0, "add", …);            // makes the input readable as a sequence
//!     __tine_root(&tine_in_1, …);              // a fresh input for each argument
//!     add(tine_object, tine_in_1);
//!     …                                        // reset the input; check the object and its invariants
//! }
//! int main(void) {
//!     …                                        // plain names
//!     for (;;) { __tine_state(left); switch (__tine_choice(…)) { … } }
//! }
//! ```
//! All data between calls is in variables, where `__tine_state` sees it, except for the number of calls left.

mod calls;
mod object;

use std::fmt::Write as _;
use std::path::Path;

use tine_trace::map::{DRIVER_FILE, ENSURE, MAIN_OF_UNIT};
use tine_trace::outcome::ErrorKind;
use tine_trace::plan::InputKind;
use tine_types::{Function, Kind, Program, TypeId};

use super::callables::Callables;
use super::roots::{Roots, Unsupported, name_of, parse_types};
use super::{Driver, QUIET, Wishes, lengths, missing, quoted};
use crate::Error;

pub use calls::Calls;
use calls::Times;
use object::Object;
pub(super) use object::is_same;

/// Reasons why there is no harness.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Mistake {
    #[error("--calls {calls:?}: {what}")]
    Grammar { calls: String, what: String },
    #[error("--max-calls {max} is less than the {needed} calls that come first")]
    TooFew { max: u32, needed: usize },
    #[error("`{0}` makes no object: it neither returns a pointer or struct nor takes a pointer first")]
    NoObject(String),
    #[error("`{predicate}` has to take the object alone, and does not: `{prototype}`")]
    NoInvariant { predicate: String, prototype: String },
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

impl Mistake {
    /// Advice for the user.
    pub fn help(&self) -> &'static str {
        match self {
            Mistake::Grammar { .. } => "write names with commas between: `init,add*,remove*,find?`",
            Mistake::TooFew { .. } => "allow more calls",
            Mistake::NoObject(_) => "the first of --calls has to be the one that makes the object",
            Mistake::NoInvariant { .. } => {
                "write a function `int ok(const struct thing *)`, or of the type the object has"
            }
            Mistake::Unsupported(_) => {
                "write a function around it that makes this argument, and name that one in --calls"
            }
        }
    }
}

impl From<Mistake> for Error {
    fn from(why: Mistake) -> Error {
        Error::request(why.to_string(), why.help())
    }
}

/// Maximum number of lengths of a run, as the runtime has it.
const MAX_LENGTHS: u32 = 32;

/// The harness that makes sequences of calls.
pub fn driver(program: &Program, calls: &Calls, unit: &Path, wishes: &Wishes) -> Result<Driver, Error> {
    let object = Object::of(program, function(program, calls.constructor()))?;
    for predicate in wishes.requires.iter().chain(&wishes.ensures) {
        let function = function(program, predicate);
        if function.params.len() != 1 || object.argument(program, function.params[0].ty).is_none() {
            let prototype = program.prototype(function);
            return Err(Mistake::NoInvariant { predicate: predicate.clone(), prototype }.into());
        }
    }
    check_parameters(program, calls, wishes)?;
    let mut roots = Roots::new(program);
    for name in &wishes.globals {
        roots.global(name)?;
    }
    let globals = roots.requests();
    let mut writer = Writer { program, calls, object, roots, wishes };
    let mut functions = String::new();
    for name in calls.names() {
        functions += &writer.function(name)?;
    }
    let callables = Callables::new(program, &mut writer.roots, wishes)?;
    let variables: String = wishes.variables.iter().map(|definition| format!("{definition}\n")).collect();
    let declarations = writer.declarations() + &callables.definitions();
    let main = writer.main(&(callables.announcement() + &globals));
    let text = [prologue(unit), missing(&wishes.missing), variables, declarations, functions, main].join("\n");
    let (roots, callables) = (writer.roots.names(), callables.names());
    Ok(Driver { text, roots, callables, contract: None, implied_lengths: Vec::new() })
}

/// Fails if `--len` or `--type` names a parameter that no call has.
fn check_parameters(program: &Program, calls: &Calls, wishes: &Wishes) -> Result<(), Error> {
    for (flag, values) in [("--len", &wishes.lengths), ("--type", &wishes.types)] {
        let is_used = |text: &&String| calls.names().any(|name| names_parameter(function(program, name), text));
        if let Some(text) = values.iter().find(|text| !is_used(text)) {
            let name = text.split('=').next().unwrap_or_default();
            let what = format!("{flag}: none of the calls has a parameter `{name}`");
            return Err(Error::request(what, "name a parameter of one of --calls"));
        }
    }
    if wishes.lengths.len() as u32 * calls.max() > MAX_LENGTHS {
        let what = format!("--len: {} lengths are too many for {} calls", wishes.lengths.len(), calls.max());
        return Err(Error::request(what, format!("their product is at most {MAX_LENGTHS}: lower --max-calls")));
    }
    Ok(())
}

/// True if the text before `=` is a parameter of the function.
fn names_parameter(function: &Function, text: &str) -> bool {
    let name = text.split('=').next();
    function.params.iter().any(|parameter| parameter.name.as_deref() == name)
}

/// Looks up a function that must exist.
fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.function(name).unwrap_or_else(|| panic!("`{name}` was looked up before"))
}

struct Writer<'a> {
    program: &'a Program,
    calls: &'a Calls,
    object: Object,
    roots: Roots<'a>,
    wishes: &'a Wishes,
}

impl Writer<'_> {
    /// The calls whose results may be passed to a parameter of this type, by name.
    fn results_for(&self, ty: TypeId) -> Vec<&str> {
        let types = &self.program.types;
        let is_object =
            matches!(types.kind(types.strip(ty)), Kind::Pointer { .. } | Kind::Struct { .. } | Kind::Union { .. });
        let gives =
            |name: &&str| *name != self.calls.constructor() && is_same(types, function(self.program, name).ret, ty);
        if is_object { self.calls.names().filter(gives).collect() } else { Vec::new() }
    }

    /// True if some parameter may get the results of a call.
    fn is_kept(&self, name: &str) -> bool {
        let parameters = self.calls.names().flat_map(|name| &function(self.program, name).params);
        parameters.into_iter().any(|parameter| self.results_for(parameter.ty).contains(&name))
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        matches!(types.kind(types.strip(ty)), Kind::Pointer { .. })
    }

    /// Declarations of the object, the inputs, results for later calls, and flags of calls that are used up.
    fn declarations(&self) -> String {
        let types = &self.program.types;
        let mut text = format!("static {};\n", self.object.declaration(types));
        text += &self.roots.declarations();
        for name in self.calls.names().filter(|name| self.is_kept(name)) {
            let ret = self.roots.unqualified(function(self.program, name).ret);
            let _ = writeln!(text, "static {};", types.declare(ret, &format!("tine_result_{name}")));
            let _ = writeln!(text, "static unsigned tine_has_{name};");
        }
        for (name, _) in self.calls.rest().filter(|(_, times)| *times == Times::Once) {
            let _ = writeln!(text, "static unsigned tine_used_{name};");
        }
        text
    }

    /// The function that makes one call.
    fn function(&mut self, name: &str) -> Result<String, Error> {
        let called = function(self.program, name);
        let constructs = name == self.calls.constructor();
        let first = self.roots.len();
        self.roots.begin_scope();
        let is_checked = !self.wishes.requires.is_empty() || !self.wishes.ensures.is_empty();
        let mut text = if is_checked { self.checks(called) } else { String::new() };
        let _ = writeln!(text, "static int tine_call_{name}(void) {{");
        let _ = writeln!(text, "    __tine_input(0, 0, \"{name}\", {});", InputKind::Call as u32);
        let mut arguments = Vec::new();
        for index in 0..called.params.len() {
            let ty = called.params[index].ty;
            // A constructor that returns the object takes no object.
            let object = self.object.argument(self.program, ty).filter(|_| !constructs || self.object.is_owned);
            arguments.push(self.argument(called, index, object, &mut text)?);
        }
        text += &self.lengths(called)?;
        text += &self.call(called, constructs, &arguments.join(", "));
        for number in first..self.roots.len() {
            let variable = super::roots::variable(number + 1);
            let _ = writeln!(text, "    __builtin_memset(&{variable}, 0, sizeof {variable});");
        }
        if self.calls.rest().any(|(other, times)| other == name && times == Times::Once) {
            let _ = writeln!(text, "    tine_used_{name} = 1;");
        }
        if !self.object.is_owned && self.is_pointer(self.object.ty) {
            text += "    if (!__tine_alive(tine_object))\n        return 1;\n";
        }
        if is_checked {
            let _ = writeln!(text, "    {ENSURE}{name}();");
        }
        text += "    return 0;\n}\n";
        Ok(text)
    }

    /// The expression of an argument. Statements that it needs are added to `text`.
    fn argument(
        &mut self,
        called: &Function,
        index: usize,
        object: Option<String>,
        text: &mut String,
    ) -> Result<String, Error> {
        let ty = called.params[index].ty;
        let results: Vec<String> = self.results_for(ty).into_iter().map(str::to_owned).collect();
        let first = self.roots.len();
        let usual = match object {
            Some(object) => object,
            None => {
                let own = self.wishes.types.iter().filter(|text| names_parameter(called, text)).cloned();
                let chosen = parse_types(self.program, called, &own.collect::<Vec<_>>())?;
                match self.roots.typed(called, index, &chosen) {
                    Some(argument) => argument,
                    None => self.roots.parameter(called, index).map_err(Mistake::from)?,
                }
            }
        };
        let request = self.roots.requests_from(first);
        if results.is_empty() {
            *text += &request;
            return Ok(usual);
        }
        let argument = format!("tine_argument_{index}");
        let declaration = self.program.types.declare(self.roots.unqualified(ty), &argument);
        let _ = writeln!(text, "    {declaration};");
        if self.is_pointer(ty) {
            for result in &results {
                let _ = writeln!(
                    text,
                    "    if (tine_has_{result})\n        tine_has_{result} = __tine_alive(tine_result_{result});"
                );
            }
        }
        let n_kept: String = results.iter().map(|result| format!(" + tine_has_{result}")).collect();
        let _ = writeln!(
            text,
            "    unsigned tine_from_{index} = __tine_choice(1{n_kept}, 0);\n    if (tine_from_{index} == 0) {{"
        );
        let _ = writeln!(text, "{request}        {argument} = {usual};");
        for result in &results {
            let passed = format!("{} = result of {result}", name_of(called, index)).escape_default().to_string();
            let kind = InputKind::Passed as u32;
            let _ = writeln!(
                text,
                "    }} else if (tine_has_{result} && --tine_from_{index} == 0) {{\n        \
                 __tine_input(0, 0, \"{passed}\", {kind});\n        {argument} = tine_result_{result};"
            );
        }
        *text += "    } else {\n        __builtin_unreachable();\n    }\n";
        Ok(argument)
    }

    /// Statements about the lengths of arrays that the call gets.
    fn lengths(&self, called: &Function) -> Result<String, Error> {
        let own: Vec<String> =
            self.wishes.lengths.iter().filter(|text| names_parameter(called, text)).cloned().collect();
        let mut text = String::new();
        for stated in own {
            let name = stated.split('=').next().unwrap_or_default();
            let Some(variable) = self.roots.variable_of(name) else {
                let what = format!("--len: `{name}` of `{}` is the object", called.name);
                return Err(Error::request(what, "leave it out"));
            };
            let variable = variable.to_owned();
            for length in lengths::parse(self.program, called, &self.roots, &[stated])? {
                // The result of another call, which may be passed instead, has its own length.
                let _ = writeln!(text, "    if ({variable} || {}) {{", self.is_always_new(called, &variable));
                text += &length.statements(self.wishes.max_elements);
                text += "    }\n";
            }
        }
        Ok(text)
    }

    /// 1 if the parameter never gets the result of another call.
    fn is_always_new(&self, called: &Function, variable: &str) -> u32 {
        let is_it = |index: &usize| self.roots.variable_of(&name_of(called, *index)) == Some(variable);
        let index = (0..called.params.len()).find(is_it);
        u32::from(index.is_none_or(|index| self.results_for(called.params[index].ty).is_empty()))
    }

    /// The call itself, and the treatment of its result.
    fn call(&self, called: &Function, constructs: bool, arguments: &str) -> String {
        let name = &called.name;
        if constructs && !self.object.is_owned {
            return format!("    tine_object = {name}({arguments});\n");
        }
        if !self.is_kept(name) {
            return format!("    (void){name}({arguments});\n");
        }
        let ret = self.roots.unqualified(called.ret);
        let declaration = self.program.types.declare(ret, "tine_returned");
        let mut text = format!("    {declaration} = {name}({arguments});\n");
        let keep = format!("tine_result_{name} = tine_returned;\n    tine_has_{name} = 1;\n");
        // NULL is not passed to later calls.
        if self.is_pointer(ret) {
            let _ = writeln!(text, "    if (tine_returned) {{\n        {keep}    }}");
        } else {
            text += &format!("    {keep}");
        }
        text
    }

    /// Invariants of the object after a call. Their function has the source position of the called one, so failures are
    /// reported there.
    fn checks(&self, called: &Function) -> String {
        let (file, line, name) = (called.file.escape_default(), called.line, &called.name);
        let mut text =
            format!("#line {line} \"{file}\"\nstatic __attribute__((noinline)) void {ENSURE}{name}(void) {{");
        let argument = |predicate: &str| {
            let taken = function(self.program, predicate).params[0].ty;
            self.object.argument(self.program, taken).unwrap_or_default()
        };
        for requires in &self.wishes.requires {
            let _ = write!(text, " if (!{requires}({})) __tine_reject();", argument(requires));
        }
        for ensures in &self.wishes.ensures {
            let kind = ErrorKind::PostconditionFailure as u32;
            let fail = format!("__tine_fail({kind}, \"{ensures}\", \"{file}\", {line})");
            let _ = write!(text, " if (!{ensures}({})) {fail};", argument(ensures));
        }
        let _ = writeln!(text, " }}\n#line 1 \"{DRIVER_FILE}\"");
        text
    }

    /// `begin`: the first statements.
    fn main(&self, begin: &str) -> String {
        let mut text = format!("int main(void) {{\n{begin}");
        for name in self.calls.first() {
            let _ = writeln!(text, "    if (tine_call_{name}())\n        return 0;");
        }
        let n_first = self.calls.first().count() as u32;
        let n_rest = self.calls.rest().count();
        if n_rest == 0 {
            return text + "    return 0;\n}\n";
        }
        let _ = writeln!(text, "    for (unsigned left = {};; left--) {{", self.calls.max() - n_first);
        let _ = writeln!(text, "        unsigned calls[{n_rest}], n = 0;");
        for (index, (name, times)) in self.calls.rest().enumerate() {
            match times {
                Times::Any => _ = writeln!(text, "        calls[n++] = {index};"),
                Times::Once => _ = writeln!(text, "        if (!tine_used_{name})\n            calls[n++] = {index};"),
            }
        }
        text += "        if (n == 0)\n            return 0;\n        __tine_state(left);\n        \
                 if (left == 0)\n            return 0;\n        \
                 unsigned next = __tine_choice(n + 1, 0), over = 0;\n        \
                 if (next == 0)\n            return 0;\n        \
                 switch (calls[next - 1]) {\n";
        for (index, (name, _)) in self.calls.rest().enumerate() {
            let _ = writeln!(text, "        case {index}:\n            over = tine_call_{name}();\n            break;");
        }
        text + "        }\n        if (over)\n            return 0;\n    }\n}\n"
    }
}

fn prologue(unit: &Path) -> String {
    format!(
        "/* Calls functions of the unit one after the other. */\n\
         {QUIET}\
         extern void __tine_input(void *, unsigned long, const char *, unsigned);\n\
         extern void __tine_length(void *const *, const void *, unsigned long, unsigned long, unsigned);\n\
         extern void __tine_functions(void *const *, unsigned);\n\
         extern struct _IO_FILE *__tine_stream(const char *, unsigned);\n\
         extern __attribute__((noreturn)) void __tine_beyond(void);\n\
         extern void __tine_root(void *, unsigned long, const char *, unsigned, unsigned);\n\
         extern unsigned __tine_choice(unsigned, const char *);\n\
         extern void __tine_state(unsigned);\n\
         extern unsigned __tine_alive(const void *);\n\
         extern __attribute__((noreturn)) void __tine_reject(void);\n\
         extern __attribute__((noreturn)) void __tine_missing(const char *);\n\
         extern void __tine_fail(unsigned, const char *, const char *, unsigned);\n\
         #undef main\n\
         #define main {MAIN_OF_UNIT}\n\
         #pragma clang diagnostic pop\n\
         #include {}\n\
         #undef main\n\
         #pragma clang diagnostic ignored \"-Weverything\"\n\
         \n\
         #line 1 \"{DRIVER_FILE}\"\n",
        quoted(unit)
    )
}
