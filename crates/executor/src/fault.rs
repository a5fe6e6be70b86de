//! Descriptions of the memory that an error is about.

use tine_explore::errors::of_end;
use tine_explore::job::Place;
use tine_explore::{ProgramMap, RunEnd};
use tine_trace::event::Site;
use tine_trace::op::Op;
use tine_trace::outcome::{ErrorKind, Fault, Storage};

use crate::import::Trace;
use crate::requirements::is_same_place;

/// Returns for example "write of 4 bytes, 1 byte after the 16-byte block allocated at x.c:7 in `make`"; empty if
/// nothing is known.
pub(crate) fn in_words(fault: &Fault, place: impl Fn(Site) -> Place) -> String {
    let Some(storage) = Storage::from_number(fault.storage) else { return String::new() };
    let access = if fault.writes != 0 { "write" } else { "read" };
    let (start, len) = (i128::from(fault.offset), i128::from(fault.len));
    let position = if start < 0 {
        format!("{} before", bytes((-start) as u64))
    } else if start >= len {
        format!("{} after", bytes((start - len) as u64))
    } else if start == 0 {
        "at the start of".to_string()
    } else {
        format!("{} into", bytes(start as u64))
    };
    // "0 bytes after" is less clear than "right after".
    let position = if start == len { "right after".to_string() } else { position };
    let object = match storage {
        Storage::Heap => "block",
        Storage::Stack => "local variable",
        Storage::Static => "global variable",
        Storage::Input => "input object",
    };
    let at = |what: &str, site: u32| {
        let known = site.checked_sub(1).map(|site| place(Site(site))).filter(Place::is_known);
        known.map_or_else(String::new, |place| {
            format!("{what} at {}:{} in `{}`", place.file, place.line, place.function)
        })
    };
    let allocated = at(" allocated", fault.allocated);
    let freed = at(if allocated.is_empty() { " freed" } else { ", freed" }, fault.freed);
    format!("{access} of {}, {position} the {}-byte {object}{allocated}{freed}", bytes(fault.size), fault.len)
}

/// Index and number of elements, if the run ended because an index is outside of an array of the program: "index -1 of
/// 4352 elements".
pub(crate) fn index(map: &ProgramMap, trace: &Trace, end: &RunEnd) -> Option<String> {
    let event = trace.events().last()?;
    if of_end(end) != Some(ErrorKind::ArrayBounds) || !is_same_place(map, end.site, Site(event.site)) {
        return None;
    }
    // The check is `index < number`, unsigned.
    let check = trace.nodes().get(event.node as usize).filter(|node| node.op == Op::Ult as u8)?;
    let (index, number) = (trace.nodes().get(check.a as usize)?, trace.nodes().get(check.b as usize)?);
    if number.op != Op::Const as u8 || index.width > 64 {
        return None;
    }
    let unused = 64 - u32::from(index.width);
    let value = ((index.value[0] << unused) as i64) >> unused;
    let elements = if number.value[0] == 1 { "element" } else { "elements" };
    Some(format!("index {value} of {} {elements}", number.value[0]))
}

/// Message of a violated specification, and the call that violated it if there is one: see [`Fault`].
pub(crate) fn violation(text: &str, line: u64) -> (String, Option<Place>) {
    let mut parts = text.split('\0');
    let mut next = || parts.next().unwrap_or_default();
    let (message, file, function) = (next().to_owned(), next(), next());
    let line = u32::try_from(line).unwrap_or(0);
    let call = Place { file: file.into(), line, column: 0, function: function.into() };
    (message, (line > 0 && !file.is_empty()).then_some(call))
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_named() {
        let place = |site: Site| Place { file: "x.c".into(), line: site.0, column: 1, function: "make".into() };
        let block = Fault { size: 4, offset: 17, len: 16, storage: 1, allocated: 8, freed: 0, writes: 1 };
        assert_eq!(
            in_words(&block, place),
            "write of 4 bytes, 1 byte after the 16-byte block allocated at x.c:7 in `make`"
        );
        let freed = Fault { offset: 8, freed: 10, writes: 0, ..block };
        assert_eq!(
            in_words(&freed, place),
            "read of 4 bytes, 8 bytes into the 16-byte block allocated at x.c:7 in `make`, freed at x.c:9 in `make`"
        );
        let local = Fault { size: 1, offset: 8, len: 8, storage: 2, ..Fault::default() };
        assert_eq!(in_words(&local, place), "read of 1 byte, right after the 8-byte local variable");
        assert_eq!(
            in_words(&Fault { offset: -4, ..local }, place),
            "read of 1 byte, 4 bytes before the 8-byte local variable"
        );
        assert_eq!(in_words(&Fault::default(), place), "");
    }
}
