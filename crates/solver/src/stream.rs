//! Streams of queries: all queries of a chain after rewriting and slicing, each once, for repetition by benchmarks.
//!
//! ```text
//! query
//! domain 3 0 64 0 100000 100040     input, offset, width; the possible values
//! hint 0 4 00ff                     input, offset, and the bytes that the input had there
//! constraint (ult i0.4:8 10:8)
//! goal (eq i0.5:8 7:8)
//! ```
//!
//! Terms have the form of [`tine_expr::text`]. Reading them gives the same terms.

use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashSet};
use tine_expr::text::{Names, parse_raw, print};
use tine_expr::{Assignment, Domain, Query, TermId, TermPool, independent_slice};

use crate::fingerprint::Fingerprints;

/// Output of the queries. Clones write to the same file.
#[derive(Clone)]
pub struct Recording(Arc<Mutex<Sink>>);

struct Sink {
    to: Box<dyn Write + Send>,
    /// Fingerprints of the recorded queries and of their domains.
    seen: FxHashSet<(u128, u64)>,
    fingerprints: Fingerprints,
    /// The first failed write. Nothing is written after it.
    failed: Option<std::io::Error>,
}

impl Recording {
    /// Records queries to a file.
    pub fn new(to: Box<dyn Write + Send>) -> Recording {
        let (seen, fingerprints) = (FxHashSet::default(), Fingerprints::default());
        Recording(Arc::new(Mutex::new(Sink { to, seen, fingerprints, failed: None })))
    }

    /// The first failed write, if there was one.
    pub fn take_error(&self) -> Option<std::io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failed.take()
    }

    pub(crate) fn write(&self, pool: &TermPool, query: &Query<'_>) {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let constraints = independent_slice(pool, query.constraints, query.goal, query.domains);
        let terms = || constraints.iter().copied().chain([query.goal]);
        let ranges = pool.support_of_all(terms());
        let mentioned = |domain: &&Domain| {
            let end = domain.offset + domain.width / 8;
            ranges.iter().any(|range| range.input == domain.input && range.start < end && domain.offset < range.end)
        };
        let domains: Vec<&Domain> = query.domains.iter().filter(mentioned).collect();
        let key = (sink.fingerprints.of_query(pool, terms()), FxBuildHasher.hash_one(&domains));
        if sink.failed.is_some() || !sink.seen.insert(key) {
            return;
        }
        let mut text = String::from("query\n");
        for domain in domains {
            let _ = write!(text, "domain {} {} {}", domain.input, domain.offset, domain.width);
            for value in &domain.values {
                let _ = write!(text, " {value:x}");
            }
            text.push('\n');
        }
        for range in ranges {
            let _ = write!(text, "hint {} {} ", range.input, range.start);
            for offset in range.start..range.end {
                let _ = write!(text, "{:02x}", query.hint.get(range.input, offset));
            }
            text.push('\n');
        }
        let names = Names::new();
        for &constraint in &constraints {
            let _ = writeln!(text, "constraint {}", print(pool, constraint, &names));
        }
        let _ = writeln!(text, "goal {}", print(pool, query.goal, &names));
        if let Err(why) = sink.to.write_all(text.as_bytes()) {
            sink.failed = Some(why);
        }
    }
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").finish_non_exhaustive()
    }
}

/// A query of a stream.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Terms of the path condition.
    pub constraints: Vec<TermId>,
    pub goal: Option<TermId>,
    pub hint: Assignment,
    pub domains: Vec<Domain>,
}

impl Recorded {
    /// The query, if it has a goal.
    pub fn query(&self) -> Option<Query<'_>> {
        let (constraints, hint, domains) = (&self.constraints, &self.hint, &self.domains);
        Some(Query { constraints, goal: self.goal?, hint, domains })
    }
}

/// Reads all queries of a stream into one pool. The error names an invalid line.
pub fn read(pool: &mut TermPool, text: &str) -> Result<Vec<Recorded>, String> {
    let mut queries: Vec<Recorded> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = |why: &str| format!("line {}: {why}", number + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "query" {
            queries.push(Recorded::default());
            continue;
        }
        let query = queries.last_mut().ok_or_else(|| at("a stream begins with `query`"))?;
        let known = match word {
            "domain" => domain(rest).map(|domain| query.domains.push(domain)),
            "hint" => hint(rest, &mut query.hint),
            "constraint" | "goal" => {
                let term = parse_raw(pool, rest, &Names::new()).map_err(|why| at(&why.to_string()))?;
                if word == "goal" {
                    query.goal = Some(term);
                } else {
                    query.constraints.push(term);
                }
                Some(())
            }
            _ => None,
        };
        known.ok_or_else(|| at("not a line of a stream"))?;
    }
    Ok(queries)
}

fn domain(text: &str) -> Option<Domain> {
    let mut words = text.split(' ');
    let mut number = || words.next()?.parse().ok();
    let (input, offset, width) = (number()?, number()?, number()?);
    let values = words.map(|word| u128::from_str_radix(word, 16).ok()).collect::<Option<Vec<u128>>>()?;
    Some(Domain { input, offset, width, values })
}

fn hint(text: &str, hint: &mut Assignment) -> Option<()> {
    let mut words = text.split(' ');
    let (input, offset): (u32, u32) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let digits = words.next()?;
    for k in 0..digits.len() / 2 {
        hint.set(input, offset + k as u32, u8::from_str_radix(digits.get(2 * k..2 * k + 2)?, 16).ok()?);
    }
    Some(())
}
