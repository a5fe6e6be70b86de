//! The inputs of cases that an open decision may still lead back to.

use std::collections::HashMap;

use tine_explore::CaseId;
use tine_expr::Assignment;
use tine_trace::plan::InputKind;

/// An input as the unit asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputSeen {
    pub name: String,
    pub kind: InputKind,
    pub bytes: Vec<u8>,
    /// Number of alternatives of a choice, else 0.
    pub choices: u32,
}

/// A case's inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseInputs {
    pub inputs: Vec<InputSeen>,
}

impl CaseInputs {
    /// The bytes of each input, as a plan has them.
    pub fn plan(&self) -> Vec<Vec<u8>> {
        self.inputs.iter().map(|input| input.bytes.clone()).collect()
    }

    pub fn assignment(&self) -> Assignment {
        Assignment::from_inputs(self.plan())
    }

    /// As [`Assignment::read`].
    pub(crate) fn read(&self, input: u32, offset: u32, width: u32) -> u128 {
        let Some(input) = self.inputs.get(input as usize) else { return 0 };
        let byte = |k: u32| input.bytes.get(offset.saturating_add(k) as usize).map_or(0, |&byte| u128::from(byte));
        (0..width / 8).fold(0, |value, k| value | byte(k) << (8 * k))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Cases {
    inputs: HashMap<CaseId, CaseInputs>,
    last: u32,
}

impl Cases {
    /// Numbers count up from 1.
    pub(crate) fn add(&mut self, inputs: CaseInputs) -> CaseId {
        self.last += 1;
        let case = CaseId(self.last);
        self.inputs.insert(case, inputs);
        case
    }

    pub(crate) fn get(&self, case: CaseId) -> Option<&CaseInputs> {
        self.inputs.get(&case)
    }

    pub(crate) fn release(&mut self, case: CaseId) {
        self.inputs.remove(&case);
    }
}
