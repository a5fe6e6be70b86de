//! Every operation through both solvers, random queries against exhaustive search, and the tiers.

mod chain;
mod domains;
mod instruments;
mod limits;
mod operations;
mod pointers;
mod random;
mod rules;
mod shrink;
mod streams;
mod tiers;

use tine_expr::{Answer, Assignment, Query, Solver, TermId, TermPool};

use crate::{Backend, Chain, Options, plain};

const BACKENDS: [Backend; 2] = [Backend::Bitwuzla, Backend::Z3];

fn solver(backend: Backend) -> Chain {
    plain(&Options { backend, ..Options::default() }).unwrap()
}

/// Asks for inputs that make all of `terms` true, from an input of zeros.
fn ask(solver: &mut Chain, pool: &mut TermPool, terms: &[TermId]) -> Answer {
    let hint = Assignment::new();
    let (&goal, constraints) = terms.split_last().unwrap();
    solver.check(pool, &Query { constraints, goal, hint: &hint, domains: &[] })
}

/// How many times more random queries are to be tried than usual.
fn factor() -> u64 {
    std::env::var("TINE_FUZZ_SOLVER").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}
