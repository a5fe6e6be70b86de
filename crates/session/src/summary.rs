//! The outcome of an exploration in one piece: what the session stores at the end, `--json` prints and the
//! terminal report renders. Field names are part of the interface.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tine_explore::budget::StopReason;
use tine_explore::explorer::Explorer;
use tine_explore::job::CaseId;
use tine_explore::missed::{Why, missed};
use tine_explore::{ProgramMap, reasons};
use tine_trace::event::Site;

use crate::input::CaseInput;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What was explored: a function's or a program's name.
    pub target: String,
    pub strategy: String,
    pub runs: u64,
    /// Distinct paths; rejected runs are none.
    pub paths: u64,
    pub rejected: u64,
    pub branches_total: usize,
    pub branches_covered: usize,
    /// Of the functions in which some side was covered: what relative coverage is measured by.
    #[serde(default)]
    pub branches_reached: usize,
    pub verdict: Verdict,
    pub complete: bool,
    pub stopped: Stopped,
    pub reasons: Vec<ReasonSummary>,
    pub errors: Vec<ErrorSummary>,
    /// Errors that a run showed and that did not appear again when its input ran in a fresh process: probably defects of
    /// tine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreproduced: Vec<ErrorSummary>,
    pub divergences: u64,
    pub solver: SolverSummary,
    /// Of functions that have branches, by file and name.
    pub functions: Vec<FunctionCoverage>,
    /// The same by file.
    #[serde(default)]
    pub files: Vec<FileCoverage>,
    /// Sides of branches that no run took.
    pub uncovered: Vec<Uncovered>,
    /// Of those that runs came close to, why, where that was asked for (`--explain`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<Explained>,
    /// System calls that the sandbox refused.
    pub refused: Vec<Refused>,
    /// Functions that the unit calls but does not define, and what became of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surroundings: Vec<Surrounding>,
    /// Alternatives not tried.
    pub open: u64,
    /// Most decisions on one path.
    pub deepest: u32,
    /// Runs that came to a state from which others go on.
    #[serde(default)]
    pub pruned: u64,
    /// Runs that began at the program's first input: what comes before was done once for all of them.
    #[serde(default)]
    pub resumed: u64,
    pub time_ms: u64,
}

/// A function that the unit calls, or a variable, that it does not define.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surrounding {
    pub function: String,
    pub how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Returns inputs.
    Stub,
    /// The real one.
    Library,
    /// Nothing defines it: a call is an error.
    Missing,
    /// A variable that nothing defines: it is zero.
    Zeros,
}

/// As in [`tine_explore::Verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Complete,
    Bounded,
    Incomplete,
}

impl Verdict {
    pub const fn text(self) -> &'static str {
        match self {
            Verdict::Complete => "complete",
            Verdict::Bounded => "bounded",
            Verdict::Incomplete => "incomplete",
        }
    }
}

/// As in [`tine_explore::StopReason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    Exhausted,
    MaxRuns,
    MaxTime,
    MaxMemory,
    Interrupted,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonSummary {
    pub what: String,
    /// Empty, with line 0, where there is no place.
    pub file: String,
    pub line: u32,
    pub count: u64,
    /// A stated bound did it.
    pub bound: bool,
}

/// An error, with the first case that reached it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorSummary {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub case: u32,
    /// As people read it.
    pub input: String,
    pub values: CaseInput,
    /// Runs that showed it.
    pub runs: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverSummary {
    pub queries: u64,
    /// Constraints of all queries.
    #[serde(default)]
    pub constraints: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Inputs tried where a whole path was too hard to solve, and how many took it.
    #[serde(default)]
    pub optimistic: u64,
    #[serde(default)]
    pub arrived: u64,
    /// How often a rule of rewriting changed a term.
    #[serde(default)]
    pub rewritten: u64,
    pub time_ms: f64,
    pub tiers: BTreeMap<String, Tier>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tier {
    pub answered: u64,
    /// Constraints that it left out of queries.
    #[serde(default)]
    pub dropped: u64,
    pub time_ms: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCoverage {
    pub file: String,
    pub function: String,
    pub covered: usize,
    pub total: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCoverage {
    pub file: String,
    pub covered: usize,
    pub total: usize,
    /// Of the functions in which some side was covered.
    pub reached: usize,
}

/// A side of a branch that no run took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncovered {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// `true`, `false`, `default`, `case 3`.
    pub side: String,
    /// Line of the first code on that side, 0 where the compiler does not say.
    pub leads_to: u32,
    pub why: Uncoverable,
    /// Number of the side in the session.
    #[serde(default)]
    pub id: u32,
}

/// As in [`tine_explore::missed::Why`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Uncoverable {
    Infeasible,
    NotReached,
    Open,
}

impl Uncoverable {
    const ALL: [Uncoverable; 3] = [Uncoverable::Infeasible, Uncoverable::NotReached, Uncoverable::Open];

    /// As in JSON.
    pub const fn text(self) -> &'static str {
        match self {
            Uncoverable::Infeasible => "infeasible",
            Uncoverable::NotReached => "not-reached",
            Uncoverable::Open => "open",
        }
    }

    pub(crate) fn from_text(text: &str) -> Option<Uncoverable> {
        Uncoverable::ALL.into_iter().find(|why| why.text() == text)
    }
}

/// A side of a branch that runs came to, and why none took it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub side: String,
    pub why: String,
}

/// See [`Summary::explained`].
pub fn explained(explorer: &Explorer) -> Vec<Explained> {
    let map = explorer.map();
    let explain = |close: tine_explore::close::Close| {
        let branch = map.branch(map.alternative(close.alternative).0);
        Explained {
            file: branch.file.to_string(),
            line: branch.line,
            column: branch.column,
            function: branch.key.function.to_string(),
            side: map.label(close.alternative),
            why: close.why,
        }
    };
    tine_explore::close::close(explorer).into_iter().map(explain).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Number of the system call.
    pub call: u32,
    pub count: u64,
}

impl Summary {
    /// What the exploration came to. `input_of` finds the inputs of the errors' cases, all of which were kept.
    pub fn new(
        target: &str,
        explorer: &Explorer,
        input_of: impl Fn(CaseId) -> Option<CaseInput>,
        solver: SolverSummary,
        elapsed: Duration,
    ) -> Summary {
        let counters = explorer.counters();
        let all_reasons = explorer.reasons();
        let verdict = match reasons::verdict(&all_reasons) {
            tine_explore::Verdict::Complete => Verdict::Complete,
            tine_explore::Verdict::Bounded => Verdict::Bounded,
            tine_explore::Verdict::Incomplete => Verdict::Incomplete,
        };
        Summary {
            target: target.to_string(),
            strategy: explorer.strategy().to_string(),
            runs: counters.runs,
            paths: counters.paths,
            rejected: counters.rejected,
            branches_total: explorer.map().n_alternatives(),
            branches_covered: explorer.coverage().n_covered(),
            branches_reached: explorer.coverage().n_reached(explorer.map()),
            verdict,
            complete: verdict == Verdict::Complete,
            stopped: match explorer.stopped() {
                StopReason::Exhausted => Stopped::Exhausted,
                StopReason::MaxRuns => Stopped::MaxRuns,
                StopReason::MaxTime => Stopped::MaxTime,
                StopReason::MaxMemory => Stopped::MaxMemory,
                StopReason::Interrupted => Stopped::Interrupted,
            },
            reasons: all_reasons.into_iter().map(ReasonSummary::from).collect(),
            errors: explorer.errors().iter().map(|found| error(found, &input_of)).collect(),
            unreproduced: explorer.unreproduced().map(|found| error(found, &input_of)).collect(),
            divergences: counters.divergences,
            solver,
            functions: functions(explorer),
            files: files(explorer),
            uncovered: uncovered(explorer),
            explained: Vec::new(),
            refused: explorer.refused().map(|(call, count)| Refused { call, count }).collect(),
            surroundings: Vec::new(),
            open: explorer.tree().n_open(),
            deepest: counters.deepest,
            pruned: counters.pruned,
            resumed: 0,
            time_ms: elapsed.as_millis() as u64,
        }
    }
}

impl From<tine_explore::Reason> for ReasonSummary {
    fn from(reason: tine_explore::Reason) -> ReasonSummary {
        ReasonSummary {
            what: reason.what,
            file: reason.place.file.to_string(),
            line: reason.place.line,
            count: reason.count,
            bound: reason.is_bound,
        }
    }
}

fn error(error: &tine_explore::errors::FoundError, input_of: impl Fn(CaseId) -> Option<CaseInput>) -> ErrorSummary {
    let values = input_of(error.case).unwrap_or_default();
    ErrorSummary {
        kind: error.kind.text().to_string(),
        file: error.place.file.to_string(),
        line: error.place.line,
        column: error.place.column,
        function: error.place.function.to_string(),
        case: error.case.0,
        input: values.to_string(),
        values,
        runs: error.count,
    }
}

fn functions(explorer: &Explorer) -> Vec<FunctionCoverage> {
    let shares = explorer.coverage().by_function(explorer.map()).into_iter();
    shares
        .map(|((file, function), share)| FunctionCoverage {
            file: file.to_string(),
            function: function.to_string(),
            covered: share.covered,
            total: share.total,
        })
        .collect()
}

fn files(explorer: &Explorer) -> Vec<FileCoverage> {
    let mut files = BTreeMap::<String, FileCoverage>::new();
    for ((file, _), share) in explorer.coverage().by_function(explorer.map()) {
        let (covered, total, reached) = (0, 0, 0);
        let entry = files.entry(file.to_string());
        let sum = entry.or_insert_with(|| FileCoverage { file: file.to_string(), covered, total, reached });
        sum.covered += share.covered;
        sum.total += share.total;
        sum.reached += share.reached();
    }
    files.into_values().collect()
}

fn uncovered(explorer: &Explorer) -> Vec<Uncovered> {
    let map = explorer.map();
    let side = |missed: tine_explore::missed::Missed| {
        let (id, number) = map.alternative(missed.alternative);
        let branch = map.branch(id);
        Uncovered {
            file: branch.file.to_string(),
            line: branch.line,
            column: branch.column,
            function: branch.key.function.to_string(),
            side: map.label(missed.alternative),
            leads_to: leads_to(map, branch.site, number),
            id: missed.alternative.0,
            why: match missed.why {
                Why::Infeasible => Uncoverable::Infeasible,
                Why::NotReached => Uncoverable::NotReached,
                Why::Open => Uncoverable::Open,
            },
        }
    };
    missed(explorer).into_iter().map(side).collect()
}

fn leads_to(map: &ProgramMap, site: Site, alternative: u16) -> u32 {
    let block = map.site(site).and_then(|site| site.block).map(|block| &map.blocks()[block.index()]);
    let flow =
        block.and_then(|block| map.flows(block).iter().find(|flow| flow.decided_by == Some((site, alternative))));
    flow.map_or(0, |flow| map.blocks()[flow.to.index()].line)
}
