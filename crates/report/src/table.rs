//! One table for all functions of a file, and the errors in them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tine_session::Summary;
use tine_session::summary::{ErrorSummary, Verdict};

use crate::causes::groups;
use crate::printable::{printable, printable_lines};
use crate::source;
use crate::style::{Style, grouped, percent};
use crate::terminal::{View, error, not_shown_reachable, requirement};

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    function: String,
    /// Covered sides of the branches of the function and its callees.
    covered: u64,
    total: u64,
    errors: u64,
    runs: u64,
    verdict: String,
    /// Reason why it was not explored.
    skipped: Option<String>,
}

impl Row {
    /// The row of an explored function.
    pub fn of(summary: &Summary) -> Row {
        Row {
            function: printable(&summary.target).into_owned(),
            covered: summary.branches_covered as u64,
            total: summary.branches_total as u64,
            errors: summary.errors.len() as u64,
            runs: summary.runs,
            verdict: match summary.change_verdict {
                Some(Verdict::Complete | Verdict::Bounded) if summary.verdict == Verdict::Incomplete => {
                    "for the change".to_owned()
                }
                _ => summary.verdict.text().to_owned(),
            },
            skipped: None,
        }
    }

    /// The row of a function that could not be explored.
    pub fn skipped(function: &str, why: &str) -> Row {
        let (function, skipped) = (printable(function).into_owned(), Some(printable_lines(why).into_owned()));
        Row { function, covered: 0, total: 0, errors: 0, runs: 0, verdict: String::new(), skipped }
    }

    fn cells(&self) -> [String; 6] {
        let coverage = if self.total == 0 { "–".to_owned() } else { percent(self.covered, self.total) };
        [
            self.function.clone(),
            grouped(self.total),
            coverage,
            grouped(self.errors),
            grouped(self.runs),
            self.verdict.clone(),
        ]
    }
}

/// The errors of all functions, then their requirements. An error that several of them reach in a common callee is
/// shown once.
pub fn errors(summaries: &[Summary], folders: &[PathBuf], style: Style) -> String {
    let sources = &source::shown(summaries);
    let views = || folders.iter().map(|dir| View { dir, sources, style });
    let mut known = HashSet::new();
    let mut text = String::new();
    for (summary, view) in summaries.iter().zip(views()) {
        let new = summary.errors.iter().filter(|&found| known.insert(identity(found)));
        for group in &groups(new, sources) {
            text += &error(group, view);
            text.push('\n');
        }
    }
    for (summary, view) in summaries.iter().zip(views()) {
        let new = summary.not_shown_reachable.iter().filter(|&found| known.insert(identity(found)));
        for group in &groups(new, sources) {
            text += &not_shown_reachable(group, view);
            text.push('\n');
        }
    }
    for (summary, view) in summaries.iter().zip(views()) {
        for required in &summary.requirements {
            text += &requirement(required, &summary.target, view);
            text.push('\n');
        }
    }
    text
}

fn identity(error: &ErrorSummary) -> (&str, &str, u32, u32, &str) {
    (&error.kind, &error.file, error.line, error.column, &error.function)
}

/// Branch, line and condition coverage of each file and its functions.
pub fn coverage(summary: &Summary, style: Style) -> String {
    let share = |covered: usize, total: usize| format!("{} ({covered}/{total})", percent(covered as u64, total as u64));
    let mut rows = vec![["file and function", "branch sides", "lines", "conditions"].map(str::to_owned)];
    for file in &summary.files {
        rows.push([
            printable(&file.file).into_owned(),
            share(file.covered, file.total),
            share(file.lines_covered, file.lines_total),
            share(file.conditions_covered, file.conditions_total),
        ]);
        for function in summary.functions.iter().filter(|function| function.file == file.file) {
            rows.push([
                format!("  {}", printable(&function.function)),
                share(function.covered, function.total),
                share(function.lines_covered, function.lines_total),
                share(function.conditions_covered, function.conditions_total),
            ]);
        }
    }
    let widths: Vec<usize> =
        (0..4).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ").trim_end().to_owned();
        text += &(if number == 0 { style.bold(&line) } else { line } + "\n");
    }
    text
}

/// The table, and the location of more details: `dir` is a pattern for the directories of the sessions.
pub fn functions(rows: &[Row], dir: &Path, style: Style) -> String {
    const TITLES: [&str; 6] = ["function", "branches", "coverage", "errors", "runs", "complete?"];
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row.cells()[column].chars().count());
        cells.chain([TITLES[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..TITLES.len()).map(width).collect();
    let line = |cells: &[String; 6]| {
        let mut text = String::new();
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - cell.chars().count());
            // Numbers are right-aligned.
            let (before, after) =
                if (1..5).contains(&column) { (padding.as_str(), "") } else { ("", padding.as_str()) };
            text += &format!("{before}{cell}{after}  ");
        }
        text.trim_end().to_owned() + "\n"
    };
    let mut text = style.bold(line(&TITLES.map(str::to_owned)).trim_end()) + "\n";
    for row in rows {
        match &row.skipped {
            Some(why) => text += &format!("{}  not explored: {why}\n", row.function),
            None if row.errors > 0 => text += &(style.bad(line(&row.cells()).trim_end()) + "\n"),
            None => text += &line(&row.cells()),
        }
    }
    text += &format!("sessions: {}\n", dir.display());
    text
}
