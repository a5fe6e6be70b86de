//! Random programs over small arrays, structures and pointers: tine must find exactly the possible ends.
//!
//! Every program has few inputs with small ranges. It ends with a number that identifies its path, or with an access
//! outside of an object. tine explores it, and a native build runs on all inputs: both must have the same ends. Every
//! kept case must end natively as tine reports.
//!
//! `TINE_ADDRESS_PROGRAMS` is the number of programs (20), `TINE_ADDRESS_SEED` the first seed (1). The seed of a
//! program is in the name of its test. A failing program is kept, and the message names its path.

mod generator;
#[path = "../units/native.rs"]
mod native;
#[path = "../checks/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use tine_session::Session;
use tine_trace::outcome::ErrorKind;

use generator::{OUTSIDE, program};

/// Errors of an access outside of all objects.
const OUTSIDE_KINDS: [ErrorKind; 3] =
    [ErrorKind::InvalidAccess, ErrorKind::OutOfBoundsRead, ErrorKind::OutOfBoundsWrite];

const PROGRAMS: u64 = 20;
/// Optimisation levels for tine, in turn.
const OPTIMISATIONS: &[&str] = &["-O0", "-O1", "-O0", "-O2"];

fn main() {
    let arguments = Arguments::from_args();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("TINE_ADDRESS_SEED").unwrap_or(1);
    let n = number("TINE_ADDRESS_PROGRAMS").unwrap_or(PROGRAMS);
    let trials = (first..first + n).map(|seed| Trial::test(format!("addresses/seed_{seed}"), move || check(seed)));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn check(seed: u64) -> Result<(), Failed> {
    let folder = tempfile::Builder::new().prefix("tine-addresses-").tempdir()?;
    std::fs::write(folder.path().join("program.c"), program(seed))?;
    check_in(folder.path(), seed).map_err(|why| {
        let kept = folder.keep();
        format!("{why}\nthe program is {}", kept.join("program.c").display()).into()
    })
}

fn check_in(folder: &Path, seed: u64) -> Result<(), String> {
    let expected = brute_force(folder)?;
    let out = folder.join("out");
    let mut command = tine();
    command.args(["test", "--fn", "unit", "--keep-all", "--json", "--quiet", "--out"]);
    command.arg(&out).args(["--cflags", OPTIMISATIONS[seed as usize % OPTIMISATIONS.len()]]);
    let output = command.arg(folder.join("program.c")).output().map_err(|why| why.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let summary: Value = serde_json::from_slice(&output.stdout)
        .map_err(|why| format!("no summary ({why}); exit {:?}\n{stderr}", output.status.code()))?;
    let mut complaints = native::compare(&out, &out.join("unit.native"), &[], true)?;
    let found = ends(&out)?;
    for end in expected.difference(&found) {
        complaints.push(format!("no case ends with {end}"));
    }
    for end in found.difference(&expected) {
        complaints.push(format!("a case ends with {end}, but no input does"));
    }
    if summary["verdict"] != "complete" {
        complaints.push(format!("the verdict is {}: {}", summary["verdict"], summary["reasons"]));
    }
    if summary["divergences"] != 0 {
        complaints.push(format!("{} divergences", summary["divergences"]));
    }
    let allowed = [&OUTSIDE_KINDS[..], &[ErrorKind::ArrayBounds]].concat();
    for error in summary["errors"].as_array().into_iter().flatten() {
        if !allowed.iter().any(|kind| error["kind"] == kind.text()) {
            complaints.push(format!("`{}` is not an error of the program", error["kind"]));
        }
    }
    println!("seed {seed}: {} ends, {} paths", found.len(), summary["paths"]);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Ends of the program, over all inputs.
fn brute_force(folder: &Path) -> Result<BTreeSet<u32>, String> {
    let program = folder.join("brute");
    let mut cc = tine();
    cc.args(["cc", "--native", "-DBRUTE", "-O1", "-fno-strict-aliasing", "-Wno-everything"]);
    let built = cc.arg(folder.join("program.c")).arg("-o").arg(&program).output().map_err(|why| why.to_string())?;
    if !built.status.success() {
        return Err(format!("it does not compile:\n{}", String::from_utf8_lossy(&built.stderr)));
    }
    let output = Command::new("timeout").arg("20").arg(&program).output().map_err(|why| why.to_string())?;
    if !output.status.success() {
        return Err(format!("it ends natively with {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
}

/// Ends of the cases in `out`.
fn ends(out: &Path) -> Result<BTreeSet<u32>, String> {
    let session = Session::open(out).map_err(|why| why.to_string())?;
    let cases = session.cases().map_err(|why| why.to_string())?;
    let end = |case: tine_session::session::Case| match case.outcome.as_str() {
        "exited" => Ok(case.code),
        "failed" if OUTSIDE_KINDS.iter().any(|kind| case.code == *kind as u32) => Ok(OUTSIDE),
        _ => Err(format!("case {} ({}) ended as `{} {}`", case.id, case.input, case.outcome, case.code)),
    };
    cases.into_iter().map(end).collect()
}

fn tine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tine"))
}
