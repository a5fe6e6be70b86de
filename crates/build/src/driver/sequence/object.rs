//! The object of a call sequence: the constructor's result, or the target of its first parameter.

use tine_types::graph::TypeGraph;
use tine_types::{Function, Kind, Program, TypeId};

use super::Mistake;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    /// Type of the harness's variable.
    pub(super) ty: TypeId,
    /// The variable is the object itself, and the constructor gets its address.
    pub(super) is_owned: bool,
    /// Number of elements, as written in the constructor's parameter (`struct entry *table[SIZE]`), if it is an array.
    count: Option<String>,
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
        let of_parameter = |given| {
            let count = declared_count(constructor);
            Object { ty: unqualified(types, given), is_owned: true, count }
        };
        match (returned, given) {
            // It returns its argument, so the caller must create the object.
            (Some(returned), Some(given)) if pointee(returned).is_some_and(|to| is_same(types, to, given)) => {
                Ok(of_parameter(given))
            }
            (Some(returned), _) => Ok(Object { ty: unqualified(types, returned), is_owned: false, count: None }),
            (None, Some(given)) => Ok(of_parameter(given)),
            (None, None) => Err(Mistake::NoObject(constructor.name.clone())),
        }
    }

    /// The object as an argument for a parameter of this type, if it can be one.
    pub(super) fn argument(&self, program: &Program, ty: TypeId) -> Option<String> {
        let types = &program.types;
        if is_same(types, ty, self.ty) && !self.is_plain(types) && self.count.is_none() {
            return Some("tine_object".to_owned());
        }
        match types.kind(types.strip(ty)) {
            Kind::Pointer { to } if is_same(types, *to, self.ty) => {
                Some(if self.count.is_some() { "tine_object" } else { "&tine_object" }.to_owned())
            }
            _ => None,
        }
    }

    /// Declares the harness's variable.
    pub(super) fn declaration(&self, types: &TypeGraph) -> String {
        let name = self.count.as_ref().map_or_else(String::new, |count| format!("[{count}]"));
        types.declare(self.ty, &format!("tine_object{name}"))
    }

    /// True for a number. Another parameter of the same type then does not mean the object.
    fn is_plain(&self, types: &TypeGraph) -> bool {
        !matches!(
            types.kind(types.strip(self.ty)),
            Kind::Pointer { .. } | Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. }
        )
    }
}

/// Number of elements of the first parameter's array. Debug information has only a pointer, so the source is read. A
/// number that depends on other parameters is not known to the harness.
fn declared_count(function: &Function) -> Option<String> {
    let text = std::fs::read_to_string(&function.file).ok()?;
    let rest: Vec<&str> = text.lines().skip(function.line.saturating_sub(1) as usize).take(8).collect();
    let rest = rest.join(" ");
    let (_, parameters) = rest.split_once(&format!("{}(", function.name))?;
    let count = count_of(parameters)?;
    let names = function.params.iter().filter_map(|parameter| parameter.name.as_deref());
    let words: Vec<&str> = count.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    (!names.into_iter().any(|name| words.contains(&name))).then_some(count)
}

/// `4` for `e *table[static 4], int n)`.
fn count_of(parameters: &str) -> Option<String> {
    let mut depth = 0;
    let end = parameters.find(|c: char| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth < 0 || depth == 0 && c == ','
    });
    let (_, count) = parameters[..end?].trim_end().strip_suffix(']')?.split_once('[')?;
    let words = count.split_whitespace().filter(|word| !["static", "const", "restrict", "volatile"].contains(word));
    let count = words.collect::<Vec<_>>().join(" ");
    // Of an array of arrays, the object is one row.
    let is_number = !count.is_empty() && count != "*" && !count.contains(['[', ']']);
    is_number.then_some(count)
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

#[cfg(test)]
mod tests {
    use super::count_of;

    #[test]
    fn the_number_of_elements_is_read_from_the_parameter() {
        for (parameters, count) in [
            ("e *tab[4]) {", Some("4")),
            ("e *tab[static SIZE * 2], int n) {", Some("SIZE * 2")),
            ("int (*f)(int a[3]), int n[4])", None),
            ("e **tab, int n[4])", None),
            ("int a[])", None),
            ("int a[2][3])", None),
            ("int a[sizeof(long)] )", Some("sizeof(long)")),
        ] {
            assert_eq!(count_of(parameters).as_deref(), count, "{parameters}");
        }
    }
}
