//! Weights of branches, from a file.
//!
//! ```text
//! # file:line  probability of the true side
//! parse.c:120  0.9
//! parse.c:131  0
//! ```
//! A file is named by the end of its path. Branches of one line share its weight. The weight of a switch is divided
//! among the sides other than `default`.

use std::collections::BTreeMap;

use tine_trace::event::Site;

use crate::map::ProgramMap;

/// The contents of a weights file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// End of the path, line, and probability.
    lines: Vec<(String, u32, f64)>,
}

/// An error in a weights file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct WeightsError {
    pub line: usize,
    pub what: String,
}

impl Weights {
    /// Parses the contents of a weights file.
    pub fn parse(text: &str) -> Result<Weights, WeightsError> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let wrong = |what: String| WeightsError { line: number + 1, what };
            let mut words = line.split_whitespace();
            let Some(place) = words.next() else { continue };
            let (Some(weight), None) = (words.next(), words.next()) else {
                return Err(wrong("write FILE:LINE and a probability".to_owned()));
            };
            let known = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
            let Some((file, line)) = known.filter(|(file, line)| !file.is_empty() && *line > 0) else {
                return Err(wrong(format!("`{place}` is not of the form FILE:LINE")));
            };
            match weight.parse::<f64>() {
                Ok(weight) if (0.0..=1.0).contains(&weight) => lines.push((file.to_owned(), line, weight)),
                _ => return Err(wrong(format!("`{weight}` is not a probability (expected a number from 0 to 1)"))),
            }
        }
        Ok(Weights { lines })
    }

    /// Entries whose line contains no branch of the program, as written in the file.
    pub fn unused(&self, map: &ProgramMap) -> Vec<String> {
        let sites = map.sites();
        let used = |(file, line, _): &&(String, u32, f64)| {
            !sites.iter().any(|site| site.n_sides > 0 && site.line == *line && names(file, &site.file))
        };
        self.lines.iter().filter(used).map(|(file, line, _)| format!("{file}:{line}")).collect()
    }

    /// Weights by site.
    pub(super) fn of(&self, map: &ProgramMap) -> BTreeMap<Site, f64> {
        let mut weights = BTreeMap::new();
        for (number, site) in map.sites().iter().enumerate().filter(|(_, site)| site.n_sides > 0) {
            let found = self.lines.iter().rev().find(|(file, line, _)| *line == site.line && names(file, &site.file));
            weights.extend(found.map(|(_, _, weight)| (Site(number as u32), *weight)));
        }
        weights
    }
}

/// True if `end` is the end of `path` in whole path components.
fn names(end: &str, path: &str) -> bool {
    path.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'))
}
