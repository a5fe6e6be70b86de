//! Catalogue of strategies and their options, for `--strategy NAME[:OPTION=VALUE,…]`, `tine strategies` and the
//! reference.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::auto::{PARTS, auto};
use super::classic::weights::Weights;
use super::classic::{Bfs, BoundedDfs, Probabilistic, RandomInput};
use super::{
    Cfg, Dfs, Generational, NearViolation, Priority, RandomBranch, RandomPath, RandomSearch, Rare, Strategy, Targeted,
    Uncovered,
};
use crate::influence::Influence;

/// Description of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub options: &'static [OptionEntry],
}

/// An option of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct OptionEntry {
    pub name: &'static str,
    /// Placeholder for the value.
    pub value: &'static str,
    pub about: &'static str,
}

/// Strategies in the order in which they are listed.
pub const STRATEGIES: &[Entry] = &[
    Entry {
        name: "auto",
        about: "The default. Shares the runs among dfs, cfg, generational, random-branch, random-path, random, uncovered, \
                rare and priority by the coverage that each brought recently, and defers branch sides after many failed \
                attempts. For call sequences it is dfs. With targets (`--target`) it is targeted.",
        options: &[OptionEntry {
            name: "without",
            value: "PART",
            about: "Leave out one strategy other than dfs, or one of `failure-limit` (postpone sides that failed often), \
                    `cost-limit` (postpone expensive jobs), `mutation` (run mutated inputs) and `restarts` (run random and \
                    boundary values); for measurements.",
        }],
    },
    Entry {
        name: "dfs",
        about: "Depth first: the deepest open branch of the last path, up to --depth (CUTE).",
        options: &[],
    },
    Entry {
        name: "bounded-dfs",
        about: "Depth first over the first branches of each path; when these are exhausted, the bound is doubled (CREST).",
        options: &[OptionEntry { name: "bound", value: "N", about: "Initial bound [default: 16]." }],
    },
    Entry { name: "bfs", about: "Breadth first: the open branch with the fewest decisions before it.", options: &[] },
    Entry {
        name: "random-path",
        about: "A random path, in which each branch side is equally likely (CREST's uniform random search).",
        options: &[],
    },
    Entry {
        name: "random-branch",
        about: "A random branch of the current path; the resulting path becomes the current one (CREST).",
        options: &[OptionEntry {
            name: "restart",
            value: "N",
            about: "Runs without new coverage before it restarts from any open branch [default: 100].",
        }],
    },
    Entry { name: "random", about: "Any open branch, with equal probability (LCT).", options: &[] },
    Entry {
        name: "uncovered",
        about: "Uncovered branch sides in turn, wherever they are open; then any open branch.",
        options: &[],
    },
    Entry {
        name: "rare",
        about: "A branch after the branch side that was taken least often, to explore the effects of rarely used options.",
        options: &[],
    },
    Entry {
        name: "cfg",
        about: "The branch with the fewest decisions between it and uncovered code in the control-flow graph (CREST).",
        options: &[],
    },
    Entry {
        name: "priority",
        about: "Branches with an uncovered side first, then by a random priority per branch (LCT).",
        options: &[OptionEntry {
            name: "random",
            value: "PERCENT",
            about: "Percentage of choices that take any open branch [default: 20].",
        }],
    },
    Entry {
        name: "spec",
        about: "The decision nearest to a violation of a specification (LCT). Part of auto where specifications are given.",
        options: &[OptionEntry {
            name: "random",
            value: "PERCENT",
            about: "Percentage of choices that take any open branch [default: 20].",
        }],
    },
    Entry {
        name: "probabilistic",
        about: "From the deepest branch of the last path upwards, a side drawn by the weight of the branch (Bullseye).",
        options: &[OptionEntry {
            name: "weights",
            value: "FILE",
            about: "File with lines `file.c:12 0.9`: the probability of the true side of branches in that line [default: 0.5].",
        }],
    },
    Entry {
        name: "generational",
        about: "All branches of one run before those of another; runs with most new coverage first (SAGE's generational search).",
        options: &[],
    },
    Entry {
        name: "targeted",
        about: "With `--target`: first the branch that decides about a target and is the fewest decisions away from it, until \
                all targets are reached; then branches that decide or that targets influence; unrelated branches last.",
        options: &[],
    },
    Entry {
        name: "random-input",
        about: "Random inputs without solving, for comparison. Pointers stay NULL.",
        options: &[OptionEntry {
            name: "patience",
            value: "N",
            about: "Consecutive inputs without a new path before it ends [default: 10000].",
        }],
    },
];

/// `NAME[:OPTION=VALUE,…]`, checked against the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: &'static str,
    options: BTreeMap<&'static str, String>,
}

/// Properties of the exploration that strategies depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Choices are calls of a sequence, so short sequences come first.
    pub by_calls: bool,
    /// Specifications are monitored.
    pub is_monitored: bool,
}

/// An error in the text of a [`Spec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("there is no strategy `{name}`; did you mean `{nearest}`? `tine strategies` lists them all")]
    Name { name: String, nearest: &'static str },
    #[error("{strategy} has no option `{option}`; `tine strategies` lists all options")]
    Option { strategy: &'static str, option: String },
    #[error("`{option}` of {strategy} takes {expected}, not `{value}`")]
    Value { strategy: &'static str, option: &'static str, expected: &'static str, value: String },
}

impl Spec {
    /// Parses `NAME[:OPTION=VALUE,…]`.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let entry = STRATEGIES
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| SpecError::Name { name: name.to_owned(), nearest: nearest(name) })?;
        let mut spec = Spec { name: entry.name, options: BTreeMap::new() };
        for option in rest.split(',').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let known = entry.options.iter().find(|known| known.name == name);
            let known = known.ok_or_else(|| SpecError::Option { strategy: entry.name, option: name.to_owned() })?;
            let (is_right, expected) = match known.value {
                "FILE" => (!value.is_empty(), "a file"),
                "PART" => (PARTS.contains(&value), "one of its parts"),
                "PERCENT" => (value.parse::<u32>().is_ok_and(|value| value <= 100), "a number from 0 to 100"),
                _ => (value.parse::<u32>().is_ok_and(|value| value > 0), "a number from 1 on"),
            };
            if !is_right {
                let value = value.to_owned();
                return Err(SpecError::Value { strategy: entry.name, option: known.name, expected, value });
            }
            spec.options.insert(known.name, value.to_owned());
        }
        Ok(spec)
    }

    /// Name of the strategy.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// True if this part of `auto` is disabled.
    pub fn is_without(&self, part: &str) -> bool {
        self.options.get("without").is_some_and(|without| without == part)
    }

    /// The file whose contents [`Spec::make`] needs as weights.
    pub fn weights_file(&self) -> Option<&str> {
        self.options.get("weights").map(String::as_str)
    }

    /// True if the strategy uses targets.
    pub fn is_for_targets(&self) -> bool {
        matches!(self.name, "auto" | "targeted")
    }

    /// Creates the strategy for an exploration with targets.
    pub fn make_for_targets(
        &self,
        seed: u64,
        weights: Weights,
        situation: Situation,
        influence: Option<Arc<Influence>>,
    ) -> Box<dyn Strategy> {
        match influence {
            Some(influence) if self.is_for_targets() => {
                Box::new(Targeted::new(seed, Some(influence), situation.by_calls))
            }
            _ => self.make(seed, weights, situation),
        }
    }

    /// Creates the strategy.
    pub fn make(&self, seed: u64, weights: Weights, situation: Situation) -> Box<dyn Strategy> {
        let Situation { by_calls, .. } = situation;
        let number =
            |name: &str, default: u32| self.options.get(name).map_or(default, |value| value.parse().unwrap_or(default));
        match self.name {
            "bounded-dfs" => Box::new(BoundedDfs::new(number("bound", BoundedDfs::BOUND), by_calls)),
            "auto" => auto(seed, situation, |part| !self.is_without(part)),
            "cfg" => Box::new(Cfg::new(seed, by_calls)),
            "bfs" => Box::new(Bfs::new(by_calls)),
            "random-path" => Box::new(RandomPath::new(seed, by_calls)),
            "random-branch" => Box::new(RandomBranch::new(seed, number("restart", RandomBranch::PATIENCE), by_calls)),
            "uncovered" => Box::new(Uncovered::new(seed, by_calls)),
            "rare" => Box::new(Rare::new(seed, by_calls)),
            "random" => Box::new(RandomSearch::new(seed, by_calls)),
            "priority" => Box::new(Priority::new(seed, number("random", Priority::SHARE), by_calls)),
            "spec" => Box::new(NearViolation::new(seed, number("random", NearViolation::SHARE), by_calls)),
            "probabilistic" => Box::new(Probabilistic::new(seed, weights, by_calls)),
            "targeted" => Box::new(Targeted::new(seed, None, by_calls)),
            "generational" => Box::new(Generational::new(by_calls)),
            "random-input" => {
                Box::new(RandomInput::new(seed, u64::from(number("patience", RandomInput::PATIENCE as u32))))
            }
            _ => Box::new(Dfs::new(by_calls)),
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        Spec::parse(text)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (number, (name, value)) in self.options.iter().enumerate() {
            write!(f, "{}{name}={value}", if number == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// The name with the smallest edit distance.
fn nearest(name: &str) -> &'static str {
    let names = STRATEGIES.iter().map(|entry| entry.name);
    names.min_by_key(|known| distance(name, known)).unwrap_or("dfs")
}

/// Edit distance: number of characters to insert, remove or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
