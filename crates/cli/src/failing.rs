//! Calls that may fail because an input says so: `--sym-fail`.

use clap::Args;

/// Failing calls of a run at most: each is an input, and more than a few at once tell little.
const MAX_FAILURES: i64 = 9;

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FailingOptions {
    /// Up to N allocations of a run fail; which ones is an input.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=MAX_FAILURES))]
    pub(crate) sym_fail: u32,
}

impl FailingOptions {
    /// What the program is told (`models/interfaces/start.c`), if anything may fail.
    pub(crate) fn line(&self) -> Option<String> {
        (self.sym_fail > 0).then(|| format!("fail {}\n", self.sym_fail))
    }
}
