//! Coverage of several sessions together, by file: functions, lines and branch sides.

use std::collections::BTreeMap;

use crate::data::Data;

/// Coverage of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileTotals {
    /// Functions by name.
    pub(crate) functions: BTreeMap<String, Entered>,
    /// Lines with code; true if some session executed them.
    pub(crate) lines: BTreeMap<u32, bool>,
    /// Branches by line.
    pub(crate) branches: BTreeMap<u32, Vec<Branch>>,
}

/// A function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) line: u32,
    pub(crate) is_entered: bool,
}

/// A branch with its sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) function: String,
    pub(crate) ordinal: u32,
    pub(crate) column: u32,
    pub(crate) sides: Vec<Side>,
}

/// A side, and the number of kept cases that take it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) taken: u64,
}

/// Totals of sessions, by file.
pub(crate) fn totals(sessions: &[Data]) -> BTreeMap<String, FileTotals> {
    let mut files = BTreeMap::<String, FileTotals>::new();
    for data in sessions {
        add_lines(&mut files, data);
        add_branches(&mut files, data);
    }
    for totals in files.values_mut() {
        for branches in totals.branches.values_mut() {
            branches.sort_by_key(|branch| (branch.column, branch.ordinal));
        }
    }
    files
}

fn add_lines(files: &mut BTreeMap<String, FileTotals>, data: &Data) {
    for line in &data.lines {
        let totals = files.entry(line.file.clone()).or_default();
        *totals.lines.entry(line.line).or_default() |= line.is_executed;
        let function = totals.functions.entry(line.function.clone());
        // The first line of a function is that of its name. It is executed if the function is entered.
        let known = function.or_insert(Entered { line: line.line, is_entered: false });
        known.is_entered |= known.line == line.line && line.is_executed;
    }
}

fn add_branches(files: &mut BTreeMap<String, FileTotals>, data: &Data) {
    for (id, side) in data.branches.iter().enumerate() {
        let totals = files.entry(side.file.clone()).or_default();
        let branches = totals.branches.entry(side.line).or_default();
        let is_same = |known: &&mut Branch| {
            known.function == side.function && known.ordinal == side.ordinal && known.column == side.column
        };
        let branch = match branches.iter_mut().find(is_same) {
            Some(branch) => branch,
            None => {
                let (function, ordinal, column) = (side.function.clone(), side.ordinal, side.column);
                branches.push(Branch { function, ordinal, column, sides: Vec::new() });
                branches.last_mut().expect("just pushed")
            }
        };
        let index = side.side_index as usize;
        if branch.sides.len() <= index {
            branch.sides.resize(index + 1, Side::default());
        }
        let known = &mut branch.sides[index];
        known.name.clone_from(&side.side);
        let cases = data.taken.get(&(id as u32)).copied().unwrap_or(0);
        // The case that took it may no longer be kept.
        known.taken += cases.max(u64::from(side.case.is_some()));
    }
}
