//! Serialised form of 128-bit numbers, bytes and strings, which JSON lacks.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A JSON number if it fits into 64 bits, which every JSON reader supports; otherwise a string of decimal digits.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Signed(i64),
    Unsigned(u64),
    Wide(String),
}

pub(super) mod signed {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(value: &i128, serializer: S) -> Result<S::Ok, S::Error> {
        match (i64::try_from(*value), u64::try_from(*value)) {
            (Ok(value), _) => Number::Signed(value),
            (_, Ok(value)) => Number::Unsigned(value),
            _ => Number::Wide(value.to_string()),
        }
        .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i128, D::Error> {
        match Number::deserialize(deserializer)? {
            Number::Signed(value) => Ok(value.into()),
            Number::Unsigned(value) => Ok(value.into()),
            Number::Wide(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

pub(super) mod unsigned {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(*value) {
            Ok(value) => Number::Unsigned(value),
            Err(_) => Number::Wide(value.to_string()),
        }
        .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        match Number::deserialize(deserializer)? {
            Number::Signed(value) => u128::try_from(value).map_err(de::Error::custom),
            Number::Unsigned(value) => Ok(value.into()),
            Number::Wide(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

/// Bytes as hexadecimal digits.
pub(crate) mod hex {
    use super::{Deserialize, Deserializer, Serializer, de};
    use crate::literal;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&literal::hexadecimal(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0);
        let digits = digits.ok_or_else(|| de::Error::custom("bytes are not hexadecimal"))?;
        Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
    }
}

pub(super) mod some_hex {
    use super::{Deserializer, Serializer, hex};

    #[expect(clippy::ref_option, reason = "serde asks for a reference to the field")]
    pub(crate) fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        hex::serialize(bytes.as_deref().unwrap_or_default(), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        hex::deserialize(deserializer).map(Some)
    }
}

/// A string if it is valid UTF-8, otherwise the list of its bytes.
pub(super) mod text {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Text {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Text::Text(text.to_owned()),
            Err(_) => Text::Bytes(bytes.to_owned()),
        }
        .serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Ok(match Text::deserialize(deserializer)? {
            Text::Text(text) => text.into_bytes(),
            Text::Bytes(bytes) => bytes,
        })
    }
}

pub(crate) fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}
