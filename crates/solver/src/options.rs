//! What can be chosen about solving.

use tine_expr::TermPool;

use crate::Error;
use crate::answers::Answers;
use crate::log::Log;
use crate::stream::Recording;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Time for one query.
    pub timeout_ms: u64,
    /// How much the process may grow during one query; 0 is no limit.
    pub memory_mb: u64,
    /// What has no answer in time is asked again later: attempts that come to the limit make the next ones shorter.
    pub hasty: bool,
    /// Tiers to leave out.
    pub without: Vec<TierName>,
    /// Whether every answer is compared with that of plain SMT.
    pub check: bool,
    /// Where queries are written that reach SMT.
    pub log: Option<Log>,
    /// Where all queries are written, each once.
    pub record: Option<Recording>,
    /// Answers of runs before this one, for the tier `cache`.
    pub answers: Option<Answers>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backend: Backend::Bitwuzla,
            timeout_ms: 10_000,
            memory_mb: 2048,
            hasty: false,
            without: Vec::new(),
            check: false,
            log: None,
            record: None,
            answers: None,
        }
    }
}

impl Options {
    /// A pool for the terms of queries.
    pub fn pool(&self) -> TermPool {
        if self.has(TierName::Rewrite) { TermPool::new() } else { TermPool::without_rewriting() }
    }

    /// Whether there is what this needs; else a chain cannot be made.
    pub fn require(&self) -> Result<(), Error> {
        match self.backend {
            Backend::Bitwuzla => Ok(()),
            Backend::Z3 | Backend::Portfolio => crate::z3::require(),
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { timeout_ms: self.timeout_ms, memory_mb: self.memory_mb, hasty: self.hasty }
    }

    pub(crate) fn has(&self, tier: TierName) -> bool {
        !self.without.contains(&tier)
    }
}

/// Which SMT solver stands at the end of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Bitwuzla,
    Z3,
    /// Bitwuzla, and Z3 for what it has no answer to.
    Portfolio,
}

/// Limits of one query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) timeout_ms: u64,
    pub(crate) memory_mb: u64,
    /// See [`Options::hasty`].
    pub(crate) hasty: bool,
}

/// Declares the tiers that a chain can do without.
macro_rules! tiers {
    ($($(#[$doc:meta])* $variant:ident $name:literal)*) => {
        /// A tier that a chain can do without.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TierName { $($(#[$doc])* $variant),* }

        impl TierName {
            /// In the order in which a query meets them.
            pub const ALL: &[TierName] = &[$(TierName::$variant),*];

            pub const fn name(self) -> &'static str {
                match self { $(TierName::$variant => $name),* }
            }
        }
    };
}

tiers! {
    /// Not part of the chain: whoever makes terms asks [`Options::pool`] for a pool with it or without.
    Rewrite "rewrite"
    Trivial "trivial"
    Contradiction "contradiction"
    Slice "slice"
    Common "common"
    Pointers "pointers"
    Direct "direct"
    Cache "cache"
    Ranges "ranges"
    Guess "guess"
    Values "values"
    Cases "cases"
}

impl std::str::FromStr for TierName {
    type Err = String;

    fn from_str(text: &str) -> Result<TierName, String> {
        let known = TierName::ALL.iter().copied();
        known.clone().find(|tier| tier.name() == text).ok_or_else(|| {
            let names: Vec<&str> = known.map(TierName::name).collect();
            format!("`{text}` is no tier; there are {}", names.join(", "))
        })
    }
}
