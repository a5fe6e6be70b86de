//! Traces of the last few runs, for whoever flips a decision of them.

use std::collections::VecDeque;
use std::rc::Rc;

use tine_explore::CaseId;

use crate::import::Trace;

/// Traces kept at hand. A depth-first search goes back to the last few; others run their parent again.
const MAX_TRACES: usize = 64;
/// Nodes of all traces kept at hand.
const MAX_TRACE_NODES: usize = 8 << 20;

#[derive(Default)]
pub(crate) struct Traces {
    /// The newest last.
    kept: VecDeque<(CaseId, Rc<Trace>)>,
    n_nodes: usize,
}

impl Traces {
    pub(crate) fn get(&self, case: CaseId) -> Option<Rc<Trace>> {
        self.kept.iter().rev().find(|(kept, _)| *kept == case).map(|(_, trace)| Rc::clone(trace))
    }

    pub(crate) fn keep(&mut self, case: CaseId, trace: Rc<Trace>) {
        self.n_nodes += trace.n_nodes();
        self.kept.push_back((case, trace));
        while self.kept.len() > MAX_TRACES || self.kept.len() > 2 && self.n_nodes > MAX_TRACE_NODES {
            if let Some((_, oldest)) = self.kept.pop_front() {
                self.n_nodes -= oldest.n_nodes();
            }
        }
    }

    pub(crate) fn release(&mut self, case: CaseId) {
        if let Some(index) = self.kept.iter().rposition(|(kept, _)| *kept == case)
            && let Some((_, trace)) = self.kept.remove(index)
        {
            self.n_nodes -= trace.n_nodes();
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Traces::default();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
