//! What input pointers to functions may point to: functions of the unit whose address is taken, and for each type of
//! function a stub that returns an input. Functions without a body become such stubs, too.

use std::fmt::Write as _;

use tine_types::{Function, Kind, Program, TypeId};

use super::Wishes;
use super::roots::Roots;
use crate::failure::Failure;

#[derive(Debug)]
pub(super) struct Callables {
    names: Vec<String>,
    definitions: String,
}

impl Callables {
    /// Adds the stubs' results to the roots.
    pub(super) fn new(program: &Program, roots: &mut Roots<'_>, wishes: &Wishes) -> Result<Callables, Failure> {
        let mut callables = Callables { names: Vec::new(), definitions: String::new() };
        let mut types = roots.types().to_vec();
        for stub in &wishes.stubs {
            types.push(stub.ret);
            callables.define(program, roots, &stub.name, &prototype(program, stub), stub.ret, false)?;
        }
        let signatures = signatures(program, &types);
        if signatures.is_empty() {
            return Ok(callables);
        }
        callables.names.extend(wishes.address_taken.iter().cloned());
        for (index, signature) in signatures.iter().enumerate() {
            let Kind::Function(function) = program.types.kind(*signature) else { continue };
            let name = format!("tine_stub_{}", index + 1);
            let prototype = program.types.declare(*signature, &name);
            callables.define(program, roots, &name, &prototype, function.ret, true)?;
            callables.names.push(name);
        }
        Ok(callables)
    }

    /// A function that returns an input each time it is called.
    fn define(
        &mut self,
        program: &Program,
        roots: &mut Roots<'_>,
        name: &str,
        prototype: &str,
        ret: TypeId,
        is_static: bool,
    ) -> Result<(), Failure> {
        let linkage = if is_static { "static " } else { "" };
        if program.types.strip(ret) == TypeId::VOID {
            let _ = writeln!(self.definitions, "{linkage}{prototype} {{}}");
            return Ok(());
        }
        let result = roots.add(format!("{name}()"), ret).map_err(|what| {
            Failure::usage(
                format!("the stub `{name}` returns {what}, which cannot be an input"),
                "give a file that defines it",
            )
        })?;
        let request = roots.last_request();
        let _ = writeln!(self.definitions, "{linkage}{prototype} {{\n{request}    return {result};\n}}");
        Ok(())
    }

    /// C text, behind the roots' declarations.
    pub(super) fn definitions(&self) -> String {
        let mut text = self.definitions.clone();
        if !self.names.is_empty() {
            let table: Vec<String> = self.names.iter().map(|name| format!("(void *){name}")).collect();
            let _ = writeln!(text, "static void *const tine_functions[] = {{ {} }};", table.join(", "));
        }
        text
    }

    /// The statement that tells the runtime about them, before any other.
    pub(super) fn announcement(&self) -> String {
        match self.names.len() {
            0 => String::new(),
            n => format!("    __tine_functions(tine_functions, {n});\n"),
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.names.clone()
    }
}

fn prototype(program: &Program, function: &Function) -> String {
    let mut params: Vec<String> =
        function.params.iter().map(|parameter| program.types.describe(parameter.ty)).collect();
    if function.variadic {
        params.push("...".into());
    } else if params.is_empty() {
        params.push("void".into());
    }
    program.types.declare(function.ret, &format!("{}({})", function.name, params.join(", ")))
}

/// Types of functions that pointers reachable from values of these types point to, each once.
fn signatures(program: &Program, roots: &[TypeId]) -> Vec<TypeId> {
    let types = &program.types;
    let mut pending = roots.to_vec();
    let mut seen = std::collections::HashSet::new();
    let mut found: Vec<TypeId> = Vec::new();
    while let Some(ty) = pending.pop() {
        let ty = types.strip(ty);
        if !seen.insert(ty) {
            continue;
        }
        match types.kind(ty) {
            Kind::Pointer { to } => pending.push(*to),
            Kind::Array { element, .. } => pending.push(*element),
            Kind::Struct { members } | Kind::Union { members } => pending.extend(members.iter().map(|m| m.ty)),
            Kind::Function(signature) => {
                pending.push(signature.ret);
                if !found.iter().any(|known| types.describe(*known) == types.describe(ty)) {
                    found.push(ty);
                }
            }
            _ => {}
        }
    }
    found
}
