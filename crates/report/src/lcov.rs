//! Coverage in the format of lcov's `geninfo`, which `genhtml` and most coverage services read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::data::Data;
use crate::totals::{FileTotals, totals};
use crate::uri::relative;

/// The tracefile for some sessions. A side is taken if some session took it. Counts of sides are numbers of kept cases.
pub fn lcov(sessions: &[Data], root: &Path) -> String {
    let mut text = "TN:tine\n".to_owned();
    for (file, totals) in totals(sessions) {
        write_file(&mut text, relative(&file, root), &totals).expect("a string");
    }
    text
}

fn write_file(text: &mut String, file: &str, totals: &FileTotals) -> std::fmt::Result {
    writeln!(text, "SF:{}", file.replace('\n', "?"))?;
    let functions: BTreeMap<_, _> = totals.functions.iter().map(|(name, seen)| ((seen.line, name), seen)).collect();
    for (line, name) in functions.keys() {
        writeln!(text, "FN:{line},{name}")?;
    }
    for ((_, name), seen) in &functions {
        writeln!(text, "FNDA:{},{name}", u8::from(seen.is_entered))?;
    }
    writeln!(text, "FNF:{}", functions.len())?;
    writeln!(text, "FNH:{}", functions.values().filter(|seen| seen.is_entered).count())?;
    for (line, branches) in &totals.branches {
        for (block, branch) in branches.iter().enumerate() {
            let is_reached = branch.sides.iter().any(|side| side.taken > 0);
            for (number, side) in branch.sides.iter().enumerate() {
                let taken = if is_reached { side.taken.to_string() } else { "-".to_owned() };
                writeln!(text, "BRDA:{line},{block},{number},{taken}")?;
            }
        }
    }
    let sides = || totals.branches.values().flatten().flat_map(|branch| &branch.sides);
    writeln!(text, "BRF:{}", sides().count())?;
    writeln!(text, "BRH:{}", sides().filter(|side| side.taken > 0).count())?;
    for (line, is_executed) in &totals.lines {
        writeln!(text, "DA:{line},{}", u8::from(*is_executed))?;
    }
    writeln!(text, "LF:{}", totals.lines.len())?;
    writeln!(text, "LH:{}", totals.lines.values().filter(|executed| **executed).count())?;
    writeln!(text, "end_of_record")
}
