//! Runs without end: unbounded input requests and endless loops.
//!
//! `while (1) { c = input(); … }` ends only for certain inputs, and zeros may never be one. Therefore the requests of
//! such a run that its path does not depend on are not inherited by inputs derived from it. Unconstrained input is then
//! filled alternately with zeros and with random values.
//!
//! Once a program has shown unbounded requests, its runs are stopped after many more requests than any run that ended.
//! A run with many requests may also have done something else until its time was up. So the first suspect is run again
//! without recording, which shows whether it goes on requesting.
//!
//! A loop counts as endless after a run that stayed in it for the whole time limit (`slow`). Later runs in that loop
//! get less time.

use std::collections::HashSet;
use std::sync::Arc;

use tine_expr::{TermId, TermPool};
use tine_trace::plan::OBJECT;
use tine_types::Input;

use crate::graph::mentioned::Mentioned;

/// Number of requests beyond the planned ones after which a run without end is suspected of unbounded requests.
const MANY: usize = 1000;

/// File and name of a function.
pub(crate) type Function = (Arc<str>, Arc<str>);

/// Knowledge about runs without end.
#[derive(Debug, Default)]
pub(crate) struct Endless {
    /// True if a run with unbounded requests was seen.
    met: bool,
    /// Most requests of a run that ended, or that did something else when its time was up.
    most_requests: usize,
    /// Functions with an endless loop.
    functions: HashSet<Function>,
}

impl Endless {
    /// Number of requests that a run may make, `n_planned` of which are planned. 0 means unlimited.
    pub(crate) fn most(&self, n_planned: usize) -> u64 {
        if self.met { (n_planned.max(2 * self.most_requests) + MANY) as u64 } else { 0 }
    }

    /// True if a run that was stopped after `n_requests` requests, `n_planned` of them planned, may be requesting input
    /// without end.
    pub(crate) fn is_suspect(&self, n_requests: usize, n_planned: usize) -> bool {
        n_requests >= n_planned + MANY && n_requests > self.most_requests
    }

    /// Records a run with unbounded requests.
    pub(crate) fn meet(&mut self) {
        self.met = true;
    }

    /// Records the number of requests of a run.
    pub(crate) fn asked(&mut self, n_requests: usize) {
        self.most_requests = self.most_requests.max(n_requests);
    }

    pub(crate) fn is_known(&self, function: &Function) -> bool {
        self.functions.contains(function)
    }

    /// Records that a run stayed in this function for its whole time limit.
    pub(crate) fn know(&mut self, function: Function) {
        self.functions.insert(function);
    }

    /// Fill seed for runs after a run with unbounded requests.
    pub(crate) fn other_fill(fill_seed: u64) -> u64 {
        u64::from(fill_seed == 0)
    }

    /// Returns the inputs without the last requests that no term depends on.
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
