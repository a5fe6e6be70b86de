//! Tables: reasons with advice, coverage by function and file, cases, and units.

use std::path::Path;
use std::time::Duration;

use maud::{Markup, html};
use tine_session::summary::ReasonSummary;

use super::{command, first, place_link};
use crate::data::Data;
use crate::printable;
use crate::style::{duration, grouped, percent};
use crate::terminal::quoted;

/// Maximum number of rows of a table. Scripts find all of them in the JSON report.
const MAX_ROWS: usize = 1000;

/// All reasons of the verdict, with advice.
pub(super) fn left_out(data: &Data) -> Markup {
    let reasons = &data.summary.reasons;
    html! {
        @if !reasons.is_empty() {
            section id="left-out" aria-labelledby="left-out-title" {
                h2 id="left-out-title" { "Left out" }
                p.soft { "What the exploration did not follow, and what helps. Values that were concretised are among it." }
                div.scroll { table {
                    thead { tr { th { "What" } th { "Where" } th.n { "Count" } th { "Advice" } } }
                    tbody { @for reason in reasons.iter().take(MAX_ROWS) {
                        tr {
                            td { (printable(&reason.what)) @if reason.bound { " " span.soft { "(bound)" } } }
                            td { @if !reason.file.is_empty() || reason.line > 0 { (place_link(data, &reason.file, reason.line, 0)) } }
                            td.n { (grouped(reason.count)) }
                            td { (with_code(&advice(reason, &data.dir))) }
                        }
                    } }
                } }
                @if reasons.len() > MAX_ROWS { p { "… and " (reasons.len() - MAX_ROWS) " more." } }
            }
        }
    }
}

/// Formats the parts of a string between backquotes as code.
pub(super) fn with_code(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Advice for a reason.
fn advice(reason: &ReasonSummary, dir: &Path) -> String {
    let what = &reason.what;
    let option = what
        .split("--")
        .nth(1)
        .map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '-').next().unwrap_or(""));
    match option {
        _ if what.starts_with("input flows into") || what.contains("not instrumented") => {
            "Compile that code with `tine cc`, add a model in C, or let `--stub` return inputs for it.".to_owned()
        }
        Some("max-time" | "max-runs") => format!("Continue: `tine resume {}` with a larger limit.", quoted(dir)),
        Some(option @ ("memory" | "depth" | "run-timeout" | "max-elements" | "max-string" | "max-objects" | "max-calls" | "sym-fail")) => {
            format!("Raise `--{option}` to explore further.")
        }
        _ if what.starts_with("solver could not decide") => {
            "Give the solver more time (`--solver-timeout`), or more memory (`--solver-memory`).".to_owned()
        }
        _ if what.contains("depth bound") => "Raise `--depth`.".to_owned(),
        _ if what.contains("sandbox refused") => "The program wanted a system call that changes its environment; `--allow` lets it start processes and open sockets.".to_owned(),
        _ if what.contains("concretely") || what.contains("concretised") => {
            "The value was replaced by the one of the run. Write the operation in plain C if its other values matter.".to_owned()
        }
        _ if what.contains("interrupted") => format!("Continue: `tine resume {}`.", quoted(dir)),
        _ => String::new(),
    }
}

/// A percentage as text and bar.
fn share(covered: usize, total: usize) -> Markup {
    let width = (covered * 100).checked_div(total).unwrap_or(0);
    html! {
        td.n { (percent(covered as u64, total as u64)) " " span.soft { "(" (covered) "/" (total) ")" }
            span.bar aria-hidden="true" { i style={ "width:" (width) "%" } {} } }
    }
}

/// Coverage by file and function.
pub(super) fn coverage(data: &Data) -> Markup {
    let summary = &data.summary;
    html! {
        section id="coverage" aria-labelledby="coverage-title" {
            h2 id="coverage-title" { "Coverage" }
            @if summary.files.is_empty() { p { "No branches." } } @else {
                div.scroll { table {
                    thead { tr { th { "File and function" } th.n { "Branch sides" } th.n { "Lines" } th.n { "Conditions" } } }
                    tbody {
                        @for file in summary.files.iter().take(MAX_ROWS) {
                            tr.total {
                                td { code { (printable(&file.file)) } }
                                (share(file.covered, file.total))
                                (share(file.lines_covered, file.lines_total))
                                (share(file.conditions_covered, file.conditions_total))
                            }
                            @for function in summary.functions.iter().filter(|function| function.file == file.file).take(MAX_ROWS) {
                                tr {
                                    td.inner { code { (printable(&function.function)) } }
                                    (share(function.covered, function.total))
                                    (share(function.lines_covered, function.lines_total))
                                    (share(function.conditions_covered, function.conditions_total))
                                }
                            }
                        }
                    }
                } }
                p.soft.small { "A condition is covered when it was true in some run and false in some run. Each operand of && and || is one." }
            }
        }
    }
}

/// The kept cases.
pub(super) fn cases(data: &Data) -> Markup {
    html! {
        section id="cases" aria-labelledby="cases-title" {
            h2 id="cases-title" { "Cases" }
            p.soft { "Inputs that the session keeps. Run one again, or draw it:" }
            (command(&format!("tine replay {} CASE", quoted(&data.dir))))
            @if data.cases.is_empty() { p { "None." } } @else {
                div.scroll { table {
                    thead { tr { th.n { "Case" } th { "Ended" } th { "Kept for" } th.n { "Run" } th.n { "After" } th { "Input" } } }
                    tbody { @for case in data.cases.iter().take(MAX_ROWS) {
                        tr id={ "case-" (case.id) } {
                            td.n { (case.id) }
                            td { (case.outcome) @if case.outcome == "exited" { " " (case.code) } }
                            td { (case.kept) }
                            td.n { (grouped(case.run)) }
                            td.n { (duration(Duration::from_millis(case.elapsed_ms))) }
                            td.mono style="overflow-wrap:anywhere" { (printable(&case.input.chars().take(400).collect::<String>())) }
                        }
                    } }
                } }
                @if data.cases.len() > MAX_ROWS { p { "… and " (grouped((data.cases.len() - MAX_ROWS) as u64)) " more: " code { "tine show " (quoted(&data.dir)) } } }
            }
        }
    }
}

/// The table of several sessions.
pub(super) fn units(sessions: &[Data], names: &[String]) -> Markup {
    html! {
        section id="units" aria-labelledby="units-title" {
            h2 id="units-title" { "Units" }
            div.scroll { table {
                thead { tr { th { "Unit" } th { "Verdict" } th.n { "Errors" } th.n { "Branch sides" } th.n { "Lines" } th.n { "Conditions" } th.n { "Runs" } th.n { "Time" } } }
                tbody { @for (data, name) in sessions.iter().zip(names) {
                    @let summary = &data.summary;
                    @let (_, mark, word) = first::mark(summary, data.is_finished);
                    tr {
                        td { a.mono href=(name) { (printable(&summary.target)) } }
                        td { (mark) " " (word) }
                        td.n { (summary.errors.len()) }
                        (share(summary.branches_covered, summary.branches_total))
                        (share(summary.lines_covered, summary.lines_total))
                        (share(summary.conditions_covered, summary.conditions_total))
                        td.n { (grouped(summary.runs)) }
                        td.n { (duration(Duration::from_millis(summary.time_ms))) }
                    }
                } }
            } }
        }
    }
}
