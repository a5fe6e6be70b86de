//! Errors shown reachable: after an exploration with invented memory comes one in which functions of the unit make the
//! objects. Errors that need an invented object and that the second exploration does not show are *not shown
//! reachable*.
//!
//! ```text
//!   exploration ─▶ Finished ─▶ Confirming
//!                                   └─▶ second exploration, with a session of its own ─▶ Finished, with marks
//! ```
//! Errors that only the second exploration shows are added. With invented memory they may be requirements.

use std::sync::atomic::Ordering;

use tine_session::Summary;
use tine_session::summary::{ErrorSummary, RequirementSummary, ShownBy};

use crate::event::{Event, Finished, Sink};
use crate::{Error, STOP};

/// The second exploration.
pub type Probe<'a> = &'a mut dyn FnMut(&Summary) -> Result<Option<Summary>, Error>;

/// See the module's documentation.
pub struct Confirming<'a> {
    /// C names of the structures that functions of the unit make.
    made: Vec<String>,
    probe: Probe<'a>,
    next: &'a mut dyn Sink,
    summary: Option<Summary>,
}

impl std::fmt::Debug for Confirming<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Confirming").field("made", &self.made).finish_non_exhaustive()
    }
}

impl<'a> Confirming<'a> {
    /// A sink in front of `next` that tries to reach errors by calls of the functions in `made`.
    pub fn new(made: Vec<String>, probe: Probe<'a>, next: &'a mut dyn Sink) -> Confirming<'a> {
        Confirming { made, probe, next, summary: None }
    }

    /// The summary with its marks, once the exploration has ended.
    pub fn into_summary(self) -> Option<Summary> {
        self.summary
    }

    fn needs_made_object(&self, error: &ErrorSummary) -> bool {
        let is_made = |element: &str| self.made.iter().any(|made| *made == plain(element));
        error.values.map.objects.iter().any(|object| is_made(&object.element))
    }

    /// Moves the errors that only invented objects show, and adds those that only calls show.
    fn confirm(&mut self, summary: &mut Summary) -> Result<(), Error> {
        if STOP.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Some(mut shown) = (self.probe)(summary)? else { return Ok(()) };
        summary.time_ms += shown.time_ms;
        if !reached_target(&shown) {
            return Ok(());
        }
        // Errors in the calls before are not errors of the function.
        shown.errors.retain(|error| is_within(error, &summary.target));
        for error in std::mem::take(&mut summary.errors) {
            let same_place = || shown.errors.iter().filter(|other| is_same_place(&error, other));
            match same_place().find(|other| other.kind == error.kind).or_else(|| same_place().next()) {
                Some(other) => push_new(&mut summary.errors, as_shown(error, other)),
                None if self.needs_made_object(&error) => summary.not_shown_reachable.push(error),
                None => summary.errors.push(error),
            }
        }
        // Callers meet a requirement about invented objects, but calls that violate it are an error.
        for other in &shown.errors {
            push_new(&mut summary.errors, as_shown(other.clone(), other));
        }
        let is_shown = |required: &RequirementSummary| {
            required.uses <= 1 && shown.errors.iter().any(|error| is_same(error, &required.evidence))
        };
        summary.requirements.retain(|required| !is_shown(required));
        // Put the errors first that calls reproduce.
        summary.errors.sort_by_key(|error| error.by_calls.is_none());
        Ok(())
    }
}

/// Name of a type without qualifiers that do not matter for making an object.
fn plain(name: &str) -> &str {
    name.trim_start_matches("const ")
}

/// True if some run reached the function. Otherwise the second exploration says nothing about it.
fn reached_target(shown: &Summary) -> bool {
    let own = shown.functions.iter().find(|known| known.function == shown.target);
    // A function without branches has only lines.
    shown.paths > 0 && own.is_some_and(|own| own.covered > 0 || own.lines_covered > 0)
}

/// True if the error occurred in a call of the function.
fn is_within(error: &ErrorSummary, function: &str) -> bool {
    error.function == function || error.callers.iter().any(|call| call.function == function)
}

/// Compares places only. The kind may differ, because it depends on the memory that a pointer points to.
fn is_same_place(a: &ErrorSummary, b: &ErrorSummary) -> bool {
    (&a.file, a.line, a.column) == (&b.file, b.line, b.column)
}

/// Adds an error, unless calls show it already. Several errors at one place with invented memory may be a single one
/// with calls.
fn push_new(errors: &mut Vec<ErrorSummary>, error: ErrorSummary) {
    if !errors.iter().any(|known| known.by_calls.is_some() && is_same(known, &error)) {
        errors.push(error);
    }
}

fn is_same(a: &ErrorSummary, b: &ErrorSummary) -> bool {
    is_same_place(a, b) && a.kind == b.kind
}

/// The error as the second exploration showed it.
fn as_shown(error: ErrorSummary, shown: &ErrorSummary) -> ErrorSummary {
    let by_calls = Some(ShownBy { case: shown.case, input: shown.input.clone() });
    let ErrorSummary { kind, about, callers, .. } = shown.clone();
    ErrorSummary { kind, about, callers, by_calls, ..error }
}

impl Sink for Confirming<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        let Event::Finished(finished) = event else { return self.next.event(event) };
        let mut summary = finished.summary.clone();
        self.confirm(&mut summary)?;
        let details = finished.details.clone();
        let smaller = finished.smaller.clone();
        let finished = Finished { summary, details, smaller, is_out_of_memory: finished.is_out_of_memory };
        self.next.event(&Event::Finished(&finished))?;
        self.summary = Some(finished.summary);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tine_session::summary::FunctionCoverage;

    use super::*;

    fn error(line: u32) -> ErrorSummary {
        ErrorSummary { kind: "assertion failure".into(), file: "a.c".into(), line, ..ErrorSummary::default() }
    }

    fn with_object(line: u32, element: &str) -> ErrorSummary {
        let mut error = error(line);
        let object = tine_types::map::Object {
            id: tine_types::map::ObjectId(0),
            element: element.to_owned(),
            elements: Vec::new(),
        };
        error.values.map.objects.push(object);
        error
    }

    /// A function without branches.
    fn with_lines(lines_covered: usize) -> FunctionCoverage {
        FunctionCoverage { lines_covered, lines_total: 2, ..FunctionCoverage::default() }
    }

    fn confirmed(errors: Vec<ErrorSummary>, shown: Option<&Summary>) -> Summary {
        confirm(Summary { errors, ..Summary::default() }, shown)
    }

    fn confirm(mut summary: Summary, shown: Option<&Summary>) -> Summary {
        struct Nothing;
        impl Sink for Nothing {
            fn event(&mut self, _: &Event<'_>) -> Result<(), Error> {
                Ok(())
            }
        }
        let mut probe = |_: &Summary| Ok(shown.cloned());
        let mut nothing = Nothing;
        let mut confirming = Confirming::new(vec!["struct list".to_owned()], &mut probe, &mut nothing);
        confirming.confirm(&mut summary).expect("no error");
        summary
    }

    #[test]
    fn errors_that_only_invented_objects_show_are_not_shown_reachable() {
        let errors =
            vec![with_object(1, "const struct list"), with_object(2, "struct list"), with_object(3, "int"), error(4)];
        let found = vec![ErrorSummary { case: 7, ..error(2) }];
        let shown = Summary { paths: 1, functions: vec![with_lines(1)], errors: found, ..Summary::default() };
        let summary = confirmed(errors.clone(), Some(&shown));
        let lines = |errors: &[ErrorSummary]| errors.iter().map(|error| error.line).collect::<Vec<_>>();
        assert_eq!(lines(&summary.errors), [2, 3, 4]);
        assert_eq!(lines(&summary.not_shown_reachable), [1]);
        assert_eq!(summary.errors[0].by_calls.as_ref().map(|shown| shown.case), Some(7));

        // Only calls show the fifth. It is an error although it was a requirement about invented memory.
        let required = |line, uses| RequirementSummary {
            kind: "not-null".to_owned(),
            condition: "l->tail != NULL".to_owned(),
            predicate: String::new(),
            uses,
            evidence: error(line),
        };
        let found =
            Summary { requirements: vec![required(5, 1), required(6, 1), required(5, 2)], ..Summary::default() };
        let only_calls = Summary { errors: vec![error(5)], ..shown.clone() };
        let summary = confirm(found, Some(&only_calls));
        assert_eq!(lines(&summary.errors), [5]);
        assert!(summary.errors[0].is_only_by_calls());
        assert_eq!(summary.requirements, [required(6, 1), required(5, 2)]);

        // Errors in other columns are others, and those in earlier calls are not errors of the function.
        let elsewhere = |error: ErrorSummary| ErrorSummary { column: 9, ..error };
        let before = ErrorSummary { function: "list_init".to_owned(), ..error(7) };
        let shown_elsewhere = Summary { errors: vec![elsewhere(error(2)), before], ..shown.clone() };
        let summary = confirmed(vec![with_object(2, "struct list")], Some(&shown_elsewhere));
        assert_eq!((lines(&summary.errors), lines(&summary.not_shown_reachable)), (vec![2], vec![2]));

        // A second exploration that never reached the function says nothing.
        let without_paths = confirmed(errors.clone(), Some(&Summary { paths: 0, ..shown.clone() }));
        assert_eq!(lines(&without_paths.errors), [1, 2, 3, 4]);
        for functions in [vec![with_lines(0)], Vec::new()] {
            let not_executed = confirmed(errors.clone(), Some(&Summary { functions, ..shown.clone() }));
            assert_eq!(lines(&not_executed.errors), [1, 2, 3, 4]);
        }
        assert_eq!(lines(&confirmed(errors, None).errors), [1, 2, 3, 4]);
    }
}
