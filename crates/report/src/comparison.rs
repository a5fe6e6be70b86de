//! Result of a comparison: differences, or how much their absence proves.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tine_session::summary::{ErrorSummary, ReasonSummary, Verdict};
use tine_session::{SUMMARY_VERSION, Summary};

use crate::{Style, printable};

/// Name of the harness, which is not a file of the user.
const HARNESS: &str = "tine-driver.c";

/// The two versions of one function.
#[derive(Debug)]
pub struct Comparison {
    function: String,
    /// `None` if it could not be compared.
    explored: Option<(Summary, PathBuf)>,
    why_skipped: String,
    /// Descriptions of observations that are not compared.
    notes: Vec<String>,
    /// Variables that keep their initial values, although code may change them.
    state: Vec<String>,
}

/// Functions that only one version has.
#[derive(Debug, Default)]
pub struct Unpaired {
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

impl Comparison {
    /// Duration of the exploration.
    pub fn time(&self) -> Duration {
        self.explored.as_ref().map_or(Duration::ZERO, |(summary, _)| Duration::from_millis(summary.time_ms))
    }

    /// The row of a function that was compared.
    pub fn of(function: &str, summary: &Summary, folder: &Path, notes: Vec<String>, state: Vec<String>) -> Comparison {
        let explored = Some((summary.clone(), folder.to_path_buf()));
        Comparison { function: function.to_owned(), explored, why_skipped: String::new(), notes, state }
    }

    /// The row of a function that could not be compared.
    pub fn skipped(function: &str, why: &str) -> Comparison {
        let why_skipped = why.to_owned();
        Comparison { function: function.to_owned(), explored: None, why_skipped, notes: Vec::new(), state: Vec::new() }
    }

    fn errors(&self) -> &[ErrorSummary] {
        self.explored.as_ref().map_or(&[], |(summary, _)| &summary.errors)
    }

    fn differences(&self) -> impl Iterator<Item = &ErrorSummary> {
        self.errors().iter().filter(|error| error.is_difference())
    }

    /// True if the versions behave differently.
    pub fn differs(&self) -> bool {
        self.differences().next().is_some()
    }

    /// Runs that ended with an error before the versions were compared.
    fn uncompared(&self) -> impl Iterator<Item = &ErrorSummary> {
        self.errors().iter().filter(|error| !error.is_difference())
    }

    /// The verdict in words.
    pub fn verdict(&self) -> &'static str {
        let Some((summary, _)) = &self.explored else { return "not compared" };
        match summary.verdict {
            _ if self.differs() => "different",
            _ if self.uncompared().next().is_some() || !self.notes.is_empty() => "undecided",
            Verdict::Complete if self.state.is_empty() => "equivalent",
            Verdict::Complete => "equivalent within the bounds",
            Verdict::Bounded => "equivalent within the bounds",
            Verdict::Incomplete => "undecided",
        }
    }
}

/// A reason with its place.
fn described(reason: &ReasonSummary) -> String {
    let ReasonSummary { what, file, line, .. } = reason;
    if file.is_empty() || file.ends_with(HARNESS) { what.clone() } else { format!("{what} at {file}:{line}") }
}

/// The report for people.
pub fn text(comparisons: &[Comparison], unpaired: &Unpaired, style: Style) -> String {
    let mut text = String::new();
    for comparison in comparisons {
        let verdict = comparison.verdict();
        let bold = if style.colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        let _ = writeln!(text, "{}`{}`: {verdict}{}", bold.0, printable(&comparison.function), bold.1);
        let Some((summary, folder)) = &comparison.explored else {
            let _ = writeln!(text, "  {}", printable(&comparison.why_skipped));
            continue;
        };
        for error in comparison.differences() {
            let _ = writeln!(text, "  {}", printable(&error.about));
            let _ = writeln!(text, "    input: {}", printable(&error.input));
            let _ = writeln!(text, "    replay: tine replay {} {}", folder.display(), error.case);
        }
        for error in comparison.uncompared() {
            let _ = writeln!(
                text,
                "  {} at {}:{}: such inputs are not compared",
                error.kind,
                printable(&error.file),
                error.line
            );
            let _ = writeln!(text, "    input: {}", printable(&error.input));
        }
        for note in &comparison.notes {
            let _ = writeln!(text, "  not compared: {}", printable(note));
        }
        if !comparison.state.is_empty() && !comparison.differs() {
            let (names, s, have) = match &comparison.state[..] {
                [name] => (format!("`{name}`"), "", "has its"),
                names => (format!("`{}`", names.join("`, `")), "s", "have their"),
            };
            let names = printable(&names).to_string();
            let _ = writeln!(text, "  variable{s} {names} {have} initial value{s}; --globals makes variables inputs");
        }
        if verdict != "equivalent" && !comparison.differs() {
            for reason in &summary.reasons {
                let _ = writeln!(text, "  {}", printable(&described(reason)));
            }
        }
        let _ = writeln!(
            text,
            "  {} pairs of paths, {} runs, {:.1} s",
            summary.paths,
            summary.runs,
            summary.time_ms as f64 / 1000.0
        );
    }
    for (name, version) in [(&unpaired.removed, "old"), (&unpaired.added, "new")]
        .into_iter()
        .flat_map(|(names, version)| names.iter().map(move |name| (name, version)))
    {
        let _ = writeln!(text, "`{}`: only in the {version} version", printable(name));
    }
    if comparisons.len() > 1 {
        let n = |verdict: &str| comparisons.iter().filter(|comparison| comparison.verdict() == verdict).count();
        let _ = writeln!(
            text,
            "{} functions: {} equivalent, {} within the bounds, {} different, {} undecided, {} not compared",
            comparisons.len(),
            n("equivalent"),
            n("equivalent within the bounds"),
            n("different"),
            n("undecided"),
            n("not compared"),
        );
    }
    text
}

/// The report for scripts.
pub fn json(comparisons: &[Comparison], unpaired: &Unpaired) -> String {
    let difference = |error: &ErrorSummary| {
        let (observed, how) = error.about.split_once(": ").unwrap_or((&error.about, ""));
        json!({ "observed": observed, "values": how, "case": error.case, "input": error.input, "runs": error.runs })
    };
    let functions: Vec<serde_json::Value> = comparisons
        .iter()
        .map(|comparison| {
            let differences: Vec<serde_json::Value> = comparison.differences().map(difference).collect();
            let (summary, session) = comparison.explored.as_ref().map(|(summary, folder)| (summary, folder)).unzip();
            json!({
                "function": comparison.function,
                "verdict": comparison.verdict(),
                "differences": differences,
                "session": session,
                "why": comparison.why_skipped,
                "not_compared": comparison.notes,
                "initial_values": comparison.state,
                "summary": summary,
            })
        })
        .collect();
    json!({
        "version": SUMMARY_VERSION,
        "functions": functions,
        "removed": unpaired.removed,
        "added": unpaired.added,
    })
    .to_string()
}
