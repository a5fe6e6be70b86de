//! The object of a call sequence: the constructor's result, or the target of its first parameter.

use tine_types::graph::TypeGraph;
use tine_types::{Function, Kind, Program, TypeId};

use super::Mistake;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    /// Type of the harness's variable.
    pub(super) ty: TypeId,
    /// The variable is the object itself, and the constructor gets its address.
    pub(super) is_owned: bool,
}

impl Object {
    pub(super) fn of(program: &Program, constructor: &Function) -> Result<Object, Mistake> {
        let types = &program.types;
        let pointee = |ty: TypeId| match types.kind(types.strip(ty)) {
            Kind::Pointer { to } => Some(*to),
            _ => None,
        };
        let given = constructor.params.first().and_then(|parameter| pointee(parameter.ty));
        let given = given.filter(|to| types.size(*to).is_some_and(|size| size > 0));
        let returned = match types.kind(types.strip(constructor.ret)) {
            Kind::Pointer { .. } => Some(constructor.ret),
            Kind::Struct { .. } | Kind::Union { .. } => Some(constructor.ret),
            _ => None,
        };
        match (returned, given) {
            // It returns its argument, so the caller must create the object.
            (Some(returned), Some(given)) if pointee(returned).is_some_and(|to| is_same(types, to, given)) => {
                Ok(Object { ty: unqualified(types, given), is_owned: true })
            }
            (Some(returned), _) => Ok(Object { ty: unqualified(types, returned), is_owned: false }),
            (None, Some(given)) => Ok(Object { ty: unqualified(types, given), is_owned: true }),
            (None, None) => Err(Mistake::NoObject(constructor.name.clone())),
        }
    }

    /// The object as an argument for a parameter of this type, if it can be one.
    pub(super) fn argument(&self, program: &Program, ty: TypeId) -> Option<String> {
        let types = &program.types;
        if is_same(types, ty, self.ty) && !self.is_plain(types) {
            return Some("tine_object".to_owned());
        }
        match types.kind(types.strip(ty)) {
            Kind::Pointer { to } if is_same(types, *to, self.ty) => Some("&tine_object".to_owned()),
            _ => None,
        }
    }

    /// True for a number. Another parameter of the same type then does not mean the object.
    fn is_plain(&self, types: &TypeGraph) -> bool {
        !matches!(
            types.kind(types.strip(self.ty)),
            Kind::Pointer { .. } | Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. }
        )
    }
}

/// The type without its own qualifiers, because the harness writes to it.
fn unqualified(types: &TypeGraph, ty: TypeId) -> TypeId {
    let mut ty = ty;
    while let Kind::Qualified { to, .. } = types.kind(ty) {
        ty = *to;
    }
    ty
}

/// True if two types are equal except for typedefs and qualifiers.
pub(in crate::driver) fn is_same(types: &TypeGraph, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (types.strip(a), types.strip(b));
    if a == b {
        return true;
    }
    let (x, y) = (types.get(a), types.get(b));
    match (&x.kind, &y.kind) {
        (Kind::Pointer { to: a }, Kind::Pointer { to: b }) => is_same(types, *a, *b),
        (Kind::Struct { .. }, Kind::Struct { .. })
        | (Kind::Union { .. }, Kind::Union { .. })
        | (Kind::Opaque { .. }, Kind::Opaque { .. })
        | (Kind::Enum { .. }, Kind::Enum { .. }) => x.name.is_some() && x == y,
        (Kind::Int { .. } | Kind::Bool | Kind::Char { .. } | Kind::Float { .. } | Kind::Void, other) => {
            x.kind == *other
        }
        _ => false,
    }
}
