//! The input variables, with their C types.

use std::fmt::Write as _;

use tine_trace::plan::{InputKind, ZERO_FILL};
use tine_types::graph::Qualifier;
use tine_types::{Function, Kind, Program, Scalar, ScalarKind, TypeId};

use crate::Error;

/// A parameter that cannot be an input.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{function}` takes `{declaration}`, and {what} cannot be an input")]
pub struct Unsupported {
    function: String,
    declaration: String,
    what: String,
}

/// One variable.
#[derive(Clone, Debug)]
struct Root {
    /// The user's name.
    name: String,
    /// The harness's name.
    variable: String,
    /// Its declaration, if it belongs to the harness.
    declaration: Option<String>,
    kind: u32,
}

#[derive(Debug)]
pub(super) struct Roots<'a> {
    program: &'a Program,
    roots: Vec<Root>,
    /// Types of the inputs.
    types: Vec<TypeId>,
    /// Number of the first variable that names refer to.
    scope: usize,
}

impl<'a> Roots<'a> {
    pub(super) fn new(program: &'a Program) -> Roots<'a> {
        Roots { program, roots: Vec::new(), types: Vec::new(), scope: 0 }
    }

    /// Adds a variable per parameter. Returns the arguments of the call. `chosen` has the target types of untyped
    /// pointers.
    pub(super) fn parameters(&mut self, function: &Function, chosen: &[String]) -> Result<Vec<String>, Error> {
        let chosen = parse_types(self.program, function, chosen)?;
        let mut arguments = Vec::new();
        for (index, parameter) in function.params.iter().enumerate() {
            if let Some(argument) = self.typed(function, index, &chosen) {
                arguments.push(argument);
                continue;
            }
            let argument = self.parameter(function, index).map_err(|why| {
                Error::request(
                    why.to_string(),
                    "write a `main` with tine.h that makes this input, build it with `tine cc` and use `tine run`",
                )
            })?;
            // The stream is chosen here: the library, to which most streams are passed, makes no decisions.
            arguments.push(match self.is_stream(parameter.ty) {
                true => format!("tine_stream({argument})"),
                false => argument,
            });
        }
        Ok(arguments)
    }

    /// Adds a variable for a parameter whose target type was chosen. Returns the argument.
    pub(super) fn typed(&mut self, function: &Function, index: usize, chosen: &[(String, String)]) -> Option<String> {
        let name = name_of(function, index);
        let (_, pointee) = chosen.iter().find(|(known, _)| *known == name)?;
        let variable = self.variable();
        let declaration = format!("{pointee} *{variable}");
        let argument = format!("({}){variable}", self.program.types.describe(function.params[index].ty));
        let kind = InputKind::Pointer as u32 | ZERO_FILL;
        self.roots.push(Root { name, variable, declaration: Some(declaration), kind });
        let pointee = self.program.types.named(pointee.rsplit(' ').next().unwrap_or(pointee));
        self.types.push(pointee.unwrap_or(TypeId::VOID));
        Some(argument)
    }

    /// From now on, names refer to variables that are added later.
    pub(super) fn begin_scope(&mut self) {
        self.scope = self.roots.len();
    }

    /// Adds a variable for one parameter. Returns its name.
    pub(super) fn parameter(&mut self, function: &Function, index: usize) -> Result<String, Unsupported> {
        let ty = function.params[index].ty;
        let name = name_of(function, index);
        let declaration = self.program.types.declare(ty, &name);
        self.add(name, ty).map_err(|what| Unsupported { function: function.name.clone(), declaration, what })
    }

    /// Adds a variable of the harness. Returns its name, or a description of the type that cannot be an input.
    pub(super) fn add(&mut self, name: String, ty: TypeId) -> Result<String, String> {
        let ty = self.unqualified(ty);
        let kind = self.kind(ty)?;
        let variable = self.variable();
        let declaration = Some(self.program.types.declare(ty, &variable));
        self.roots.push(Root { name, variable: variable.clone(), declaration, kind });
        self.types.push(ty);
        Ok(variable)
    }

    /// A global variable of the unit.
    pub(super) fn global(&mut self, name: &str) -> Result<(), Error> {
        let Some(variable) = self.program.variable(name) else {
            let known: Vec<String> =
                self.program.variables().iter().take(5).map(|variable| format!("`{}`", variable.name)).collect();
            let help = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
            return Err(Error::request(format!("the unit has no global variable `{name}`"), help));
        };
        let kind = self.kind(self.unqualified(variable.ty)).map_err(|what| {
            Error::request(format!("the global variable `{name}` is {what}, which cannot be an input"), "leave it out")
        })?;
        self.roots.push(Root { name: name.to_owned(), variable: name.to_owned(), declaration: None, kind });
        self.types.push(variable.ty);
        Ok(())
    }

    fn variable(&self) -> String {
        variable(self.roots.len() + 1)
    }

    /// The type without its own qualifiers, because the harness writes to it.
    pub(super) fn unqualified(&self, ty: TypeId) -> TypeId {
        let types = &self.program.types;
        let mut ty = ty;
        while let Kind::Qualified { to, .. } = types.kind(ty) {
            ty = *to;
        }
        if types.is_qualified(ty, Qualifier::Const) { types.strip(ty) } else { ty }
    }

    /// The kind of display and fill for an input of the type, or a description of the type that cannot be an input.
    fn kind(&self, ty: TypeId) -> Result<u32, String> {
        let types = &self.program.types;
        if let Some(scalar) = types.scalar(ty) {
            return scalar_kind(scalar).ok_or_else(|| "a number of this width".to_owned());
        }
        match types.kind(types.strip(ty)) {
            Kind::Pointer { .. } => Ok(InputKind::Pointer as u32 | ZERO_FILL),
            Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. } if types.size(ty).is_some() => {
                Ok(InputKind::Bytes as u32 | ZERO_FILL)
            }
            Kind::Unsupported(what) => Err(what.clone()),
            _ => Err("a value of this type".to_owned()),
        }
    }

    /// `static struct list *tine_in_1;` …
    pub(super) fn declarations(&self) -> String {
        let declarations = self.roots.iter().filter_map(|root| root.declaration.as_ref());
        declarations.map(|declaration| format!("static {declaration};\n")).collect()
    }

    /// Statements that request all of them.
    pub(super) fn requests(&self) -> String {
        self.requests_from(0)
    }

    /// [`Roots::requests`] without those of the first `first` variables.
    pub(super) fn requests_from(&self, first: usize) -> String {
        (first + 1..=self.roots.len()).map(|number| self.request(number)).collect()
    }

    /// Number of variables so far.
    pub(super) fn len(&self) -> usize {
        self.roots.len()
    }

    /// The statement that requests the last variable.
    pub(super) fn last_request(&self) -> String {
        self.request(self.roots.len())
    }

    /// Number of variables that are pointers to streams.
    pub(super) fn n_streams(&self) -> usize {
        self.types.iter().filter(|ty| self.is_stream(**ty)).count()
    }

    /// True if the type is a pointer to a stream.
    pub(super) fn is_stream(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        matches!(types.kind(types.strip(ty)), Kind::Pointer { to } if types.is_stream(*to))
    }

    /// The statement that requests one variable.
    pub(super) fn request(&self, number: usize) -> String {
        let Root { name, variable, kind, .. } = &self.roots[number - 1];
        let mut text = String::new();
        let name = name.escape_default();
        let _ =
            writeln!(text, "    __tine_root((void *)&{variable}, sizeof {variable}, \"{name}\", {kind}, {number});");
        text
    }

    /// The harness's name for the input that the user calls `name`.
    pub(super) fn variable_of(&self, name: &str) -> Option<&str> {
        self.roots[self.scope..].iter().find(|root| root.name == name).map(|root| root.variable.as_str())
    }

    /// Names of the variables, by number from 1.
    pub(super) fn names(&self) -> Vec<String> {
        self.roots.iter().map(|root| root.variable.clone()).collect()
    }

    pub(super) fn types(&self) -> &[TypeId] {
        &self.types
    }
}

/// The name of a parameter.
pub(super) fn name_of(function: &Function, index: usize) -> String {
    function.params[index].name.clone().unwrap_or_else(|| format!("arg{index}"))
}

/// Name of the harness's variable `number`.
pub(super) fn variable(number: usize) -> String {
    format!("tine_in_{number}")
}

/// `--type PARAM=TYPE`.
pub(super) fn parse_types(
    program: &Program,
    function: &Function,
    chosen: &[String],
) -> Result<Vec<(String, String)>, Error> {
    let mut found: Vec<(String, String)> = Vec::new();
    for text in chosen {
        let (name, ty) = text.split_once('=').ok_or_else(|| {
            Error::request(format!("--type {text:?} has no `=`"), "write PARAM=TYPE, as in --type \"data=struct item\"")
        })?;
        let help = "--type is for a `void *` or a pointer to an opaque type; leave it out";
        pointer_parameter(program, function, name, "--type", help)?;
        if found.iter().any(|(known, _)| known == name) {
            return Err(Error::request(format!("--type: two types for `{name}`"), "give one of them"));
        }
        // `struct item *` means the same as `struct item`.
        found.push((name.to_owned(), ty.trim().trim_end_matches('*').trim_end().to_owned()));
    }
    Ok(found)
}

/// Fails if `name` is not a parameter of the function that points to objects.
pub(super) fn pointer_parameter(
    program: &Program,
    function: &Function,
    name: &str,
    flag: &str,
    help: &str,
) -> Result<(), Error> {
    let types = &program.types;
    let ty = known_parameter(function, name, flag)?;
    let declaration = types.declare(ty, name);
    match types.kind(types.strip(ty)) {
        Kind::Pointer { to } if matches!(types.kind(types.strip(*to)), Kind::Function(_)) => {
            Err(Error::request(format!("{flag}: `{declaration}` points to a function"), help))
        }
        Kind::Pointer { .. } => Ok(()),
        _ => Err(Error::request(format!("{flag}: `{declaration}` is not a pointer"), help)),
    }
}

/// The type of a parameter. If `name` is unknown, the error lists the parameters.
pub(super) fn known_parameter(function: &Function, name: &str, flag: &str) -> Result<TypeId, Error> {
    if let Some(parameter) = function.params.iter().find(|parameter| parameter.name.as_deref() == Some(name)) {
        return Ok(parameter.ty);
    }
    let names: Vec<&str> = function.params.iter().filter_map(|parameter| parameter.name.as_deref()).collect();
    let help = if names.is_empty() {
        "it takes none that has a name".to_owned()
    } else {
        format!("its parameters are `{}`", names.join("`, `"))
    };
    Err(Error::request(format!("{flag}: `{}` has no parameter `{name}`", function.name), help))
}

fn scalar_kind(scalar: Scalar) -> Option<u32> {
    Some(match (scalar.kind, scalar.size) {
        (ScalarKind::Bool, 1) => InputKind::Bool as u32 | ZERO_FILL,
        (ScalarKind::Char, 1) => InputKind::Char as u32,
        (ScalarKind::Signed, 1 | 2 | 4 | 8 | 16) => InputKind::Signed as u32,
        (ScalarKind::Unsigned, 1 | 2 | 4 | 8 | 16) => InputKind::Unsigned as u32,
        (ScalarKind::Float, 4 | 8) => InputKind::Float as u32,
        _ => return None,
    })
}
