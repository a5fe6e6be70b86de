//! The mutants as a table and as JSON.

use std::fmt::Write as _;

use serde_json::json;
use tine_session::SUMMARY_VERSION;

use super::trial::{Fate, Tried};

/// Name of the fate of a mutant.
pub fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Killed => "killed",
        Fate::Equivalent => "equivalent",
        Fate::Bounded => "equivalent within the bounds",
        Fate::Alive => "alive",
    }
}

/// Counts of killed, equivalent, bounded and alive mutants.
fn counts(tried: &[Tried]) -> [usize; 4] {
    [Fate::Killed, Fate::Equivalent, Fate::Bounded, Fate::Alive]
        .map(|fate| tried.iter().filter(|one| one.fate == fate).count())
}

/// Percentage of the non-equivalent mutants that were killed.
fn score(tried: &[Tried]) -> f64 {
    let [killed, .., alive] = counts(tried);
    if killed + alive == 0 { 100.0 } else { 100.0 * killed as f64 / (killed + alive) as f64 }
}

/// The table for people. Changes and inputs must be printable.
pub fn text(tried: &[Tried], has_suite: bool) -> String {
    let mut text = String::new();
    let width = tried.iter().map(|one| one.mutant.change.chars().count()).max().unwrap_or(0);
    for Tried { mutant, fate: of, evidence, .. } in tried {
        let change = &mutant.change;
        let padding = " ".repeat(width.saturating_sub(change.chars().count()));
        let line =
            format!("{:>4}  {:>5}:{:<3} {change}{padding}  {}", mutant.number, mutant.line, mutant.column, fate(*of));
        let how = evidence.as_ref().map(|(_, input)| format!(" by {input}")).unwrap_or_default();
        let _ = writeln!(text, "{line}{how}");
    }
    let [killed, equivalent, bounded, alive] = counts(tried);
    if has_suite {
        let _ = writeln!(
            text,
            "{} mutants: {killed} killed by the suite, {alive} alive; score {:.0} %",
            tried.len(),
            score(tried)
        );
        return text;
    }
    let _ = writeln!(
        text,
        "{} mutants: {killed} killed, {equivalent} equivalent, {bounded} equivalent within the bounds, {alive} alive",
        tried.len()
    );
    text
}

/// The table for scripts.
pub fn json(function: &str, tried: &[Tried], has_suite: bool) -> String {
    let [killed, equivalent, bounded, alive] = counts(tried);
    let mutants: Vec<serde_json::Value> = tried
        .iter()
        .map(|one| {
            let (how, input) = one.evidence.as_ref().map(|(how, input)| (how, input)).unzip();
            json!({
                "number": one.mutant.number,
                "function": one.mutant.function,
                "line": one.mutant.line,
                "column": one.mutant.column,
                "change": one.mutant.change,
                "fate": fate(one.fate),
                "difference": how,
                "input": input,
                "runs": one.runs,
                "time_ms": one.time_ms,
            })
        })
        .collect();
    json!({
        "version": SUMMARY_VERSION,
        "function": function,
        "mutants": mutants,
        "killed": killed,
        "equivalent": equivalent,
        "bounded": bounded,
        "alive": alive,
        "score": has_suite.then(|| score(tried)),
    })
    .to_string()
}
