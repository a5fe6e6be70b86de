//! Serialised form of types of `tine_trace`, which does not know serde.

use serde::{Deserialize, Deserializer, Serializer, de};

/// Kinds by name, because numbers may change.
pub(super) mod kind {
    use super::{Deserialize, Deserializer, Serializer, de};
    use tine_trace::plan::InputKind;

    pub(in crate::input) fn serialize<S: Serializer>(kind: &InputKind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(InputKind::ALL[*kind as usize].1)
    }

    pub(in crate::input) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<InputKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = InputKind::ALL.iter().find(|(_, known)| *known == name);
        known.map(|(kind, _)| *kind).ok_or_else(|| de::Error::custom(format!("unknown kind of input `{name}`")))
    }
}

/// Pointers to functions as `[input, offset, function]`.
pub(super) mod functions {
    use super::{Deserialize, Deserializer, Serializer};
    use tine_trace::plan::Relocation;

    pub(in crate::input) fn serialize<S: Serializer>(list: &[Relocation], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().map(|to| (to.input, to.offset, to.function)))
    }

    pub(in crate::input) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Relocation>, D::Error> {
        let list = Vec::<(u32, u32, u32)>::deserialize(deserializer)?;
        Ok(list.into_iter().map(|(input, offset, function)| Relocation { input, offset, function }).collect())
    }
}
