//! Runs that exceed their time: endless loops, or runs that are slow only because they are recorded.
//!
//! ```text
//!   recorded ──▶ time is up ──▶ the same input, not recorded ──▶ time is up again: an endless loop
//!                                                           └──▶ ends: too slow to trace; this is the end of the run
//! ```
//! Notes and coverage of both runs count. The path is that of the recorded run, up to the point where it was stopped.

use tine_explore::RunEnd;
use tine_explore::job::{NoteSeen, Place};
use tine_trace::event::{NoteKind, Site};
use tine_trace::outcome::OutcomeKind;

/// Notes and end of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) notes: Vec<NoteSeen>,
    pub(crate) end: RunEnd,
}

impl Seen {
    /// True if it may be an endless loop. A run with unbounded requests ends for the right input, so it is not one.
    pub(crate) fn ran_out_of_time(&self) -> bool {
        self.end.kind == OutcomeKind::Timeout && !self.asks_for_ever()
    }

    pub(crate) fn asks_for_ever(&self) -> bool {
        self.notes.iter().any(|note| note.kind == NoteKind::MaxInputs)
    }

    /// Adds the notes of the unrecorded run. The recorded run noted most of them, too; these are not counted twice.
    pub(crate) fn merge(&mut self, notes: Vec<NoteSeen>) {
        for note in notes {
            let is_same =
                |known: &&mut NoteSeen| (known.kind, known.site, known.detail) == (note.kind, note.site, note.detail);
            match self.notes.iter_mut().find(is_same) {
                Some(known) => known.count = known.count.max(note.count),
                None => self.notes.push(note),
            }
        }
    }

    /// Notes that the unrecorded run makes unbounded requests.
    pub(crate) fn note_asking(&mut self) {
        if !self.asks_for_ever() {
            self.note(NoteKind::MaxInputs, None);
        }
    }

    /// Notes that the unrecorded run does not end either. It stopped in the loop; the recorded run may have stopped
    /// long before it.
    pub(crate) fn loops(&mut self, end: RunEnd) {
        if end.place.is_some() {
            self.end = end;
        }
    }

    /// Notes that the unrecorded run ends. The place where the recorded run was stopped is not deterministic, so only
    /// the file is kept.
    pub(crate) fn ends(&mut self, end: RunEnd) {
        let slow = std::mem::replace(&mut self.end, end);
        if self.end.kind != OutcomeKind::Unfinished {
            let file = slow.place.map(|place| Place { file: place.file, ..Place::unknown() });
            self.note(NoteKind::TooSlow, file);
        }
    }

    fn note(&mut self, kind: NoteKind, place: Option<Place>) {
        self.notes.push(NoteSeen::new(kind, Site::NONE, 0, 1, place));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn place(line: u32) -> Option<Place> {
        Some(Place { file: "a.c".into(), line, column: 3, function: "f".into() })
    }

    fn end(kind: OutcomeKind, place: Option<Place>) -> RunEnd {
        RunEnd { kind, code: 0, site: Site::NONE, place, about: "".into(), callers: Arc::default() }
    }

    fn note(kind: NoteKind, detail: u32, count: u32) -> NoteSeen {
        NoteSeen::new(kind, Site(7), detail, count, None)
    }

    fn timed_out() -> Seen {
        Seen { notes: vec![note(NoteKind::Error, 6, 2)], end: end(OutcomeKind::Timeout, place(5)) }
    }

    #[test]
    fn what_ends_unrecorded_is_slow() {
        let mut seen = timed_out();
        assert!(seen.ran_out_of_time());
        seen.ends(end(OutcomeKind::Exited, None));
        let file = Some(Place { file: "a.c".into(), ..Place::unknown() });
        let slow = NoteSeen::new(NoteKind::TooSlow, Site::NONE, 0, 1, file);
        assert_eq!((seen.end.kind, &seen.notes[1..]), (OutcomeKind::Exited, &[slow][..]));
        // The run was stopped before its end.
        let mut stopped = timed_out();
        stopped.ends(end(OutcomeKind::Unfinished, None));
        assert_eq!((stopped.end.kind, stopped.notes.len()), (OutcomeKind::Unfinished, 1));
    }

    #[test]
    fn a_loop_is_where_the_unrecorded_run_is() {
        let mut seen = timed_out();
        seen.loops(end(OutcomeKind::Timeout, place(9)));
        assert_eq!(seen.end.place, place(9));
        seen.loops(end(OutcomeKind::Timeout, None));
        assert_eq!((seen.end.place.clone(), seen.notes.len()), (place(9), 1));
    }

    #[test]
    fn asking_for_ever_is_noted_once() {
        let mut seen = timed_out();
        seen.note_asking();
        seen.note_asking();
        assert!(seen.asks_for_ever() && !seen.ran_out_of_time());
        assert_eq!(seen.notes.len(), 2);
    }

    #[test]
    fn what_both_noted_counts_once() {
        let mut seen = timed_out();
        seen.merge(vec![note(NoteKind::Error, 6, 3), note(NoteKind::Error, 7, 1), note(NoteKind::Refused, 6, 1)]);
        let counts: Vec<_> = seen.notes.iter().map(|note| (note.kind, note.detail, note.count)).collect();
        assert_eq!(counts, [(NoteKind::Error, 6, 3), (NoteKind::Error, 7, 1), (NoteKind::Refused, 6, 1)]);
    }
}
