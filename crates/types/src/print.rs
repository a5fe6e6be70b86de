//! Types as C declares them: `struct list *`, `int (*)(int)`, `char[16]`.
//!
//! A C declaration is read from the name outwards, so it is also written that way: the declarator grows around the name
//! while the type is traversed.
//!
//! ```text
//!   pointer      to function(int)       of int
//!   *name   →   (*name)(int)       →   int (*name)(int)
//! ```

use crate::graph::{Kind, Qualifier, Signature, Tag, TypeGraph, TypeId, tag};

impl TypeGraph {
    /// The type without a name, as in a cast.
    pub fn describe(&self, id: TypeId) -> String {
        self.declare(id, "")
    }

    /// The declaration of `name` with this type.
    pub fn declare(&self, id: TypeId, name: &str) -> String {
        self.around(id, String::new(), name.to_owned(), 0)
    }

    /// Continues at `id`. `qualifiers` were met on the way and apply to it.
    fn around(&self, id: TypeId, mut qualifiers: String, declarator: String, depth: usize) -> String {
        // Broken debug information may have a pointer that points to itself.
        if depth > 64 {
            return format!("… {declarator}");
        }
        let ty = self.get(id);
        match &ty.kind {
            Kind::Qualified { qualifier, to } => {
                qualifiers.push_str(keyword(*qualifier));
                qualifiers.push(' ');
                self.around(*to, qualifiers, declarator, depth + 1)
            }
            Kind::Pointer { to } => {
                let star = format!("*{qualifiers}{declarator}");
                let star = star.trim_end().to_owned();
                let star = if matches!(self.kind(*to), Kind::Array { .. } | Kind::Function(_)) {
                    format!("({star})")
                } else {
                    star
                };
                self.around(*to, String::new(), star, depth + 1)
            }
            // Qualifiers of an array apply to its elements.
            Kind::Array { element, count } => {
                let count = count.map(|count| count.to_string()).unwrap_or_default();
                self.around(*element, qualifiers, format!("{declarator}[{count}]"), depth + 1)
            }
            Kind::Function(signature) => {
                let params = self.parameters(signature, depth);
                self.around(signature.ret, String::new(), format!("{declarator}({params})"), depth + 1)
            }
            _ => {
                let space = if declarator.is_empty() || declarator.starts_with('[') { "" } else { " " };
                format!("{qualifiers}{}{space}{declarator}", self.specifier(id))
            }
        }
    }

    fn parameters(&self, signature: &Signature, depth: usize) -> String {
        let mut params: Vec<String> =
            signature.params.iter().map(|param| self.around(*param, String::new(), String::new(), depth + 1)).collect();
        if signature.variadic {
            params.push("...".into());
        } else if params.is_empty() && signature.prototyped {
            params.push("void".into());
        }
        params.join(", ")
    }

    /// Text before the declarator: `struct list`, `unsigned int`.
    fn specifier(&self, id: TypeId) -> String {
        let ty = self.get(id);
        let name = ty.name.as_deref();
        match (tag(&ty.kind), name) {
            (Some(tag), Some(name)) => format!("{} {name}", tag_keyword(tag)),
            (Some(tag), None) => format!("{} {{…}}", tag_keyword(tag)),
            (None, Some(name)) => name.to_owned(),
            (None, None) => match &ty.kind {
                Kind::Void => "void".into(),
                Kind::Unsupported(what) => format!("<{what}>"),
                _ => "<unnamed>".into(),
            },
        }
    }
}

pub(crate) fn keyword(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "restrict",
        Qualifier::Atomic => "_Atomic",
    }
}

pub(crate) fn tag_keyword(tag: Tag) -> &'static str {
    match tag {
        Tag::Struct => "struct",
        Tag::Union => "union",
        Tag::Enum => "enum",
    }
}
