//! Inputs of cases that open decisions may still need.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tine_explore::CaseId;
use tine_types::Input;

use crate::mutate;

/// Inputs of all cases that are still needed, with numbers instead of function addresses. Several executors share them.
#[derive(Debug, Default)]
pub struct Cases {
    inputs: Mutex<HashMap<CaseId, Arc<Input>>>,
    last: AtomicU32,
    /// Inputs of runs that covered something new, in order.
    notable: Mutex<Vec<Arc<Input>>>,
}

/// Number of notable inputs that are kept.
const MAX_NOTABLE: usize = 1024;

impl Cases {
    /// Restores the cases of an earlier exploration. `last` is the highest case number.
    pub fn restored(cases: impl IntoIterator<Item = (CaseId, Input)>, last: CaseId) -> Cases {
        let inputs: HashMap<_, _> = cases.into_iter().map(|(case, inputs)| (case, Arc::new(inputs))).collect();
        // It is not stored which of them covered something new, so all of them count as notable.
        let mut numbers: Vec<CaseId> = inputs.keys().copied().collect();
        numbers.sort_unstable();
        let latest = numbers.iter().rev().take(MAX_NOTABLE).rev();
        let notable = latest.map(|case| Arc::clone(&inputs[case])).collect();
        Cases { inputs: Mutex::new(inputs), last: AtomicU32::new(last.0), notable: Mutex::new(notable) }
    }

    /// Stores an input. Numbers count up from 1.
    pub fn add(&self, inputs: Input) -> CaseId {
        let case = CaseId(self.last.fetch_add(1, Ordering::Relaxed) + 1);
        self.lock().insert(case, Arc::new(inputs));
        case
    }

    /// The input of a case that is still needed.
    pub fn get(&self, case: CaseId) -> Option<Arc<Input>> {
        self.lock().get(&case).cloned()
    }

    /// Records that the case's run covered something new.
    pub fn note(&self, case: CaseId) {
        let Some(inputs) = self.get(case) else { return };
        let mut notable = self.notable.lock().unwrap_or_else(PoisonError::into_inner);
        if notable.len() == MAX_NOTABLE {
            notable.remove(0);
        }
        notable.push(inputs);
    }

    /// Returns a mutated input, made from inputs that covered something new. `constants` are the values that the
    /// program compares with.
    pub fn mutated(&self, constants: &[i64], seed: u64) -> Option<Input> {
        let notable = self.notable.lock().unwrap_or_else(PoisonError::into_inner);
        if notable.is_empty() {
            return None;
        }
        let (first, second) = mutate::chosen(seed, notable.len());
        let (first, second) = (Arc::clone(&notable[first]), Arc::clone(&notable[second]));
        drop(notable);
        let requests = mutate::mutated(&first.requests, &second.requests, constants, seed)?;
        Some(Input { requests, ..Input::clone(&first) })
    }

    /// Drops a case that is no longer needed.
    pub fn release(&self, case: CaseId) {
        self.lock().remove(&case);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CaseId, Arc<Input>>> {
        // Each change is a single step, so a panic in another thread leaves the map consistent.
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
