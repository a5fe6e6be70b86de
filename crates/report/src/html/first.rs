//! The first view: the verdict in a sentence, and the main figures.

use std::time::Duration;

use maud::{Markup, html};
use tine_session::Summary;
use tine_session::summary::{Stopped, Verdict};

use crate::data::Data;
use crate::style::{count, duration, grouped, percent};
use crate::terminal::no_violation;

pub(super) fn view(data: &Data) -> Markup {
    let summary = &data.summary;
    html! {
        h1 { code { (crate::printable(&summary.target)) } }
        p.soft { (kind(data)) }
        (verdict(summary, data.is_finished))
        (figures(summary))
    }
}

fn kind(data: &Data) -> String {
    let files = data.files();
    match files.len() {
        0 => "no branches".to_owned(),
        1 => files.iter().map(|file| crate::printable(file).into_owned()).collect(),
        n => count(n as u64, "file"),
    }
}

/// Verdict and errors in a sentence.
pub(crate) fn sentence(summary: &Summary) -> String {
    let errors = match summary.errors.len() {
        0 => "No error was found".to_owned(),
        n => format!("{} found", count(n as u64, "error")),
    };
    match summary.verdict {
        Verdict::Complete => format!("{errors}, and every path was explored."),
        Verdict::Bounded => format!("{errors}, and every path was explored within the stated bounds."),
        Verdict::Incomplete => format!("{errors}, and some paths were not explored."),
    }
}

fn verdict(summary: &Summary, is_finished: bool) -> Markup {
    let (class, mark, word) = mark(summary, is_finished);
    let ended = match summary.stopped {
        _ if !is_finished => {
            "The exploration has not ended: it still runs, or was killed. This page shows what is known."
        }
        Stopped::Exhausted => "The exploration ended by itself.",
        Stopped::MaxRuns => "The exploration stopped at --max-runs.",
        Stopped::MaxTime => "The exploration stopped at --max-time.",
        Stopped::MaxMemory => "The exploration stopped at --memory.",
        Stopped::Interrupted => "The exploration was interrupted.",
    };
    html! {
        div class={ "verdict " (class) } {
            span.mark aria-hidden="true" { (mark) }
            p.lead { (sentence(summary)) }
            p.rest.small.soft { "Verdict: " b { (word) } ". " (ended) }
            @for spec in &summary.specifications {
                p.rest.small {
                    "Specification " code { (crate::printable(&spec.name)) } ": "
                    (spec.reached) " of " (count(spec.states.into(), "state")) " reached."
                }
            }
            @if let Some(sentence) = no_violation(summary) {
                p.rest.small { (crate::printable(&sentence)) "." }
            }
            @if !summary.requirements.is_empty() {
                p.rest.small { a href="#requirements" { (count(summary.requirements.len() as u64, "requirement")) } " on the inputs." }
            }
        }
    }
}

/// Class, symbol and word of a verdict.
pub(super) fn mark(summary: &Summary, is_finished: bool) -> (&'static str, &'static str, &'static str) {
    match (summary.errors.is_empty(), summary.verdict) {
        (false, verdict) => ("bad", "✖", verdict.text()),
        (true, _) if !is_finished => ("warn", "…", "not ended"),
        (true, verdict @ (Verdict::Complete | Verdict::Bounded)) => ("good", "✓", verdict.text()),
        (true, verdict) => ("warn", "?", verdict.text()),
    }
}

fn figures(summary: &Summary) -> Markup {
    let share = |covered: usize, total: usize| percent(covered as u64, total as u64);
    let of = |covered: usize, total: usize| format!("{} of {}", grouped(covered as u64), grouped(total as u64));
    let rate = summary.runs as f64 * 1000.0 / summary.time_ms.max(1) as f64;
    let items = [
        ("Errors", grouped(summary.errors.len() as u64), String::new()),
        (
            "Branch coverage",
            share(summary.branches_covered, summary.branches_total),
            of(summary.branches_covered, summary.branches_total) + " sides",
        ),
        (
            "Line coverage",
            share(summary.lines_covered, summary.lines_total),
            of(summary.lines_covered, summary.lines_total),
        ),
        (
            "Condition coverage",
            share(summary.conditions_covered, summary.conditions_total),
            of(summary.conditions_covered, summary.conditions_total),
        ),
        ("Paths", grouped(summary.paths), count(summary.runs, "run")),
        ("Time", duration(Duration::from_millis(summary.time_ms)), format!("{} runs a second", grouped(rate as u64))),
    ];
    html! {
        dl.figures {
            @for (name, value, note) in items {
                div { dt { (name) } dd { (value) @if !note.is_empty() { small { (note) } } } }
            }
        }
    }
}

/// The first view of several sessions.
pub(super) fn overview(sessions: &[Data]) -> Markup {
    let errors: usize = sessions.iter().map(|data| data.summary.errors.len()).sum();
    let proven = sessions.iter().filter(|data| data.summary.verdict != Verdict::Incomplete).count();
    let (class, mark) = match (errors, proven == sessions.len()) {
        (1.., _) => ("bad", "✖"),
        (0, true) => ("good", "✓"),
        (0, false) => ("warn", "?"),
    };
    let found =
        if errors == 0 { "No error was found".to_owned() } else { format!("{} found", count(errors as u64, "error")) };
    html! {
        h1 { (count(sessions.len() as u64, "unit")) }
        div class={ "verdict " (class) } {
            span.mark aria-hidden="true" { (mark) }
            p.lead { (found) " in " (count(sessions.len() as u64, "unit")) "; " (proven) " of them explored completely or within bounds." }
        }
    }
}
