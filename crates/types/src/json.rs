//! JSON form of a program's functions, variables and types.
//!
//! The output is one object. Types refer to each other by `id`, so recursive types are cycles of IDs. IDs are valid
//! only inside one document. A field that does not apply or is not known is absent.
//!
//! ```text
//!   version    1; a later one may have more fields, and a higher number if a field changes its meaning
//!   functions  name, symbol (if another), declaration, file, line, external, params [{name, type}], returns,
//!              variadic, prototyped, has_code
//!   variables  name, declaration, file, line, external, type
//!   types      id, kind, c (the type as C writes it), name, size (in bytes), and by kind:
//!              void, bool
//!              char         signed
//!              int          signed, bits
//!              float        bits
//!              enum         underlying, values [{name, value}]
//!              pointer      to
//!              array        element, count (absent: flexible)
//!              struct       members [{name, type, offset, bit_offset, bit_size}]; offsets in bytes, bit_offset from
//!              union          the lowest bit of the byte at offset; no name: an anonymous member
//!              function     params, returns, variadic, prototyped
//!              typedef      to
//!              qualified    qualifier (const, volatile, restrict, _Atomic), to
//!              opaque       tag (struct, union, enum)
//!              unsupported  what
//! ```

use serde::Serialize;

use crate::graph::{self, Kind, TypeId};
use crate::print::{keyword, tag_keyword};
use crate::program;
use crate::select::Selection;

impl Selection<'_> {
    /// The program as JSON in the format described at the top of this module.
    pub fn json(&self) -> String {
        let document = Document {
            version: 1,
            functions: self.functions.iter().map(|function| self.function(function)).collect(),
            variables: self.variables.iter().map(|variable| self.variable(variable)).collect(),
            types: self.types.iter().map(|id| self.ty(*id)).collect(),
        };
        serde_json::to_string_pretty(&document).expect("numbers fit and keys are strings")
    }

    fn function<'a>(&'a self, function: &'a program::Function) -> Function<'a> {
        let param = |param: &'a program::Parameter| Param { name: param.name.as_deref(), ty: Id::of(param.ty) };
        Function {
            name: &function.name,
            symbol: function.symbol.as_deref(),
            declaration: self.program.prototype(function),
            file: &function.file,
            line: function.line,
            external: function.external,
            params: function.params.iter().map(param).collect(),
            returns: Id::of(function.ret),
            variadic: function.variadic,
            prototyped: function.prototyped,
            has_code: function.has_code,
        }
    }

    fn variable<'a>(&'a self, variable: &'a program::Variable) -> Variable<'a> {
        Variable {
            name: &variable.name,
            declaration: self.program.types.declare(variable.ty, &variable.name),
            file: &variable.file,
            line: variable.line,
            external: variable.external,
            ty: Id::of(variable.ty),
        }
    }

    fn ty(&self, id: TypeId) -> Type<'_> {
        let ty = self.program.types.get(id);
        let c = self.program.types.describe(id);
        Type { id: Id::of(id), kind: shape(&ty.kind), c, name: ty.name.as_deref(), size: ty.size }
    }
}

fn shape(kind: &Kind) -> Shape<'_> {
    match kind {
        Kind::Void => Shape::Void,
        Kind::Bool => Shape::Bool,
        Kind::Char { signed } => Shape::Char { signed: *signed },
        Kind::Int { signed, bits } => Shape::Int { signed: *signed, bits: *bits },
        Kind::Float { bits } => Shape::Float { bits: *bits },
        Kind::Enum { underlying, values } => {
            Shape::Enum { underlying: Id::of(*underlying), values: values.iter().map(Enumerator::of).collect() }
        }
        Kind::Pointer { to } => Shape::Pointer { to: Id::of(*to) },
        Kind::Array { element, count } => Shape::Array { element: Id::of(*element), count: *count },
        Kind::Struct { members } => Shape::Struct { members: members.iter().map(Member::of).collect() },
        Kind::Union { members } => Shape::Union { members: members.iter().map(Member::of).collect() },
        Kind::Function(signature) => Shape::Function {
            params: signature.params.iter().copied().map(Id::of).collect(),
            returns: Id::of(signature.ret),
            variadic: signature.variadic,
            prototyped: signature.prototyped,
        },
        Kind::Typedef { to } => Shape::Typedef { to: Id::of(*to) },
        Kind::Qualified { qualifier, to } => Shape::Qualified { qualifier: keyword(*qualifier), to: Id::of(*to) },
        Kind::Opaque { tag } => Shape::Opaque { tag: tag_keyword(*tag) },
        Kind::Unsupported(what) => Shape::Unsupported { what },
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    functions: Vec<Function<'a>>,
    variables: Vec<Variable<'a>>,
    types: Vec<Type<'a>>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<&'a str>,
    declaration: String,
    file: &'a str,
    line: u32,
    external: bool,
    params: Vec<Param<'a>>,
    returns: Id,
    variadic: bool,
    prototyped: bool,
    has_code: bool,
}

#[derive(Serialize)]
struct Param<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(rename = "type")]
    ty: Id,
}

#[derive(Serialize)]
struct Variable<'a> {
    name: &'a str,
    declaration: String,
    file: &'a str,
    line: u32,
    external: bool,
    #[serde(rename = "type")]
    ty: Id,
}

#[derive(Serialize)]
struct Type<'a> {
    id: Id,
    c: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(flatten)]
    kind: Shape<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape<'a> {
    Void,
    Bool,
    Char {
        signed: bool,
    },
    Int {
        signed: bool,
        bits: u32,
    },
    Float {
        bits: u32,
    },
    Enum {
        underlying: Id,
        values: Vec<Enumerator<'a>>,
    },
    Pointer {
        to: Id,
    },
    Array {
        element: Id,
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u64>,
    },
    Struct {
        members: Vec<Member<'a>>,
    },
    Union {
        members: Vec<Member<'a>>,
    },
    Function {
        params: Vec<Id>,
        returns: Id,
        variadic: bool,
        prototyped: bool,
    },
    Typedef {
        to: Id,
    },
    Qualified {
        qualifier: &'static str,
        to: Id,
    },
    Opaque {
        tag: &'static str,
    },
    Unsupported {
        what: &'a str,
    },
}

#[derive(Serialize)]
struct Enumerator<'a> {
    name: &'a str,
    /// Enumerators have at most 64 bits, of either sign.
    value: serde_json::Value,
}

impl Enumerator<'_> {
    fn of(enumerator: &graph::Enumerator) -> Enumerator<'_> {
        let signed = i64::try_from(enumerator.value).map(serde_json::Value::from);
        let value = signed.unwrap_or_else(|_| serde_json::Value::from(enumerator.value as u64));
        Enumerator { name: &enumerator.name, value }
    }
}

#[derive(Serialize)]
struct Member<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(rename = "type")]
    ty: Id,
    offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bit_offset: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bit_size: Option<u32>,
}

impl Member<'_> {
    fn of(member: &graph::Member) -> Member<'_> {
        Member {
            name: member.name.as_deref(),
            ty: Id::of(member.ty),
            offset: member.offset,
            bit_offset: member.bits.map(|bits| bits.offset),
            bit_size: member.bits.map(|bits| bits.size),
        }
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct Id(usize);

impl Id {
    fn of(id: TypeId) -> Id {
        Id(id.index())
    }
}
