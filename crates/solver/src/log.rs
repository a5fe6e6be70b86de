//! The log of queries: every query that reached SMT as SMT-LIB 2, in a file that standard solvers can run.
//!
//! ```text
//! (reset)
//! ; query 17
//! ; hint 0 4 00ff        input, offset, and the bytes that the input had there
//! (set-logic QF_BV)
//! …
//! (check-sat)
//! ; bitwuzla: sat in 0.214 ms of 10000 ms and 2048 MiB
//! ```

use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tine_expr::smt::text::Benchmark;
use tine_expr::{Answer, Query, TermId, TermPool};

use crate::Limits;

/// Output of the queries. Clones write to the same file, so that several chains can use it one after the other or in
/// parallel.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Sink>>);

struct Sink {
    to: Box<dyn Write + Send>,
    n_queries: u64,
    /// The first failed write. Nothing is written after it.
    failed: Option<std::io::Error>,
}

impl Log {
    /// Creates a log. Each query is one write.
    pub fn new(to: Box<dyn Write + Send>) -> Log {
        Log(Arc::new(Mutex::new(Sink { to, n_queries: 0, failed: None })))
    }

    /// The first failed write, if there was one.
    pub fn take_error(&self) -> Option<std::io::Error> {
        self.lock().failed.take()
    }

    /// Writes a query with a solver's answer, time and limits.
    pub(crate) fn write(
        &self,
        pool: &TermPool,
        query: &Query<'_>,
        solver: &str,
        answer: &Answer,
        time: Duration,
        limits: Limits,
    ) {
        let body = match benchmark(pool, query) {
            Ok(benchmark) => format!("{}{benchmark}", hint(pool, query)),
            Err(why) => format!("; not written: {why}\n"),
        };
        let sink = &mut *self.lock();
        sink.n_queries += 1;
        let mut text = format!("(reset)\n; query {}\n{body}", sink.n_queries);
        let (answer, ms) = (verdict(answer), time.as_secs_f64() * 1e3);
        let Limits { timeout_ms, memory_mb, .. } = limits;
        let _ = writeln!(text, "; {solver}: {answer} in {ms:.3} ms of {timeout_ms} ms and {memory_mb} MiB");
        if sink.failed.is_none() {
            sink.failed = sink.to.write_all(text.as_bytes()).err();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the query as SMT-LIB 2, or the reason why it cannot be expressed.
pub(crate) fn benchmark(pool: &TermPool, query: &Query<'_>) -> Result<Benchmark, String> {
    let mut terms: Vec<TermId> = query.constraints.to_vec();
    terms.push(query.goal);
    Benchmark::new(pool, &terms).map_err(|unsupported| unsupported.0)
}

pub(crate) fn verdict(answer: &Answer) -> String {
    match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        // Always one line, whatever the solver's message contains.
        Answer::Unknown(reason) => format!("unknown ({reason})").replace('\n', " "),
    }
}

/// Returns the hint's bytes that the query mentions.
pub(crate) fn hint(pool: &TermPool, query: &Query<'_>) -> String {
    let mut text = String::new();
    for range in pool.support_of_all(query.constraints.iter().copied().chain([query.goal])) {
        let _ = write!(text, "; hint {} {} ", range.input, range.start);
        for offset in range.start..range.end {
            let _ = write!(text, "{:02x}", query.hint.get(range.input, offset));
        }
        text.push('\n');
    }
    text
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").field("n_queries", &self.lock().n_queries).finish_non_exhaustive()
    }
}
