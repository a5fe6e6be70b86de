//! All strategies by name, with their options, as `--strategy NAME[:OPTION=VALUE,…]` and `tine strategies` have them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::weights::Weights;
use super::{
    Auto, Bfs, BoundedDfs, Cfg, Dfs, Generational, Priority, Probabilistic, RandomBranch, RandomInput, RandomPath,
    RandomSearch, Rare, Strategy, Uncovered,
};

/// A strategy in words.
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
    /// What a value looks like.
    pub value: &'static str,
    pub about: &'static str,
}

/// In the order in which they are listed.
pub const STRATEGIES: &[Entry] = &[
    Entry {
        name: "auto",
        about: "The default: shares the runs among dfs, cfg, generational, random-branch, random-path, random, uncovered, rare and priority by the coverage each \
                has lately brought, and puts off what was in vain many times; in sequences of calls it is dfs.",
        options: &[],
    },
    Entry {
        name: "dfs",
        about: "Depth first: the deepest open branch of the last path, bounded by --depth (CUTE).",
        options: &[],
    },
    Entry {
        name: "bounded-dfs",
        about: "From the top of each path down, a bounded number of branches; then again with the bound doubled (CREST).",
        options: &[OptionEntry {
            name: "bound",
            value: "N",
            about: "Branches to force on the first path; 16 if not given.",
        }],
    },
    Entry { name: "bfs", about: "Breadth first: the open branch with the fewest before it.", options: &[] },
    Entry {
        name: "random-path",
        about: "Paths drawn so that one with k branches comes with probability 2^-k (CREST's uniform random search).",
        options: &[],
    },
    Entry {
        name: "random-branch",
        about: "Any branch of the current path, which then becomes the current one (CREST).",
        options: &[OptionEntry {
            name: "restart",
            value: "N",
            about: "Runs without new coverage after which it goes on from any open branch; 100 if not given.",
        }],
    },
    Entry { name: "random", about: "Any open branch, each as likely as the other (LCT).", options: &[] },
    Entry {
        name: "uncovered",
        about: "Sides that nobody has covered, each in turn, wherever runs came to them; then any open branch.",
        options: &[],
    },
    Entry {
        name: "rare",
        about: "Any branch behind the side that was taken or followed least often: what an option changes is seen with all else.",
        options: &[],
    },
    Entry {
        name: "cfg",
        about: "The branch from which the fewest further decisions lead to code that nobody has covered (CREST).",
        options: &[],
    },
    Entry {
        name: "priority",
        about: "Branches with a side that nobody has covered first, else by a priority drawn for each (LCT).",
        options: &[OptionEntry {
            name: "random",
            value: "PERCENT",
            about: "Share of the choices that are any open branch; 20 if not given.",
        }],
    },
    Entry {
        name: "probabilistic",
        about: "From the deepest branch of the last path up, the side each should take is drawn by its weight (Bullseye).",
        options: &[OptionEntry {
            name: "weights",
            value: "FILE",
            about: "Lines `file.c:12 0.9`: how probable the true side of the branches in that line is; 0.5 if not given.",
        }],
    },
    Entry {
        name: "generational",
        about: "Every branch of a run is flipped before another run's: of those that wait, the one with most new coverage.",
        options: &[],
    },
    Entry {
        name: "random-input",
        about: "Random inputs without any solving, to compare with; pointers stay null.",
        options: &[OptionEntry {
            name: "patience",
            value: "N",
            about: "Inputs in a row without a new path after which it ends; 10000 if not given.",
        }],
    },
];

/// `NAME[:OPTION=VALUE,…]`, checked against the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: &'static str,
    options: BTreeMap<&'static str, String>,
}

/// What is wrong with the text of a [`Spec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("there is no strategy `{name}`; did you mean `{nearest}`? `tine strategies` lists them all")]
    Name { name: String, nearest: &'static str },
    #[error("{strategy} has no option `{option}`; `tine strategies` lists what there is")]
    Option { strategy: &'static str, option: String },
    #[error("`{option}` of {strategy} takes {expected}, not `{value}`")]
    Value { strategy: &'static str, option: &'static str, expected: &'static str, value: String },
}

impl Spec {
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

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The file whose text [`Spec::make`] wants as weights.
    pub fn weights_file(&self) -> Option<&str> {
        self.options.get("weights").map(String::as_str)
    }

    /// The strategy. `by_calls`: choices are calls of a sequence, short ones come first.
    pub fn make(&self, seed: u64, weights: Weights, by_calls: bool) -> Box<dyn Strategy> {
        let number =
            |name: &str, default: u32| self.options.get(name).map_or(default, |value| value.parse().unwrap_or(default));
        match self.name {
            "bounded-dfs" => Box::new(BoundedDfs::new(number("bound", BoundedDfs::BOUND), by_calls)),
            "auto" => Box::new(Auto::new(seed, by_calls)),
            "cfg" => Box::new(Cfg::new(seed, by_calls)),
            "bfs" => Box::new(Bfs::new(by_calls)),
            "random-path" => Box::new(RandomPath::new(seed, by_calls)),
            "random-branch" => Box::new(RandomBranch::new(seed, number("restart", RandomBranch::PATIENCE), by_calls)),
            "uncovered" => Box::new(Uncovered::new(seed, by_calls)),
            "rare" => Box::new(Rare::new(seed, by_calls)),
            "random" => Box::new(RandomSearch::new(seed, by_calls)),
            "priority" => Box::new(Priority::new(seed, number("random", Priority::SHARE), by_calls)),
            "probabilistic" => Box::new(Probabilistic::new(seed, weights, by_calls)),
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

/// The name that takes the fewest changes.
fn nearest(name: &str) -> &'static str {
    let names = STRATEGIES.iter().map(|entry| entry.name);
    names.min_by_key(|known| distance(name, known)).unwrap_or("dfs")
}

/// Characters to insert, remove or replace.
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
