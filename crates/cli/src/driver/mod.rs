//! The driver of `tine test`: a C file that includes the unit and calls a function of it with inputs of its parameters'
//! types. Including the file reaches `static` functions and leaves every declaration as it is.
//!
//! Every input is a variable of the driver, `tine_in_1`, `tine_in_2` …, whose debug information tells the engine its
//! type; the engine makes whatever its pointers point to.

mod roots;

use std::fmt::Write as _;
use std::path::Path;

use tine_types::{Function, Program};

use roots::Roots;
pub(crate) use roots::Unsupported;

/// What is asked of the driver beside the function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    /// Predicates over the same parameters.
    pub(crate) requires: Vec<String>,
    /// Predicates over the parameters and, last, the result.
    pub(crate) ensures: Vec<String>,
}

/// A driver, and what the engine has to know of it.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub(crate) text: String,
    /// The variable of each input's type, by the number that the driver passes, from 1.
    pub(crate) roots: Vec<String>,
}

/// The driver that calls `function` once.
pub(crate) fn driver(
    program: &Program,
    function: &Function,
    unit: &Path,
    wishes: &Wishes,
) -> Result<Driver, Unsupported> {
    let mut roots = Roots::new(program);
    let arguments = roots.parameters(function)?;
    let arguments = arguments.join(", ");
    let mut body = roots.requests();
    for requires in &wishes.requires {
        let _ = writeln!(body, "    if (!{requires}({arguments}))\n        __tine_reject();");
    }
    body += &call(program, function, &arguments, wishes);
    Ok(Driver { text: text(unit, &roots.declarations(), &body), roots: roots.names() })
}

/// The call, and what must hold after it.
fn call(program: &Program, function: &Function, arguments: &str, wishes: &Wishes) -> String {
    use tine_trace::outcome::ErrorKind;
    let name = &function.name;
    if wishes.ensures.is_empty() {
        return format!("    (void){name}({arguments});\n");
    }
    let returns = function.ret != tine_types::TypeId::VOID;
    let mut text = String::new();
    let mut with_result = arguments.to_owned();
    if returns {
        let _ = writeln!(text, "    {} = {name}({arguments});", program.types.declare(function.ret, "tine_result"));
        with_result += if arguments.is_empty() { "tine_result" } else { ", tine_result" };
    } else {
        let _ = writeln!(text, "    {name}({arguments});");
    }
    for ensures in &wishes.ensures {
        let kind = ErrorKind::PostconditionFailure as u32;
        let _ = writeln!(
            text,
            "    if (!{ensures}({with_result}))\n        __tine_fail({kind}, \"{ensures}\", \"{}\", {});",
            function.file.escape_default(),
            function.line
        );
    }
    text
}

/// The whole file.
fn text(unit: &Path, declarations: &str, body: &str) -> String {
    format!(
        "/* Calls a function of the unit with inputs. */\n\
         extern void __tine_root(void *, unsigned long, const char *, unsigned, unsigned);\n\
         extern void __tine_length(void *const *, const void *, unsigned long, unsigned long);\n\
         extern void __tine_functions(void *const *, unsigned);\n\
         extern _Noreturn void __tine_reject(void);\n\
         extern void __tine_fail(unsigned, const char *, const char *, unsigned);\n\
         #undef main\n\
         #define main tine_main_of_the_unit\n\
         #include {unit}\n\
         #undef main\n\
         \n\
         {declarations}\n\
         int main(void) {{\n\
         {body}    return 0;\n\
         }}\n",
        unit = quoted(unit),
    )
}

/// A path as a C string: `#include` takes no escapes, so a path with a quote cannot be written.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}
