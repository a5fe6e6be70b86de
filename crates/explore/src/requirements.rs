//! Requirements of a function: conditions on its parameters that it uses without checking them.
//!
//! The executor recognises an error that comes from an input which violates a requirement. Such an error is not
//! reported as an error. All errors with the same subject form one requirement, with the first case as evidence and the
//! number of places that depend on it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::errors::ErrorSeen;
use crate::job::{CaseId, Place};

/// A condition that callers have to meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub kind: RequirementKind,
    /// Identity of the parameter or member. Two requirements of the same kind and subject are the same requirement.
    pub subject: Arc<str>,
    /// The condition in C, as shown in the report: `list->head != NULL`.
    pub condition: Arc<str>,
    /// The condition in C in a form that is safe to evaluate for all pointer values: `!list || list->head != NULL`.
    pub predicate: Arc<str>,
}

/// Kind of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequirementKind {
    NotNull,
    /// The links of a list or tree do not form a cycle.
    Acyclic,
    /// No two links of a tree point to one object.
    Unshared,
    /// An array has the elements that are used whatever its length.
    LongEnough,
}

impl RequirementKind {
    /// All kinds.
    pub const ALL: [RequirementKind; 4] =
        [RequirementKind::NotNull, RequirementKind::Acyclic, RequirementKind::Unshared, RequirementKind::LongEnough];

    /// Name in JSON.
    pub const fn text(self) -> &'static str {
        match self {
            RequirementKind::NotNull => "not-null",
            RequirementKind::Acyclic => "acyclic",
            RequirementKind::Unshared => "unshared",
            RequirementKind::LongEnough => "long-enough",
        }
    }

    /// The kind with this text.
    pub fn from_text(text: &str) -> Option<RequirementKind> {
        RequirementKind::ALL.into_iter().find(|kind| kind.text() == text)
    }
}

/// A requirement with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRequirement {
    pub requirement: Requirement,
    /// Error of the first case that violates the requirement.
    pub error: ErrorSeen,
    pub case: CaseId,
    /// Places that depend on the requirement.
    pub uses: BTreeSet<Place>,
}

/// All requirements found, in order.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    found: Vec<FoundRequirement>,
}

impl Requirements {
    /// Requirements found, in order.
    pub fn found(&self) -> &[FoundRequirement] {
        &self.found
    }

    /// Counts an input that violates a requirement. Returns its index if it is new.
    pub(crate) fn add(&mut self, requirement: &Requirement, error: ErrorSeen, case: CaseId) -> Option<usize> {
        let uses = BTreeSet::from([plain(&error.place)]);
        if let Some(known) = self.known(requirement) {
            known.uses.extend(uses);
            return None;
        }
        self.found.push(FoundRequirement { requirement: requirement.clone(), error, case, uses });
        Some(self.found.len() - 1)
    }

    /// Counts a place that depends on a requirement.
    pub(crate) fn add_use(&mut self, requirement: &Requirement, place: &Place) {
        if let Some(known) = self.known(requirement)
            && place.is_known()
        {
            known.uses.insert(plain(place));
        }
    }

    fn known(&mut self, requirement: &Requirement) -> Option<&mut FoundRequirement> {
        let same = |known: &&mut FoundRequirement| {
            known.requirement.kind == requirement.kind && known.requirement.subject == requirement.subject
        };
        self.found.iter_mut().find(same)
    }
}

/// The place without its function, so that all copies of a function have the same place.
fn plain(place: &Place) -> Place {
    Place { function: "".into(), ..place.clone() }
}
