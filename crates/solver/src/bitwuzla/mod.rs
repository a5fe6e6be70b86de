//! Bitwuzla, the primary SMT solver, in a separate process.
//!
//! The server (`native/server.cpp`) keeps terms and a stack of assertions between queries, so a query sends only the
//! terms that are new since the last one. One message goes there and one comes back. If the server crashes, runs out
//! of memory or does not stop in time, the query is *unknown* and the next query gets a new server.

mod kind;
mod program;
#[cfg(test)]
mod tests;
mod wire;

use std::time::{Duration, Instant};

use tine_expr::smt::{Lowered, Lowering};
use tine_expr::{Reason, TermId, TermPool};
use wire::{Question, Reply, SAT, TIMEOUT, Term, UNSAT, Wire};

use crate::Limits;
use crate::haste::Haste;
use crate::process::{Process, Wait};
use crate::smt::{Backend, Found};

/// Limit on the number of kept terms. If it is exceeded, all are dropped and created again as needed.
const MAX_TERMS: usize = 1 << 20;
/// Address space of the server besides the memory of a query: its code and stack, and memory that its allocator
/// reserves in advance. A table that grows by doubling needs this much at once even in small queries.
const BASE_MB: u64 = 64;

#[derive(Debug)]
pub(crate) struct Bitwuzla {
    limits: Limits,
    haste: Haste,
    /// Limits of the last query.
    last: Limits,
    /// True if conditions that cannot hold together must be reported.
    cores: bool,
    lowering: Lowering<Wire>,
    /// Without a process it holds the definitions of all terms of `lowering`.
    wire: Wire,
    pub(crate) process: Option<Process>,
    /// CPU time of earlier processes.
    computed: Duration,
}

impl Bitwuzla {
    pub(crate) fn new(limits: Limits, cores: bool) -> Self {
        Self {
            limits,
            haste: Haste::default(),
            last: limits,
            cores,
            lowering: Lowering::new(),
            wire: Wire::new(),
            process: None,
            computed: Duration::ZERO,
        }
    }

    fn attempt(&mut self, pool: &TermPool, terms: &[TermId], limits: &Limits, end: Instant) -> Result<Found, Reason> {
        self.wire.end = Some(end);
        let lowered = self.lowering.assertions(&mut self.wire, pool, terms);
        let lowered = lowered.map_err(|unsupported| Reason::Unsupported(unsupported.0))?;
        let time = end.saturating_duration_since(Instant::now());
        if lowered.assertions.len() < terms.len() || time.is_zero() || limits.is_stopped() {
            // Completed terms are kept for the next query.
            return Err(Reason::Timeout);
        }
        let reply = self.ask(&lowered, limits, time)?;
        let bad = || Reason::Crashed(format!("Bitwuzla sent a reply of {} words", reply.words.len()));
        match reply.status {
            SAT if reply.words.len() == 4 * lowered.views.len() => {
                Ok(Found::Sat(lowered.views.iter().copied().zip(reply.values()).collect()))
            }
            // Positions after the terms belong to conditions that always hold.
            UNSAT => Ok(Found::Unsat(reply.words.iter().filter_map(|&k| terms.get(k as usize).copied()).collect())),
            TIMEOUT => Err(Reason::Timeout),
            SAT => Err(bad()),
            _ => Err(Reason::GaveUp),
        }
    }

    fn ask(&mut self, lowered: &Lowered<Term>, limits: &Limits, time: Duration) -> Result<Reply, Reason> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start().map_err(|why| Reason::Crashed(format!("Bitwuzla cannot be started: {why}")))?,
        };
        // The last term is the goal, which the next query on this path does not share.
        let (path, goal) = lowered.assertions.split_at(lowered.assertions.len().saturating_sub(1));
        let values: Option<Vec<Term>> = lowered.views.iter().map(|&view| self.lowering.input(view).copied()).collect();
        let request = self.wire.request(&Question {
            timeout_ms: u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1),
            path,
            assumed: &[goal, &lowered.conditions].concat(),
            values: &values.expect("every view was lowered"),
        });
        let reply = process.ask(&request, Wait::new(limits, time), Reply::parse);
        self.process = Some(process);
        reply.map_err(|end| {
            self.end();
            end.reason("Bitwuzla")
        })
    }

    fn start(&self) -> std::io::Result<Process> {
        let bytes = match self.limits.memory_mb {
            0 => 0,
            megabytes => megabytes.saturating_add(BASE_MB).saturating_mul(1 << 20),
        };
        Process::start(program::command(bytes, self.cores)?)
    }

    /// Ends the process and drops its terms.
    fn end(&mut self) {
        self.computed += self.process.take().map_or(Duration::ZERO, |process| process.computed());
        self.lowering = Lowering::new();
        self.wire = Wire::new();
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
        let end = Instant::now() + limits.time();
        let is_new = self.process.is_none();
        let mut found = self.attempt(pool, terms, &limits, end);
        if found == Err(Reason::Memory) && !is_new {
            // The memory limit also counted terms of earlier queries, so try again with a new process.
            found = self.attempt(pool, terms, &limits, end);
        }
        match found {
            Err(Reason::Timeout) => self.haste.came_to_limit(),
            Ok(_) => self.haste.answered(),
            Err(_) => {}
        }
        found.unwrap_or_else(Found::Unknown)
    }

    fn last_limits(&self) -> Limits {
        self.last
    }

    fn forget(&mut self) {
        self.lowering = Lowering::new();
        self.wire = if self.process.is_some() { Wire::afresh() } else { Wire::new() };
    }

    fn elsewhere(&self) -> Duration {
        self.computed + self.process.as_ref().map_or(Duration::ZERO, Process::computed)
    }
}
