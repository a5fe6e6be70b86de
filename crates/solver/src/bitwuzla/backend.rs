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
        manager.limit(memory);
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
        let start = Instant::now();
        // The last term is the goal, which the next query on this path will not share.
        let (path, goal) = lowered.assertions.split_at(lowered.assertions.len().saturating_sub(1));
        stack.assert(path);
        let assumptions = [goal, &lowered.conditions].concat();
        let found = match stack.check(&assumptions, limits, memory) {
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
