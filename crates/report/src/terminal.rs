//! The summary at the end of an exploration: errors first, then coverage, then the verdict.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use tine_session::Summary;
use tine_session::summary::{
    CallSummary, ErrorSummary, How, Machine, RequirementSummary, SolverSummary, SpecificationCoverage, Uncoverable,
    Uncovered, Verdict,
};

use crate::causes::groups;
use crate::condition;
use crate::printable::{printable, printable_copy};
use crate::source::{Sources, excerpt};
use crate::style::{Style, count, duration, grouped, percent};
use crate::system_call;

/// Maximum number of calls that are listed for an error.
const MAX_CALLERS: usize = 6;
/// Maximum number of lines about uncovered code.
const MAX_UNCOVERED: usize = 20;
/// Maximum number of unreached functions that are listed.
const MAX_UNREACHED: usize = 8;
/// Maximum number of reasons that are listed.
const MAX_REASONS: usize = 20;
/// Directory of the session with calls, inside that of the other session.
pub const CALLS: &str = "calls";
/// Maximum number of characters of an input that are shown.
const MAX_INPUT: usize = 300;

/// Origin and display of a summary.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The session's directory, as the user specified it.
    pub dir: &'a Path,
    /// Files of which lines are shown.
    pub sources: &'a Sources,
    pub style: Style,
}

/// The whole summary. `verbose` adds solver statistics.
pub fn summary(summary: &Summary, verbose: bool, view: View<'_>) -> String {
    let style = view.style;
    let summary = &printable_copy(summary);
    let mut text = String::new();
    for group in &groups(&summary.errors, view.sources) {
        text += &error(group, view);
        text.push('\n');
    }
    for group in &groups(&summary.not_shown_reachable, view.sources) {
        text += &not_shown_reachable(group, view);
        text.push('\n');
    }
    for found in &summary.requirements {
        text += &requirement(found, &summary.target, view);
        text.push('\n');
    }
    for found in &summary.unreproduced {
        text += &unreproduced(found, view);
        text.push('\n');
    }
    text += &numbers(summary, view);
    for Machine { name, orders, runs, rate } in &summary.machines {
        let (runs, orders, rate) = (count(*runs, "run"), count(*orders, "order"), grouped(*rate as u64));
        writeln!(text, "worker {name}: {runs}, {orders}, {rate} runs/s").expect("a string");
    }
    if verbose {
        text += &solver(summary);
    }
    text += &coverage(summary, style);
    text += &specifications(summary);
    text += &explained(summary, view.sources);
    text += &implied_lengths(summary);
    text += &undefined_symbols(summary);
    text += &verdict(summary, style);
    text
}

/// Errors with one cause, with the input of the first and the command that reproduces it.
pub(crate) fn error(group: &[&ErrorSummary], view: View<'_>) -> String {
    entry(group, &view.style.bad("error"), view)
}

/// Errors that were not shown to be reachable with objects made by the unit's own functions.
pub(crate) fn not_shown_reachable(group: &[&ErrorSummary], view: View<'_>) -> String {
    entry(group, &view.style.warning("not shown reachable"), view)
}

/// A requirement, with an input that violates it.
pub(crate) fn requirement(required: &RequirementSummary, target: &str, view: View<'_>) -> String {
    let View { dir, sources, style } = view;
    let RequirementSummary { condition, uses, evidence, .. } = required;
    let line = |text: String| format!("   {} {}\n", style.dim("|"), printable(&text));
    let lines: String =
        excerpt(sources, &evidence.file, evidence.line, evidence.column).into_iter().map(line).collect();
    let at = place(&evidence.file, evidence.line, 0);
    let uses = if evidence.line == 0 {
        "declared".to_owned()
    } else if *uses == 1 {
        format!("used at {at}")
    } else {
        format!("{} uses, first at {at}", grouped(*uses))
    };
    let input = if evidence.input.is_empty() { "none".to_string() } else { shortened(&evidence.input) };
    let mark = style.dim("=");
    format!(
        "{}{} ({uses})\n{lines}   {mark} otherwise: {}\n   {mark} input: {input}\n   {mark} replay: tine replay {} {}\n",
        style.warning("requirement"),
        style.bold(&format!(": `{target}` requires `{condition}`")),
        evidence.kind,
        quoted(dir),
        evidence.case,
    )
}

/// An error that a run showed only once.
fn unreproduced(error: &ErrorSummary, view: View<'_>) -> String {
    let style = view.style;
    let mut text = entry(&[error], &style.warning("not reproduced"), view);
    let note = "the same input did not show this again in a fresh process: probably a defect of tine, or a unit that \
                depends on more than its input";
    writeln!(text, "   {} note: {note}", style.dim("=")).expect("a string");
    text
}

fn entry(group: &[&ErrorSummary], heading: &str, View { dir, sources, style }: View<'_>) -> String {
    let Some((&error, others)) = group.split_first() else { return String::new() };
    let line = |text: String| format!("   {} {}\n", style.dim("|"), printable(&text));
    let lines: String = excerpt(sources, &error.file, error.line, error.column).into_iter().map(line).collect();
    let error = &printable_copy(error);
    let at = place(&error.file, error.line, error.column);
    let within = if error.function.is_empty() { String::new() } else { format!(" in `{}`", error.function) };
    let input = if error.input.is_empty() { "none".to_string() } else { shortened(&error.input) };
    let callers = callers(&error.callers, style);
    let about = if error.about.is_empty() { String::new() } else { format!("   {} {}\n", style.dim("="), error.about) };
    let others: Vec<String> = others.iter().map(|other| place(&other.file, other.line, other.column)).collect();
    let also = if others.is_empty() {
        String::new()
    } else {
        format!("   {} also at {}\n", style.dim("="), printable(&others.join(", ")))
    };
    let (input, replay) = match &error.by_calls {
        // Prefer the calls, because a reader can follow them.
        Some(shown) => (shortened(&shown.input), format!("tine replay {} {}", quoted(&dir.join(CALLS)), shown.case)),
        None => (input, format!("tine replay {} {}", quoted(dir), error.case)),
    };
    format!(
        "{}{}\n  {} {at}{within}\n{lines}{callers}{about}{also}   {} input: {input}\n   {} replay: {replay}\n",
        heading,
        style.bold(&format!(": {}", error.kind)),
        style.dim("-->"),
        style.dim("="),
        style.dim("="),
    )
}

/// The calls that led to an error, one line each.
fn callers(callers: &[CallSummary], style: Style) -> String {
    let line = |call: &CallSummary| {
        format!(
            "   {} called at {} in `{}`\n",
            style.dim("="),
            place(&call.file, call.line, call.column),
            call.function
        )
    };
    let more = match callers.len().saturating_sub(MAX_CALLERS) {
        0 => String::new(),
        n => format!("   {} … and {}\n", style.dim("="), count(n as u64, "more call")),
    };
    callers.iter().take(MAX_CALLERS).map(line).chain([more]).collect()
}

fn numbers(summary: &Summary, View { sources, style, .. }: View<'_>) -> String {
    let n_errors = groups(&summary.errors, sources).len() as u64;
    let places = match summary.errors.len() as u64 {
        n if n == n_errors => String::new(),
        n => format!(" at {}", count(n, "place")),
    };
    let errors = count(n_errors, "error") + &places;
    let errors = if n_errors > 0 { style.bad(&errors) } else { style.good(&errors) };
    let requirements = match summary.requirements.len() as u64 {
        0 => String::new(),
        n => format!(", {}", count(n, "requirement")),
    };
    let not_shown = match groups(&summary.not_shown_reachable, sources).len() as u64 {
        0 => String::new(),
        n => format!(", {} not shown reachable", grouped(n)),
    };
    let mut runs = format!("{}, {}", count(summary.runs, "run"), count(summary.paths, "path"));
    if summary.rejected > 0 {
        write!(runs, ", {} rejected by an assumption", grouped(summary.rejected)).expect("a string");
    }
    if summary.divergences > 0 {
        write!(runs, ", {}", count(summary.divergences, "divergence")).expect("a string");
    }
    let time = duration(Duration::from_millis(summary.time_ms));
    let pruned = match summary.pruned {
        0 => String::new(),
        n => format!("{} pruned: their state was reached before\n", count(n, "sequence")),
    };
    format!("`{}`: {errors}{not_shown}{requirements}; {runs}; {time}\n{pruned}", summary.target)
}

/// Statistics of the solver and the fork server.
fn solver(summary: &Summary) -> String {
    let solver = &summary.solver;
    let mut answers = format!("{} sat, {} unsat", grouped(solver.sat), grouped(solver.unsat));
    if solver.unknown > 0 {
        write!(answers, ", {} unknown", grouped(solver.unknown)).expect("a string");
    }
    let solving = duration(Duration::from_secs_f64(solver.time_ms.max(0.0) / 1000.0));
    let queries = count(solver.queries, "query");
    let forked = match summary.forked {
        0 => String::new(),
        n => format!("fork server used for {}\n", count(n, "run")),
    };
    let tiers = answered_by(solver);
    format!("{forked}solver: {queries} ({answers}) in {solving}{tiers}\n")
}

/// Number of queries that each tier answered, largest first.
fn answered_by(solver: &SolverSummary) -> String {
    let mut tiers: Vec<(u64, &str)> =
        solver.tiers.iter().map(|(name, tier)| (tier.answered, &name[..])).filter(|(n, _)| *n > 0).collect();
    tiers.sort_by_key(|&(n, name)| (std::cmp::Reverse(n), name));
    let tiers: Vec<String> = tiers.into_iter().map(|(n, name)| format!("{name} {}", grouped(n))).collect();
    if tiers.is_empty() { String::new() } else { format!(": {}", tiers.join(", ")) }
}

/// The specifications that no path violates, if the verdict says so.
pub(crate) fn no_violation(summary: &Summary) -> Option<String> {
    let kept: Vec<_> = summary.specifications.iter().filter(|spec| !spec.violated).collect();
    if kept.is_empty() || summary.verdict == Verdict::Incomplete || summary.rejected == summary.runs {
        return None;
    }
    let within = if summary.verdict == Verdict::Bounded { " within the bounds" } else { "" };
    let names: Vec<String> = kept.iter().map(|spec| format!("`{}`", spec.name)).collect();
    Some(format!("no violation of {} on any path{within}", names.join(", ")))
}

/// Coverage of specifications.
fn specifications(summary: &Summary) -> String {
    let line = |spec: &SpecificationCoverage| {
        format!("specification `{}`: {} of {} reached\n", spec.name, spec.reached, count(spec.states.into(), "state"))
    };
    summary.specifications.iter().map(line).collect()
}

/// Reasons why sides of reached branches were not taken.
fn explained(summary: &Summary, sources: &Sources) -> String {
    let mut text = String::new();
    if !summary.explained.is_empty() {
        text.push_str("branch sides that runs reached but did not take:\n");
    }
    for side in &summary.explained {
        let at = place(&side.file, side.line, side.column);
        let place = (side.file.as_str(), side.line, side.column);
        let why = condition::explained(sources, place, &side.side, &side.why);
        writeln!(text, "  {at} in `{}`: {}: {}", side.function, side.side, printable(&why)).expect("a string");
    }
    text
}

/// Lengths of arrays that the code implies.
fn implied_lengths(summary: &Summary) -> String {
    let lengths: Vec<String> = summary
        .implied_lengths
        .iter()
        .filter_map(|length| length.split_once('='))
        .map(|(pointer, count)| format!("`{pointer}` has `{count}` elements"))
        .collect();
    if lengths.is_empty() {
        return String::new();
    }
    format!("assumed from names and loops: {} (--len states another length)\n", lengths.join(", "))
}

/// Undefined functions of the unit.
fn undefined_symbols(summary: &Summary) -> String {
    let names = |how: How| -> Vec<&str> {
        let all = summary.undefined_symbols.iter().filter(|known| known.how == how);
        all.map(|known| known.function.as_str()).collect()
    };
    let mut text = String::new();
    for (how, what) in [
        (How::Stub, "stubs that return inputs"),
        (How::Library, "from libraries"),
        (How::Missing, "undefined functions"),
        (How::Zeros, "undefined variables (zero)"),
    ] {
        let names = names(how);
        if !names.is_empty() {
            writeln!(text, "{what}: {}", names.join(", ")).expect("a string");
        }
    }
    text
}

fn coverage(summary: &Summary, style: Style) -> String {
    let (covered, total) = (summary.branches_covered as u64, summary.branches_total as u64);
    if total == 0 {
        return "coverage: no branches\n".to_string();
    }
    // Also relative to the functions reached, if that differs.
    let relative = match summary.branches_reached as u64 {
        reached if reached == 0 || reached == total => String::new(),
        reached => format!("; of the functions reached, {} of {}", percent(covered, reached), grouped(reached)),
    };
    let infeasible = match summary.uncovered.iter().filter(|side| side.why == Uncoverable::Infeasible).count() {
        0 => String::new(),
        n => format!(", {} infeasible", grouped(n as u64)),
    };
    let mut text = format!(
        "coverage: {} of {} ({}){infeasible}{relative}\n",
        grouped(covered),
        count(total, "branch"),
        style.bold(&percent(covered, total))
    );
    let partly = summary.functions.iter().filter(|function| function.covered < function.total);
    let (mut lines, mut sides_listed) = (0, 0);
    let mut unreached: Vec<&str> = Vec::new();
    for function in partly {
        if lines >= MAX_UNCOVERED {
            break;
        }
        let of_function = |side: &&Uncovered| side.function == function.function && side.file == function.file;
        let sides: Vec<&Uncovered> = summary.uncovered.iter().filter(of_function).collect();
        let share = format!("`{}` ({}): {} of {}", function.function, function.file, function.covered, function.total);
        // For a function that no run reached, sides are not listed.
        if function.covered == 0 && sides.iter().all(|side| side.why == Uncoverable::NotReached) {
            unreached.push(&function.function);
            sides_listed += sides.len();
            continue;
        }
        writeln!(text, "  {share}").expect("a string");
        for side in sides.iter().take(MAX_UNCOVERED - lines) {
            let at = place(&side.file, side.line, side.column);
            writeln!(text, "    {at}: {}{}", side.side, style.dim(why(side.why, summary.verdict))).expect("a string");
            lines += 1;
            sides_listed += 1;
        }
    }
    if !unreached.is_empty() {
        let rest = match unreached.len().saturating_sub(MAX_UNREACHED) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let names = unreached[..unreached.len().min(MAX_UNREACHED)].join("`, `");
        writeln!(text, "  {}", style.dim(&format!("never reached: `{names}`{rest}"))).expect("a string");
    }
    let left = summary.uncovered.len().saturating_sub(sides_listed);
    if lines >= MAX_UNCOVERED && left > 0 {
        writeln!(text, "  … and {left} more").expect("a string");
    }
    text
}

fn why(why: Uncoverable, verdict: Verdict) -> &'static str {
    match (why, verdict) {
        (Uncoverable::Infeasible, Verdict::Bounded) => " is infeasible within the bounds",
        (Uncoverable::Infeasible, _) => " is infeasible",
        (Uncoverable::NotReached, _) => " was not reached",
        (Uncoverable::Open, _) => " was not taken",
    }
}

/// Advice about uninstrumented code.
const LOST_INPUT: &str = "  = help: compile that code with `tine cc`, too; or write the function in C, as a model that does \
                          the same or a stub that returns inputs, and add the file\n";

fn verdict(summary: &Summary, style: Style) -> String {
    let under = match summary.requirements.len() as u64 {
        0 => String::new(),
        n => format!(" under {}", count(n, "requirement")),
    };
    let mut text = match summary.verdict {
        Verdict::Complete => format!("verdict: {}{under}, every path was explored\n", style.good("complete")),
        Verdict::Bounded => {
            format!("verdict: {}{under}, every path was explored within these bounds:\n", style.good("bounded"))
        }
        Verdict::Incomplete => match summary.change_verdict {
            Some(verdict @ (Verdict::Complete | Verdict::Bounded)) => {
                let within = if verdict == Verdict::Bounded { " within the bounds" } else { "" };
                format!(
                    "verdict: {}{under}, every path was explored that differs in what the targets decide or influence{within}\n\
                     incomplete otherwise, because of\n",
                    style.good("complete for the change")
                )
            }
            _ => format!("verdict: {}, because of\n", style.warning("incomplete")),
        },
    };
    if !["default", ""].contains(&summary.checks.as_str()) {
        text.insert_str(0, &format!("checks: {}\n", summary.checks));
    }
    for reason in summary.reasons.iter().take(MAX_REASONS) {
        let at = match reason.line {
            0 if reason.file.is_empty() => String::new(),
            _ => format!(" at {}", place(&reason.file, reason.line, 0)),
        };
        writeln!(text, "  {}{at} ({}×)", reason.what, grouped(reason.count)).expect("a string");
    }
    if summary.reasons.len() > MAX_REASONS {
        writeln!(text, "  … and {} more", summary.reasons.len() - MAX_REASONS).expect("a string");
    }
    text.extend(no_violation(summary).map(|sentence| sentence + "\n"));
    if summary.reasons.iter().any(|reason| reason.what.starts_with("input flows into ")) {
        text.push_str(LOST_INPUT);
    }
    if !summary.refused.is_empty() {
        let calls = summary.refused.iter();
        let calls = calls.map(|refused| format!("{} ({}×)", system_call::name(refused.call), grouped(refused.count)));
        writeln!(text, "the sandbox refused: {}", calls.collect::<Vec<_>>().join(", ")).expect("a string");
    }
    text
}

/// `file:line:column`, without unknown parts.
pub(crate) fn place(file: &str, line: u32, column: u32) -> String {
    match (file, line, column) {
        ("", 0, _) => "unknown place".to_string(),
        (_, 0, _) => file.to_string(),
        (_, _, 0) => format!("{file}:{line}"),
        _ => format!("{file}:{line}:{column}"),
    }
}

/// Shortens a long input: zeros are left out, then the rest is truncated.
fn shortened(input: &str) -> String {
    if input.chars().count() <= MAX_INPUT {
        return input.to_string();
    }
    let mut n_zeros = 0;
    let mut without_zeros = |parts: Vec<&str>| -> String {
        let n_before = parts.len();
        // NULL pointers are always shown.
        const ZEROS: [&str; 4] = [" = 0", " = \"\"", " = false", " = 0.0"];
        let is_zero = |part: &&str| ZEROS.iter().any(|zero| part.ends_with(zero));
        // A part of each object stays, because it shows that the pointer is not NULL.
        let others = parts.iter().filter(|part| !is_zero(part));
        let mut pointers: BTreeSet<&str> = others.flat_map(|part| pointers(part)).collect();
        let mut kept = Vec::new();
        for part in parts {
            let n_known = pointers.len();
            pointers.extend(self::pointers(part));
            if !is_zero(&part) || pointers.len() > n_known {
                kept.push(part);
            }
        }
        kept.sort_by_key(|part| !part.ends_with(" = NULL"));
        n_zeros += n_before - kept.len();
        kept.join(", ")
    };
    // Calls of a sequence keep their names. Values outside of calls are shortened together, as arguments of a call are.
    let all = parts(input);
    let groups = all.chunk_by(|part, next| call(part).is_none() && call(next).is_none());
    let shown = groups.map(|group| match call(group[0]) {
        Some((name, arguments)) => format!("{name}({})", without_zeros(parts(arguments))),
        None => without_zeros(group.to_vec()),
    });
    let kept = shown.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let rest = if n_zeros == 0 { String::new() } else { format!(" (and {n_zeros} that are 0)") };
    if kept.chars().count() <= MAX_INPUT {
        return (kept + &rest).trim_start().to_owned();
    }
    let start: String = kept.chars().take(MAX_INPUT).collect();
    format!("{start} …{rest}")
}

/// Pointers that are not NULL in a part of an input: `a` and `a->b` in `a->b->c = 0`.
fn pointers(part: &str) -> Vec<&str> {
    let name = part.split(" = ").next().unwrap_or(part);
    let mut pointers: Vec<&str> = name.match_indices("->").map(|(at, _)| &name[..at]).collect();
    pointers.extend(name.match_indices('[').map(|(at, _)| &name[..at]));
    pointers.extend(name.strip_prefix('*'));
    pointers
}

/// Name and arguments, if the part is a call.
fn call(part: &str) -> Option<(&str, &str)> {
    let (name, arguments) = part.strip_suffix(')')?.split_once('(')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    is_name.then_some((name, arguments))
}

/// Parts of an input, separated by commas outside of parentheses, strings and characters.
fn parts(input: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote, mut escaped) = (Vec::new(), 0, 0, None, false);
    for (at, character) in input.char_indices() {
        match (quote, character) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 && input[at..].starts_with(", ") => {
                parts.push(&input[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&input[start..]);
    parts
}

/// A path quoted for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = printable(&text);
    let plain = |character: char| character.is_alphanumeric() || "-_./+,:@%=".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests;
