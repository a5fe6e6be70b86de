//! The exit code of explorations: 1 if a result counts as a failure (`--fail-on`, `--baseline`, `--min-coverage`).

use std::path::PathBuf;

use tine_engine::Config;
use tine_engine::config::values::FailOn;
use tine_report::baseline::Baseline;
use tine_session::Summary;
use tine_session::summary::Verdict;

use crate::display::print_text;
use crate::failure::{EXIT_ERRORS, EXIT_FINE, Failure};
use crate::report;

/// See the module's documentation.
pub(crate) struct ExitRules {
    config: Config,
    baseline: Option<Baseline>,
}

impl ExitRules {
    /// Reads the baseline. The exploration may replace it, so this comes first.
    pub(crate) fn new(config: &Config) -> Result<ExitRules, Failure> {
        require_baseline(&config.fail_on, config.baseline.is_some())?;
        let baseline = config.baseline.as_deref().map(report::read_baseline).transpose()?;
        Ok(ExitRules { config: config.clone(), baseline })
    }

    /// The exit code for explorations and the directories of their sessions. Prints the errors that are new.
    pub(crate) fn apply(&self, summaries: &[Summary], sessions: &[PathBuf]) -> Result<u8, Failure> {
        let mut code = summaries.iter().map(|summary| exit_code(summary, &self.config)).max().unwrap_or(EXIT_FINE);
        if let Some(baseline) = &self.baseline {
            let data = report::read_all(sessions)?;
            let new = baseline.new_errors(&data);
            if !self.config.json && !self.config.quiet {
                print_text(&report::list_new(&data, &new))?;
            }
            if self.config.fail_on.contains(&FailOn::New) && !new.is_empty() {
                code = EXIT_ERRORS;
            }
        }
        Ok(code)
    }
}

/// Fails if new errors are selected and nothing tells which ones are known.
pub(crate) fn require_baseline(fail_on: &[FailOn], is_given: bool) -> Result<(), Failure> {
    if is_given || !fail_on.contains(&FailOn::New) {
        return Ok(());
    }
    let help = "give the session or the SARIF file to compare with: --baseline FILE";
    Err(Failure::usage("--fail-on new needs a baseline", help))
}

/// The exit code without a baseline.
fn exit_code(summary: &Summary, config: &Config) -> u8 {
    let has_errors =
        (!summary.errors.is_empty() || !summary.not_shown_reachable.is_empty()) && config.fails_on(FailOn::Error);
    let is_incomplete = summary.verdict == Verdict::Incomplete && config.fails_on(FailOn::Incomplete);
    let has_requirements = !summary.requirements.is_empty() && config.fails_on(FailOn::Requirement);
    let covered = 100 * summary.branches_covered as u64;
    let is_uncovered = config.min_coverage.is_some_and(|min| covered < min.get() * summary.branches_total as u64);
    if has_errors || has_requirements || is_incomplete || is_uncovered { EXIT_ERRORS } else { EXIT_FINE }
}
