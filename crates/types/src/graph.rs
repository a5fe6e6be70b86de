//! The type graph. Nodes are identified by [`TypeId`], and edges are IDs in their [`Kind`]. So a list node that points
//! to its own type is simply a cycle.
//!
//! ```text
//!   struct list ──next──▶ pointer ──to──▶ struct list
//!        └──v──▶ int
//! ```

use serde::{Deserialize, Serialize};

/// Index of a type in its [`TypeGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeId(u32);

impl TypeId {
    /// No value: the target of `void *`, and the result of a procedure. Every graph has it.
    pub const VOID: TypeId = TypeId(0);

    /// The type with that number in some graph. [`TypeGraph::nth`] checks that a graph has it.
    pub const fn numbered(number: u32) -> TypeId {
        TypeId(number)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A type with its name and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Name in the source, without `struct` and other keywords.
    pub name: Option<String>,
    /// Size in bytes; `None` for functions, opaque types and arrays of unknown length.
    pub size: Option<u64>,
    pub kind: Kind,
}

/// Kind of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Void,
    Bool,
    /// A character type that is neither the signed nor the unsigned integer of its size: C's plain `char`.
    Char {
        signed: bool,
    },
    /// `bits` is the number of value bits: 37 in the eight bytes of `_BitInt(37)`.
    Int {
        signed: bool,
        bits: u32,
    },
    /// 32 or 64 bits, IEEE 754.
    Float {
        bits: u32,
    },
    Enum {
        underlying: TypeId,
        values: Vec<Enumerator>,
    },
    Pointer {
        to: TypeId,
    },
    /// `count` is `None` for a flexible array member and for a length that is known only at run time. More dimensions
    /// are arrays of arrays.
    Array {
        element: TypeId,
        count: Option<u64>,
    },
    Struct {
        members: Vec<Member>,
    },
    Union {
        members: Vec<Member>,
    },
    Function(Signature),
    Typedef {
        to: TypeId,
    },
    Qualified {
        qualifier: Qualifier,
        to: TypeId,
    },
    /// Declared but not defined.
    Opaque {
        tag: Tag,
    },
    /// A type without representable values, with a description.
    Unsupported(String),
}

/// An enumerator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumerator {
    pub name: String,
    pub value: i128,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// `None` for C's anonymous members, whose own members are accessed as if they were declared here.
    pub name: Option<String>,
    pub ty: TypeId,
    /// Offset in bytes; for a bit-field, of the byte that has its first bit.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// Position of a bit-field: `size` bits wide, from bit `offset` (0 … 7, from the lowest) of its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    pub offset: u8,
    pub size: u32,
}

/// Parameters and result of a function type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub params: Vec<TypeId>,
    pub ret: TypeId,
    pub variadic: bool,
    /// False for C's `int f()`, which declares no parameter types.
    pub prototyped: bool,
}

/// Qualifier of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

/// The keyword that introduces a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    Struct,
    Union,
    Enum,
}

/// Types by their ids.
#[derive(Clone, Debug)]
pub struct TypeGraph {
    types: Vec<Type>,
}

impl Default for TypeGraph {
    fn default() -> TypeGraph {
        TypeGraph { types: vec![Type { name: None, size: None, kind: Kind::Void }] }
    }
}

impl TypeGraph {
    /// Adds a type.
    pub fn add(&mut self, ty: Type) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 types"));
        self.types.push(ty);
        id
    }

    /// The type with this index, if there is one.
    pub fn nth(&self, index: usize) -> Option<TypeId> {
        (index < self.types.len()).then_some(TypeId(index as u32))
    }

    /// Replaces a type. Readers that meet a type before its definition add it as opaque first.
    pub fn replace(&mut self, id: TypeId, ty: Type) {
        self.types[id.index()] = ty;
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Kind of the type.
    pub fn kind(&self, id: TypeId) -> &Kind {
        &self.get(id).kind
    }

    /// Size in bytes, if it is known.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.get(id).size
    }

    /// All types in order.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        (0..).map(TypeId).zip(&self.types)
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Always false: [`TypeId::VOID`] always exists.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The type of `id` without typedefs and qualifiers.
    pub fn strip(&self, id: TypeId) -> TypeId {
        let mut id = id;
        // Bounded, because a typedef may refer to itself in broken debug information.
        for _ in 0..self.types.len() {
            match self.kind(id) {
                Kind::Typedef { to } | Kind::Qualified { to, .. } => id = *to,
                _ => break,
            }
        }
        id
    }

    /// Values that an enumeration should have: its enumerators, or all combinations if these are flags. Empty if `id`
    /// is another type, or if there are too many.
    pub fn enum_values(&self, id: TypeId) -> Vec<u128> {
        const MAX_FLAGS: u32 = 8;
        const MAX_VALUES: usize = 1024;
        let id = self.strip(id);
        let Kind::Enum { values, .. } = self.kind(id) else { return Vec::new() };
        let Some(bits) = self.size(id).map(|size| size * 8).filter(|bits| (1..=64).contains(bits)) else {
            return Vec::new();
        };
        if values.len() > MAX_VALUES {
            return Vec::new();
        }
        let mask = (1 << bits) - 1;
        let mut all: Vec<u128> = values.iter().map(|enumerator| enumerator.value as u128 & mask).collect();
        // An enumeration of only 1 and 2 may be plain numbers.
        let is_flags = all.iter().all(|value| value.count_ones() <= 1) && all.iter().any(|value| *value >= 4);
        if is_flags {
            let flags = all.iter().fold(0, |flags, value| flags | value);
            if flags.count_ones() > MAX_FLAGS {
                return Vec::new();
            }
            let mut subset = flags;
            while subset != 0 {
                all.push(subset);
                subset = (subset - 1) & flags;
            }
            all.push(0);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// True if it is C's `FILE`, which only the C library can make. Other C libraries use the same name.
    pub fn is_stream(&self, id: TypeId) -> bool {
        let ty = self.get(self.strip(id));
        let is_structure = matches!(ty.kind, Kind::Struct { .. } | Kind::Opaque { .. });
        is_structure && matches!(ty.name.as_deref(), Some("_IO_FILE" | "struct _IO_FILE"))
    }

    /// True if `qualifier` applies to the type itself or one of its typedefs: to `const int`, but not to `const int *`.
    pub fn is_qualified(&self, id: TypeId, qualifier: Qualifier) -> bool {
        let mut id = id;
        for _ in 0..self.types.len() {
            match self.kind(id) {
                Kind::Qualified { qualifier: this, .. } if *this == qualifier => return true,
                Kind::Typedef { to } | Kind::Qualified { to, .. } => id = *to,
                _ => break,
            }
        }
        false
    }

    /// The first type of that name: `list` finds `struct list` and `typedef … list`. Definitions come before
    /// declarations.
    pub fn named(&self, name: &str) -> Option<TypeId> {
        let has_name = |(_, ty): &(TypeId, &Type)| ty.name.as_deref() == Some(name);
        let defined = |(_, ty): &(TypeId, &Type)| !matches!(ty.kind, Kind::Opaque { .. });
        let first = |found: Option<(TypeId, &Type)>| found.map(|(id, _)| id);
        first(self.iter().filter(has_name).find(defined)).or_else(|| first(self.iter().find(has_name)))
    }

    /// Completes the graph after all types were added: sets the size of wrappers and arrays, and gives a struct
    /// declared in one file the definition from another.
    pub fn finish(&mut self) {
        self.define_opaque();
        for index in 0..self.types.len() {
            let id = TypeId(index as u32);
            if self.types[index].size.is_none() {
                self.types[index].size = self.computed_size(id, 0);
            }
        }
    }

    fn define_opaque(&mut self) {
        let mut definitions = std::collections::HashMap::new();
        for (id, ty) in self.iter() {
            if let (Some(tag), Some(name)) = (tag(&ty.kind), &ty.name)
                && !matches!(ty.kind, Kind::Opaque { .. })
            {
                definitions.entry((tag, name.clone())).or_insert(id);
            }
        }
        for index in 0..self.types.len() {
            if let Type { name: Some(name), kind: Kind::Opaque { tag }, .. } = &self.types[index]
                && let Some(definition) = definitions.get(&(*tag, name.clone()))
            {
                self.types[index] = self.get(*definition).clone();
            }
        }
    }

    fn computed_size(&self, id: TypeId, depth: usize) -> Option<u64> {
        let ty = self.get(id);
        // A type that contains itself has no size. That occurs only in broken debug information.
        if ty.size.is_some() || depth > self.types.len() {
            return ty.size;
        }
        match ty.kind {
            Kind::Typedef { to } | Kind::Qualified { to, .. } => self.computed_size(to, depth + 1),
            Kind::Array { element, count } => self.computed_size(element, depth + 1)?.checked_mul(count?),
            Kind::Enum { underlying, .. } => self.computed_size(underlying, depth + 1),
            _ => None,
        }
    }
}

/// Keyword of a type, if it has one.
pub(crate) fn tag(kind: &Kind) -> Option<Tag> {
    match kind {
        Kind::Struct { .. } => Some(Tag::Struct),
        Kind::Union { .. } => Some(Tag::Union),
        Kind::Enum { .. } => Some(Tag::Enum),
        Kind::Opaque { tag } => Some(*tag),
        _ => None,
    }
}
