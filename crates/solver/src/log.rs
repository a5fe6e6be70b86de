//! The log of queries: SMT-LIB 2 of all that reached SMT, in a file that stock solvers run.
//!
//! ```text
//! (reset)
//! ; query 17
//! ; hint 0 4 00ff        input, offset, and the bytes that the input had there
//! (set-logic QF_BV)
//! …
//! (check-sat)
//! ; bitwuzla: sat in 0.214 ms
//! ```

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::io::Write;
use std::rc::Rc;
use std::time::Duration;

use tine_expr::smt::text::Benchmark;
use tine_expr::{Answer, Query, TermId, TermPool};

/// Where queries are written. Copies write to the same place, so that chains may follow each other.
#[derive(Clone)]
pub struct Log(Rc<Sink>);

struct Sink {
    to: RefCell<Box<dyn Write>>,
    n_queries: Cell<u64>,
    /// The first write that failed; nothing is written after it.
    failed: RefCell<Option<std::io::Error>>,
}

impl Log {
    /// Each query is one write.
    pub fn new(to: Box<dyn Write>) -> Log {
        Log(Rc::new(Sink { to: RefCell::new(to), n_queries: Cell::new(0), failed: RefCell::new(None) }))
    }

    /// What went wrong in writing, if anything did.
    pub fn take_error(&self) -> Option<std::io::Error> {
        self.0.failed.borrow_mut().take()
    }

    pub(crate) fn write(&self, pool: &TermPool, query: &Query<'_>, solver: &str, answer: &Answer, time: Duration) {
        let n = self.0.n_queries.get() + 1;
        self.0.n_queries.set(n);
        let mut text = format!("(reset)\n; query {n}\n");
        let _ = match benchmark(pool, query) {
            Ok(benchmark) => write!(text, "{}{benchmark}", hint(pool, query)),
            Err(why) => writeln!(text, "; not written: {why}"),
        };
        let _ = writeln!(text, "; {solver}: {} in {:.3} ms", verdict(answer), time.as_secs_f64() * 1e3);
        let mut failed = self.0.failed.borrow_mut();
        if failed.is_none()
            && let Err(why) = self.0.to.borrow_mut().write_all(text.as_bytes())
        {
            *failed = Some(why);
        }
    }
}

/// The query as SMT-LIB 2, or what keeps it from being that.
pub(crate) fn benchmark(pool: &TermPool, query: &Query<'_>) -> Result<Benchmark, String> {
    let mut terms: Vec<TermId> = query.constraints.to_vec();
    terms.push(query.goal);
    Benchmark::new(pool, &terms).map_err(|unsupported| unsupported.0)
}

pub(crate) fn verdict(answer: &Answer) -> String {
    match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        // One line, whatever a solver says.
        Answer::Unknown(reason) => format!("unknown ({reason})").replace('\n', " "),
    }
}

/// The bytes of the hint that the query is about.
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
        f.debug_struct("Log").field("n_queries", &self.0.n_queries).finish_non_exhaustive()
    }
}
