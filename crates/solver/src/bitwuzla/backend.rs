//! Bitwuzla as a back end: terms and a stack of assertions are kept between queries.

use std::time::{Duration, Instant};

use tine_expr::smt::Lowering;
use tine_expr::{Reason, TermId, TermPool};

use super::limits::MemoryLimit;
use super::{Manager, Stack, Verdict, crash};
use crate::haste::Haste;
use crate::smt::{Backend, Found};
use crate::{Error, Limits};

/// Terms kept past this number are thrown away and made anew as needed.
const MAX_TERMS: usize = 1 << 20;
/// A stack gets slower with everything it has ever seen, so after so many queries a new one is begun.
const MAX_QUERIES: u32 = 200;
/// Likewise after a query that was so hard.
const HARD: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) struct Bitwuzla {
    /// Made when it is needed, and again when it could not be.
    manager: Option<Manager>,
    lowering: Lowering<Manager>,
    stack: Option<Stack>,
    n_queries: u32,
    limits: Limits,
    haste: Haste,
    /// Of the last query.
    last: Limits,
    /// Whether to say what cannot hold together.
    cores: bool,
}

impl Bitwuzla {
    pub(crate) fn new(limits: Limits, cores: bool) -> Result<Self, Error> {
        Ok(Self {
            manager: Manager::new(cores),
            lowering: Lowering::new(),
            stack: None,
            n_queries: 0,
            limits,
            haste: Haste::default(),
            last: limits,
            cores,
        })
    }
}

impl Backend for Bitwuzla {
    fn solve(&mut self, pool: &TermPool, terms: &[TermId]) -> Found {
        if self.lowering.len() > MAX_TERMS {
            self.forget();
        }
        let mut limits = self.limits;
        if limits.hasty {
            limits.timeout_ms = self.haste.timeout_ms(limits.timeout_ms);
        }
        self.last = limits;
        // What was deleted since may have ended in one, which is not this query's.
        crash();
        let memory = MemoryLimit::start(&limits);
        let found = self.solve_within(pool, terms, &limits, memory);
        MemoryLimit::stop();
        match found {
            Found::Unknown(Reason::Timeout) => self.haste.came_to_limit(),
            Found::Sat(_) | Found::Unsat(_) => self.haste.answered(),
            Found::Unknown(_) => {}
        }
        found
    }

    fn last_limits(&self) -> Limits {
        self.last
    }

    fn forget(&mut self) {
        self.stack = None;
        self.n_queries = 0;
        self.lowering = Lowering::new();
        self.manager = None;
    }
}

impl Bitwuzla {
    fn solve_within(&mut self, pool: &TermPool, terms: &[TermId], limits: &Limits, memory: MemoryLimit) -> Found {
        if self.manager.is_none() {
            self.manager = Manager::new(self.cores);
        }
        let Some(manager) = &mut self.manager else { return Found::Unknown(crash().unwrap_or(Reason::Memory)) };
        manager.limit(memory, limits);
        let lowered = match self.lowering.assertions(manager, pool, terms) {
            Ok(lowered) => lowered,
            Err(unsupported) => return Found::Unknown(Reason::Unsupported(unsupported.0)),
        };
        if self.stack.is_none() {
            self.stack = Stack::new(manager);
        }
        let failure = manager.failure();
        let (Some(stack), None) = (&mut self.stack, &failure) else {
            self.forget();
            return Found::Unknown(failure.or_else(crash).unwrap_or(Reason::Memory));
        };
        if lowered.assertions.len() < terms.len() {
            // What was made is not made again.
            return Found::Unknown(Reason::Timeout);
        }
        let start = Instant::now();
        // The last term is the goal, which the next query on this path will not share.
        let (path, goal) = lowered.assertions.split_at(lowered.assertions.len().saturating_sub(1));
        let is_all = stack.assert(path);
        let assumptions = [goal, &lowered.conditions].concat();
        let checked = if is_all || stack.broken {
            stack.check(&assumptions, limits, memory)
        } else {
            Verdict::Unknown(Reason::Timeout)
        };
        let found = match checked {
            Verdict::Unsat => {
                let core = if self.cores { stack.core() } else { Vec::new() };
                let of_core = |lowered: &super::Term| core.contains(lowered);
                let pairs = terms.iter().zip(&lowered.assertions);
                Found::Unsat(pairs.filter(|(_, lowered)| of_core(lowered)).map(|(&term, _)| term).collect())
            }
            Verdict::Unknown(reason) => Found::Unknown(reason),
            Verdict::Sat => {
                let values = lowered.views.iter().map(|&view| {
                    let variable = self.lowering.input(view)?;
                    Some((view, stack.value(*variable)?))
                });
                match values.collect() {
                    Some(model) => Found::Sat(model),
                    None => Found::Unknown(crash().unwrap_or_else(|| Reason::Crashed("no model".into()))),
                }
            }
        };
        if stack.broken {
            // Terms too: some may be half made.
            self.forget();
            return found;
        }
        self.n_queries += 1;
        if self.n_queries >= MAX_QUERIES || start.elapsed() > HARD {
            self.stack = None;
            self.n_queries = 0;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    /// Making terms of a long path may take longer than the query may.
    #[test]
    fn no_terms_are_made_when_time_is_up() {
        let mut pool = TermPool::new();
        let x = pool.input(0, 0, 64);
        let bounds: Vec<TermId> = (0..1000).map(|k| pool.constant(64, k)).collect();
        let terms: Vec<TermId> = bounds.into_iter().map(|bound| pool.ult(bound, x)).collect();
        let limits = |timeout_ms| Options { timeout_ms, ..Options::default() }.limits();
        let mut solver = Bitwuzla::new(limits(0), true).unwrap();
        assert_eq!(solver.solve(&pool, &terms), Found::Unknown(Reason::Timeout));
        assert!(solver.lowering.is_empty());
        solver.limits = limits(600_000);
        assert!(matches!(solver.solve(&pool, &terms), Found::Sat(_)), "nothing is spoilt");
        assert!(solver.lowering.len() > terms.len());
        solver.limits = limits(0);
        let kept = solver.lowering.len();
        assert_eq!(solver.solve(&pool, &terms[..10]), Found::Unknown(Reason::Timeout));
        assert_eq!(solver.lowering.len(), kept, "what was made is kept");
    }
}
