//! Errors of the program under test. Each error is listed once, however many runs show it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tine_trace::event::{NoteKind, Site};
use tine_trace::outcome::{ErrorKind, MEMORY_REFUSED, OutcomeKind};

use crate::job::{CaseId, NoteSeen, Place, Run, RunEnd};
use crate::map::ProgramMap;

/// An error as shown by one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSeen {
    pub kind: ErrorKind,
    pub place: Place,
    /// Description of the memory or the values concerned; empty if unknown.
    pub about: Arc<str>,
    /// Calls that led there, innermost first.
    pub callers: Arc<[Place]>,
    /// For a difference of two versions: the last decision before the comparison. Different decisions lead to different
    /// statements, so each is a cause of its own.
    pub after: Option<(Site, u16)>,
}

/// An error of the program, with the first case that reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundError {
    pub kind: ErrorKind,
    pub place: Place,
    pub about: Arc<str>,
    /// Calls that led there in the first case, innermost first.
    pub callers: Arc<[Place]>,
    /// See [`ErrorSeen::after`].
    pub after: Option<(Site, u16)>,
    pub case: CaseId,
    /// Number of the first run that showed it, counted from 1.
    pub run: u64,
    /// Number of runs that showed it.
    pub count: u64,
}

impl FoundError {
    pub(crate) fn seen(&self) -> ErrorSeen {
        let (about, callers) = (Arc::clone(&self.about), Arc::clone(&self.callers));
        ErrorSeen { kind: self.kind, place: self.place.clone(), about, callers, after: self.after }
    }
}

/// All errors found, in order. One per kind and place; endless loops that are not proved count once per function.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    found: Vec<FoundError>,
    known: BTreeMap<Key, usize>,
}

/// Identity of an error. Errors with equal keys are the same error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(ErrorKind, Arc<str>, Arc<str>, u32, u32, Option<(Site, u16)>);

impl ErrorSeen {
    /// Kind and place. An endless loop that is not proved counts once per function, because the place in the loop at which
    /// a run is stopped is not deterministic.
    pub fn key(&self) -> Key {
        let place = &self.place;
        match self.kind {
            ErrorKind::EndlessLoop if place.column == 0 => {
                Key(self.kind, place.file.clone(), place.function.clone(), 0, 0, None)
            }
            // The part of the message before the colon identifies the difference.
            ErrorKind::Difference => {
                let observed = self.about.split(':').next().unwrap_or_default();
                Key(self.kind, place.file.clone(), observed.into(), place.line, place.column, self.after)
            }
            kind => Key(kind, place.file.clone(), "".into(), place.line, place.column, None),
        }
    }
}

impl Errors {
    /// Errors found, in order.
    pub fn found(&self) -> &[FoundError] {
        &self.found
    }

    pub(crate) fn has(&self, key: &Key) -> bool {
        self.known.contains_key(key)
    }

    /// Counts an error. Returns its index in [`Errors::found`] if it is new.
    pub(crate) fn add(&mut self, seen: ErrorSeen, case: CaseId, run: u64) -> Option<usize> {
        let key = seen.key();
        let ErrorSeen { kind, place, about, callers, after } = seen;
        // A timeout most likely occurred in a known endless loop of the same function, or of any if its place is unknown.
        let is_timeout = kind == ErrorKind::EndlessLoop && place.column == 0;
        let is_near =
            |known: &Place| !place.is_known() || (&known.file, &known.function) == (&place.file, &place.function);
        if is_timeout
            && let Some(known) = self.found.iter_mut().find(|known| known.kind == kind && is_near(&known.place))
        {
            known.count += 1;
            return None;
        }
        let index = *self.known.entry(key).or_insert(self.found.len());
        if let Some(known) = self.found.get_mut(index) {
            known.count += 1;
            return None;
        }
        self.found.push(FoundError { kind, place, about, callers, after, case, run, count: 1 });
        Some(index)
    }
}

/// Reproduced errors of a run, in order: failed checks after which it continued, then the error that ended it. A
/// rejected run has no errors, because its input does not count.
pub fn of_run(run: &Run, map: &ProgramMap) -> Vec<ErrorSeen> {
    let doubtful = not_reproduced(run, map);
    let mut seen = shown(&run.notes, &run.end, map);
    seen.retain(|error| !doubtful.iter().any(|doubtful| doubtful.key() == error.key()));
    seen
}

/// Errors of a run that did not appear again when its input ran in a fresh process.
pub fn not_reproduced(run: &Run, map: &ProgramMap) -> Vec<ErrorSeen> {
    noted(&run.notes, NoteKind::NotReproduced, map)
}

/// True if a run ends by itself and without errors.
pub fn passes(notes: &[NoteSeen], end: &RunEnd, map: &ProgramMap) -> bool {
    end.kind == OutcomeKind::Exited && shown(notes, end, map).is_empty()
}

/// Errors in the notes and the end of a run, reproduced or not.
pub fn shown(notes: &[NoteSeen], end: &RunEnd, map: &ProgramMap) -> Vec<ErrorSeen> {
    if end.kind == OutcomeKind::Rejected {
        return Vec::new();
    }
    let mut seen = noted(notes, NoteKind::Error, map);
    // A program that waits for further input without end is not an endless loop.
    let asks_for_ever = notes.iter().any(|note| note.kind == NoteKind::MaxInputs);
    let is_error = |kind: &ErrorKind| *kind != ErrorKind::EndlessLoop || !asks_for_ever;
    if let Some(kind) = of_end(end).filter(is_error) {
        let mut place = map.with_function(end.place.clone().unwrap_or_else(|| map.place(end.site)));
        if end.kind == OutcomeKind::Timeout {
            place.column = 0;
        }
        // A failed check and the signal that the machine then raises for it are one error (`1 / 0`, then SIGFPE).
        let is_cause = |error: &ErrorSeen| {
            error.place.file == place.file && error.place.line == place.line && explains(error.kind, kind)
        };
        let foreseen = end.kind == OutcomeKind::Signal && place.is_known() && seen.iter().any(is_cause);
        // A number that is not an address is rarely aligned, too.
        if kind == ErrorKind::InvalidAccess && end.kind == OutcomeKind::Signal {
            let is_here = |error: &ErrorSeen| error.place.file == place.file && error.place.line == place.line;
            seen.retain(|error| error.kind != ErrorKind::Misaligned || !is_here(error));
        }
        if !foreseen {
            let (about, callers) = (Arc::clone(&end.about), Arc::clone(&end.callers));
            push_new(&mut seen, ErrorSeen { kind, place, about, callers, after: None });
        }
    }
    seen
}

/// The error that ended a run, if it was reproduced.
pub fn ending(run: &Run, map: &ProgramMap) -> Option<ErrorSeen> {
    let kind = of_end(&run.end)?;
    of_run(run, map).into_iter().rev().find(|error| error.kind == kind)
}

/// Errors named by the notes of one kind.
fn noted(notes: &[NoteSeen], kind: NoteKind, map: &ProgramMap) -> Vec<ErrorSeen> {
    let mut seen = Vec::new();
    for note in notes.iter().filter(|note| note.kind == kind) {
        let kind = ErrorKind::from_number(note.detail).unwrap_or(ErrorKind::OtherUndefined);
        let place = note.place.clone().unwrap_or_else(|| map.place(note.site));
        let (about, callers) = (Arc::clone(&note.about), Arc::clone(&note.callers));
        push_new(&mut seen, ErrorSeen { kind, place, about, callers, after: None });
    }
    seen
}

/// True if the machine may raise a signal of this kind for the error that the check found.
fn explains(check: ErrorKind, signal: ErrorKind) -> bool {
    use ErrorKind::*;
    match signal {
        ArithmeticTrap => matches!(check, DivisionByZero | DivisionOverflow),
        InvalidAccess => matches!(check, NullPointer | ArrayBounds | PointerOverflow | NullArgument | VlaBound),
        IllegalInstruction => matches!(check, Unreachable | MissingReturn | OtherUndefined | InvalidBuiltin),
        _ => check == signal || check == AssertionFailure,
    }
}

fn push_new(seen: &mut Vec<ErrorSeen>, error: ErrorSeen) {
    let Some(known) = seen.iter_mut().find(|known| known.kind == error.kind && known.place == error.place) else {
        return seen.push(error);
    };
    if known.about.is_empty() {
        known.about = error.about;
    }
    if known.callers.is_empty() {
        known.callers = error.callers;
    }
}

/// Returns the error that ended a run, if an error did.
pub fn of_end(end: &RunEnd) -> Option<ErrorKind> {
    match end.kind {
        OutcomeKind::Unfinished | OutcomeKind::Exited | OutcomeKind::Rejected => None,
        OutcomeKind::Failed => Some(ErrorKind::from_number(end.code).unwrap_or(ErrorKind::OtherUndefined)),
        OutcomeKind::Signal => Some(of_signal(end.code)),
        OutcomeKind::StackOverflow => Some(ErrorKind::StackOverflow),
        // The error followed from a refused allocation, which would have succeeded outside of tine.
        OutcomeKind::OutOfMemory if end.code == MEMORY_REFUSED => None,
        OutcomeKind::OutOfMemory => Some(ErrorKind::OutOfMemory),
        OutcomeKind::Timeout => Some(ErrorKind::EndlessLoop),
    }
}

/// Linux's signal numbers, the same on all machines that tine supports.
fn of_signal(signal: u32) -> ErrorKind {
    const SIGILL: u32 = 4;
    const SIGTRAP: u32 = 5;
    const SIGABRT: u32 = 6;
    const SIGBUS: u32 = 7;
    const SIGFPE: u32 = 8;
    const SIGSEGV: u32 = 11;
    const SIGXFSZ: u32 = 25;
    match signal {
        SIGXFSZ => ErrorKind::OutputLimit,
        SIGSEGV | SIGBUS => ErrorKind::InvalidAccess,
        SIGFPE => ErrorKind::ArithmeticTrap,
        SIGABRT => ErrorKind::Abort,
        SIGILL | SIGTRAP => ErrorKind::IllegalInstruction,
        _ => ErrorKind::Signal,
    }
}
