//! What tine found in generated units, in the terms of brute force.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tine_session::Session;
use tine_session::session::Case;

use crate::body::FIRST_FAILURE;
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

/// The summary of one function among those of a file.
pub(crate) fn of_function<'a>(summary: &'a Value, name: &str) -> Result<&'a Value, String> {
    let functions = summary["functions"].as_array().ok_or("a list of functions")?;
    functions.iter().find(|one| one["target"] == name).ok_or_else(|| format!("nothing about `{name}`"))
}

/// Lines at which aborts were reported; anything else that was reported is a complaint.
pub(crate) fn aborts(summary: &Value, complaints: &mut Vec<String>) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for error in summary["errors"].as_array().into_iter().flatten() {
        if error["kind"] == "abort" {
            lines.insert(error["line"].as_u64().unwrap_or(0) as u32);
        } else {
            complaints.push(format!("`{}` at line {} is not an error of the unit", error["kind"], error["line"]));
        }
    }
    if summary["unreproduced"].is_array() {
        complaints.push(format!("errors that were not reproduced: {}", summary["unreproduced"]));
    }
    if summary["divergences"] != 0 {
        complaints.push(format!("{} divergences", summary["divergences"]));
    }
    lines
}

/// All kept cases of a session.
pub(crate) fn cases(out: &Path) -> Result<Vec<Case>, String> {
    let session = Session::open(out).map_err(|why| why.to_string())?;
    session.cases().map_err(|why| why.to_string())
}

/// Compares results and abort lines with those of brute force. `failures` are the lines of the file's aborts.
pub(crate) fn compare_ends(
    (brute, function): (&Brute, usize),
    cases: &[Case],
    aborts: &BTreeSet<u32>,
    failures: &[u32],
    complaints: &mut Vec<String>,
) {
    let none = BTreeSet::new();
    let expected = brute.ends.get(&function).unwrap_or(&none);
    let found: BTreeSet<u32> = cases.iter().filter(|case| case.outcome == "exited").map(|case| case.code).collect();
    let returned: BTreeSet<u32> = expected.iter().copied().filter(|end| *end < FIRST_FAILURE).collect();
    let failed = expected.iter().filter(|end| **end >= FIRST_FAILURE);
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

/// Compares the branch sides that tine covered with those of brute force. `branches` are the lines of this function's branches,
/// with their numbers.
pub(crate) fn compare_sides(brute: &Brute, branches: &[(usize, u32)], summary: &Value, complaints: &mut Vec<String>) {
    let uncovered = |line: u32, side: &str| {
        let all = summary["uncovered"].as_array().into_iter().flatten();
        all.into_iter().any(|missed| missed["line"] == line && missed["side"] == side)
    };
    for (number, line) in branches {
        for side in [true, false] {
            let possible = brute.sides.contains(&(*number, side));
            let name = if side { "true" } else { "false" };
            // A condition that the compiler decides has no sides.
            let is_branch = [true, false].iter().any(|side| uncovered(*line, if *side { "true" } else { "false" }));
            match (possible, uncovered(*line, name)) {
                (true, true) => complaints.push(format!("line {line}: {name} is possible and was not covered")),
                (false, false) if is_branch => {
                    complaints.push(format!("line {line}: {name} was covered and is not possible"));
                }
                _ => {}
            }
        }
    }
}
