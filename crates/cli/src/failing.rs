//! Calls that may fail because an input says so: `--sym-fail`.

use clap::Args;

/// Failing calls of a run at most: each is an input, and more than a few at once tell little.
const MAX_FAILURES: u32 = 9;

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FailingOptions {
    /// Let up to N library calls per run fail: allocations, file operations, or both.
    ///
    /// tine chooses which calls fail. `alloc,N` restricts this to allocations, `files,N` to file operations.
    #[arg(long, value_name = "[alloc|files,]N", default_value = "0", hide_default_value = true, value_parser = Failing::parse)]
    pub(crate) sym_fail: Failing,
}

/// How many calls of which kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Failing {
    count: u32,
    /// A bit for each of `tine_trace::plan::FAILING`, from the second on.
    kinds: u32,
}

const ALLOC: u32 = 0b0_0010;
const FILES: u32 = 0b1_1100;

impl Failing {
    fn parse(text: &str) -> Result<Failing, String> {
        let (kinds, count) = match text.split_once(',') {
            None => (ALLOC | FILES, text),
            Some(("alloc", count)) => (ALLOC, count),
            Some(("files", count)) => (FILES, count),
            Some((other, _)) => return Err(format!("invalid kind of call `{other}` (expected alloc or files)")),
        };
        match count.parse() {
            Ok(count) if count <= MAX_FAILURES => Ok(Failing { count, kinds }),
            _ => Err(format!("invalid number of failing calls `{count}` (expected a number from 0 to {MAX_FAILURES})")),
        }
    }
}

impl FailingOptions {
    /// What the program is told (`models/interfaces/start.c`), if anything may fail.
    pub(crate) fn line(&self) -> Option<String> {
        let Failing { count, kinds } = self.sym_fail;
        (count > 0).then(|| format!("fail {count} {kinds}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_numbers() {
        let line = |text| FailingOptions { sym_fail: Failing::parse(text).expect("a value") }.line();
        assert_eq!(line("0"), None);
        assert_eq!(line("1"), Some("fail 1 30\n".to_owned()));
        assert_eq!(line("alloc,2"), Some("fail 2 2\n".to_owned()));
        assert_eq!(line("files,9"), Some("fail 9 28\n".to_owned()));
        for wrong in ["", "-1", "x", "10", "1.5", "disk,1", "alloc,", "alloc", "1,alloc"] {
            assert!(Failing::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
