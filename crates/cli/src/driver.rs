//! The driver of `tine test --fn`: a C file that includes the unit and calls the function with inputs of
//! its parameters' types. Including the file reaches `static` functions and leaves every declaration as it is.

use std::fmt::Write as _;
use std::path::Path;

use tine_trace::plan::InputKind;
use tine_types::{Function, Program, Scalar, ScalarKind};

/// A parameter that cannot be an input yet.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{function}` takes `{declaration}`, and {what} cannot be an input yet")]
pub(crate) struct Unsupported {
    pub(crate) function: String,
    pub(crate) declaration: String,
    pub(crate) what: &'static str,
}

/// The text of the driver.
pub(crate) fn driver(program: &Program, function: &Function, unit: &Path) -> Result<String, Unsupported> {
    let mut inputs = String::new();
    let mut arguments = Vec::new();
    for (index, parameter) in function.params.iter().enumerate() {
        let name = parameter.name.clone().unwrap_or_else(|| format!("arg{index}"));
        let scalar = program.types.scalar(parameter.ty).ok_or_else(|| Unsupported {
            function: function.name.clone(),
            declaration: program.types.declare(parameter.ty, &name),
            what: what_it_is(program, parameter.ty),
        })?;
        let (ty, kind) = c_type(scalar).ok_or_else(|| Unsupported {
            function: function.name.clone(),
            declaration: program.types.declare(parameter.ty, &name),
            what: "a number of this width",
        })?;
        let variable = format!("tine_arg{index}");
        let _ = writeln!(inputs, "    {ty} {variable};");
        let _ = writeln!(inputs, "    __tine_input(&{variable}, sizeof {variable}, \"{name}\", {});", kind as u32);
        // A `_Bool` is 0 or 1 whatever its byte says.
        arguments.push(if kind == InputKind::Bool { format!("{variable} & 1") } else { variable });
    }
    Ok(format!(
        "/* Calls `{name}` with its parameters as inputs. */\n\
         extern void __tine_input(void *, unsigned long, const char *, unsigned);\n\
         #undef main\n\
         #define main tine_main_of_the_unit\n\
         #include {unit}\n\
         #undef main\n\
         \n\
         int main(void) {{\n\
         {inputs}    (void){name}({arguments});\n\
         \x20   return 0;\n\
         }}\n",
        name = function.name,
        unit = quoted(unit),
        arguments = arguments.join(", "),
    ))
}

/// A path as a C string: `#include` takes no escapes, so a path with a quote cannot be written.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

fn what_it_is(program: &Program, ty: tine_types::TypeId) -> &'static str {
    use tine_types::Kind;
    match program.types.kind(program.types.strip(ty)) {
        Kind::Pointer { .. } => "a pointer",
        Kind::Struct { .. } => "a structure",
        Kind::Union { .. } => "a union",
        _ => "a value of this type",
    }
}

/// The C type of an input and how it is shown.
fn c_type(scalar: Scalar) -> Option<(&'static str, InputKind)> {
    Some(match (scalar.kind, scalar.size) {
        (ScalarKind::Bool, 1) => ("unsigned char", InputKind::Bool),
        (ScalarKind::Char, 1) => ("char", InputKind::Char),
        (ScalarKind::Signed, 1) => ("signed char", InputKind::Signed),
        (ScalarKind::Signed, 2) => ("short", InputKind::Signed),
        (ScalarKind::Signed, 4) => ("int", InputKind::Signed),
        (ScalarKind::Signed, 8) => ("long", InputKind::Signed),
        (ScalarKind::Signed, 16) => ("__int128", InputKind::Signed),
        (ScalarKind::Unsigned, 1) => ("unsigned char", InputKind::Unsigned),
        (ScalarKind::Unsigned, 2) => ("unsigned short", InputKind::Unsigned),
        (ScalarKind::Unsigned, 4) => ("unsigned", InputKind::Unsigned),
        (ScalarKind::Unsigned, 8) => ("unsigned long", InputKind::Unsigned),
        (ScalarKind::Unsigned, 16) => ("unsigned __int128", InputKind::Unsigned),
        (ScalarKind::Float, 4) => ("float", InputKind::Float),
        (ScalarKind::Float, 8) => ("double", InputKind::Float),
        _ => return None,
    })
}
