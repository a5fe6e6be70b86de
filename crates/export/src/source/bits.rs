//! Names whose values are bits: parameters and members that the unit combines with `&`, `|` and `^`. Their values are
//! written with the constants of these operations (`READ | WRITE`), otherwise in hexadecimal.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::tokenize;

/// Numbers below this look the same to a reader in both notations.
const MIN_HEXADECIMAL: u128 = 10;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    /// Single bits that the unit combines with each name, by value.
    names: BTreeMap<String, BTreeMap<u128, String>>,
}

impl Bits {
    /// Reads the text of a unit. `constants` are its macros and enumerators.
    pub(super) fn of(text: &str, constants: &BTreeMap<String, u128>) -> Bits {
        let tokens: Vec<String> = text.lines().flat_map(tokenize).collect();
        let mut bits = Bits::default();
        for (index, _) in tokens.iter().enumerate().filter(|(_, token)| is_operator(token)) {
            let (left, right) = (before(&tokens[..index]), after(&tokens[index + 1..]));
            // A last bit is the parity of a number.
            if left.is_empty() || right.is_empty() || right == ["1"] || left == ["1"] {
                continue;
            }
            for (names, others) in [(&left, &right), (&right, &left)] {
                for name in names.iter().filter(|name| is_name(name) && !constants.contains_key(**name)) {
                    let known = bits.names.entry((*name).to_owned()).or_default();
                    let single = others.iter().filter_map(|other| Some((*constants.get(*other)?, (*other).to_owned())));
                    known.extend(single.filter(|(value, _)| value.is_power_of_two()));
                }
            }
        }
        bits
    }

    /// The text of a number at a place such as `list->items[2].mask`, if its bits matter.
    pub(super) fn number(&self, place: &str, number: u128) -> Option<String> {
        let name = place.split(['.', '>']).next_back().unwrap_or_default();
        let name = name.split('[').next().unwrap_or_default().trim_start_matches(['*', '(', '&']);
        let known = self.names.get(name)?;
        let used: BTreeSet<&u128> = known.keys().filter(|bit| number & **bit != 0).collect();
        if number > 0 && used.iter().map(|bit| **bit).sum::<u128>() == number {
            return Some(used.iter().map(|bit| known[*bit].as_str()).collect::<Vec<_>>().join(" | "));
        }
        let suffix = match number {
            0..MIN_HEXADECIMAL => return None,
            MIN_HEXADECIMAL..=0x7fff_ffff => "",
            0x8000_0000..=0xffff_ffff => "u",
            _ => return None,
        };
        Some(format!("{number:#x}{suffix}"))
    }
}

/// The value of a macro such as `(1u << 4)` or `0x10`.
pub(super) fn value(text: &str) -> Option<u128> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        return value(inner);
    }
    if let Some((left, right)) = text.split_once("<<") {
        return value(left)?.checked_shl(u32::try_from(value(right)?).ok()?);
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None if digits.starts_with('0') => u128::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

fn is_operator(token: &str) -> bool {
    matches!(token, "&" | "|" | "^" | "&=" | "|=" | "^=")
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Names and numbers of the operand that ends here; none if the operator has one operand.
fn before(tokens: &[String]) -> Vec<&str> {
    let Some((last, rest)) = tokens.split_last() else { return Vec::new() };
    match last.as_str() {
        "]" => {
            let mut depth = 1;
            let begin = rest.iter().rposition(|token| {
                depth += i32::from(token == "]") - i32::from(token == "[");
                depth == 0
            });
            before(&rest[..begin.unwrap_or(0)])
        }
        ")" => {
            let begin = rest.iter().rposition(|token| token == "(").unwrap_or(0);
            rest[begin..].iter().map(String::as_str).filter(|token| is_word(token)).collect()
        }
        "return" | "case" => Vec::new(),
        word if is_word(word) => vec![word],
        _ => Vec::new(),
    }
}

/// Names and numbers of the operand that begins here.
fn after(tokens: &[String]) -> Vec<&str> {
    let mut tokens = tokens.iter().map(String::as_str).skip_while(|token| *token == "~").peekable();
    if tokens.next_if_eq(&"(").is_some() {
        return tokens.take_while(|token| *token != ")").filter(|token| is_word(token)).collect();
    }
    let mut name = Vec::new();
    while let Some(word) = tokens.next_if(|token| is_word(token)) {
        name = vec![word];
        // Indices are not part of the name.
        let mut depth = 0;
        let mut is_index = |token: &&str| {
            let is_within = depth > 0 || *token == "[";
            depth += i32::from(*token == "[") - i32::from(*token == "]");
            is_within
        };
        while tokens.next_if(&mut is_index).is_some() {}
        if tokens.next_if(|token| matches!(*token, "." | "->")).is_none() {
            break;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_bitwise_operators_are_bits() {
        let constants =
            [("F_A", 1), ("F_B", 2), ("F_C", 4), ("MASK", 0x60)].map(|(name, value)| (name.to_owned(), value));
        let text = "int f(struct s *s, unsigned flags, int n, int *p) {\n    if (s->mask & 0x8000 && n & 1)\n        \
                    g(&n);\n    flags &= ~(F_A | F_B);\n    return F_C & s->in[2].modes[n] || p[0] & MASK\n        \
                    || q[m[n]] & F_A || F_B & q[m[n]];\n}\n";
        let bits = Bits::of(text, &BTreeMap::from(constants));
        for (place, number, text) in [
            ("s.mask", 0x8000, Some("0x8000")),
            ("s->mask", 5, None),
            ("flags", 3, Some("F_A | F_B")),
            ("flags", 0x13, Some("0x13")),
            ("s.in[2].modes[1]", 4, Some("F_C")),
            ("n", 100, None),
            ("p[0]", 0x60, Some("0x60")),
            ("q[1]", 3, Some("F_A | F_B")),
            ("m[0]", 100, None),
            ("s.mask", 0x8000_0000, Some("0x80000000u")),
        ] {
            assert_eq!(bits.number(place, number).as_deref(), text, "{place}");
        }
        assert_eq!(["(1u << 4)", "0x10", "16UL", "020"].map(value), [Some(16); 4]);
        assert_eq!(value("sizeof x"), None);
    }
}
