//! Expectations: observed values as conditions of a test.

use tine_types::map::Value;
use tine_types::{Kind, TypeGraph, TypeId};

use super::bits::Bits;
use super::leaves::{Leaf, LeafKind};
use super::literal;
use super::memory::{Declared, Form, is_flexible};
use super::observe::{Observed, Seen};

/// One condition. Frameworks have specific functions for most of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Integers are equal.
    Equal {
        actual: String,
        expected: String,
        signed: bool,
    },
    Pointer {
        actual: String,
        expected: String,
    },
    Null(String),
    NotNull(String),
    /// Characters up to a NUL.
    Text {
        actual: String,
        expected: String,
    },
    /// Number of bytes.
    Memory {
        actual: String,
        expected: String,
        size: usize,
    },
    Holds(String),
    /// Text on standard output.
    Output(String),
}

impl Expectation {
    /// As a condition in C.
    pub fn condition(&self) -> String {
        match self {
            Expectation::Equal { actual, expected, .. } | Expectation::Pointer { actual, expected } => {
                format!("{actual} == {expected}")
            }
            Expectation::Null(actual) => format!("{actual} == NULL"),
            Expectation::NotNull(actual) => format!("{actual} != NULL"),
            Expectation::Text { actual, expected } => format!("strcmp({actual}, {expected}) == 0"),
            Expectation::Memory { actual, expected, size } => format!("memcmp({actual}, {expected}, {size}) == 0"),
            Expectation::Holds(condition) => condition.clone(),
            Expectation::Output(text) => format!("strcmp(output(), {text}) == 0"),
        }
    }
}

/// Maximum number of conditions of one test.
const MAX: usize = 24;
/// Numbers within this many seconds of the present may be times.
const TIME_WINDOW: i64 = 100_000;

pub(super) struct Expecting<'a> {
    pub(super) graph: &'a TypeGraph,
    pub(super) bits: &'a Bits,
    pub(super) leaves: &'a [Leaf],
    /// Objects, in the order in which they were announced.
    pub(super) objects: Vec<&'a Declared>,
    /// Seconds since 1970.
    pub(super) now: i64,
}

impl Expecting<'_> {
    /// Conditions that hold in both runs. A value that differs is an address, a time or undefined.
    pub(super) fn all(&self, first: &Observed, second: &Observed) -> Vec<Expectation> {
        let mut all = Vec::new();
        for (index, leaf) in self.leaves.iter().enumerate() {
            let (Some(after), before) = (first.after.get(&index), first.before.get(&index)) else { continue };
            let is_new = leaf.is_result || leaf.parent.is_some() || !self.is_same(leaf, after, before);
            if !is_new || !self.is_same(leaf, after, second.after.get(&index)) || all.len() >= MAX {
                continue;
            }
            all.extend(self.of_leaf(leaf, after));
        }
        if !first.output.is_empty()
            && first.output == second.output
            && first.output.len() < 2000
            && !first.output.contains(&0)
        {
            all.push(Expectation::Output(literal::text(&first.output)));
        }
        all
    }

    fn of_leaf(&self, leaf: &Leaf, seen: &[Seen]) -> Option<Expectation> {
        let actual = leaf.expression.clone();
        match (leaf.kind, seen) {
            (LeafKind::Text, [Seen::Other, Seen::Bytes(bytes)]) if is_text(bytes) => {
                Some(Expectation::Text { actual, expected: literal::text(&bytes[..bytes.len() - 1]) })
            }
            (LeafKind::Characters(_), [Seen::Bytes(bytes)]) => Some(characters(actual, bytes)),
            (LeafKind::Wide, [Seen::Bytes(bytes)]) if self.is_unsupported(leaf.ty) => {
                let expected = literal::scalar(self.graph, leaf.ty, &Value::Bytes(bytes.clone()))?;
                let is_nan = expected.ends_with("NAN");
                let holds = if is_nan { format!("{actual} != {actual}") } else { format!("{actual} == {expected}") };
                Some(Expectation::Holds(holds))
            }
            (LeafKind::Wide, [Seen::Bytes(bytes)]) => {
                let number = bytes.iter().rev().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
                let signed = matches!(self.graph.kind(self.graph.strip(leaf.ty)), Kind::Int { signed: true, .. });
                let value = if signed { Value::Int(number as i128) } else { Value::Uint(number) };
                let expected = literal::scalar(self.graph, leaf.ty, &value)?;
                Some(Expectation::Holds(format!("{actual} == {expected}")))
            }
            (_, [Seen::Null, ..]) => Some(Expectation::Null(actual)),
            (_, [Seen::Other, ..]) => Some(Expectation::NotNull(actual)),
            (_, [Seen::Object(number, offset), ..]) => self.pointer(leaf, *number, *offset),
            (LeafKind::Float, [Seen::Float(bits)]) => Some(Expectation::Holds(self.float(leaf.ty, &actual, *bits))),
            (_, [Seen::Signed(number)]) => self.number(leaf, i128::from(*number)),
            (_, [Seen::Unsigned(number)]) => self.number(leaf, i128::from(*number)),
            _ => None,
        }
    }

    /// True for a `long double`.
    fn is_unsupported(&self, ty: TypeId) -> bool {
        matches!(self.graph.kind(self.graph.strip(ty)), Kind::Unsupported(_))
    }

    /// True if two observations of a leaf are the same value.
    fn is_same(&self, leaf: &Leaf, one: &[Seen], other: Option<&Vec<Seen>>) -> bool {
        match (one, other.map(Vec::as_slice)) {
            // The last six bytes are padding.
            ([Seen::Bytes(one)], Some([Seen::Bytes(other)])) if self.is_unsupported(leaf.ty) => {
                one.get(..10) == other.get(..10)
            }
            (one, other) => other == Some(one),
        }
    }

    fn number(&self, leaf: &Leaf, number: i128) -> Option<Expectation> {
        if (number - i128::from(self.now)).abs() < i128::from(TIME_WINDOW) {
            return None;
        }
        let plain = self.graph.strip(leaf.ty);
        let actual = leaf.expression.clone();
        let (value, signed) = match self.graph.kind(plain) {
            Kind::Bool => {
                return Some(Expectation::Holds(if number == 0 { format!("!{actual}") } else { actual }));
            }
            Kind::Char { .. } => (Value::Char(number as i64), true),
            Kind::Int { signed: true, .. } => (Value::Int(number), true),
            Kind::Int { .. } => (Value::Uint(number as u128), false),
            Kind::Enum { values, .. } => {
                let name = values.iter().find(|one| one.value == number).map(|one| one.name.clone());
                (Value::Enum { name, value: number }, true)
            }
            _ => return None,
        };
        let expected = literal::scalar(self.graph, leaf.ty, &value)?;
        let expected = literal::with_bits(self.bits, &actual, &value, expected);
        // A condition such as `READ | WRITE` needs parentheses.
        let expected = if expected.contains(" | ") { format!("({expected})") } else { expected };
        Some(Expectation::Equal { actual, expected, signed })
    }

    fn float(&self, ty: TypeId, actual: &str, bits: u64) -> String {
        let value = f64::from_bits(bits);
        if value.is_nan() {
            return format!("{actual} != {actual}");
        }
        let narrow = matches!(self.graph.kind(self.graph.strip(ty)), Kind::Float { bits: 32 });
        let value = if narrow {
            Value::Float { width: 32, bits: u64::from((value as f32).to_bits()) }
        } else {
            Value::Float { width: 64, bits }
        };
        format!("{actual} == {}", literal::scalar(self.graph, ty, &value).unwrap_or_default())
    }

    fn pointer(&self, leaf: &Leaf, number: usize, offset: i64) -> Option<Expectation> {
        let object = self.objects.get(number)?;
        let actual = &leaf.expression;
        let Kind::Pointer { to } = self.graph.kind(self.graph.strip(leaf.ty)) else { return None };
        let same = self.graph.describe(self.graph.strip(*to)) == self.graph.describe(self.graph.strip(object.element));
        let size = self.graph.size(object.element).unwrap_or(1).max(1) as i64;
        let single = object.form == Form::Single && !is_flexible(self.graph, object.element);
        let expected = match (single, offset) {
            (true, 0) if same => format!("&{}", object.name),
            (false, 0) if same => object.name.clone(),
            (false, offset) if same && offset % size == 0 => format!("{} + {}", object.name, offset / size),
            (_, offset) => {
                let start = if single { format!("&{}", object.name) } else { object.name.clone() };
                let expected = if offset == 0 {
                    format!("(void *){start}")
                } else {
                    format!("(void *)((char *){start} + {offset})")
                };
                return Some(Expectation::Holds(format!("(void *){actual} == {expected}")));
            }
        };
        Some(Expectation::Pointer { actual: actual.clone(), expected })
    }
}

fn is_text(bytes: &[u8]) -> bool {
    bytes
        .split_last()
        .is_some_and(|(last, text)| *last == 0 && text.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\n' | b'\t')))
}

fn characters(actual: String, bytes: &[u8]) -> Expectation {
    let length = bytes.iter().position(|byte| *byte == 0);
    match length {
        Some(length) if is_text(&bytes[..=length]) => {
            Expectation::Text { actual, expected: literal::text(&bytes[..length]) }
        }
        _ => {
            let size = bytes.iter().rposition(|byte| *byte != 0).map_or(bytes.len(), |last| last + 1);
            Expectation::Memory { actual, expected: literal::text(&bytes[..size]), size }
        }
    }
}
