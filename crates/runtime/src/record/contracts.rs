//! Contracts of the C library, checked before a call: see [`tine_trace::contract`].
//!
//! Conditions that depend on inputs are goals: in another run a length may be too large for its buffer, or copies may
//! overlap. Objects of inputs grow with their use, so only null pointers and freed objects are found for them.

use core::ptr::with_exposed_provenance;

use tine_trace::contract::{Contract, Kind, LONG, NOT_FOLLOWED, OPTIONAL, SCANS, WIDE};
use tine_trace::entry::{ACCESS_WRITES, MAX_ACCESS};
use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::{CELL_UNSET, is_forbidden, is_reserved};
use tine_trace::op::Op;
use tine_trace::outcome::{ErrorKind, Fault};

use super::failure;
use super::forbidden::{self, Access};
use super::format::{self, Text, Want};
use super::note;
use super::objects::is_input;
use super::places::{self, Place};
use super::shadow::cell;
use super::state::{self, Recorder};
use super::term::Term;
use crate::process::heap::{Life, object_of};

/// Maximum number of bytes of a string that may be its terminator.
const MAX_TEXT: u64 = 256;

/// Maximum number of characters of a format that lies in no object.
const MAX_FORMAT: u64 = 4096;
/// Nothing is mapped below this address.
const LOWEST: u64 = 1 << 16;

/// A contract of one call. See [`Contract`] for the meaning of the operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) site: Site,
    pub(super) rule: u32,
    pub(super) shadows: [u32; 3],
    pub(super) operands: [u64; 4],
}

impl Call {
    fn is_optional(&self) -> bool {
        self.rule & OPTIONAL != 0
    }

    fn found(&self, kind: ErrorKind) {
        failure::found(self.site, kind, Fault::default());
    }

    /// The same call with another contract, whose operands do not depend on inputs.
    fn with(&self, operands: [u64; 4]) -> Call {
        Call { shadows: [0; 3], operands, ..*self }
    }
}

impl Recorder {
    /// `contract`.
    pub(super) fn contract(&mut self, call: &Call) {
        let [a, b, c, _] = call.operands;
        match Contract::from_number(call.rule) {
            Some(Contract::Reads) => self.range(call, Access::Read),
            Some(Contract::Writes) => self.range(call, Access::Write),
            Some(Contract::Text) => self.text(call),
            Some(Contract::Apart) => self.apart(call),
            Some(Contract::TextApart) => self.text_apart(call),
            Some(Contract::Stream)
                if object_of(a).is_some_and(|object| object.address == a && object.life == Life::Freed) =>
            {
                call.found(ErrorKind::ClosedStream);
            }
            Some(Contract::Fills) => {
                // A fill has no source.
                for (pointer, address, access) in [(0, a, Access::Write), (1, b, Access::Read)] {
                    let is_memory = address != 0 && !is_input(address);
                    if let Some(place) = places::inside(address).filter(|_| is_memory) {
                        let shadows = [call.shadows[pointer], call.shadows[2], 0];
                        let fits = self.fits(&Call { shadows, ..call.with([address, c, 1, 0]) }, place);
                        if !fits && self.size_of(place).is_none() && forbidden::is_so(place.base + place.len) {
                            // All lengths that do not fit make the same path. For a block whose size depends on
                            // inputs, the decisions about its size come first.
                            left(call.site, [address, c], place, access);
                        }
                    }
                    if c > LONG && is_memory {
                        self.range(&call.with([address, c, 1, 0]), access);
                    }
                }
            }
            Some(Contract::Member) => self.member(call),
            Some(Contract::Stream) if a == 0 && !call.is_optional() && call.shadows[0] == 0 => {
                call.found(ErrorKind::NullArgument);
            }
            Some(Contract::Argument) => self.argument(call),
            Some(Contract::Arguments) => self.arguments(call),
            Some(Contract::Stream) | None => {}
        }
    }

    /// Checks a copy or fill of an array after which its structure has other members.
    fn member(&mut self, call: &Call) {
        let [address, len, room, _] = call.operands;
        if !places::inside(address).is_some_and(|place| place.holds(address, room + 1)) {
            return;
        }
        let member = Place { base: address, len: room };
        self.fits(&Call { operands: [address, len, 1, 0], ..*call }, member);
        if len > room {
            left(call.site, [address, len], member, Access::Write);
        }
    }

    /// True if a pointer points to memory that can be checked. Null is reported as an error, unless it is allowed.
    fn leads_somewhere(&mut self, call: &Call) -> bool {
        let [pointer, shadow] = [call.operands[0], u64::from(call.shadows[0])];
        if pointer == 0 {
            if !call.is_optional() && shadow == 0 {
                call.found(ErrorKind::NullArgument);
            }
            return false;
        }
        if is_input(pointer) {
            return forbidden::is_freed(pointer);
        }
        true
    }

    /// Checks a range that is read or written.
    fn range(&mut self, call: &Call, access: Access) {
        let [address, count, unit, _] = call.operands;
        let len = count.saturating_mul(unit);
        let is_known = call.shadows[1] == 0 && call.shadows[2] == 0;
        if len == 0 && is_known || !self.leads_somewhere(call) {
            return;
        }
        if len > 0 && call.shadows[0] != 0 && len <= u64::from(MAX_ACCESS) {
            let flags = if access == Access::Write { ACCESS_WRITES } else { 0 };
            self.access(call.site, call.shadows[0], address, len as u32 | flags);
            self.pending.end();
        }
        let Some(place) = places::inside(address) else {
            return forbidden::look(address, len, len.min(LONG), access);
        };
        self.fits(call, place);
        let room = place.base + place.len - address;
        if len > room && len > 0 {
            forbidden::look(address, len, room + 1, access);
        }
        self.touch(address, len.min(room), access);
    }

    /// Logs a decision whether a length that depends on inputs fits. Returns false if it does not.
    fn fits(&mut self, call: &Call, place: Place) -> bool {
        let [address, _, unit, _] = call.operands;
        let is_constant = call.shadows[0] == 0 && call.shadows[2] == 0 && unit != 0;
        let Some(count) = self.term(call.shadows[1]).filter(|count| is_constant && count.width <= 64) else {
            return true;
        };
        let count = self.zext(count, 64);
        let offset = address - place.base;
        let most = Term::concrete(64, u128::from((place.len - offset) / unit));
        let mut fits = self.binary(Op::Ule, count, most);
        if let Some(size) = self.size_of(place).filter(|_| unit == 1) {
            let end = self.binary(Op::Add, count, Term::concrete(64, u128::from(offset)));
            let in_object = self.binary(Op::Ule, end, size);
            fits = self.binary(Op::And, fits, in_object);
        }
        self.goal(call.site, fits);
        fits.value != 0
    }

    /// Logs a condition that holds in this run: other runs may violate it.
    fn goal(&mut self, site: Site, condition: Term) {
        if condition.id != 0 && !self.is_certain(condition.id) {
            self.check(site, condition.id, condition.value != 0);
        }
    }

    /// Checks a string that is read up to its end, or up to a number of characters.
    fn text(&mut self, call: &Call) {
        let [address, most, unit, _] = call.operands;
        if most == 0 || !self.leads_somewhere(call) {
            return;
        }
        forbidden::look(address, unit, 1, Access::Read);
        let Some(place) = places::inside(address) else { return };
        let end = place.base + place.len;
        let most = most.min((end - address) / unit);
        let mut may_end = false;
        for at in (0..most).map(|k| address + k * unit) {
            // SAFETY: the object is alive, and the shadow covers every address.
            let (value, cell) = unsafe { (character(at, unit), *cell(at)) };
            if is_forbidden(cell) {
                return forbidden::look(address, at + unit - address, at + unit - address, Access::Read);
            }
            if cell == CELL_UNSET && at == address && self.follows_unset && state::checks(ErrorKind::Uninitialised) {
                call.found(ErrorKind::Uninitialised);
            }
            let is_symbolic = cell != 0 && !is_reserved(cell);
            may_end |= is_symbolic;
            if value == 0 && !is_symbolic {
                return;
            }
        }
        if most == call.operands[1] {
            return;
        }
        let ends = (0..most).any(|k| {
            // SAFETY: as above.
            unsafe { character(address + k * unit, unit) == 0 }
        });
        if may_end && call.shadows[0] == 0 && most <= MAX_TEXT && forbidden::is_so(end) {
            self.ends_inside(call, most);
        }
        if !ends {
            forbidden::look(address, end + unit - address, end + 1 - address, Access::Read);
        }
    }

    /// Checks that one of this many characters is the terminator.
    fn ends_inside(&mut self, call: &Call, most: u64) {
        let [address, _, unit, _] = call.operands;
        let width = unit as u32 * 8;
        let mut ends = Term::concrete(1, 0);
        for at in (0..most).map(|k| address + k * unit) {
            // SAFETY: the object is alive.
            let value = unsafe { character(at, unit) };
            let node = self.load(at, unit as u32, u128::from(value));
            let character = self.operand(node, width, u128::from(value));
            let is_last = self.binary(Op::Eq, character, Term::concrete(width, 0));
            ends = self.binary(Op::Or, ends, is_last);
        }
        self.goal(call.site, ends);
    }

    /// Checks that ranges do not overlap.
    fn apart(&mut self, call: &Call) {
        let [to, from, len, _] = call.operands;
        let overlaps = |to: u64, from: u64| to.wrapping_sub(from) < len || from.wrapping_sub(to) < len;
        let [to_node, from_node, len_node] = call.shadows;
        let is_same_object = match (places::inside(to), places::inside(from)) {
            (Some(x), Some(y)) => x == y,
            _ => false,
        };
        // The caller chooses the objects that input pointers point to.
        if is_input(to) && self.pointer_in(to_node, 8) != self.pointer_in(from_node, 8) {
            return;
        }
        if !is_same_object {
            return;
        }
        let [to_term, from_term, len_term] =
            [(to_node, to), (from_node, from), (len_node, len)].map(|(node, value)| self.word(node, value));
        let distances = [self.binary(Op::Sub, to_term, from_term), self.binary(Op::Sub, from_term, to_term)];
        let [x, y] = distances.map(|distance| self.binary(Op::Ule, len_term, distance));
        let are_apart = self.binary(Op::And, x, y);
        let are_same = self.binary(Op::Eq, to_term, from_term);
        let are_allowed = self.binary(Op::Or, are_same, are_apart);
        self.goal(call.site, are_allowed);
        if to != from && overlaps(to, from) {
            call.found(ErrorKind::Overlap);
        }
    }

    /// A value of at most 64 bits.
    fn word(&mut self, node: u32, value: u64) -> Term {
        let Some(term) = self.term(node).filter(|term| term.width <= 64) else {
            return Term::concrete(64, u128::from(value));
        };
        self.zext(term, 64)
    }

    /// Checks a string that is copied to another place.
    fn text_apart(&mut self, call: &Call) {
        let [to, from, appends, _] = call.operands;
        let (Some(place), Some(other)) = (places::inside(to), places::inside(from)) else { return };
        if place != other || is_input(to) && self.pointer_in(call.shadows[0], 8) != self.pointer_in(call.shadows[1], 8)
        {
            return;
        }
        let end = place.base + place.len;
        let length = |start: u64| {
            // SAFETY: the object is alive.
            (start..end).position(|at| unsafe { character(at, 1) == 0 }).map_or(end - start, |n| n as u64)
        };
        let len = length(from) + 1;
        let to = if appends != 0 { to + length(to) } else { to };
        if to.wrapping_sub(from) < len || from.wrapping_sub(to) < len {
            call.found(ErrorKind::Overlap);
        }
    }

    /// Checks an argument of a format.
    fn argument(&mut self, call: &Call) {
        let [address, what, value, before] = call.operands;
        let Some(mut wants) = wants(address, call.rule) else { return };
        let Some(want) = wants.nth((what >> 8) as usize) else { return };
        let kind = Kind::from_number(what);
        if !format::fits(want, kind) {
            return call.found(ErrorKind::InvalidFormat);
        }
        if kind != Kind::Pointer {
            return;
        }
        if matches!(want, Want::Count(_)) && call.rule & NOT_FOLLOWED != 0 {
            note(NoteKind::ExternCall, call.site, 0);
        }
        let call = Call { rule: 0, shadows: [call.shadows[2], 0, 0], ..*call };
        match want {
            Want::Text { unit, most } => {
                let most = match most {
                    Text::Whole => u64::MAX,
                    Text::UpTo(n) => n,
                    Text::Argument => u64::try_from(before as i32).unwrap_or(u64::MAX),
                };
                self.text(&Call { operands: [value, most, unit, 0], ..call });
            }
            Want::Room(bytes) | Want::Count(bytes) => {
                self.range(&Call { operands: [value, bytes, 1, 0], ..call }, Access::Write);
            }
            Want::Word | Want::Long | Want::Double | Want::LongDouble | Want::Pointer => {}
        }
    }

    /// Checks that a format does not need more arguments than there are.
    fn arguments(&mut self, call: &Call) {
        let [address, n, ..] = call.operands;
        if wants(address, call.rule).is_some_and(|wants| wants.count() as u64 > n) {
            call.found(ErrorKind::InvalidFormat);
        }
    }
}

/// Reports that `len` bytes at an address leave their object.
fn left(site: Site, [address, len]: [u64; 2], place: Place, access: Access) {
    let kind = if access == Access::Write { ErrorKind::OutOfBoundsWrite } else { ErrorKind::OutOfBoundsRead };
    failure::found(site, kind, forbidden::fault(address, len, Some(place), access));
}

/// Returns the arguments that a format needs, if it is known.
fn wants(address: u64, rule: u32) -> Option<format::Wants> {
    let unit = if rule & WIDE != 0 { 4 } else { 1 };
    // Constants of the library and of uninstrumented code are not known.
    let is_elsewhere = !places::on_heap(address) && !places::on_stack(address) && !is_input(address);
    let room = match places::inside(address) {
        Some(place) => place.base + place.len - address,
        None if is_elsewhere && address >= LOWEST => MAX_FORMAT,
        None => return None,
    };
    // SAFETY: the object is alive.
    let len = (0..room / unit).take_while(|k| unsafe { character(address + k * unit, unit) != 0 }).count() as u64;
    // SAFETY: the shadow covers every address.
    let is_symbolic = |at: u64| unsafe { *cell(at) != 0 && !is_reserved(*cell(at)) };
    let is_known = len * unit < room && !(address..address + len * unit).any(is_symbolic);
    is_known.then(|| format::Wants::new(address, unit, rule & SCANS != 0))
}

/// # Safety
/// It must be readable.
pub(super) unsafe fn character(at: u64, unit: u64) -> u32 {
    let at = at as usize;
    // SAFETY: the caller guarantees it.
    unsafe {
        if unit == 1 {
            u32::from(*with_exposed_provenance::<u8>(at))
        } else {
            with_exposed_provenance::<u32>(at).read_unaligned()
        }
    }
}
