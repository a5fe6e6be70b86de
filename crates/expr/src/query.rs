//! Queries to a solver, and its answers.

use crate::{Assignment, Domain, TermId, TermPool};

/// "Which inputs satisfy all of `constraints` and `goal`?" All of them are one-bit terms.
///
/// The constraints hold under `hint`, the input that produced them; the goal usually does not. A solver keeps the
/// hint's value for every byte it need not change.
///
/// Every variable of `domains` that the terms mention, if only a part of it, has one of its values in the answer. The
/// hint gives each one of its values, too, so that those which are not mentioned stay as they are. Domains stand in
/// the order of their places and share no bytes ([`in_order`](crate::domain::in_order)).
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub constraints: &'a [TermId],
    pub goal: TermId,
    pub hint: &'a Assignment,
    pub domains: &'a [Domain],
}

/// One byte of an input, and the value it is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputByte {
    pub input: u32,
    pub offset: u32,
    pub value: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The hint with these bytes changed satisfies the query. Only bytes that differ from the hint are listed,
    /// in order.
    Sat(Vec<InputByte>),
    /// No input does.
    Unsat,
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    Timeout,
    Memory,
    /// The solver library failed, with its message.
    Crashed(String),
    /// The query holds something the solver cannot express, named here.
    Unsupported(String),
    /// The solver gave a model that evaluation refutes, as can happen where the bits of a NaN matter.
    BadModel,
    /// The solver gave up without saying why.
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
