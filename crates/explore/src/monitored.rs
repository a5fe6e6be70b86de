//! Coverage of specifications: states of their monitors that runs have reached.

use std::collections::BTreeSet;

use tine_trace::event::{NoteKind, monitored};

use crate::job::Run;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Monitored {
    /// Numbers of reached states, encoded by [`monitored`].
    reached: BTreeSet<u32>,
}

impl Monitored {
    /// Adds the states that a run noted. Returns the number of states that it is the first to reach.
    pub(crate) fn add(&mut self, run: &Run) -> usize {
        if run.rejected() {
            return 0;
        }
        let states = run.notes.iter().filter(|note| note.kind == NoteKind::Monitored);
        states.filter(|note| self.reached.insert(note.detail)).count()
    }

    /// True if some run reached this state of a property.
    pub fn is_reached(&self, property: u32, state: u8) -> bool {
        self.reached.contains(&monitored(property, state))
    }
}
