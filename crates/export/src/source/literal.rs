//! Single values as C literals that a person would write: `INT_MAX`, `'a'`, `0x8000u`, `"ab\n"`.

use super::bits::Bits;
use tine_types::graph::Enumerator;
use tine_types::map::Value;
use tine_types::{Kind, TypeGraph, TypeId};

/// The literal of a number of type `ty`; `None` for values that are not single numbers.
pub(super) fn scalar(graph: &TypeGraph, ty: TypeId, value: &Value) -> Option<String> {
    let plain = graph.strip(ty);
    let name = graph.get(plain).name.as_deref().unwrap_or_default();
    Some(match value {
        Value::Int(number) if limit_of_alias(graph, ty, *number).is_some() => limit_of_alias(graph, ty, *number)?,
        Value::Uint(number) if limit_of_alias(graph, ty, *number as i128).is_some() => {
            limit_of_alias(graph, ty, *number as i128)?
        }
        Value::Int(number) => signed(*number, graph.size(plain).unwrap_or(4), name),
        Value::Uint(number) => unsigned(*number, graph.size(plain).unwrap_or(4), name),
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Char(-128) => "CHAR_MIN".to_owned(),
        Value::Char(127) => "CHAR_MAX".to_owned(),
        Value::Char(number) => character(*number),
        Value::Float { width, bits } => float(*width, *bits),
        Value::Enum { name: Some(name), .. } => name.clone(),
        Value::Enum { value, .. } => match graph.kind(plain) {
            Kind::Enum { values, .. } => flags(values, *value)
                .map(|names| if graph.get(plain).name.is_some() { names } else { format!("({names})") })
                .unwrap_or_else(|| format!("({}){value}", graph.describe(ty))),
            _ => value.to_string(),
        },
        Value::Null => "NULL".to_owned(),
        Value::Bytes(bytes) if name == "long double" => long_double(bytes)?,
        _ => return None,
    })
}

/// The literal with the notation of bits, if bits of the place matter.
pub(super) fn with_bits(bits: &Bits, place: &str, value: &Value, text: String) -> String {
    let number = match value {
        Value::Int(number) => u128::try_from(*number).ok(),
        Value::Uint(number) => Some(*number),
        _ => None,
    };
    let is_limit = text.ends_with("_MAX");
    number.filter(|_| !is_limit).and_then(|number| bits.number(place, number)).unwrap_or(text)
}

/// Name of the limit of a type from `stdint.h` or `stddef.h`: `UINT16_MAX`.
fn limit_of_alias(graph: &TypeGraph, ty: TypeId, number: i128) -> Option<String> {
    let bits = 8 * graph.size(ty)?;
    let mut ty = ty;
    loop {
        let (name, next) = match (graph.kind(ty), graph.get(ty).name.as_deref()) {
            (Kind::Typedef { to }, name) => (name.unwrap_or_default(), *to),
            (Kind::Qualified { to, .. }, _) => ("", *to),
            _ => return None,
        };
        let is_unsigned = name.starts_with("uint") || name == "size_t";
        let is_fixed = name.strip_suffix("_t").is_some_and(|name| {
            let digits = name.trim_start_matches(['u', 'i', 'n', 't']);
            name == "size" || ["int", "uint"].contains(&name.trim_end_matches(digits)) && digits == bits.to_string()
        });
        if is_fixed && bits <= 64 {
            let words = name.trim_end_matches("_t").to_ascii_uppercase();
            let max = if is_unsigned { (1i128 << bits) - 1 } else { (1i128 << (bits - 1)) - 1 };
            if number == max {
                return Some(format!("{words}_MAX"));
            }
            return (!is_unsigned && number == -max - 1).then(|| format!("{words}_MIN"));
        }
        ty = next;
    }
}

/// A `long double` of x86: a sign, 15 bits of exponent, and 64 bits of mantissa.
fn long_double(bytes: &[u8]) -> Option<String> {
    let mantissa = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    let top = u16::from_le_bytes(bytes.get(8..10)?.try_into().ok()?);
    let sign = if top & 0x8000 != 0 { "-" } else { "" };
    let exponent = i32::from(top & 0x7fff);
    let is_normal = mantissa >> 63 == 1;
    Some(match (exponent, mantissa << 1) {
        (0x7fff, 0) => format!("{sign}INFINITY"),
        (0x7fff, _) => format!("{sign}NAN"),
        (0, _) if mantissa == 0 => format!("{sign}0.0L"),
        // No compiler writes other values.
        (1.., _) if !is_normal => return None,
        _ => {
            let n_zeros = mantissa.trailing_zeros() as i32;
            format!("{sign}{:#x}p{}L", mantissa >> n_zeros, exponent.max(1) - 16383 - 63 + n_zeros)
        }
    })
}

/// Name of a type's limit in `limits.h`.
fn limit(number: i128, name: &str) -> Option<&'static str> {
    let limits: [(&str, i128, &str); 16] = [
        ("int", i32::MAX.into(), "INT_MAX"),
        ("int", i32::MIN.into(), "INT_MIN"),
        ("unsigned int", u32::MAX.into(), "UINT_MAX"),
        ("long", i64::MAX.into(), "LONG_MAX"),
        ("long", i64::MIN.into(), "LONG_MIN"),
        ("unsigned long", u64::MAX.into(), "ULONG_MAX"),
        ("long long", i64::MAX.into(), "LLONG_MAX"),
        ("long long", i64::MIN.into(), "LLONG_MIN"),
        ("unsigned long long", u64::MAX.into(), "ULLONG_MAX"),
        ("short", i16::MAX.into(), "SHRT_MAX"),
        ("short", i16::MIN.into(), "SHRT_MIN"),
        ("unsigned short", u16::MAX.into(), "USHRT_MAX"),
        ("signed char", i8::MAX.into(), "SCHAR_MAX"),
        ("signed char", i8::MIN.into(), "SCHAR_MIN"),
        ("unsigned char", u8::MAX.into(), "UCHAR_MAX"),
        ("_Bool", 2, "2"),
    ];
    limits.iter().find(|(ty, value, _)| *ty == name && *value == number).map(|(_, _, text)| *text)
}

fn signed(number: i128, size: u64, name: &str) -> String {
    if let Some(limit) = limit(number, name) {
        return limit.to_owned();
    }
    match (i32::try_from(number), i64::try_from(number)) {
        (Ok(i32::MIN), _) => "(-2147483647 - 1)".to_owned(),
        (Ok(number), _) => number.to_string(),
        (_, Ok(i64::MIN)) => "(-9223372036854775807 - 1)".to_owned(),
        (_, Ok(number)) if size <= 8 => format!("{number}{}", if name == "long long" { "LL" } else { "L" }),
        _ => wide("__int128", number as u128),
    }
}

fn unsigned(number: u128, size: u64, name: &str) -> String {
    if let Some(limit) = i128::try_from(number).ok().and_then(|number| limit(number, name)) {
        return limit.to_owned();
    }
    let suffix = if number > i32::MAX as u128 { if size > 4 { "UL" } else { "u" } } else { "" };
    match u64::try_from(number) {
        // Large unsigned numbers are usually bit patterns.
        Ok(number) if number >= 0x1_0000 => format!("{number:#x}{suffix}"),
        Ok(number) => format!("{number}{suffix}"),
        Err(_) => wide("unsigned __int128", number),
    }
}

/// Numbers too large for a C literal.
fn wide(ty: &str, number: u128) -> String {
    let text = format!("(unsigned __int128){:#x}UL << 64 | {:#x}UL", (number >> 64) as u64, number as u64);
    // Shifting a negative number is undefined.
    if ty.starts_with("unsigned") { format!("({text})") } else { format!("(({ty})({text}))") }
}

fn character(number: i64) -> String {
    match u8::try_from(number) {
        Ok(0) => "'\\0'".to_owned(),
        Ok(b'\'') => "'\\''".to_owned(),
        Ok(byte @ (0x20..=0x7e | b'\n' | b'\t' | b'\r')) => format!("'{}'", escaped(&[byte]).replace("\\\"", "\"")),
        _ => number.to_string(),
    }
}

fn float(width: u32, bits: u64) -> String {
    let (value, text, suffix) = match width {
        32 => (f64::from(f32::from_bits(bits as u32)), format!("{:?}", f32::from_bits(bits as u32)), "f"),
        _ => (f64::from_bits(bits), format!("{:?}", f64::from_bits(bits)), ""),
    };
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        format!("{sign}NAN")
    } else if value.is_infinite() {
        format!("{sign}INFINITY")
    } else {
        text + suffix
    }
}

/// A value that combines enumerators which are single bits.
fn flags(values: &[Enumerator], number: i128) -> Option<String> {
    let is_bit = |value: i128| value > 0 && value & (value - 1) == 0;
    if number <= 0 || !values.iter().all(|one| one.value == 0 || is_bit(one.value)) {
        return None;
    }
    let mut left = number;
    let mut names = Vec::new();
    for one in values.iter().filter(|one| one.value != 0) {
        if left & one.value != 0 {
            left &= !one.value;
            names.push(one.name.as_str());
        }
    }
    (left == 0).then(|| names.join(" | "))
}

/// Bytes as a string literal. Escapes are octal, because a hexadecimal one would include digits that follow it.
pub(super) fn text(bytes: &[u8]) -> String {
    format!("\"{}\"", escaped(bytes))
}

fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        match *byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'\\' => text.push_str("\\\\"),
            b'"' => text.push_str("\\\""),
            // Two question marks may be a trigraph.
            b'?' if index > 0 && bytes[index - 1] == b'?' => text.push_str("\\?"),
            0x20..=0x7e => text.push(char::from(*byte)),
            0 if bytes.get(index + 1).is_none_or(|next| !next.is_ascii_digit()) => text.push_str("\\0"),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (number, name, text) in [
            (i128::from(i32::MAX), "int", "INT_MAX"),
            (i128::from(i32::MIN), "int", "INT_MIN"),
            (-5, "int", "-5"),
            (5_000_000_000, "long", "5000000000L"),
            (i128::from(i64::MIN), "long", "LONG_MIN"),
        ] {
            assert_eq!(signed(number, 8, name), text);
        }
        assert_eq!(unsigned(0xffff_0000, 4, "unsigned int"), "0xffff0000u");
        assert_eq!(unsigned(u128::from(u32::MAX), 4, "unsigned int"), "UINT_MAX");
        assert_eq!(unsigned(7, 8, "unsigned long"), "7");
        assert_eq!(
            signed(-1 << 100, 16, "__int128"),
            "((__int128)((unsigned __int128)0xfffffff000000000UL << 64 | 0x0UL))"
        );
    }

    #[test]
    fn characters_texts_and_floats() {
        assert_eq!(
            [character(97), character(39), character(34), character(-1), character(0)],
            ["'a'", "'\\''", "'\"'", "-1", "'\\0'"]
        );
        assert_eq!(text(b"a\"\x001??/\xff9"), "\"a\\\"\\0001?\\?/\\3779\"");
        assert_eq!(text(b"a\0b"), "\"a\\0b\"");
        assert_eq!(float(32, 0x3dcc_cccd), "0.1f");
        assert_eq!(float(64, 0xfff0_0000_0000_0000), "-INFINITY");
        let extended = |top: u16, mantissa: u64| {
            long_double(&[mantissa.to_le_bytes().as_slice(), &top.to_le_bytes(), &[0; 6]].concat())
        };
        assert_eq!(extended(0x3fff, 0xc000_0000_0000_0000).as_deref(), Some("0x3p-1L"));
        assert_eq!(extended(0xffff, 0x8000_0000_0000_0000).as_deref(), Some("-INFINITY"));
        assert_eq!(extended(0, 0).as_deref(), Some("0.0L"));
        assert_eq!(float(32, 0x7fc0_0000), "NAN");
    }

    #[test]
    fn enumerators_that_are_bits_are_joined() {
        let values = [("NONE", 0), ("READ", 1), ("WRITE", 2)];
        let values: Vec<_> = values.map(|(name, value)| Enumerator { name: name.to_owned(), value }).into();
        assert_eq!(flags(&values, 3).as_deref(), Some("READ | WRITE"));
        assert_eq!(flags(&values, 4), None);
    }
}
