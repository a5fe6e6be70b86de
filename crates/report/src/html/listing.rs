//! Source files, line by line: executed and other lines, and each branch side with its case or the reason why it is not
//! covered.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use tine_session::session::Branch;
use tine_session::summary::Uncoverable;

use super::tables::with_code;
use crate::data::Data;
use crate::source::Source;
use crate::style::{count, percent};
use crate::{condition, printable};

/// Number of lines that the browser lays out at once.
const CHUNK: usize = 200;

pub(super) fn section(data: &Data) -> Markup {
    let mut by_file = BTreeMap::<&str, BTreeMap<u32, Vec<&Branch>>>::new();
    for branch in &data.branches {
        by_file.entry(&branch.file).or_default().entry(branch.line).or_default().push(branch);
    }
    html! {
        section id="source" aria-labelledby="source-title" {
            h2 id="source-title" { "Source" }
            (legend())
            @for (number, file) in data.files().into_iter().enumerate() {
                (listing(data, file, number, by_file.get(file).unwrap_or(&BTreeMap::new())))
            }
        }
    }
}

fn legend() -> Markup {
    html! {
        ul.legend {
            li { span.side.taken { "✓ true" } " taken" }
            li { span.side.infeasible { "∅ true" } " infeasible: no input takes it" }
            li { span.side.unreached { "– true" } " the branch was not reached" }
            li { span.side.gaveup { "? true" } " reached, but not decided" }
            li { "hatched lines did not run" }
        }
        p.soft.small { "Open a line with branch sides to see why a side was not taken, or the case that takes it." }
    }
}

fn listing(data: &Data, file: &str, number: usize, branches: &BTreeMap<u32, Vec<&Branch>>) -> Markup {
    let executed: BTreeMap<u32, bool> =
        data.lines.iter().filter(|line| line.file == file).map(|line| (line.line, line.is_executed)).collect();
    let errors: BTreeSet<u32> =
        data.summary.errors.iter().filter(|error| error.file == file).map(|error| error.line).collect();
    let sides = branches.values().flatten().count();
    let covered = branches.values().flatten().filter(|side| side.case.is_some()).count();
    let source = data.sources.get(file);
    html! {
        h3 { code { (printable(file)) } " " span.soft.small { (percent(covered as u64, sides as u64)) " of " (count(sides as u64, "side")) } }
        @match source {
            Some(Source { is_changed: true, .. }) => p { "The file has changed since the exploration: lines may be elsewhere." },
            Some(_) => {},
            None => p { "The file cannot be read here. Lines with branches:" },
        }
        div.source tabindex="0" role="group" aria-label={ "Source of " (super::name_of(file)) } {
            @let lines = shown(source, branches);
            @for chunk in lines.chunks(CHUNK) {
                div.chunk {
                    @for (line, text) in chunk {
                        (row(data, number, *line, text, executed.get(line), errors.contains(line), branches.get(line)))
                    }
                }
            }
        }
    }
}

/// Numbers and strings of the lines to show: all, or those with branches if there is no text.
fn shown<'a>(source: Option<&'a Source>, branches: &BTreeMap<u32, Vec<&Branch>>) -> Vec<(u32, &'a str)> {
    match source {
        Some(source) => source.lines.iter().enumerate().map(|(index, text)| (index as u32 + 1, &text[..])).collect(),
        None => branches.keys().map(|line| (*line, "")).collect(),
    }
}

fn row(
    data: &Data,
    file: usize,
    line: u32,
    text: &str,
    executed: Option<&bool>,
    has_error: bool,
    branches: Option<&Vec<&Branch>>,
) -> Markup {
    let ran = match executed {
        Some(true) => " run",
        Some(false) => " miss",
        None => "",
    };
    let class = format!("l{ran}{}", if has_error { " err" } else { "" });
    let id = format!("f{file}l{line}");
    let text = printable(text).replace("\\t", "    ");
    html! {
        div class=(class) id=(id) {
            a.no href={ "#" (id) } tabindex="-1" aria-label={ "Line " (line) } { (line) }
            @match branches {
                None => span.t { (text) },
                Some(sides) => details {
                    summary { span { (text) } span.sides { @for side in sides { (chip(side)) } } }
                    ul.why { @for side in sides { li { (chip(side)) " " (reason(data, side)) } } }
                },
            }
        }
    }
}

/// A side with its state: symbol and class.
fn chip(side: &Branch) -> Markup {
    let (class, mark) = match (side.case, side.why) {
        (Some(_), _) => ("taken", "✓"),
        (None, Some(Uncoverable::Infeasible)) => ("infeasible", "∅"),
        (None, Some(Uncoverable::Open)) => ("gaveup", "?"),
        (None, Some(Uncoverable::NotReached) | None) => ("unreached", "–"),
    };
    html! { span class={ "side " (class) } { (mark) " " (printable(&side.side)) } }
}

fn reason(data: &Data, side: &Branch) -> Markup {
    let at = format!("column {}", side.column);
    let why = condition::reason(&data.sources, side).unwrap_or_else(|| state(side.why).to_owned());
    html! {
        span.soft { (at) ": " }
        @match side.case {
            Some(case) => { "taken by " a href={ "#case-" (case) } { "case " (case) } },
            None => (with_code(&printable(&why))),
        }
    }
}

/// The state of a side without a reason.
fn state(why: Option<Uncoverable>) -> &'static str {
    match why {
        Some(Uncoverable::Infeasible) => "infeasible",
        Some(Uncoverable::Open) => "reached, not taken",
        Some(Uncoverable::NotReached) => "no run reached this branch",
        None => "not taken up to now",
    }
}
