//! Coverage of the runs so far: edges of the program, and those sides of the user's branches that were covered.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::job::CaseId;
use crate::map::{Edge, ProgramMap, SideId};

/// Branch sides that runs took.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// True for covered edges, by [`Edge`].
    edges: Vec<bool>,
    /// First case that took the side, by [`SideId`].
    sides: Vec<Option<CaseId>>,
    /// Coverage of the runs without errors alone.
    passing: Option<Box<Coverage>>,
    n_covered: usize,
}

/// Covered sides of a function or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub covered: usize,
    pub total: usize,
}

impl Share {
    /// Number of all sides if at least one of them was covered (the function was reached), otherwise 0.
    pub fn reached(&self) -> usize {
        if self.covered > 0 { self.total } else { 0 }
    }
}

impl Coverage {
    /// Coverage before the first run.
    pub fn new(map: &ProgramMap) -> Coverage {
        let (edges, sides) = (vec![false; map.n_edges()], vec![None; map.n_sides()]);
        let all = Coverage { edges, sides, passing: None, n_covered: 0 };
        Coverage { passing: Some(Box::new(all.clone())), ..all }
    }

    /// Counts the edges that this run is the first to take. Returns the sides of user branches that it is the first to
    /// take. Copies of an inline function count as one.
    pub fn add(&mut self, map: &ProgramMap, edges: &[Edge], case: CaseId) -> Vec<SideId> {
        let mut new = Vec::new();
        for edge in edges {
            if let Some(covered) = self.edges.get_mut(edge.index()) {
                *covered = true;
            }
            let Some(side) = map.covered_by(*edge) else { continue };
            let first = &mut self.sides[side.index()];
            if first.is_none() {
                *first = Some(case);
                self.n_covered += 1;
                new.push(side);
            }
        }
        new
    }

    /// Counts the edges of a run without errors. True if it is the first of its kind to take some side.
    pub(crate) fn add_passing(&mut self, map: &ProgramMap, edges: &[Edge], case: CaseId) -> bool {
        self.passing.as_mut().is_some_and(|passing| !passing.add(map, edges, case).is_empty())
    }

    /// Coverage of the runs without errors alone.
    pub(crate) fn passing(&self) -> &Coverage {
        self.passing.as_deref().unwrap_or(self)
    }

    /// Sides of user branches that some run took.
    pub fn n_covered(&self) -> usize {
        self.n_covered
    }

    /// True if a run took this side.
    pub fn is_covered(&self, side: SideId) -> bool {
        self.first_case(side).is_some()
    }

    /// True if some run took this edge. Includes edges of checks and libraries.
    pub fn has_edge(&self, edge: Edge) -> bool {
        self.edges.get(edge.index()).copied().unwrap_or(false)
    }

    /// First case that took the side.
    pub fn first_case(&self, side: SideId) -> Option<CaseId> {
        self.sides.get(side.index()).copied().flatten()
    }

    /// Covered sides of each function with branches, by file and function.
    pub fn by_function(&self, map: &ProgramMap) -> BTreeMap<(Arc<str>, Arc<str>), Share> {
        self.grouped(map, |key| (key.file.clone(), key.function.clone()))
    }

    /// Sides of the branches of functions in which some side was covered (CREST's reachable branches).
    pub fn n_reached(&self, map: &ProgramMap) -> usize {
        self.by_function(map).values().map(Share::reached).sum()
    }

    /// Coverage of each file.
    pub fn by_file(&self, map: &ProgramMap) -> BTreeMap<Arc<str>, Share> {
        self.grouped(map, |key| key.file.clone())
    }

    fn grouped<K: Ord>(&self, map: &ProgramMap, key: impl Fn(&crate::map::BranchKey) -> K) -> BTreeMap<K, Share> {
        let mut groups = BTreeMap::<K, Share>::new();
        for branch in map.branches() {
            let share = groups.entry(key(&branch.key)).or_default();
            share.total += branch.n_sides as usize;
            share.covered += branch.sides().filter(|side| self.is_covered(*side)).count();
        }
        groups
    }
}
