//! Types of the inputs, from the debug information of the harness's variables.

use tine_executor::graph::shapes::Callable;
use tine_executor::{Bounds, Shapes};
use tine_types::graph::{Signature, Type};
use tine_types::{Kind, TypeGraph, TypeId, dwarf};

use crate::Error;
use crate::config::Config;
use crate::target::{Harness, Target};

/// Read once; each worker has its own [`Shapes`] made from it.
#[derive(Debug, Default)]
pub(crate) struct InputTypes {
    bounds: Bounds,
    known: Option<Known>,
}

#[derive(Debug)]
struct Known {
    types: TypeGraph,
    roots: Vec<TypeId>,
    callables: Vec<Callable>,
}

impl InputTypes {
    /// Reads the types of a target. Its native program has the debug information.
    pub(crate) fn of(target: &Target, config: &Config) -> Result<InputTypes, Error> {
        let Some(Harness { native, roots, callables, .. }) = target.harness() else { return Ok(InputTypes::default()) };
        let unreadable = |why: &dyn std::fmt::Display| Error::Bug(format!("the driver's types cannot be read: {why}"));
        let bytes = std::fs::read(native).map_err(|why| Error::Types { file: native.clone(), why })?;
        let mut program = dwarf::read(&bytes).map_err(|why| unreadable(&why))?;
        let root = |name: &String| program.variable(name).map(|variable| variable.ty).ok_or_else(|| unreadable(name));
        let known_roots = roots.iter().map(root).collect::<Result<Vec<_>, _>>()?;
        let mut known_callables = Vec::new();
        for name in callables {
            if let Some(variable) = program.variable(name)
                && let Kind::Pointer { to } = program.types.kind(program.types.strip(variable.ty))
            {
                known_callables.push(Callable { name: name.clone(), signature: program.types.strip(*to) });
                continue;
            }
            let function = program.function(name).ok_or_else(|| unreadable(name))?;
            let signature = Signature {
                params: function.params.iter().map(|parameter| parameter.ty).collect(),
                ret: function.ret,
                variadic: function.variadic,
                prototyped: function.prototyped,
            };
            let ty = Type { name: None, size: None, kind: Kind::Function(signature) };
            known_callables.push(Callable { name: name.clone(), signature: program.types.add(ty) });
        }
        let known = Known { types: program.types, roots: known_roots, callables: known_callables };
        Ok(InputTypes { bounds: config.bounds(), known: Some(known) })
    }

    pub(crate) fn shapes(&self) -> Shapes {
        match &self.known {
            Some(Known { types, roots, callables }) => {
                Shapes::new(types.clone(), roots.clone(), callables.clone(), self.bounds)
            }
            None => Shapes::default(),
        }
    }

    /// Returns true if the program has a type of this number.
    pub(crate) fn has(&self, ty: TypeId) -> bool {
        match &self.known {
            Some(known) => known.types.nth(ty.index()).is_some(),
            None => ty == TypeId::VOID,
        }
    }
}
