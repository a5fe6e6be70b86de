//! Floats as C's `%a` writes them: exact, and short.

/// `3.0` → `0x1.8p+1`. `value` may come from an `f32`, which fits exactly.
pub(crate) fn hex_float(value: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::hex_float;

    #[test]
    fn as_c_writes_them() {
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
}
