//! Every operation with both solvers, random queries compared with exhaustive search, and the tiers.

mod chain;
mod domains;
mod generate;
mod instruments;
pub(crate) mod limits;
mod operations;
mod pointers;
mod processes;
mod random;
mod rules;
mod scanners;
mod shrink;
mod streams;
mod tiers;

use std::time::Instant;

use tine_expr::{Answer, Assignment, Query, Reason, Solver, TermId, TermPool};

use crate::{Backend, Chain, Options, plain};

const BACKENDS: [Backend; 2] = [Backend::Bitwuzla, Backend::Z3];

fn solver(backend: Backend) -> Chain {
    plain(&Options { backend, ..Options::default() }).unwrap()
}

/// Solves for inputs that make all of `terms` true, with an input of zeros as hint.
fn ask(solver: &mut Chain, pool: &mut TermPool, terms: &[TermId]) -> Answer {
    let hint = Assignment::new();
    let (&goal, constraints) = terms.split_last().unwrap();
    solver.check(pool, &Query { constraints, goal, hint: &hint, domains: &[] })
}

/// Describes the error in an answer: it is the opposite of the right one, or its model does not hold.
fn wrong(said: &Answer, right: &Answer) -> Option<String> {
    let name = |answer: &Answer| match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown(reason) => format!("unknown ({reason})"),
    };
    let is_wrong = match (said, right) {
        (Answer::Unknown(Reason::GaveUp | Reason::Timeout | Reason::Memory), _) => false,
        (Answer::Unknown(_), _) => true,
        (_, Answer::Unknown(_)) => false,
        _ => matches!(said, Answer::Sat(_)) != matches!(right, Answer::Sat(_)),
    };
    is_wrong.then(|| format!("{}, where it is {}", name(said), name(right)))
}

/// Gives both solvers the same query.
fn compare(solver: &mut Chain, reference: &mut Chain, pool: &mut TermPool, query: &Query<'_>) -> Option<String> {
    let said = solver.check(pool, query);
    wrong(&said, &reference.check(pool, query))
}

/// Seeds of a property test: a fixed number, or with `TINE_FUZZ_SECONDS=S` as many as can be tried in that time.
/// Reports progress. `TINE_FUZZ_SEED=N` selects other seeds.
struct Fuzz {
    what: &'static str,
    first: u64,
    usually: u64,
    done: u64,
    begin: Instant,
    printed: Instant,
    seconds: u64,
}

impl Fuzz {
    fn new(what: &'static str, first: u64, usually: u64) -> Self {
        let number = |name| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        let first = number("TINE_FUZZ_SEED") << 32 | first;
        eprintln!("{what}: seeds from {first}");
        let (begin, seconds) = (Instant::now(), number("TINE_FUZZ_SECONDS"));
        Self { what, first, usually, done: 0, begin, printed: begin, seconds }
    }
}

impl Iterator for Fuzz {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let seconds = self.begin.elapsed().as_secs();
        if self.done >= self.usually && seconds >= self.seconds {
            eprintln!("{}: {} seeds, {seconds} s: all is well", self.what, self.done);
            return None;
        }
        if self.printed.elapsed().as_secs() >= 10 {
            eprintln!("{}: {} seeds, {seconds} s", self.what, self.done);
            self.printed = Instant::now();
        }
        self.done += 1;
        Some(self.first + self.done - 1)
    }
}
