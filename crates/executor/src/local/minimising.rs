//! Smaller inputs on the same path: values near zero, few objects, short strings, printable characters.
//!
//! ```text
//!   input ──▶ one part changed ──▶ run ──▶ same decisions, end, errors and coverage ──▶ the change stays
//!                                     └──▶ otherwise ──▶ the next candidate
//! ```
//! Runs are the judge, not the path condition: it omits what was concretised.

use std::collections::BTreeSet;
use std::time::Instant;

use tine_explore::errors::{self, Key};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Executor as _, Job, JobResult};
use tine_trace::event::{EventKind, Site};
use tine_trace::outcome::OutcomeKind;
use tine_trace::plan::{InputKind, TEXT, slot_of};
use tine_types::{Input, Kind, TypeGraph, TypeId};

use super::{ExecutorError, LocalExecutor};

/// Maximum number of parts of one array.
const MAX_ELEMENTS: u64 = 64;
/// Characters that replace others, most readable first.
const PRINTABLE: &[u8] = b"a0 A-~";

/// Limit of the work for one input.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub runs: u32,
    pub until: Instant,
}

/// Everything that must stay as it is.
#[derive(PartialEq)]
struct Path {
    decisions: Vec<(EventKind, Site, u16)>,
    end: (OutcomeKind, u32, Site),
    errors: BTreeSet<Key>,
    edges: Vec<Edge>,
    requests: Vec<(InputKind, u32, usize)>,
}

/// A request, or an object by its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Request(usize),
    Object(u32),
}

/// A scalar or a string of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    owner: Owner,
    at: usize,
    size: usize,
    kind: PartKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Signed,
    Unsigned,
    Float,
    Pointer,
    /// Characters up to a NUL.
    Text,
    /// Zero or what it is: enumerators, Booleans, bit-fields.
    Fixed,
}

impl LocalExecutor {
    /// An input on the path of `input`, as small as the effort allows, with its case; `None` if the path cannot be
    /// repeated.
    pub fn minimised(&mut self, input: &Input, effort: &mut Effort) -> Result<Option<(CaseId, Input)>, ExecutorError> {
        if !self.has_run {
            // The first run of a process has the coverage of the program's start-up.
            self.followed(input)?;
        }
        let Some((path, case)) = self.followed(input)? else { return Ok(None) };
        let input = self.inputs(case).map_or_else(|| input.clone(), |input| (*input).clone());
        let mut smaller = Smaller { executor: self, path, case, input, effort };
        for part in smaller.parts() {
            if part.kind == PartKind::Pointer {
                smaller.remove(part)?;
            }
        }
        for part in smaller.parts() {
            match part.kind {
                PartKind::Signed | PartKind::Unsigned => smaller.shrink_number(part)?,
                PartKind::Float => smaller.shrink_float(part)?,
                PartKind::Text => smaller.shrink_text(part)?,
                PartKind::Fixed => _ = smaller.set(part, &vec![0; part.size])?,
                PartKind::Pointer => {}
            }
        }
        Ok(Some((smaller.case, smaller.input)))
    }

    /// The path of an input, and its case.
    fn followed(&mut self, input: &Input) -> Result<Option<(Path, CaseId)>, ExecutorError> {
        let before = self.replace_seeds(vec![input.clone()]);
        let result = self.execute(&Job::Seed(0));
        self.replace_seeds(before);
        let JobResult::Ran(run) = result? else { return Ok(None) };
        let requests = self.inputs(run.case).map(|input| input.requests.clone()).unwrap_or_default();
        let decisions = run.decisions.iter().map(|one| (one.kind, one.site, one.side_index)).collect();
        let errors = errors::shown(&run.notes, &run.end, &self.map).iter().map(errors::ErrorSeen::key).collect();
        let end = (run.end.kind, run.end.code, run.end.site);
        let requests = requests.iter().map(|one| (one.kind, one.ty, one.bytes.len())).collect();
        Ok(Some((Path { decisions, end, errors, edges: self.edges(), requests }, run.case)))
    }
}

/// An input that becomes smaller.
struct Smaller<'a> {
    executor: &'a mut LocalExecutor,
    path: Path,
    case: CaseId,
    input: Input,
    effort: &'a mut Effort,
}

impl Smaller<'_> {
    /// Keeps a candidate if it takes the same path.
    fn try_input(&mut self, candidate: Input) -> Result<bool, ExecutorError> {
        if self.effort.runs == 0 || Instant::now() >= self.effort.until || candidate == self.input {
            return Ok(false);
        }
        self.effort.runs -= 1;
        let Some((path, case)) = self.executor.followed(&candidate)? else { return Ok(false) };
        let is_same = path == self.path;
        let left = if is_same { std::mem::replace(&mut self.case, case) } else { case };
        if is_same {
            self.input = self.executor.inputs(case).map_or(candidate, |input| (*input).clone());
        }
        self.executor.release(left);
        Ok(is_same)
    }

    fn bytes<'i>(input: &'i mut Input, part: &Part) -> Option<&'i mut [u8]> {
        let bytes = match part.owner {
            Owner::Request(index) => &mut input.requests.get_mut(index)?.bytes,
            Owner::Object(slot) => &mut input.objects.get_mut(&slot)?.bytes,
        };
        // Bytes after those that the run read are zero.
        let end = bytes.len().min(part.at + part.size);
        bytes.get_mut(part.at..end)
    }

    /// Replaces the bytes of a part. True if that keeps the path.
    fn set(&mut self, part: Part, bytes: &[u8]) -> Result<bool, ExecutorError> {
        let mut candidate = self.input.clone();
        match Smaller::bytes(&mut candidate, &part) {
            Some(own) if own.len() == bytes.len() => own.copy_from_slice(bytes),
            _ => return Ok(false),
        }
        self.try_input(candidate)
    }

    fn get(&mut self, part: &Part) -> Option<Vec<u8>> {
        Smaller::bytes(&mut self.input, part).map(|bytes| bytes.to_vec())
    }

    /// Makes a pointer NULL, and drops the objects that nothing else points to.
    fn remove(&mut self, part: Part) -> Result<(), ExecutorError> {
        let mut candidate = self.input.clone();
        let Some(own) = Smaller::bytes(&mut candidate, &part).filter(|own| own.iter().any(|byte| *byte != 0)) else {
            return Ok(());
        };
        own.fill(0);
        let reached = reached(&candidate);
        candidate.objects.retain(|slot, _| reached.contains(slot));
        self.try_input(candidate).map(drop)
    }

    /// Brings a number as near to zero as the path allows: zero, then by halving the distance.
    fn shrink_number(&mut self, part: Part) -> Result<(), ExecutorError> {
        let Some(bytes) = self.get(&part).filter(|bytes| bytes.len() == part.size) else { return Ok(()) };
        let unused = 128 - 8 * part.size as u32;
        let raw = bytes.iter().rev().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
        let signed = part.kind == PartKind::Signed;
        let mut known = if signed { (raw << unused) as i128 >> unused } else { raw as i128 };
        let mut failed = 0;
        let encoded = |number: i128| number.to_le_bytes()[..part.size].to_vec();
        if known == 0 || self.set(part, &encoded(0))? {
            return Ok(());
        }
        while (known - failed).abs() > 1 {
            // Small numbers are likely.
            let next = if failed == 0 { known.signum() } else { failed + (known - failed) / 2 };
            if self.set(part, &encoded(next))? {
                known = next;
            } else {
                failed = next;
            }
            if self.effort.runs == 0 {
                return Ok(());
            }
        }
        // Flags need not be near zero, but few.
        for bit in (0..part.size as u32 * 8).rev().map(|bit| 1i128 << bit) {
            if known > 0 && known & bit != 0 && self.set(part, &encoded(known & !bit))? {
                known &= !bit;
            }
        }
        Ok(())
    }

    fn shrink_float(&mut self, part: Part) -> Result<(), ExecutorError> {
        let Some(bytes) = self.get(&part) else { return Ok(()) };
        let value = match *bytes {
            [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => return Ok(()),
        };
        let whole = value.trunc();
        for simple in [0.0, value.signum(), whole, whole + value.signum(), (value * 10.0).trunc() / 10.0] {
            let encoded =
                if part.size == 4 { (simple as f32).to_le_bytes().to_vec() } else { simple.to_le_bytes().to_vec() };
            if encoded == bytes || self.set(part, &encoded)? {
                break;
            }
        }
        Ok(())
    }

    /// Shortens a string, and makes its characters printable.
    fn shrink_text(&mut self, part: Part) -> Result<(), ExecutorError> {
        let Some(mut bytes) = self.get(&part) else { return Ok(()) };
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        for end in [0, length / 2, length.saturating_sub(1)] {
            let mut shorter = bytes.clone();
            shorter[end..].fill(0);
            if end < length && self.set(part, &shorter)? {
                bytes = shorter;
                break;
            }
        }
        for index in 0..bytes.len() {
            if matches!(bytes[index], 0 | b' '..=b'~' | b'\n' | b'\t') {
                continue;
            }
            for printable in PRINTABLE {
                let before = std::mem::replace(&mut bytes[index], *printable);
                if self.set(part, &bytes)? {
                    break;
                }
                bytes[index] = before;
            }
        }
        Ok(())
    }

    /// The parts of the input, requests first.
    fn parts(&self) -> Vec<Part> {
        let shapes = &self.executor.shapes;
        let mut parts = Vec::new();
        for (index, request) in self.input.requests.iter().enumerate() {
            let owner = Owner::Request(index);
            let whole = |kind| Part { owner, at: 0, size: request.bytes.len(), kind };
            match (shapes.root(request.ty), request.kind) {
                (Some(ty), _) => parts_of(shapes.types(), ty, whole(PartKind::Fixed), &mut parts),
                (None, InputKind::Signed) => parts.push(whole(PartKind::Signed)),
                (None, InputKind::Unsigned) => parts.push(whole(PartKind::Unsigned)),
                (None, InputKind::Float) => parts.push(whole(PartKind::Float)),
                (None, InputKind::Char | InputKind::Text | InputKind::Bytes) => parts.push(whole(PartKind::Text)),
                // A file begins with its size.
                (None, InputKind::Contents) => {
                    let size = request.bytes.len().saturating_sub(4);
                    parts.push(Part { at: 4, size, ..whole(PartKind::Text) });
                }
                (None, _) => {}
            }
        }
        for (slot, object) in &self.input.objects {
            let owner = Owner::Object(*slot);
            let (element, length) = (&object.element, object.bytes.len());
            if element.flags & TEXT != 0 {
                parts.push(Part { owner, at: 0, size: length, kind: PartKind::Text });
                continue;
            }
            let size = element.size.max(1) as usize;
            for at in (0..length).step_by(size).take(MAX_ELEMENTS as usize) {
                let part = Part { owner, at, size, kind: PartKind::Fixed };
                parts_of(shapes.types(), element.ty, part, &mut parts);
            }
        }
        // Numbers of up to 64 bits.
        parts.retain(|part| part.size > 0 && (part.size <= 8 || part.kind == PartKind::Text));
        parts
    }
}

/// Slots of the objects that the requests lead to.
fn reached(input: &Input) -> BTreeSet<u32> {
    let targets = |bytes: &[u8]| -> Vec<u32> {
        let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        words.filter_map(|word| Some(slot_of(word, input.slot_shift)?.0)).collect()
    };
    let mut open: Vec<u32> = input.requests.iter().flat_map(|request| targets(&request.bytes)).collect();
    let mut reached = BTreeSet::new();
    while let Some(slot) = open.pop() {
        if let Some(object) = input.objects.get(&slot).filter(|_| reached.insert(slot)) {
            open.extend(targets(&object.bytes));
        }
    }
    reached
}

/// Adds the parts of a value of type `ty` that begins where `whole` does.
fn parts_of(types: &TypeGraph, ty: TypeId, whole: Part, parts: &mut Vec<Part>) {
    let ty = types.strip(ty);
    let size = types.size(ty).unwrap_or(0) as usize;
    let kind = match types.kind(ty) {
        Kind::Struct { members } => {
            for member in members {
                let inner = Part { at: whole.at + member.offset as usize, ..whole };
                match member.bits {
                    Some(_) => parts.push(Part { size: 1, ..inner }),
                    None => parts_of(types, member.ty, inner, parts),
                }
            }
            return;
        }
        Kind::Array { element, count } => {
            let step = types.size(*element).unwrap_or(0);
            if matches!(types.kind(types.strip(*element)), Kind::Char { .. }) {
                parts.push(Part { size, kind: PartKind::Text, ..whole });
                return;
            }
            for index in 0..count.unwrap_or(0).min(MAX_ELEMENTS) {
                parts_of(types, *element, Part { at: whole.at + (index * step) as usize, ..whole }, parts);
            }
            return;
        }
        Kind::Pointer { .. } => PartKind::Pointer,
        Kind::Char { .. } => PartKind::Text,
        Kind::Int { signed: true, bits } if *bits as usize == 8 * size => PartKind::Signed,
        Kind::Int { signed: false, bits } if *bits as usize == 8 * size => PartKind::Unsigned,
        Kind::Float { .. } => PartKind::Float,
        Kind::Bool | Kind::Enum { .. } => PartKind::Fixed,
        _ => return,
    };
    parts.push(Part { size, kind, ..whole });
}
