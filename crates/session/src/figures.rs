//! Coverage figures by function and file: branch sides, lines and conditions.

use std::collections::BTreeMap;

use tine_explore::explorer::Explorer;
use tine_trace::map::SiteKind;

use crate::summary::{FileCoverage, FunctionCoverage};

/// Covered and total numbers of each kind of item.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    covered: usize,
    total: usize,
    pub(crate) lines_covered: usize,
    pub(crate) lines_total: usize,
    pub(crate) conditions_covered: usize,
    pub(crate) conditions_total: usize,
}

impl Share {
    fn add(&mut self, other: &Share) {
        self.covered += other.covered;
        self.total += other.total;
        self.lines_covered += other.lines_covered;
        self.lines_total += other.lines_total;
        self.conditions_covered += other.conditions_covered;
        self.conditions_total += other.conditions_total;
    }
}

/// Figures by file and function.
pub(crate) struct Figures {
    functions: BTreeMap<(String, String), Share>,
}

impl Figures {
    pub(crate) fn of(explorer: &Explorer) -> Figures {
        let (map, coverage) = (explorer.map(), explorer.coverage());
        let mut functions = BTreeMap::<(String, String), Share>::new();
        for branch in map.branches() {
            let share = functions.entry((branch.key.file.to_string(), branch.key.function.to_string())).or_default();
            let n_covered = branch.sides().filter(|side| coverage.is_covered(*side)).count();
            share.total += branch.n_sides as usize;
            share.covered += n_covered;
            if branch.kind == SiteKind::Branch {
                share.conditions_total += 1;
                share.conditions_covered += usize::from(n_covered == 2);
            }
        }
        for line in tine_explore::lines::lines(map, coverage) {
            let share = functions.entry((line.file.to_string(), line.function.to_string())).or_default();
            share.lines_total += 1;
            share.lines_covered += usize::from(line.is_executed);
        }
        Figures { functions }
    }

    /// Figures of the whole program.
    pub(crate) fn all(&self) -> Share {
        self.functions.values().fold(Share::default(), |mut sum, share| {
            sum.add(share);
            sum
        })
    }

    pub(crate) fn functions(&self) -> Vec<FunctionCoverage> {
        let function = |((file, function), share): (&(String, String), &Share)| FunctionCoverage {
            file: file.clone(),
            function: function.clone(),
            covered: share.covered,
            total: share.total,
            lines_covered: share.lines_covered,
            lines_total: share.lines_total,
            conditions_covered: share.conditions_covered,
            conditions_total: share.conditions_total,
        };
        self.functions.iter().map(function).collect()
    }

    pub(crate) fn files(&self) -> Vec<FileCoverage> {
        let mut files = BTreeMap::<&str, (Share, usize)>::new();
        for ((file, _), share) in &self.functions {
            let (sum, reached) = files.entry(file).or_default();
            sum.add(share);
            *reached += if share.covered > 0 { share.total } else { 0 };
        }
        let file = |(file, (share, reached)): (&str, (Share, usize))| FileCoverage {
            file: file.to_owned(),
            covered: share.covered,
            total: share.total,
            reached,
            lines_covered: share.lines_covered,
            lines_total: share.lines_total,
            conditions_covered: share.conditions_covered,
            conditions_total: share.conditions_total,
        };
        files.into_iter().map(file).collect()
    }
}
