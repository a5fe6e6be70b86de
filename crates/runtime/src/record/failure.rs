//! Failed checks and assumptions: their consequences in a run or in the native program.

use core::ffi::{CStr, c_char};

use tine_trace::entry::Module;
use tine_trace::event::Site;
use tine_trace::map::{FunctionRecord, MapHeader, SiteRecord, Text};
use tine_trace::outcome::{ErrorKind, Fault, Outcome, OutcomeKind, Refused};

use super::input;
use super::state::{self, Recorder};
use super::{modules, notes, versions};
use crate::{process, sys};

/// `failed`: a check at this site found an error. Ends the run if the kind does. Without an engine the consequences are
/// left to the machine and the program, which is not informed. Only a replay reports the finding.
///
/// # Safety
/// `module` must be a registered module, `site` one of its sites.
pub(super) unsafe fn failed(module: *const Module, site: u32, kind: u32, refused: Refused) {
    let kind = ErrorKind::from_number(kind).unwrap_or(ErrorKind::OtherUndefined);
    if process::exploring() {
        if !state::checks(kind) {
            return;
        }
        if !kind.stops() && versions::notes(kind) {
            return;
        }
        if kind == ErrorKind::Misaligned && state::recorder().is_some_and(Recorder::is_misaligned_number) {
            return;
        }
        // SAFETY: the caller guarantees the module.
        let site = Site(unsafe { (*module).site_base }.wrapping_add(site));
        if kind.stops() {
            stop_with_note(kind, site, refused);
        }
        notes::error(site, kind as u32, refused);
        return;
    }
    if process::plan().is_some() {
        // SAFETY: the caller guarantees the module.
        let (file, line) = source_of(unsafe { modules::map_of(module) }, site);
        process::report_natively(kind, "", file, line);
    }
}

/// Reports an error found by a check of the runtime that ends the run, if the check is selected.
pub(super) fn found(site: Site, kind: ErrorKind, fault: Fault) {
    if !state::checks(kind) {
        return;
    }
    let (failed, code) = (OutcomeKind::Failed as u32, kind as u32);
    let outcome = Outcome { kind: failed, code, site: site.0, fault, ..Outcome::default() };
    versions::leave(&outcome);
    notes::error(site, kind as u32, Refused::default());
    process::stop_here(outcome);
}

/// Notes an error at this site and ends the run.
fn stop_with_note(kind: ErrorKind, site: Site, refused: Refused) -> ! {
    let outcome = Outcome { kind: OutcomeKind::Failed as u32, code: kind as u32, site: site.0, ..Outcome::default() };
    versions::leave(&outcome);
    notes::error(site, kind as u32, refused);
    process::stop(outcome)
}

/// As [`found`], for the current place of the program.
#[cold]
pub(super) fn found_here(kind: ErrorKind, fault: Fault) -> ! {
    process::stop_here(Outcome {
        kind: OutcomeKind::Failed as u32,
        code: kind as u32,
        site: Site::NONE.0,
        fault,
        ..Outcome::default()
    })
}

/// `__tine_fail`: the program itself found an error.
///
/// # Safety
/// `message` and `file` must be null or C strings.
pub(super) unsafe fn fail(kind: u32, message: *const c_char, file: *const c_char, line: u32) {
    let kind = ErrorKind::from_number(kind).unwrap_or(ErrorKind::AssertionFailure);
    if process::exploring() {
        if kind.stops() {
            stop_with_note(kind, Site::NONE, Refused::default());
        }
        if !versions::notes(kind) {
            notes::error(Site::NONE, kind as u32, Refused::default());
        }
        return;
    }
    // SAFETY: the caller guarantees both.
    let (message, file) = unsafe { (text(message), text(file)) };
    process::report_natively(kind, message, file, line);
    if kind.stops() {
        versions::leave_with(kind as u32);
        die();
    }
}

/// `__tine_missing`: the program called an undefined symbol.
///
/// # Safety
/// `name` must be a C string.
pub(super) unsafe fn missing(name: *const c_char) -> ! {
    let kind = ErrorKind::MissingFunction;
    if process::exploring() {
        found_here(kind, Fault::default());
    }
    // SAFETY: the caller guarantees it.
    process::report_natively(kind, unsafe { text(name) }, "", 0);
    die()
}

/// A monitor found that a specification is violated, at a place or (line 0) at no place of the unit.
pub(super) fn violation(message: &str, file: &str, line: u32, function: &str) -> ! {
    let kind = ErrorKind::Specification;
    if !process::exploring() {
        process::report_natively(kind, message, file, line);
        die()
    }
    let (offset, len) = input::keep_text(&[message.as_bytes(), b"\0", file.as_bytes(), b"\0", function.as_bytes()]);
    let (offset, len) = (i64::from(offset), u64::from(len));
    found_here(kind, Fault { size: u64::from(line), offset, len, ..Fault::default() })
}

/// Reports that two versions of a function differ: see [`versions`]. The message is in parts.
pub(super) fn differs(message: &[&str], file: &str, line: u32, function: &str) -> ! {
    let kind = ErrorKind::Difference;
    if !process::exploring() {
        message.iter().for_each(|part| _ = sys::write_all(2, part.as_bytes()));
        let _ = sys::write_all(2, b"\n");
        process::report_natively(kind, "", file, line);
        die()
    }
    let mut parts = [&b""[..]; 12];
    let n = message.len().min(parts.len() - 4);
    for (part, text) in parts.iter_mut().zip(&message[..n]) {
        *part = text.as_bytes();
    }
    parts[n..n + 4].copy_from_slice(&[b"\0", file.as_bytes(), b"\0", function.as_bytes()]);
    found_here(kind, versions::fault(input::keep_text(&parts[..n + 4]), line))
}

/// `__tine_endless`: the program is in a loop that no code inside it can end. A signal or a thread that the run has
/// arranged for could still end it. In that case, and without an engine, the loop continues.
pub(super) fn endless() {
    if process::exploring() && process::is_alone() {
        found_here(ErrorKind::EndlessLoop, Fault::default());
    }
}

/// `__tine_reject`: an assumption does not hold, so this is neither a path nor an error.
pub(super) fn reject() -> ! {
    if process::exploring() {
        stop(OutcomeKind::Rejected, 0, Site::NONE);
    }
    let _ = sys::write_all(2, b"tine: assumption does not hold\n");
    sys::exit_group(0);
}

/// Ends a run that requests more inputs than allowed, as if it had exceeded its time limit.
pub(super) fn asks_for_ever() -> ! {
    stop(OutcomeKind::Timeout, 0, Site::NONE)
}

/// `exiting`: the program ends without unwinding. Without this stop, it would end the worker, too.
pub(super) fn exiting(code: u32) {
    if process::exploring() {
        stop(OutcomeKind::Exited, code & 0xff, Site::NONE);
    }
}

fn stop(kind: OutcomeKind, code: u32, site: Site) -> ! {
    process::stop(Outcome { kind: kind as u32, code, site: site.0, ..Outcome::default() })
}

/// Dies like `abort`, for debuggers and exit statuses alike.
fn die() -> ! {
    const SIGABRT: usize = 6;
    let (process, thread) = (sys::getpid() as usize, sys::gettid() as usize);
    // SAFETY: a signal to this thread.
    let _ = unsafe { sys::call(sys::nr::TGKILL, [process, thread, SIGABRT, 0, 0, 0]) };
    sys::exit_group(134);
}

/// # Safety
/// `text` must be null or a C string that lives at least as long as the result.
unsafe fn text<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: the caller guarantees it.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("?")
}

/// File and line of a site, from the module's map.
fn source_of(map: &[u8], site: u32) -> (&str, u32) {
    let Some(header) = record::<MapHeader>(map, 0) else { return ("?", 0) };
    let sites = size_of::<MapHeader>() + header.n_functions as usize * size_of::<FunctionRecord>();
    if site >= header.n_sites {
        return ("?", 0);
    }
    let Some(record) = record::<SiteRecord>(map, sites + site as usize * size_of::<SiteRecord>()) else {
        return ("?", 0);
    };
    let Text { offset, len } = record.file;
    let strings = (header.len as usize).min(map.len()).saturating_sub(header.strings_len as usize);
    let start = strings.saturating_add(offset as usize);
    let file = map.get(start..start.saturating_add(len as usize)).unwrap_or(b"?");
    (core::str::from_utf8(file).unwrap_or("?"), record.line)
}

/// A record of the map, if the map is long enough.
fn record<T: Copy>(map: &[u8], offset: usize) -> Option<T> {
    let bytes = map.get(offset..offset.checked_add(size_of::<T>())?)?;
    // SAFETY: long enough; the map's records are plain numbers, for which any bytes are valid.
    Some(unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<T>(record: &T) -> &[u8] {
        // SAFETY: the map's records are plain numbers without padding.
        unsafe { core::slice::from_raw_parts((&raw const *record).cast(), size_of::<T>()) }
    }

    #[test]
    fn the_source_of_a_site_is_read_from_the_map() {
        let strings = b"main.c";
        let site = SiteRecord { file: Text { offset: 0, len: 6 }, line: 7, ..SiteRecord::default() };
        let len = size_of::<MapHeader>() + size_of::<FunctionRecord>() + 2 * size_of::<SiteRecord>() + strings.len();
        let header = MapHeader {
            n_functions: 1,
            n_sites: 2,
            strings_len: strings.len() as u32,
            len: len as u32,
            ..MapHeader::default()
        };
        let mut map = bytes(&header).to_vec();
        map.extend_from_slice(bytes(&FunctionRecord::default()));
        map.extend_from_slice(bytes(&SiteRecord::default()));
        map.extend_from_slice(bytes(&site));
        map.extend_from_slice(strings);
        assert_eq!(source_of(&map, 1), ("main.c", 7));
        assert_eq!(source_of(&map, 2), ("?", 0));
        assert_eq!(source_of(&map[..40], 1), ("?", 0));
        assert_eq!(source_of(&map[..map.len() - 1], 1).1, 7);
    }
}
