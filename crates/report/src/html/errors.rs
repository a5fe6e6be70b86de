//! Errors: place, input as text and as a picture, decisions on the path, and the command that reproduces the error.

use maud::{Markup, PreEscaped, html};
use tine_session::summary::ErrorSummary;

use super::{command, place_link};
use crate::data::{Data, Decision};
use crate::printable;
use crate::style::count;
use crate::terminal::{CALLS, quoted};

/// Maximum number of objects in a drawn input. Larger pictures are unreadable.
const MAX_DRAWN: usize = 200;
/// Maximum number of errors of a page that are shown in full.
const MAX_ERRORS: usize = 500;
/// Maximum number of decisions of a path that are listed: the last ones.
const MAX_DECISIONS: usize = 200;

/// Certainty of an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Error,
    /// The same input did not show it again.
    Doubtful,
    /// Only memory that no function of the unit makes shows it.
    NotShownReachable,
}

pub(super) fn section(data: &Data) -> Markup {
    let (errors, doubtful) = (&data.summary.errors, &data.summary.unreproduced);
    let unreachable = &data.summary.not_shown_reachable;
    html! {
        @if !errors.is_empty() || !doubtful.is_empty() {
            section id="errors" aria-labelledby="errors-title" {
                h2 id="errors-title" { "Errors" }
                @for (number, error) in errors.iter().take(MAX_ERRORS).enumerate() {
                    (article(data, error, number + 1, Status::Error))
                }
                @if errors.len() > MAX_ERRORS { p { "… and " (errors.len() - MAX_ERRORS) " more." } }
                @for (number, error) in doubtful.iter().take(MAX_ERRORS).enumerate() {
                    (article(data, error, errors.len() + number + 1, Status::Doubtful))
                }
            }
        }
        @if !unreachable.is_empty() {
            section id="not-shown" aria-labelledby="not-shown-title" {
                h2 id="not-shown-title" { "Not shown reachable" }
                p.soft { "Errors of objects that functions of the unit make, seen only in memory that they did not make." }
                @for (number, error) in unreachable.iter().take(MAX_ERRORS).enumerate() {
                    (article(data, error, errors.len() + doubtful.len() + number + 1, Status::NotShownReachable))
                }
            }
        }
        (requirements(data))
    }
}

/// Conditions on the inputs that the code does not check.
fn requirements(data: &Data) -> Markup {
    let summary = &data.summary;
    let first = summary.errors.len() + summary.unreproduced.len() + summary.not_shown_reachable.len();
    html! {
        @if !summary.requirements.is_empty() {
            section id="requirements" aria-labelledby="requirements-title" {
                h2 id="requirements-title" { "Requirements" }
                p.soft { "Conditions on the inputs that the code uses without a check. They were assumed once an input had violated them." }
                @for (number, required) in summary.requirements.iter().take(MAX_ERRORS).enumerate() {
                    @let evidence = &required.evidence;
                    article .requirement {
                        h3 { code { (printable(&summary.target)) } " requires " code { (printable(&required.condition)) } }
                        p {
                            (place_link(data, &evidence.file, evidence.line, evidence.column))
                            span.soft { ", " (count(required.uses, "use")) "; otherwise: " (printable(&evidence.kind)) }
                        }
                        (reproduction(data, evidence, first + number + 1))
                    }
                }
            }
        }
    }
}

fn article(data: &Data, error: &ErrorSummary, number: usize, status: Status) -> Markup {
    let is_error = status == Status::Error;
    html! {
        article id={ "error-" (number) } .error .doubtful[!is_error] {
            h3 {
                span.mark aria-hidden="true" { @if is_error { "✖ " } @else { "? " } }
                (printable(&error.kind))
                @if status == Status::Doubtful { " (not reproduced)" }
                @if status == Status::NotShownReachable { " (not shown reachable)" }
            }
            p {
                (place_link(data, &error.file, error.line, error.column))
                @if !error.function.is_empty() { " in " code { (printable(&error.function)) } }
                span.soft { ", seen in " (count(error.runs, "run")) }
            }
            @for call in &error.callers {
                p.soft {
                    "called at " (place_link(data, &call.file, call.line, call.column)) " in " code { (printable(&call.function)) }
                }
            }
            @if !error.about.is_empty() { p { (printable(&error.about)) } }
            @if status == Status::Doubtful {
                p.soft { "The same input did not show this again in a fresh process: probably a defect of tine, or a unit that depends on more than its input." }
            }
            @if let Some(shown) = &error.by_calls {
                h4.small.soft style="margin:.7rem 0 0" { "Calls" }
                p { code { (printable(&shown.input)) } }
                (command(&format!("tine replay {} {}", quoted(&data.dir.join(CALLS)), shown.case)))
            }
            @if !error.is_only_by_calls() { (reproduction(data, error, number)) }
        }
    }
}

/// The input, the command that repeats the run, and the decisions.
fn reproduction(data: &Data, error: &ErrorSummary, number: usize) -> Markup {
    let path = data.path_to(error);
    let lines: Vec<String> = error.values.lines().iter().map(|line| printable(line).into_owned()).collect();
    html! {
        h4.small.soft style="margin:.7rem 0 0" { "Input" }
        @if lines.is_empty() { p { "none" } } @else { ul.input { @for line in &lines { li { (line) } } } }
        (picture(error, number))
        (command(&format!("tine replay {} {}", quoted(&data.dir), error.case)))
        (decisions(data, path))
    }
}

/// The memory graph, if the input has pointers.
fn picture(error: &ErrorSummary, number: usize) -> Markup {
    let map = &error.values.map;
    if map.objects.is_empty() || map.objects.len() > MAX_DRAWN {
        return html! {};
    }
    let svg = map.to_svg();
    // The page has one style for all pictures, but each picture needs its own arrow head.
    let svg = match (svg.find("<style>"), svg.find("</style>")) {
        (Some(start), Some(end)) if start < end => svg[..start].to_owned() + &svg[end + "</style>".len()..],
        _ => svg,
    };
    let svg = svg.replace("tine-arrow", &format!("arrow-{number}")).replace(" fill=\"#2f81f7\"", "");
    html! { div.graph role="img" aria-label="Objects of the input, with pointers as arrows" tabindex="0" { (PreEscaped(svg)) } }
}

fn decisions(data: &Data, path: &[Decision]) -> Markup {
    let left_out = path.len().saturating_sub(MAX_DECISIONS);
    html! {
        @if !path.is_empty() {
            details.block {
                summary { (count(path.len() as u64, "decision")) " on the way" }
                ol.path start=(left_out + 1) {
                    @for step in &path[left_out..] {
                        li {
                            (place_link(data, &step.file, step.line, step.column)) " " (step.kind) ": " b { (printable(&step.side)) }
                            @if !step.function.is_empty() { span.soft { " in " code { (printable(&step.function)) } } }
                        }
                    }
                }
            }
        }
    }
}

/// Errors of several sessions, with links to their pages.
pub(super) fn overview(sessions: &[Data], names: &[String]) -> Markup {
    let all = sessions.iter().zip(names).flat_map(|(data, name)| {
        data.summary.errors.iter().enumerate().map(move |(number, error)| (data, name, number + 1, error))
    });
    let all: Vec<_> = all.take(MAX_ERRORS).collect();
    html! {
        section id="errors" aria-labelledby="errors-title" {
            h2 id="errors-title" { "Errors" }
            @if all.is_empty() { p { "None." } } @else {
                div.scroll { table {
                    thead { tr { th { "Error" } th { "Place" } th { "Unit" } th { "Input" } } }
                    tbody { @for (data, name, number, error) in all {
                        tr {
                            td { a href={ (name) "#error-" (number) } { (printable(&error.kind)) } }
                            td.mono { (printable(super::name_of(&error.file))) ":" (error.line) }
                            td.mono { (printable(&data.summary.target)) }
                            td.mono { (printable(&error.input.chars().take(120).collect::<String>())) }
                        }
                    } }
                } }
            }
        }
    }
}
