//! Results of tine for generated units, in the format of brute force.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tine_session::Session;
use tine_session::session::Case;

use crate::body::{FIRST_FAILURE, Rendered};
use crate::native::Brute;

pub(crate) fn tine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tine"))
}

/// Runs tine with these arguments and reads its JSON.
pub(crate) fn summary(folder: &Path, arguments: &[&str]) -> Result<Value, String> {
    let output = tine()
        .args(arguments)
        .args(["--json", "--quiet", "--max-time", "600s"])
        .current_dir(folder)
        .output()
        .map_err(|why| why.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|why| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("no summary ({why}); exit {:?}\n{stderr}", output.status.code())
    })
}

/// Lines at which aborts were reported. Any other error becomes a complaint with its line.
pub(crate) fn aborts(summary: &Value, complaints: &mut Vec<(u32, String)>) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for error in summary["errors"].as_array().into_iter().flatten() {
        let line = error["line"].as_u64().unwrap_or(0) as u32;
        if error["kind"] == "abort" {
            lines.insert(line);
        } else {
            complaints.push((line, format!("{} at line {line} is not an error of the unit", error["kind"])));
        }
    }
    if summary["unreproduced"].is_array() {
        complaints.push((0, format!("errors that were not reproduced: {}", summary["unreproduced"])));
    }
    if summary["divergences"] != 0 {
        complaints.push((0, format!("{} divergences", summary["divergences"])));
    }
    lines
}

/// Reasons of a verdict that is not complete, with their lines.
pub(crate) fn reasons(summary: &Value) -> Vec<(u32, String)> {
    let all = summary["reasons"].as_array().into_iter().flatten();
    all.map(|reason| {
        (reason["line"].as_u64().unwrap_or(0) as u32, format!("the verdict is {}: {reason}", summary["verdict"]))
    })
    .collect()
}

/// All kept cases of a session.
pub(crate) fn cases(out: &Path) -> Result<Vec<Case>, String> {
    let session = Session::open(out).map_err(|why| why.to_string())?;
    session.cases().map_err(|why| why.to_string())
}

/// Several units in one file with one function, `unit`, whose first parameter `which` selects the generated function.
/// They are built and explored together.
pub(crate) struct Group<'a> {
    pub(crate) file: &'a Rendered,
    pub(crate) brute: &'a Brute,
    pub(crate) summary: &'a Value,
    pub(crate) cases: &'a [Case],
}

impl Group<'_> {
    /// Complaints about each function: ends and branch sides that differ from brute force, and `others`, which have
    /// lines.
    pub(crate) fn compare(&self, mut others: Vec<(u32, String)>) -> Vec<Vec<String>> {
        let aborts = aborts(self.summary, &mut others);
        let mut all = Vec::new();
        for (number, extent) in self.file.functions.iter().enumerate() {
            let mut complaints = Vec::new();
            let own: Vec<&Case> = self.cases.iter().filter(|case| which(case) == Some(number)).collect();
            let own_aborts = aborts.iter().copied().filter(|line| extent.lines.contains(line)).collect();
            self.compare_ends(number, &own, &own_aborts, &mut complaints);
            self.compare_sides(extent.branches.clone(), &mut complaints);
            all.push(complaints);
        }
        // Complaints outside of the functions' lines are about all of them, and are assigned to the first.
        for (line, complaint) in others {
            let owner = self.file.functions.iter().position(|extent| extent.lines.contains(&line));
            all[owner.unwrap_or(0)].push(complaint);
        }
        all
    }

    /// Compares results and abort lines.
    fn compare_ends(&self, function: usize, cases: &[&Case], aborts: &BTreeSet<u32>, complaints: &mut Vec<String>) {
        let none = BTreeSet::new();
        let expected = self.brute.ends.get(&function).unwrap_or(&none);
        let found: BTreeSet<u32> = cases.iter().filter(|case| case.outcome == "exited").map(|case| case.code).collect();
        let returned: BTreeSet<u32> = expected.iter().copied().filter(|end| *end < FIRST_FAILURE).collect();
        let failed = expected.iter().filter(|end| **end >= FIRST_FAILURE);
        let failures = &self.file.failures;
        let failed: BTreeSet<u32> =
            failed.filter_map(|end| failures.get((end - FIRST_FAILURE) as usize)).copied().collect();
        for (what, expected, found) in [("result", &returned, &found), ("abort at line", &failed, aborts)] {
            for missed in expected.difference(found) {
                complaints.push(format!("{what} {missed} is possible and was not found"));
            }
            for wrong in found.difference(expected) {
                complaints.push(format!("{what} {wrong} was found and is not possible"));
            }
        }
    }

    /// Compares the number of covered sides of each branch. (Their names depend on clang, which may invert a negated
    /// condition.)
    fn compare_sides(&self, branches: Range<usize>, complaints: &mut Vec<String>) {
        for number in branches {
            let line = self.file.branches[number];
            let all = self.summary["uncovered"].as_array().into_iter().flatten();
            let n_uncovered = all.filter(|missed| missed["line"] == line).count();
            let n_possible = [true, false].iter().filter(|side| self.brute.sides.contains(&(number, **side))).count();
            // A condition with a constant value has no sides.
            if n_uncovered + n_possible != 2 && (n_possible == 2 || n_uncovered != 0) {
                complaints.push(format!("line {line}: {n_possible} sides are possible and {n_uncovered} not covered"));
            }
        }
    }
}

/// The function that a case selects.
pub(crate) fn which(case: &Case) -> Option<usize> {
    case.input.input.requests.first().and_then(|input| input.bytes.first()).map(|byte| usize::from(*byte))
}
