//! Conversion of bytes and a type to a value.

use std::ops::Range;

use super::decode::{Target, Untouched};
use super::path::{has_flexible_tail, locate, stride};
use super::{Member, ObjectId, Value};
use crate::graph::{self, Enumerator, Kind, TypeGraph, TypeId};

/// Memory of one root or object, and the parts that the run read.
#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) touched: &'a [Range<u32>],
}

impl Region<'_> {
    fn is_touched(self, range: Range<usize>) -> bool {
        let next = self.touched.partition_point(|touched| touched.end as usize <= range.start);
        self.touched.get(next).is_some_and(|touched| (touched.start as usize) < range.end)
    }

    /// End of the part that was read; 0 if nothing was read at or after `from`.
    pub(super) fn touched_end(self, from: usize) -> usize {
        let end = self.touched.iter().map(|touched| touched.end as usize).max().unwrap_or(0).min(self.bytes.len());
        if end > from { end } else { 0 }
    }
}

pub(super) struct Reader<'a> {
    pub(super) graph: &'a TypeGraph,
    pub(super) resolve: &'a dyn Fn(u64) -> Option<Target>,
    /// Element type of an object; `None` for unknown objects.
    pub(super) elements: &'a dyn Fn(ObjectId) -> Option<TypeId>,
    pub(super) untouched: Untouched,
}

impl Reader<'_> {
    /// The value of type `ty` at `at`. With `tail` it is the last in its object, so flexible arrays extend to the end.
    pub(super) fn value(&self, ty: TypeId, region: Region<'_>, at: usize, tail: bool) -> Value {
        let ty = self.graph.strip(ty);
        match self.graph.kind(ty) {
            Kind::Struct { members } => collapsed(Value::Struct(self.members(members, region, at, tail))),
            Kind::Union { members } => self.union(ty, members, region, at),
            Kind::Array { element, count } => self.array(*element, *count, region, at, tail),
            _ => self.cell(ty, region, at),
        }
    }

    fn shows(&self, region: Region<'_>, range: Range<usize>) -> bool {
        self.untouched == Untouched::Show || region.is_touched(range)
    }

    fn members(&self, members: &[graph::Member], region: Region<'_>, at: usize, tail: bool) -> Vec<Member> {
        let value = |(index, member): (usize, &graph::Member)| {
            let last = index + 1 == members.len();
            Member { name: member.name.clone(), value: self.member(member, region, at, tail && last) }
        };
        members.iter().enumerate().map(value).collect()
    }

    fn member(&self, member: &graph::Member, region: Region<'_>, at: usize, tail: bool) -> Value {
        let at = at + member.offset as usize;
        let Some(bits) = member.bits else { return self.value(member.ty, region, at, tail) };
        let end = at + (u32::from(bits.offset) + bits.size).div_ceil(8) as usize;
        match region.bytes.get(at..end) {
            Some(bytes) if bits.size > 0 && self.shows(region, at..end) => {
                let number = number(bytes) >> bits.offset & mask(bits.size);
                self.scalar(self.graph.strip(member.ty), number, bits.size).unwrap_or(Value::Uint(number))
            }
            _ => Value::Untouched,
        }
    }

    /// Represents a union by the member that covers the read part and fits the bytes best, the first of several.
    fn union(&self, ty: TypeId, members: &[graph::Member], region: Region<'_>, at: usize) -> Value {
        let end = (at + self.graph.size(ty).unwrap_or(0) as usize).min(region.bytes.len());
        if at >= end || !self.shows(region, at..end) {
            return Value::Untouched;
        }
        let read = match self.untouched {
            Untouched::Show => end,
            Untouched::Hide => {
                (at..end).rev().find(|byte| region.is_touched(*byte..byte + 1)).map_or(at, |byte| byte + 1)
            }
        };
        let covers = |member: &graph::Member| {
            let size = match member.bits {
                Some(bits) => u64::from(u32::from(bits.offset) + bits.size).div_ceil(8),
                None => self.graph.size(member.ty).unwrap_or(0),
            };
            at + (member.offset + size) as usize >= read
        };
        let shown = |member: &graph::Member| self.member(member, region, at, false);
        let (mut covering, smaller): (Vec<_>, Vec<_>) = members.iter().partition(|member| covers(member));
        // A pointer is read as a whole; a number in the same bytes may be shorter.
        let is_whole = |member: &graph::Member| {
            let after = at + (member.offset + self.graph.size(member.ty).unwrap_or(0)) as usize;
            region.bytes.get(after..end).is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
        };
        if !covering.is_empty() {
            covering.extend(smaller.iter().copied().filter(|member| member.bits.is_none() && is_whole(member)));
        }
        let best = covering.iter().copied().min_by_key(|member| fit(&shown(member)));
        let (member, bytes) = match (best, smaller.first()) {
            (Some(member), _) => (member, None),
            (None, Some(first)) => (*first, Some(region.bytes[at..end].to_owned())),
            (None, None) => return Value::Bytes(region.bytes[at..end].to_owned()),
        };
        Value::Union { member: Box::new(Member { name: member.name.clone(), value: shown(member) }), bytes }
    }

    fn array(&self, element: TypeId, count: Option<u64>, region: Region<'_>, at: usize, tail: bool) -> Value {
        let size = stride(self.graph, element) as usize;
        let count = match count {
            Some(count) if count > 0 => count as usize,
            // The length of a flexible array is the part that was read.
            _ if tail => region.touched_end(at).saturating_sub(at).div_ceil(size),
            _ => 0,
        };
        if let Some(text) = self.text_array(element, region, at..at.saturating_add(count)) {
            return text;
        }
        let nested = has_flexible_tail(self.graph, element);
        let values = (0..count).map(|index| self.value(element, region, at + index * size, tail && nested)).collect();
        collapsed(Value::Array(values))
    }

    /// An array of `char` that holds a string and was read as one.
    fn text_array(&self, element: TypeId, region: Region<'_>, range: Range<usize>) -> Option<Value> {
        let Kind::Char { .. } = self.graph.kind(self.graph.strip(element)) else { return None };
        let bytes = region.bytes.get(range.clone())?;
        let length = bytes.iter().position(|byte| *byte == 0)?;
        let shown = |index: usize| self.shows(region, range.start + index..range.start + index + 1);
        let plain = |index: usize| if index <= length { shown(index) } else { bytes[index] == 0 || !shown(index) };
        (0..bytes.len()).all(plain).then(|| Value::Text(bytes[..length].to_owned()))
    }

    /// An object of characters. A string would lose bytes read after its NUL.
    pub(super) fn text_object(&self, region: Region<'_>) -> Value {
        let read = region.touched_end(0);
        if read == 0 && self.untouched == Untouched::Hide {
            return Value::Untouched;
        }
        let length = region.bytes.iter().position(|byte| *byte == 0);
        let hidden = |byte: usize| region.bytes[byte] == 0 || !region.is_touched(byte..byte + 1);
        match length {
            Some(length) if (length..read).all(hidden) => Value::Text(region.bytes[..length].to_owned()),
            Some(length) => Value::Bytes(region.bytes[..read.max(length + 1)].to_owned()),
            None => Value::Bytes(region.bytes[..read.max(1).min(region.bytes.len())].to_owned()),
        }
    }

    /// An object of unknown type, up to the last byte that was read or is pointed to.
    pub(super) fn bytes_object(&self, region: Region<'_>, offset: u64) -> Value {
        let read = region.touched_end(0);
        if read == 0 && self.untouched == Untouched::Hide {
            return Value::Untouched;
        }
        let end = read.max(offset.saturating_add(1).min(region.bytes.len() as u64) as usize);
        Value::Bytes(region.bytes[..end].to_owned())
    }

    fn cell(&self, ty: TypeId, region: Region<'_>, at: usize) -> Value {
        let size = self.graph.size(ty).unwrap_or(0) as usize;
        let Some(bytes) = region.bytes.get(at..at.saturating_add(size)) else { return Value::Untouched };
        if !self.shows(region, at..at + size) {
            return Value::Untouched;
        }
        let scalar = if (1..=16).contains(&size) { self.scalar(ty, number(bytes), 8 * size as u32) } else { None };
        scalar.unwrap_or_else(|| Value::Bytes(bytes.to_owned()))
    }

    /// The value of a number of `width` bits, if the values of the type are numbers.
    fn scalar(&self, ty: TypeId, number: u128, width: u32) -> Option<Value> {
        Some(match self.graph.kind(ty) {
            Kind::Bool if number <= 1 => Value::Bool(number == 1),
            Kind::Bool => Value::Uint(number),
            Kind::Char { signed: true } => Value::Char(sign_extended(number, width) as i64),
            Kind::Char { signed: false } => Value::Char(number as i64),
            Kind::Int { signed: true, bits } => Value::Int(sign_extended(number, width.min(*bits))),
            Kind::Int { signed: false, bits } => Value::Uint(number & mask(*bits)),
            Kind::Float { bits } => Value::Float { width: *bits, bits: number as u64 },
            Kind::Enum { underlying, values } => self.enumerator(*underlying, values, number, width),
            Kind::Pointer { to } => self.pointer(*to, number as u64),
            _ => return None,
        })
    }

    fn enumerator(&self, underlying: TypeId, values: &[Enumerator], number: u128, width: u32) -> Value {
        let signed = match self.graph.kind(self.graph.strip(underlying)) {
            Kind::Int { signed, .. } | Kind::Char { signed } => *signed,
            _ => false,
        };
        let value = if signed { sign_extended(number, width) } else { number as i128 };
        let named = values.iter().find(|enumerator| enumerator.value == value);
        Value::Enum { name: named.map(|enumerator| enumerator.name.clone()), value }
    }

    fn pointer(&self, to: TypeId, address: u64) -> Value {
        if address == 0 {
            return Value::Null;
        }
        match (self.resolve)(address) {
            Some(Target::Function(name)) => Value::Function(name),
            Some(Target::Object { id, offset }) => match (self.elements)(id) {
                Some(element) => Value::Pointer(locate(self.graph, id, element, offset, to)),
                None => Value::Address(address),
            },
            None => Value::Address(address),
        }
    }
}

/// Replaces a value without a touched part by `Untouched`.
fn collapsed(value: Value) -> Value {
    if value.parts().iter().all(|(_, part)| **part == Value::Untouched) { Value::Untouched } else { value }
}

/// Score of how well a member of a union fits its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// A pointer in it has a known target: without it objects would be missing.
    Linked,
    Likely,
    /// It is a number that looks like the bits of another type.
    Unlikely,
    /// A pointer in it has no known target.
    Astray,
}

fn fit(value: &Value) -> Fit {
    if leads_somewhere(value) { Fit::Linked } else { worst(value) }
}

fn worst(value: &Value) -> Fit {
    const LARGE: u128 = 1 << 48;
    match value {
        Value::Address(_) => Fit::Astray,
        Value::Int(number) if number.unsigned_abs() >= LARGE => Fit::Unlikely,
        Value::Uint(number) if *number >= LARGE => Fit::Unlikely,
        Value::Float { width: 64, bits } => {
            let number = f64::from_bits(*bits);
            if number != 0.0 && !number.is_normal() || number.abs() > 1e100 { Fit::Unlikely } else { Fit::Likely }
        }
        _ => value.parts().iter().map(|(_, part)| worst(part)).max().unwrap_or(Fit::Likely),
    }
}

fn leads_somewhere(value: &Value) -> bool {
    matches!(value, Value::Pointer(_) | Value::Function(_))
        || value.parts().iter().any(|(_, part)| leads_somewhere(part))
}

/// Little-endian, at most 16 bytes.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

fn mask(bits: u32) -> u128 {
    u128::MAX >> 128u32.saturating_sub(bits.max(1))
}

fn sign_extended(number: u128, bits: u32) -> i128 {
    let unused = 128u32.saturating_sub(bits.max(1));
    (number << unused) as i128 >> unused
}
