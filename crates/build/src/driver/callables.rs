//! Targets of input pointers to functions: functions of the unit whose address is taken, and a stub that returns an
//! input for each function type. Undefined functions become such stubs, too.
//!
//! Pointers to `FILE` point to streams, which the C library opens when the harness starts: one, or as many as the
//! function takes.

use std::fmt::Write as _;

use tine_types::{Function, Kind, Program, TypeId};

use super::Wishes;
use super::roots::Roots;
use crate::Error;

/// Maximum number of streams.
const MAX_STREAMS: usize = 3;

#[derive(Debug)]
pub(super) struct Callables {
    /// Names of functions, followed by streams.
    names: Vec<String>,
    n_streams: usize,
    /// Maximum size of a stream in bytes.
    capacity: u32,
    definitions: String,
}

impl Callables {
    /// Collects the callables. Adds the results of the stubs to the roots.
    pub(super) fn new(program: &Program, roots: &mut Roots<'_>, wishes: &Wishes) -> Result<Callables, Error> {
        let mut callables =
            Callables { names: Vec::new(), n_streams: 0, capacity: wishes.max_elements, definitions: String::new() };
        let mut types = roots.types().to_vec();
        for stub in &wishes.stubs {
            types.push(stub.ret);
            callables.define(program, roots, &stub.name, &prototype(program, stub), stub.ret, false)?;
        }
        let (signatures, has_streams) = signatures(program, &types);
        if !signatures.is_empty() {
            callables.names.extend(wishes.address_taken.iter().cloned());
        }
        for (index, signature) in signatures.iter().enumerate() {
            let Kind::Function(function) = program.types.kind(*signature) else { continue };
            let name = format!("tine_stub_{}", index + 1);
            let prototype = program.types.declare(*signature, &name);
            callables.define(program, roots, &name, &prototype, function.ret, true)?;
            callables.names.push(name);
        }
        if has_streams {
            callables.n_streams = roots.n_streams().clamp(1, MAX_STREAMS);
            callables.names.extend((1..=callables.n_streams).map(|number| format!("tine_file_{number}")));
        }
        Ok(callables)
    }

    /// Defines a function that returns an input in each call.
    fn define(
        &mut self,
        program: &Program,
        roots: &mut Roots<'_>,
        name: &str,
        prototype: &str,
        ret: TypeId,
        is_static: bool,
    ) -> Result<(), Error> {
        let linkage = if is_static { "static " } else { "" };
        if program.types.strip(ret) == TypeId::VOID {
            let _ = writeln!(self.definitions, "{linkage}{prototype} {{}}");
            return Ok(());
        }
        let result = roots.add(format!("{name}()"), ret).map_err(|what| {
            Error::request(
                format!("the stub `{name}` returns {what}, which cannot be an input"),
                "give a file that defines it",
            )
        })?;
        let request = roots.last_request();
        let _ = writeln!(self.definitions, "{linkage}{prototype} {{\n{request}    return {result};\n}}");
        Ok(())
    }

    /// C definitions, which follow the declarations of the roots.
    pub(super) fn definitions(&self) -> String {
        let mut text = self.definitions.clone();
        let (functions, streams) = self.kinds();
        if !streams.is_empty() {
            let list = streams.join(", *");
            let cases: String = streams.iter().map(|name| format!("    if (p == {name}) return {name};\n")).collect();
            let _ = writeln!(text, "static struct _IO_FILE *{list};");
            let _ =
                writeln!(text, "static struct _IO_FILE *tine_stream(struct _IO_FILE *p) {{\n{cases}    return 0;\n}}");
        }
        if !self.names.is_empty() {
            let table: Vec<String> = functions.iter().map(|name| format!("(void *){name}")).collect();
            let _ = writeln!(text, "static void *tine_functions[{}] = {{ {} }};", self.names.len(), table.join(", "));
        }
        text
    }

    fn kinds(&self) -> (&[String], &[String]) {
        self.names.split_at(self.names.len() - self.n_streams)
    }

    /// The first statement of the harness, which registers them with the runtime.
    pub(super) fn announcement(&self) -> String {
        let n = self.names.len();
        if n == 0 {
            return String::new();
        }
        let mut text = String::new();
        let (functions, streams) = self.kinds();
        for (index, name) in (functions.len()..).zip(streams) {
            let _ =
                writeln!(text, "    tine_functions[{index}] = {name} = __tine_stream(\"{name}\", {});", self.capacity);
        }
        let _ = writeln!(text, "    __tine_functions(tine_functions, {n});");
        text
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

/// Function types that pointers reachable from these types point to, each once; and true if any points to streams.
fn signatures(program: &Program, roots: &[TypeId]) -> (Vec<TypeId>, bool) {
    let types = &program.types;
    let mut pending = roots.to_vec();
    let mut seen = std::collections::HashSet::new();
    let mut found: Vec<TypeId> = Vec::new();
    let mut has_streams = false;
    while let Some(ty) = pending.pop() {
        let ty = types.strip(ty);
        if !seen.insert(ty) {
            continue;
        }
        match types.kind(ty) {
            Kind::Pointer { to } if types.is_stream(*to) => has_streams = true,
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
    (found, has_streams)
}
