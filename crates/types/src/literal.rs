//! Readable form of values: `'a' (97)`, `0x1.8p+1 (3.0)`, `"ab\x00"`. It resembles C's literals but is exact: a float
//! is never rounded, and a hex escape always has two digits.

/// `3.0` → `0x1.8p+1`, as C's `%a` writes it. `value` may come from an `f32`, which fits exactly.
pub fn hex_float(value: f64) -> String {
    let bits = value.to_bits();
    let sign = if bits >> 63 != 0 { "-" } else { "" };
    let fraction = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let (lead, exponent) = match exponent {
        0x7ff => return if fraction == 0 { format!("{sign}inf") } else { format!("{sign}nan") },
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        _ => (1, exponent - 1023),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}

/// The float with these 32 or 64 bits, exact and in decimal.
pub fn float(width: u32, bits: u64) -> String {
    let (value, decimal, digits) = if width == 32 {
        let value = f32::from_bits(bits as u32);
        (f64::from(value), format!("{value:?}"), 10)
    } else {
        let value = f64::from_bits(bits);
        (value, format!("{value:?}"), 18)
    };
    if value.is_nan() {
        // There are many NaNs, so show the bits.
        format!("nan ({bits:#0digits$x})")
    } else if value.is_infinite() {
        decimal
    } else {
        format!("{} ({decimal})", hex_float(value))
    }
}

/// A character of one byte, with its number: `'a' (97)`.
pub fn character(value: i64) -> String {
    match value {
        -128..=255 => format!("'{}' ({value})", escaped(&[value as u8], b'\'')),
        _ => value.to_string(),
    }
}

/// Bytes between double quotes.
pub fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", escaped(bytes, b'"'))
}

/// Bytes as they appear between the quotes of a literal.
pub fn escaped(bytes: &[u8], quote: u8) -> String {
    let mut text = String::new();
    for byte in bytes {
        match *byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'\\' => text.push_str("\\\\"),
            byte if byte == quote => {
                text.push('\\');
                text.push(char::from(byte));
            }
            0x20..=0x7e => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text
}

/// Two hexadecimal digits per byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_floats() {
        for (value, text) in [
            (3.0, "0x1.8p+1"),
            (0.0, "0x0p+0"),
            (-0.0, "-0x0p+0"),
            (-1.0, "-0x1p+0"),
            (0.1, "0x1.999999999999ap-4"),
            (f64::from(0.1f32), "0x1.99999ap-4"),
            (f64::MAX, "0x1.fffffffffffffp+1023"),
            (f64::MIN_POSITIVE, "0x1p-1022"),
            (5e-324, "0x0.0000000000001p-1022"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(hex_float(value), text);
        }
    }

    #[test]
    fn floats_with_decimals() {
        assert_eq!(float(64, 3.0f64.to_bits()), "0x1.8p+1 (3.0)");
        assert_eq!(float(32, u64::from(0.1f32.to_bits())), "0x1.99999ap-4 (0.1)");
        assert_eq!(float(32, u64::from(f32::INFINITY.to_bits())), "inf");
        assert_eq!(float(32, 0x7fc0_0000), "nan (0x7fc00000)");
        assert_eq!(float(64, 0x7ff8_0000_0000_0001), "nan (0x7ff8000000000001)");
    }

    #[test]
    fn characters_and_texts() {
        assert_eq!(character(97), "'a' (97)");
        assert_eq!(character(39), "'\\'' (39)");
        assert_eq!(character(-1), "'\\xff' (-1)");
        assert_eq!(character(0x1f600), "128512");
        assert_eq!(quoted(b"ab\"\n\0\xff"), "\"ab\\\"\\n\\x00\\xff\"");
        assert_eq!(quoted(b""), "\"\"");
    }
}
