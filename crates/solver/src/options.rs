//! Options for solving.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_expr::TermPool;

use crate::Error;
use crate::answers::Answers;
use crate::log::Log;
use crate::stream::Recording;

/// Solver options.
#[derive(Clone, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Time limit for one query.
    pub timeout_ms: u64,
    /// Deadline for the whole exploration; overrides `timeout_ms`.
    pub until: Option<Instant>,
    /// Flag that ends solving at once.
    pub stop: Option<&'static AtomicBool>,
    /// Memory limit of an SMT solver's process; 0 means no limit.
    pub memory_mb: u64,
    /// True if unanswered queries are repeated later. Attempts that reach their limit then shorten the following
    /// attempts.
    pub hasty: bool,
    /// Tiers to leave out.
    pub without: Vec<TierName>,
    /// True if every answer is compared with that of plain SMT.
    pub check: bool,
    /// Log of the queries that reach SMT.
    pub log: Option<Log>,
    /// Recording of all queries, each only once.
    pub record: Option<Recording>,
    /// Answers of earlier runs, for the tier `cache`.
    pub answers: Option<Answers>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backend: Backend::Bitwuzla,
            timeout_ms: 10_000,
            until: None,
            stop: None,
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

    /// Checks that all required programs are installed. Otherwise a chain cannot be built.
    pub fn require(&self) -> Result<(), Error> {
        match self.backend {
            Backend::Bitwuzla => Ok(()),
            Backend::Z3 | Backend::Portfolio => crate::z3::require(),
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        let Options { timeout_ms, until, stop, memory_mb, hasty, .. } = *self;
        Limits { timeout_ms, until, stop, memory_mb, hasty }
    }

    pub(crate) fn has(&self, tier: TierName) -> bool {
        !self.without.contains(&tier)
    }
}

/// SMT solver at the end of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Bitwuzla,
    Z3,
    /// Bitwuzla, and then Z3 for queries that Bitwuzla does not answer.
    Portfolio,
}

/// Limits of one query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) timeout_ms: u64,
    pub(crate) until: Option<Instant>,
    pub(crate) stop: Option<&'static AtomicBool>,
    pub(crate) memory_mb: u64,
    /// See [`Options::hasty`].
    pub(crate) hasty: bool,
}

/// Minimum time of a query, even at the end of the exploration. Most queries are answered within it, and a killed
/// solver has to be restarted.
const LAST: Duration = Duration::from_millis(20);

impl Limits {
    /// Time limit for a query that begins now.
    pub(crate) fn time(&self) -> Duration {
        let left = self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        Duration::from_millis(self.timeout_ms).min(left.max(LAST))
    }

    /// True if the answer is no longer needed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Declares the optional tiers of a chain.
macro_rules! tiers {
    ($($(#[$doc:meta])* $variant:ident $name:literal)*) => {
        /// An optional tier of a chain.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TierName { $($(#[$doc])* $variant),* }

        impl TierName {
            /// All tiers, in the order in which a query passes them.
            pub const ALL: &[TierName] = &[$(TierName::$variant),*];

            /// Name in `--solver`.
            pub const fn name(self) -> &'static str {
                match self { $(TierName::$variant => $name),* }
            }
        }
    };
}

tiers! {
    /// Not part of the chain: [`Options::pool`] creates pools with or without rewriting.
    Rewrite "rewrite"
    Trivial "trivial"
    Slice "slice"
    Common "common"
    Pointers "pointers"
    Direct "direct"
    Bytes "bytes"
    Differences "differences"
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
            format!("`{text}` is not a solver tier; there are {}", names.join(", "))
        })
    }
}
