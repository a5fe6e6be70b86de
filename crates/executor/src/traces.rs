//! Kept traces, for flips of their decisions: as many as fit, the least recently used are dropped.
//!
//! A dropped trace costs another run. Depth-first search returns only to the last few traces. A strategy that draws
//! from all open branches may return to any.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tine_explore::CaseId;

use crate::import::Trace;

/// Approximate number of bytes of all kept traces.
const MAX_BYTES: usize = 256 << 20;

pub(crate) struct Traces {
    kept: FxHashMap<CaseId, Kept>,
    /// Cases by time of last use.
    by_use: BTreeMap<u64, CaseId>,
    n_uses: u64,
    bytes: usize,
    max_bytes: usize,
}

struct Kept {
    trace: Rc<Trace>,
    last_use: u64,
}

impl Default for Traces {
    fn default() -> Traces {
        Traces::with_room(MAX_BYTES)
    }
}

impl Traces {
    fn with_room(max_bytes: usize) -> Traces {
        Traces { kept: FxHashMap::default(), by_use: BTreeMap::new(), n_uses: 0, bytes: 0, max_bytes }
    }

    /// Sets the number of bytes, if it is less than the default.
    pub(crate) fn set_room(&mut self, bytes: u64) {
        self.max_bytes = MAX_BYTES.min(bytes as usize);
    }

    /// Looks up a trace without counting it as a use.
    pub(crate) fn peek(&self, case: CaseId) -> Option<&Trace> {
        self.kept.get(&case).map(|kept| kept.trace.as_ref())
    }

    pub(crate) fn get(&mut self, case: CaseId) -> Option<Rc<Trace>> {
        let kept = self.kept.get_mut(&case)?;
        self.by_use.remove(&kept.last_use);
        self.n_uses += 1;
        kept.last_use = self.n_uses;
        self.by_use.insert(kept.last_use, case);
        Some(Rc::clone(&kept.trace))
    }

    pub(crate) fn keep(&mut self, case: CaseId, trace: Rc<Trace>) {
        self.release(case);
        self.bytes += trace.bytes();
        self.n_uses += 1;
        self.by_use.insert(self.n_uses, case);
        self.kept.insert(case, Kept { trace, last_use: self.n_uses });
        // Always keep two: the parent of a run, and the run.
        while self.bytes > self.max_bytes && self.kept.len() > 2 {
            let Some((_, oldest)) = self.by_use.first_key_value() else { break };
            self.release(*oldest);
        }
    }

    pub(crate) fn release(&mut self, case: CaseId) {
        if let Some(kept) = self.kept.remove(&case) {
            self.by_use.remove(&kept.last_use);
            self.bytes -= kept.trace.bytes();
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Traces::with_room(self.max_bytes);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace() -> Rc<Trace> {
        Rc::new(Trace::default())
    }

    /// Cases from 1 to 9 whose traces are kept.
    fn at_hand(traces: &Traces) -> Vec<u32> {
        (1..10).filter(|case| traces.kept.contains_key(&CaseId(*case))).collect()
    }

    #[test]
    fn those_used_last_stay() {
        let mut traces = Traces::with_room(3 * trace().bytes());
        for case in 1..=3 {
            traces.keep(CaseId(case), trace());
        }
        assert!(traces.get(CaseId(1)).is_some());
        traces.keep(CaseId(4), trace());
        assert_eq!(at_hand(&traces), [1, 3, 4]);
        traces.release(CaseId(3));
        traces.keep(CaseId(5), trace());
        assert_eq!(at_hand(&traces), [1, 4, 5]);
        assert_eq!(traces.bytes, 3 * trace().bytes());
    }

    #[test]
    fn a_run_and_its_parent_stay_however_large() {
        let mut traces = Traces::with_room(0);
        for case in 1..=4 {
            traces.keep(CaseId(case), trace());
        }
        assert_eq!(at_hand(&traces), [3, 4]);
    }
}
