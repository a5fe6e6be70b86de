//! Queries to a solver, and its answers.

use crate::{Assignment, Domain, TermId, TermPool};

/// Asks for inputs that satisfy `goal` and all `constraints`. All of these are one-bit terms.
///
/// The constraints hold under `hint`, the input that produced them; the goal usually does not. A solver keeps the
/// hint's value for every byte that it need not change.
///
/// If the terms mention a variable of `domains`, even in part, the variable has one of its values in the answer. The
/// hint also gives each variable one of its values, so variables that are not mentioned keep theirs. Domains are sorted
/// by position and share no bytes ([`in_order`](crate::domain::in_order)).
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Terms of the path condition.
    pub constraints: &'a [TermId],
    pub goal: TermId,
    pub hint: &'a Assignment,
    pub domains: &'a [Domain],
}

/// A byte of an input, and its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputByte {
    pub input: u32,
    pub offset: u32,
    pub value: u8,
}

/// Answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The hint with these bytes changed satisfies the query. Only bytes that differ from the hint are listed, in
    /// order.
    Sat(Vec<InputByte>),
    /// The query is infeasible.
    Unsat,
    Unknown(Reason),
}

/// Reason for a missing answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    Timeout,
    Memory,
    /// The solver library failed, with its message.
    Crashed(String),
    /// The query contains a construct that the solver cannot express, named here.
    Unsupported(String),
    /// Evaluation refutes the solver's model, which can happen if the bits of a NaN matter.
    BadModel,
    /// The solver gave up without a reason.
    GaveUp,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Timeout => write!(f, "time limit"),
            Reason::Memory => write!(f, "memory limit"),
            Reason::Crashed(message) => write!(f, "solver failed: {message}"),
            Reason::Unsupported(what) => write!(f, "not supported by the solver: {what}"),
            Reason::BadModel => write!(f, "the solver's model does not hold"),
            Reason::GaveUp => write!(f, "solver gave up"),
        }
    }
}

/// Answers queries.
pub trait Solver {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer;
}
