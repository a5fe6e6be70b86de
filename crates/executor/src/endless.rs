//! Runs that do not end: that ask for inputs forever, or go round in a loop.
//!
//! `while (1) { c = input(); … }` ends if an input says so, and zeros may never. So what such a run was given beyond what its path asks
//! for is not handed on to the runs that are made of it, and what nobody asks for is filled otherwise: zeros and
//! numbers that were drawn take turns. And once a program was seen to do so, its runs end when they have asked long enough: for
//! many more inputs than any run that ended. A run that asked for many, and then did something else until its time was up, is
//! not one of them: so the first that looks like it is run once more without being recorded, which shows whether it goes on asking.
//!
//! A loop is known to have no end after a run that stayed in it for all its time (`slow`); later ones get less.

use std::collections::HashSet;
use std::sync::Arc;

use tine_expr::{TermId, TermPool};
use tine_trace::plan::OBJECT;
use tine_types::Input;

use crate::graph::mentioned::Mentioned;

/// More requests than planned, from which on a run that does not end asks without end.
const MANY: usize = 1000;

/// File and name of a function.
pub(crate) type Function = (Arc<str>, Arc<str>);

/// Knowledge about such runs.
#[derive(Debug, Default)]
pub(crate) struct Endless {
    /// There was one that asked forever.
    met: bool,
    /// Most requests of a run that ended, or that did something else in the end.
    most_requests: usize,
    /// Functions with a loop that has no end.
    functions: HashSet<Function>,
}

impl Endless {
    /// Inputs that a run may ask for of which `n_planned` are planned; 0 if it may ask for any number.
    pub(crate) fn most(&self, n_planned: usize) -> u64 {
        if self.met { (n_planned.max(2 * self.most_requests) + MANY) as u64 } else { 0 }
    }

    /// True if a run that was stopped after `n_requests`, of which `n_planned` were planned, may be asking without end.
    pub(crate) fn is_suspect(&self, n_requests: usize, n_planned: usize) -> bool {
        n_requests >= n_planned + MANY && n_requests > self.most_requests
    }

    /// There was a run that asks without end.
    pub(crate) fn meet(&mut self) {
        self.met = true;
    }

    /// Number of requests that a run made.
    pub(crate) fn asked(&mut self, n_requests: usize) {
        self.most_requests = self.most_requests.max(n_requests);
    }

    pub(crate) fn is_known(&self, function: &Function) -> bool {
        self.functions.contains(function)
    }

    /// A run stayed in this function for all its time.
    pub(crate) fn know(&mut self, function: Function) {
        self.functions.insert(function);
    }

    /// Values that fill the runs after such a run.
    pub(crate) fn other_fill(fill_seed: u64) -> u64 {
        u64::from(fill_seed == 0)
    }

    /// The inputs without what the terms do not ask for at their end.
    pub(crate) fn shortened(&self, pool: &TermPool, mut inputs: Input, terms: impl Iterator<Item = TermId>) -> Input {
        if self.met && inputs.requests.len() > MANY {
            let last = Mentioned::by(pool, terms).last_below(OBJECT);
            inputs.requests.truncate(last.map_or(0, |last| last as usize + 1));
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use tine_trace::plan::InputKind;

    use super::*;
    use tine_types::input::Request;

    #[test]
    fn what_no_term_asks_for_is_left_open() {
        let mut pool = TermPool::new();
        let terms = [pool.input(3, 0, 32), pool.input(7, 0, 8), pool.input(OBJECT | 1, 0, 8)];
        let seen = |k: u32| Request {
            name: String::new(),
            kind: InputKind::Signed,
            bytes: k.to_le_bytes().to_vec(),
            choices: 0,
            ty: 0,
        };
        let inputs = || Input { requests: (0..2000).map(seen).collect(), ..Input::default() };
        let mut endless = Endless::default();
        let len = |endless: &Endless| endless.shortened(&pool, inputs(), terms.into_iter()).requests.len();
        assert_eq!([endless.is_suspect(1500, 600), endless.is_suspect(1600, 600)], [false, true]);
        assert_eq!((len(&endless), endless.most(600)), (2000, 0));
        endless.meet();
        assert_eq!((len(&endless), endless.most(600)), (8, 1600));
        endless.asked(5000);
        assert!(!endless.is_suspect(5000, 600));
        assert_eq!([endless.most(600), endless.most(20_000)], [11_000, 21_000], "what ends is not cut off");
        assert_eq!([0, 1].map(Endless::other_fill), [1, 0]);
    }
}
