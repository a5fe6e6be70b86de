//! Generated units whose whole behaviour is known by brute force: tine must find exactly the same.
//!
//! | kind | unit | all inputs |
//! |---|---|---|
//! | `functions` | arithmetic, tables and loops over two bytes or one short | 65,536 |
//! | `graphs` | conditions on a list of up to three nodes, shared in every way | 65,536 |
//! | `strings` | conditions on a string of up to two characters, through the C library | 65,282 |
//! | `sequences` | three operations on an object, up to three calls after the constructor | 1,885 |
//! | `files` | twelve operations on a file of up to two bytes, against real files | every path |
//!
//! A unit's ends (results and aborts) and covered branch sides must equal those of brute force. The verdict must be
//! *complete* where tine can know it, without divergences. Kept cases of functions are rebuilt with gcc -O0, gcc -O2
//! and clang -O2 and must have the same ends there.
//!
//! `TINE_CHECKS` is the number of units of each kind (100), `TINE_CHECKS_SEED` the first seed (1). A failing unit is
//! reduced and printed. `make fuzz` repeats this with other seeds until a test fails.

mod body;
mod explored;
mod files;
mod functions;
mod graphs;
mod native;
mod random;
mod sequences;
mod strings;

use std::path::Path;
use std::time::{Duration, Instant};

use body::Function;
use libtest_mimic::{Arguments, Failed, Trial};

/// A kind of generated units.
trait Kind: Sync {
    fn name(&self) -> &'static str;

    /// Units that are built and explored together.
    fn group(&self) -> u64;

    /// The functions of one unit.
    fn generate(&self, seed: u64) -> Vec<Function>;

    /// Complaints about each unit; empty for a correct result. `Err` if the units cannot be checked at all.
    fn check(&self, folder: &Path, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String>;
}

const KINDS: &[&dyn Kind] =
    &[&functions::Functions, &graphs::Graphs, &strings::Strings, &sequences::Sequences, &files::Files];
const CHECKS: u64 = 100;
/// Time limit for reducing one failing unit.
const SHRINK_TIME: Duration = Duration::from_secs(60);

fn main() {
    let arguments = Arguments::from_args();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("TINE_CHECKS_SEED").unwrap_or(1);
    let n = number("TINE_CHECKS").unwrap_or(CHECKS);
    let mut trials = Vec::new();
    for kind in KINDS {
        for seed in (first..first + n).step_by(kind.group() as usize) {
            let end = (seed + kind.group()).min(first + n);
            trials.push(Trial::test(format!("{}/seed_{seed}", kind.name()), move || check(*kind, seed..end)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(kind: &dyn Kind, seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    let units: Vec<_> = seeds.clone().map(|seed| kind.generate(seed)).collect();
    let complaints = check_once(kind, &units)?;
    let Some(index) = complaints.iter().position(|complaints| !complaints.is_empty()) else { return Ok(()) };
    let (unit, complaints) = shrink(kind, &units[index], complaints[index].clone());
    let mut rendered = body::Rendered::default();
    for function in &unit {
        rendered.add(function);
    }
    let seed = seeds.start + index as u64;
    Err(format!("seed {seed}: {}\n\n{}", complaints.join("\n"), rendered.text).into())
}

fn check_once(kind: &dyn Kind, units: &[Vec<Function>]) -> Result<Vec<Vec<String>>, String> {
    let folder = tempfile::Builder::new().prefix("tine-checks-").tempdir().map_err(|why| why.to_string())?;
    kind.check(folder.path(), units)
}

/// Reduces a failing unit. Returns it with its complaints.
fn shrink(kind: &dyn Kind, unit: &[Function], complaints: Vec<String>) -> (Vec<Function>, Vec<String>) {
    let start = Instant::now();
    let (mut unit, mut complaints) = (unit.to_vec(), complaints);
    'again: loop {
        for index in 0..unit.len() {
            for smaller in unit[index].smaller() {
                if start.elapsed() > SHRINK_TIME {
                    return (unit, complaints);
                }
                let mut candidate = unit.clone();
                candidate[index] = smaller;
                // A candidate that cannot be checked, because it does not compile or has errors of its own, is not a
                // smaller failure.
                let Ok(found) = check_once(kind, &[candidate.clone()]) else { continue };
                if let Some(found) = found.into_iter().next().filter(|found| !found.is_empty()) {
                    (unit, complaints) = (candidate, found);
                    continue 'again;
                }
            }
        }
        return (unit, complaints);
    }
}
