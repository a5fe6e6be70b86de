//! Functions and variables of a program, with lookup by name.

use crate::graph::{Kind, TypeGraph, TypeId};

/// Types, variables and functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Types.
    pub types: TypeGraph,
    functions: Vec<Function>,
    declared: Vec<Function>,
    variables: Vec<Variable>,
}

/// A function that the program defines.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name, qualified if the language has scopes: `space::f`.
    pub name: String,
    /// The linker's name, if it differs.
    pub symbol: Option<String>,
    /// File name as the compiler was given it.
    pub file: String,
    pub line: u32,
    /// True if visible to other files; false for C's `static`.
    pub external: bool,
    pub params: Vec<Parameter>,
    pub ret: TypeId,
    pub variadic: bool,
    /// False for C functions declared without the types of their parameters (`int f()`, K&R definitions).
    pub prototyped: bool,
    /// False if the function is inlined into all its callers and has no code of its own.
    pub has_code: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Option<String>,
    pub ty: TypeId,
}

/// A variable with static lifetime, outside of functions.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub file: String,
    pub line: u32,
    pub external: bool,
    pub ty: TypeId,
}

impl Program {
    /// Functions in the order of the debug information, file by file.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Functions that the program calls but does not define, if the debug information describes them.
    pub fn declared(&self) -> &[Function] {
        &self.declared
    }

    /// Global variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The function of that name: an external one if there is one, otherwise the first `static` one.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let named = |function: &&Function| function.name == name;
        self.functions
            .iter()
            .filter(named)
            .find(|function| function.external)
            .or_else(|| self.functions.iter().find(named))
    }

    /// The variable with this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        let named = |variable: &&Variable| variable.name == name;
        self.variables
            .iter()
            .filter(named)
            .find(|variable| variable.external)
            .or_else(|| self.variables.iter().find(named))
    }

    /// Names of functions that are similar to `name`, nearest first, at most three.
    pub fn nearest_functions(&self, name: &str) -> Vec<&str> {
        nearest(name, self.functions.iter().map(|function| function.name.as_str()))
    }

    /// Names of functions, variables and types that are similar to `name`.
    pub fn nearest_names(&self, name: &str) -> Vec<&str> {
        let functions = self.functions.iter().map(|function| function.name.as_str());
        let variables = self.variables.iter().map(|variable| variable.name.as_str());
        let types = self.types.iter().filter_map(|(_, ty)| ty.name.as_deref());
        // For `struct lits`, compare `lits` with `list`.
        let name = name.split_whitespace().last().unwrap_or(name);
        nearest(name, functions.chain(variables).chain(types))
    }

    /// `int scale(int x, char *s)`
    pub fn prototype(&self, function: &Function) -> String {
        let mut params: Vec<String> = function
            .params
            .iter()
            .map(|param| self.types.declare(param.ty, param.name.as_deref().unwrap_or_default()))
            .collect();
        if function.variadic {
            params.push("...".into());
        } else if params.is_empty() && function.prototyped {
            params.push("void".into());
        }
        self.types.declare(function.ret, &format!("{}({})", function.name, params.join(", ")))
    }

    /// Adds the functions of which variables named `prefix` and the function's name have the address. They belong to
    /// other files.
    #[must_use]
    pub fn with_functions_of(mut self, prefix: &str) -> Program {
        let pointers =
            self.variables.iter().filter_map(|variable| Some((variable.name.strip_prefix(prefix)?, variable.ty)));
        let mut found = Vec::new();
        for (name, ty) in pointers.filter(|(name, _)| self.function(name).is_none()) {
            let Kind::Pointer { to } = self.types.kind(self.types.strip(ty)) else { continue };
            let Kind::Function(signature) = self.types.kind(self.types.strip(*to)) else { continue };
            found.push(Function {
                name: name.to_owned(),
                symbol: None,
                file: String::new(),
                line: 0,
                external: true,
                params: signature.params.iter().map(|ty| Parameter { name: None, ty: *ty }).collect(),
                ret: signature.ret,
                variadic: signature.variadic,
                prototyped: signature.prototyped,
                has_code: true,
            });
        }
        self.functions.extend(found);
        self
    }

    pub(crate) fn add_function(&mut self, function: Function) -> usize {
        self.functions.push(function);
        self.functions.len() - 1
    }

    pub(crate) fn add_declared(&mut self, function: Function) {
        self.declared.push(function);
    }

    pub(crate) fn function_mut(&mut self, index: usize) -> &mut Function {
        &mut self.functions[index]
    }

    pub(crate) fn add_variable(&mut self, variable: Variable) {
        self.variables.push(variable);
    }
}

fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut near: Vec<(usize, &str)> =
        known.filter_map(|known| distance(name, known).map(|distance| (distance, known))).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Distance between `name` and `other`, if they are near enough for a suggestion: one typo per three letters, or one
/// name inside the other.
fn distance(name: &str, other: &str) -> Option<usize> {
    let (name, other) = (name.to_lowercase(), other.to_lowercase());
    let distance = strsim::damerau_levenshtein(&name, &other);
    let slips = name.chars().count().max(3) / 3;
    if distance <= slips {
        return Some(distance);
    }
    // `insert` for `list_insert`. Very short names are parts of too many others.
    let contains = name.len() >= 3 && other.len() >= 3 && (other.contains(&name) || name.contains(&other));
    contains.then_some(slips + distance)
}
