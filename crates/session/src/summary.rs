//! The result of an exploration in one piece. The session stores it, `--json` prints it and the terminal report renders
//! it. Field names are part of the interface; doc comments are the descriptions in `docs/reference/json.md`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tine_explore::budget::StopReason;
use tine_explore::errors::FoundError;
use tine_explore::explorer::Explorer;
use tine_explore::job::CaseId;
use tine_explore::missed::{Why, missed};
use tine_explore::requirements::FoundRequirement;
use tine_explore::{Place, ProgramMap, reasons};
use tine_trace::check::Checks;
use tine_trace::event::Site;
use tine_trace::map::DRIVER_FILE;
use tine_trace::outcome::ErrorKind;

use tine_types::input::CaseInput;

use crate::figures::Figures;

/// Version of the JSON outputs of all commands but `tine types`. It grows when a field is removed or changes its meaning, not when one is added.
pub const SUMMARY_VERSION: u32 = 2;

/// The result of an exploration.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Summary {
    /// Version of this format. It grows when a field is removed or changes its meaning.
    #[serde(default = "default_version")]
    pub version: u32,
    /// Name of the explored function or program.
    pub target: String,
    /// Search strategy.
    pub strategy: String,
    /// Checks that were made, as a list for `--check`.
    #[serde(default = "default_checks")]
    pub checks: String,
    /// Number of runs.
    pub runs: u64,
    /// Number of distinct paths, without rejected runs.
    pub paths: u64,
    /// Number of runs that a precondition or assumption rejected.
    pub rejected: u64,
    /// Number of branch sides in the user's code.
    pub branches_total: usize,
    /// Number of branch sides that some run took.
    pub branches_covered: usize,
    /// Number of branch sides in functions that some run reached: the base of relative coverage.
    #[serde(default)]
    pub branches_reached: usize,
    /// Number of lines with code in the user's functions.
    #[serde(default)]
    pub lines_total: usize,
    /// Number of such lines that some run executed.
    #[serde(default)]
    pub lines_covered: usize,
    /// Number of two-way conditions. Each operand of `&&` and `||` is one.
    #[serde(default)]
    pub conditions_total: usize,
    /// Number of conditions that were true in some run and false in some run.
    #[serde(default)]
    pub conditions_covered: usize,
    /// The extent of what the exploration proves.
    pub verdict: Verdict,
    /// True if the verdict is `complete`.
    pub complete: bool,
    /// Verdict about the targets (`--target`, `--changed`, `--diff`): the verdict without the branches that
    /// are unrelated to what the targets decide or influence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_verdict: Option<Verdict>,
    /// Why the exploration ended.
    pub stopped: Stopped,
    /// Everything that was left out.
    pub reasons: Vec<ReasonSummary>,
    /// Errors, each with the first case that reached it.
    pub errors: Vec<ErrorSummary>,
    /// Errors that need an object of which functions of the unit make others, and that no such object was seen to lead to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_shown_reachable: Vec<ErrorSummary>,
    /// Conditions on the inputs that the function uses without checking them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementSummary>,
    /// Lengths of arrays that names and loops imply, as `--len` would state them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implied_lengths: Vec<String>,
    /// Errors that did not appear again when their input ran in a fresh process: probably defects of tine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreproduced: Vec<ErrorSummary>,
    /// Number of runs that did not take the path they were computed for.
    pub divergences: u64,
    /// Counts and times of the solver.
    pub solver: SolverSummary,
    /// Jobs by the strategy that chose them, or by another source of inputs: `first input`, `seed inputs`, `mutation`, `restarts`,
    /// `postponed` (branches that waited), `retries`, `before resuming`.
    #[serde(default)]
    pub strategies: BTreeMap<String, StrategySummary>,
    /// Coverage of functions, sorted by file and name.
    pub functions: Vec<FunctionCoverage>,
    /// Coverage by file.
    #[serde(default)]
    pub files: Vec<FileCoverage>,
    /// Branch sides that no run took.
    pub uncovered: Vec<Uncovered>,
    /// Why reached sides were not taken (with `--explain`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<Explained>,
    /// System calls that the sandbox refused.
    pub refused: Vec<Refused>,
    /// Specifications that were monitored, and the states of their monitors that runs reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specifications: Vec<SpecificationCoverage>,
    /// Undefined symbols of the unit, and how each is treated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undefined_symbols: Vec<UndefinedSymbol>,
    /// Number of branch sides of the execution tree that were not tried.
    pub open: u64,
    /// Largest number of decisions on one path.
    pub deepest: u32,
    /// Number of call sequences pruned because their state was reached before.
    #[serde(default)]
    pub pruned: u64,
    /// Number of runs started by the fork server, at the program's first input.
    #[serde(default)]
    pub forked: u64,
    /// Workers on other machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<Machine>,
    /// Time of the exploration in milliseconds, without building.
    pub time_ms: u64,
}

/// A worker on another machine (`tine work`).
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the machine and number of the process.
    pub name: String,
    /// Number of orders that it carried out.
    pub orders: u64,
    /// Number of runs that it reported.
    pub runs: u64,
    /// Runs per second while it took part.
    pub rate: f64,
}

/// Version of summaries that were stored before they had one.
fn default_version() -> u32 {
    SUMMARY_VERSION
}

fn default_checks() -> String {
    Checks::default().to_string()
}

/// Coverage of a specification.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SpecificationCoverage {
    /// Name of the specification.
    pub name: String,
    /// Number of states of its monitors, without the violation.
    pub states: u32,
    /// Number of states that runs reached.
    pub reached: u32,
    /// True if an error is a violation of it.
    pub violated: bool,
}

/// An undefined symbol: a function or variable that the unit uses and does not define.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct UndefinedSymbol {
    /// Name of the symbol.
    pub function: String,
    /// Treatment of the symbol.
    pub how: How,
}

/// Treatment of an undefined symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// A stub that returns inputs.
    Stub,
    /// The function of a library.
    Library,
    /// An undefined function: a call is an error.
    Missing,
    /// An undefined variable: it is zero.
    Zeros,
}

/// Strength of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every path was explored.
    Complete,
    /// Only stated bounds cut something off.
    Bounded,
    /// Something else was left out.
    #[default]
    Incomplete,
}

impl From<tine_explore::Verdict> for Verdict {
    fn from(verdict: tine_explore::Verdict) -> Verdict {
        match verdict {
            tine_explore::Verdict::Complete => Verdict::Complete,
            tine_explore::Verdict::Bounded => Verdict::Bounded,
            tine_explore::Verdict::Incomplete => Verdict::Incomplete,
        }
    }
}

impl Verdict {
    /// Text for reports.
    pub const fn text(self) -> &'static str {
        match self {
            Verdict::Complete => "complete",
            Verdict::Bounded => "bounded",
            Verdict::Incomplete => "incomplete",
        }
    }
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// Nothing was left to try.
    Exhausted,
    /// `--max-runs` was reached.
    MaxRuns,
    /// `--max-time` was reached.
    MaxTime,
    /// `--memory` was exceeded by tine itself.
    MaxMemory,
    /// The user pressed Ctrl-C.
    #[default]
    Interrupted,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReasonSummary {
    /// Description.
    pub what: String,
    /// Source file, or empty if the reason has no place.
    pub file: String,
    /// Line, or 0.
    pub line: u32,
    /// Number of occurrences.
    pub count: u64,
    /// True if a stated bound is the reason.
    pub bound: bool,
}

/// An error, with the first case that reached it.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ErrorSummary {
    /// Error kind, as in the list of error kinds.
    pub kind: String,
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Function in which the error occurred.
    pub function: String,
    /// The memory or the operands that the error is about, in words; empty if that is not known.
    #[serde(default)]
    pub about: String,
    /// Calls that led to the error in this case, innermost first: the call of the error's function, the call of its
    /// caller, and so on.
    #[serde(default)]
    pub callers: Vec<CallSummary>,
    /// Number of the case, for `tine replay` and `tine show`.
    pub case: u32,
    /// The input as text.
    pub input: String,
    /// The input as data.
    #[schemars(with = "serde_json::Value")]
    pub values: CaseInput,
    /// Number of runs that showed the error.
    pub runs: u64,
    /// The calls of the unit's own functions that lead to the error, if some were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_calls: Option<ShownBy>,
}

impl ErrorSummary {
    /// True if only calls of the unit's own functions show the error. Its case belongs to the session `calls`.
    pub fn is_only_by_calls(&self) -> bool {
        self.by_calls.as_ref().is_some_and(|shown| shown.case == self.case && shown.input == self.input)
    }

    /// True for a difference of two versions.
    pub fn is_difference(&self) -> bool {
        self.kind == ErrorKind::Difference.text()
    }
}

/// A call that had not returned when an error occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CallSummary {
    /// Source file of the call.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Function that contains the call.
    pub function: String,
}

/// A case of the session `calls`, in which functions of the unit make the objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ShownBy {
    /// Number of the case in that session.
    pub case: u32,
    /// The calls as text.
    pub input: String,
}

/// A condition on the inputs that the function uses without checking it, with the first input that violates it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RequirementSummary {
    /// Kind of the requirement: `not-null`, `acyclic`, `unshared` or `long-enough`.
    pub kind: String,
    /// The condition in C.
    pub condition: String,
    /// The condition in C, with checks of the pointers on the way.
    pub predicate: String,
    /// Number of places that depend on it.
    pub uses: u64,
    /// The error that an input which violates the requirement shows.
    pub evidence: ErrorSummary,
}

/// Counts and times of the solver.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SolverSummary {
    /// Number of queries.
    pub queries: u64,
    /// Number of constraints of all queries.
    #[serde(default)]
    pub constraints: u64,
    /// Queries with a solution.
    pub sat: u64,
    /// Queries without a solution.
    pub unsat: u64,
    /// Queries without an answer.
    pub unknown: u64,
    /// Inputs tried after only the last part of a path was solved.
    #[serde(default)]
    pub optimistic: u64,
    /// Such inputs that took the whole path.
    #[serde(default)]
    pub arrived: u64,
    /// Number of times a rewriting rule changed a term.
    #[serde(default)]
    pub rewritten: u64,
    /// Time of all queries in milliseconds.
    pub time_ms: f64,
    /// Counts and times of each solver tier, by name.
    pub tiers: BTreeMap<String, Tier>,
}

/// Counts and time of one solver tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Tier {
    /// Queries that the tier answered.
    pub answered: u64,
    /// Constraints that the tier removed from queries.
    #[serde(default)]
    pub dropped: u64,
    /// Time in milliseconds.
    pub time_ms: f64,
}

/// Jobs that a strategy chose, and what they brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct StrategySummary {
    /// Branch sides that were tried.
    pub jobs: u64,
    /// Runs that followed.
    pub runs: u64,
    /// Branch sides that these runs were the first to take.
    pub covered: u64,
    /// Errors that these runs were the first to show.
    pub errors: u64,
}

/// Coverage of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FunctionCoverage {
    /// Source file.
    pub file: String,
    /// Name of the function.
    pub function: String,
    /// Covered branch sides.
    pub covered: usize,
    /// All branch sides.
    pub total: usize,
    /// Lines with code that were executed.
    #[serde(default)]
    pub lines_covered: usize,
    /// Lines with code.
    #[serde(default)]
    pub lines_total: usize,
    /// Two-way conditions that were both true and false.
    #[serde(default)]
    pub conditions_covered: usize,
    /// Two-way conditions.
    #[serde(default)]
    pub conditions_total: usize,
}

/// Coverage of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FileCoverage {
    /// Source file.
    pub file: String,
    /// Covered branch sides.
    pub covered: usize,
    /// All branch sides.
    pub total: usize,
    /// Branch sides in functions that some run reached.
    pub reached: usize,
    /// Lines with code that were executed.
    #[serde(default)]
    pub lines_covered: usize,
    /// Lines with code.
    #[serde(default)]
    pub lines_total: usize,
    /// Two-way conditions that were both true and false.
    #[serde(default)]
    pub conditions_covered: usize,
    /// Two-way conditions.
    #[serde(default)]
    pub conditions_total: usize,
}

/// A branch side that no run took.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Uncovered {
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Function that contains the branch.
    pub function: String,
    /// The side: `true`, `false`, `default`, `case 3`.
    pub side: String,
    /// Line of the first code on that side, or 0 if unknown.
    pub leads_to: u32,
    /// Why it was not covered.
    pub why: Uncoverable,
    /// The same in words, where runs reached the branch.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Number of the side in the session.
    #[serde(default)]
    pub id: u32,
}

/// Why a branch side is not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Uncoverable {
    /// No input takes it, within the stated bounds.
    Infeasible,
    /// No run reached the branch.
    NotReached,
    /// The branch was reached; whether an input takes this side is not known.
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

/// A reached branch side that no run took, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Explained {
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Function that contains the branch.
    pub function: String,
    /// The side: `true`, `false`, `default`, `case 3`.
    pub side: String,
    /// Why no run took it.
    pub why: String,
}

/// See [`Summary::explained`].
pub fn explained(explorer: &Explorer) -> Vec<Explained> {
    let map = explorer.map();
    let explain = |close: tine_explore::close::Close| {
        let branch = map.branch(map.branch_side(close.side).0);
        Explained {
            file: branch.file.to_string(),
            line: branch.line,
            column: branch.column,
            function: branch.key.function.to_string(),
            side: map.label(close.side),
            why: close.why,
        }
    };
    tine_explore::close::close(explorer).into_iter().map(explain).collect()
}

/// A system call that the sandbox refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Refused {
    /// Number of the system call (x86-64).
    pub call: u32,
    /// Number of refused calls.
    pub count: u64,
}

impl Summary {
    /// Summarises an exploration. `input_of` finds the inputs of the errors' cases, all of which were kept.
    pub fn new(
        target: &str,
        explorer: &Explorer,
        input_of: impl Fn(CaseId) -> Option<CaseInput>,
        solver: SolverSummary,
        elapsed: Duration,
    ) -> Summary {
        let counters = explorer.counters();
        let figures = Figures::of(explorer);
        let all = figures.all();
        let all_reasons = explorer.reasons();
        let verdict = Verdict::from(reasons::verdict(&all_reasons));
        Summary {
            machines: Vec::new(),
            version: SUMMARY_VERSION,
            target: target.to_string(),
            strategy: explorer.strategy().to_string(),
            checks: default_checks(),
            runs: counters.runs,
            paths: counters.paths,
            rejected: counters.rejected,
            branches_total: explorer.map().n_sides(),
            branches_covered: explorer.coverage().n_covered(),
            branches_reached: explorer.coverage().n_reached(explorer.map()),
            lines_total: all.lines_total,
            lines_covered: all.lines_covered,
            conditions_total: all.conditions_total,
            conditions_covered: all.conditions_covered,
            verdict,
            complete: verdict == Verdict::Complete,
            change_verdict: None,
            stopped: match explorer.stopped() {
                StopReason::Exhausted => Stopped::Exhausted,
                StopReason::MaxRuns => Stopped::MaxRuns,
                StopReason::MaxTime => Stopped::MaxTime,
                StopReason::MaxMemory => Stopped::MaxMemory,
                StopReason::Interrupted => Stopped::Interrupted,
            },
            reasons: all_reasons.into_iter().map(ReasonSummary::from).collect(),
            errors: explorer.errors().iter().map(|found| error(found, &input_of)).collect(),
            not_shown_reachable: Vec::new(),
            requirements: explorer.requirements().iter().map(|found| requirement(found, &input_of)).collect(),
            unreproduced: explorer.unreproduced().map(|found| error(found, &input_of)).collect(),
            divergences: counters.divergences,
            solver,
            strategies: strategies(explorer),
            functions: figures.functions(),
            files: figures.files(),
            uncovered: uncovered(explorer),
            explained: Vec::new(),
            refused: explorer.refused().map(|(call, count)| Refused { call, count }).collect(),
            specifications: Vec::new(),
            undefined_symbols: Vec::new(),
            implied_lengths: Vec::new(),
            open: explorer.tree().n_open(),
            deepest: counters.deepest,
            pruned: counters.pruned,
            forked: 0,
            time_ms: elapsed.as_millis() as u64,
        }
    }
}

impl Summary {
    /// The known part of the summary while the exploration runs.
    pub(crate) fn so_far(target: &str, checks: &str, explorer: &Explorer, elapsed: Duration) -> Summary {
        let counters = explorer.counters();
        let figures = Figures::of(explorer);
        let all = figures.all();
        Summary {
            version: SUMMARY_VERSION,
            target: target.to_owned(),
            strategy: explorer.strategy().to_owned(),
            checks: checks.to_owned(),
            runs: counters.runs,
            paths: counters.paths,
            rejected: counters.rejected,
            branches_total: explorer.map().n_sides(),
            branches_covered: explorer.coverage().n_covered(),
            branches_reached: explorer.coverage().n_reached(explorer.map()),
            lines_total: all.lines_total,
            lines_covered: all.lines_covered,
            conditions_total: all.conditions_total,
            conditions_covered: all.conditions_covered,
            divergences: counters.divergences,
            strategies: strategies(explorer),
            functions: figures.functions(),
            files: figures.files(),
            open: explorer.tree().n_open(),
            deepest: counters.deepest,
            pruned: counters.pruned,
            time_ms: elapsed.as_millis() as u64,
            ..Summary::default()
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

fn requirement(found: &FoundRequirement, input_of: impl Fn(CaseId) -> Option<CaseInput>) -> RequirementSummary {
    let FoundRequirement { requirement, error: seen, case, uses } = found;
    // The harness itself passes a pointer that is declared to be not NULL.
    let is_declared = seen.place.file.ends_with(DRIVER_FILE);
    let (kind, place) = (seen.kind, if is_declared { Place::unknown() } else { seen.place.clone() });
    let (about, callers) = (Arc::clone(&seen.about), Arc::clone(&seen.callers));
    let evidence = FoundError { kind, place, about, callers, after: None, case: *case, run: 0, count: 1 };
    RequirementSummary {
        kind: requirement.kind.text().to_owned(),
        condition: requirement.condition.to_string(),
        predicate: requirement.predicate.to_string(),
        uses: uses.len() as u64,
        evidence: error(&evidence, input_of),
    }
}

fn error(error: &FoundError, input_of: impl Fn(CaseId) -> Option<CaseInput>) -> ErrorSummary {
    let values = input_of(error.case).unwrap_or_default();
    ErrorSummary {
        kind: error.kind.text().to_string(),
        file: error.place.file.to_string(),
        line: error.place.line,
        column: error.place.column,
        function: error.place.function.to_string(),
        about: error.about.to_string(),
        callers: calls(&error.callers),
        case: error.case.0,
        input: values.to_string(),
        values,
        runs: error.count,
        by_calls: None,
    }
}

pub(crate) fn calls(callers: &[Place]) -> Vec<CallSummary> {
    let call = |place: &Place| CallSummary {
        file: place.file.to_string(),
        line: place.line,
        column: place.column,
        function: place.function.to_string(),
    };
    callers.iter().map(call).collect()
}

fn strategies(explorer: &Explorer) -> BTreeMap<String, StrategySummary> {
    let chosen = explorer.chosen().iter().map(|(name, chosen)| {
        let tine_explore::Chosen { jobs, runs, covered, errors } = *chosen;
        (name.to_string(), StrategySummary { jobs, runs, covered, errors })
    });
    chosen.collect()
}

fn uncovered(explorer: &Explorer) -> Vec<Uncovered> {
    let map = explorer.map();
    let close = tine_explore::close::close(explorer).into_iter();
    let mut reasons: BTreeMap<_, _> = close.map(|close| (close.side, close.why)).collect();
    let side = |missed: tine_explore::missed::Missed| {
        let (id, number) = map.branch_side(missed.side);
        let branch = map.branch(id);
        Uncovered {
            file: branch.file.to_string(),
            line: branch.line,
            column: branch.column,
            function: branch.key.function.to_string(),
            side: map.label(missed.side),
            leads_to: leads_to(map, branch.site, number),
            id: missed.side.0,
            reason: reasons.remove(&missed.side).unwrap_or_default(),
            why: match missed.why {
                Why::Infeasible => Uncoverable::Infeasible,
                Why::NotReached => Uncoverable::NotReached,
                Why::Open => Uncoverable::Open,
            },
        }
    };
    missed(explorer).into_iter().map(side).collect()
}

fn leads_to(map: &ProgramMap, site: Site, side_index: u16) -> u32 {
    let block = map.site(site).and_then(|site| site.block).map(|block| &map.blocks()[block.index()]);
    let flow = block.and_then(|block| map.flows(block).iter().find(|flow| flow.decided_by == Some((site, side_index))));
    flow.map_or(0, |flow| map.blocks()[flow.to.index()].line)
}
