//! States of the monitors of specifications that runs have reached: coverage of specifications.

use std::collections::BTreeSet;

use tine_trace::event::{NoteKind, monitored};

use crate::job::Run;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Monitored {
    /// As in [`monitored`].
    reached: BTreeSet<u32>,
}

impl Monitored {
    /// Adds what a run noted; returns the number of states that no run before it had reached.
    pub(crate) fn add(&mut self, run: &Run) -> usize {
        if run.rejected() {
            return 0;
        }
        let states = run.notes.iter().filter(|note| note.kind == NoteKind::Monitored);
        states.filter(|note| self.reached.insert(note.detail)).count()
    }

    /// True if some run came to this state of a property.
    pub fn is_reached(&self, property: u32, state: u8) -> bool {
        self.reached.contains(&monitored(property, state))
    }
}
