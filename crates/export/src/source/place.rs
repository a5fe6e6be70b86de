//! Expressions for places in memory.

/// An expression that `.`, `->` and `[]` may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Value(String),
    /// Target of the pointer.
    Pointee(String),
}

impl Place {
    pub(super) fn text(&self) -> String {
        match self {
            Place::Value(text) => text.clone(),
            Place::Pointee(pointer) => format!("*{pointer}"),
        }
    }

    pub(super) fn member(&self, name: &str) -> Place {
        Place::Value(match self {
            Place::Value(text) => format!("{text}.{name}"),
            Place::Pointee(pointer) => format!("{pointer}->{name}"),
        })
    }

    pub(super) fn index(&self, index: u64) -> Place {
        Place::Value(match self {
            Place::Value(text) => format!("{text}[{index}]"),
            Place::Pointee(pointer) => format!("(*{pointer})[{index}]"),
        })
    }
}
