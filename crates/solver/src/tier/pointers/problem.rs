//! A conjunction of literals: classes of variables with known distances (union-find), and lists of the other literals.
//!
//! All sums wrap modulo the variables' width.

use tine_expr::{Query, TermId};
use tine_trace::eval::mask;

/// The end of a list.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Problem {
    variables: Vec<Variable>,
    /// Variable of each domain, or [`NONE`].
    slots: Vec<u32>,
    facts: Vec<(Fact, u32)>,
    /// `x ≠ y + distance`.
    pub(super) different: Vec<(u32, u32, u128)>,
}

#[derive(Debug)]
struct Variable {
    domain: u32,
    hint: u128,
    mask: u128,
    /// The variable is `parent` plus `distance`. A class's representative is its own parent.
    parent: u32,
    distance: u128,
    /// For a representative: its value, if a literal states it.
    value: Option<u128>,
    /// The first fact on the variable.
    facts: u32,
}

/// Facts on a single variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    IsNot(u128),
    /// This term, which depends on no other variable, has this truth value.
    Condition(TermId, bool),
}

/// Construction.
impl Problem {
    pub(super) fn clear(&mut self) {
        self.variables.drain(..).for_each(|variable| self.slots[variable.domain as usize] = NONE);
        self.facts.clear();
        self.different.clear();
    }

    /// Returns the variable of this domain of the query.
    pub(super) fn variable(&mut self, domain: usize, query: &Query<'_>) -> u32 {
        if self.slots.len() <= domain {
            self.slots.resize(domain + 1, NONE);
        }
        if self.slots[domain] == NONE {
            let number = self.variables.len() as u32;
            self.slots[domain] = number;
            let hint = query.domains[domain].value(query.hint);
            let mask = mask(query.domains[domain].width);
            let domain = domain as u32;
            self.variables.push(Variable { domain, hint, mask, parent: number, distance: 0, value: None, facts: NONE });
        }
        self.slots[domain]
    }

    /// Adds `x = y + distance`; false on a contradiction.
    pub(super) fn equal(&mut self, x: u32, y: u32, distance: u128) -> bool {
        let ((a, from_a), (b, from_b)) = (self.root(x), self.root(y));
        let mask = self.mask(a);
        // This implies a = b + distance.
        let distance = from_b.wrapping_add(distance).wrapping_sub(from_a) & mask;
        if a == b {
            return distance == 0;
        }
        let (root, below, distance) = if b < a { (b, a, distance) } else { (a, b, distance.wrapping_neg() & mask) };
        let known = self.variables[below as usize].value;
        let variable = &mut self.variables[below as usize];
        (variable.parent, variable.distance) = (root, distance);
        known.is_none_or(|value| self.is(root, value.wrapping_sub(distance)))
    }

    /// Adds `x = value`; false on a contradiction.
    pub(super) fn is(&mut self, x: u32, value: u128) -> bool {
        let (root, distance) = self.root(x);
        let root = &mut self.variables[root as usize];
        let value = value.wrapping_sub(distance) & root.mask;
        *root.value.get_or_insert(value) == value
    }

    pub(super) fn is_not(&mut self, x: u32, value: u128) {
        let value = value & self.mask(x);
        self.fact(x, Fact::IsNot(value));
    }

    pub(super) fn condition(&mut self, x: u32, term: TermId, positive: bool) {
        self.fact(x, Fact::Condition(term, positive));
    }

    fn fact(&mut self, x: u32, fact: Fact) {
        let first = &mut self.variables[x as usize].facts;
        self.facts.push((fact, *first));
        *first = self.facts.len() as u32 - 1;
    }

    /// Adds `x ≠ y + distance`.
    pub(super) fn differ(&mut self, x: u32, y: u32, distance: u128) {
        self.different.push((x, y, distance));
    }

    /// Returns the representative of `x`, and the difference between `x` and the representative.
    pub(super) fn root(&mut self, x: u32) -> (u32, u128) {
        let (mut root, mut distance) = (x, 0u128);
        while self.variables[root as usize].parent != root {
            let Variable { parent, distance: further, .. } = self.variables[root as usize];
            (root, distance) = (parent, distance.wrapping_add(further));
        }
        let distance = distance & self.mask(x);
        let variable = &mut self.variables[x as usize];
        (variable.parent, variable.distance) = (root, distance);
        (root, distance)
    }
}

/// Access.
impl Problem {
    pub(super) fn len(&self) -> u32 {
        self.variables.len() as u32
    }

    pub(super) fn domain(&self, x: u32) -> usize {
        self.variables[x as usize].domain as usize
    }

    pub(super) fn hint(&self, x: u32) -> u128 {
        self.variables[x as usize].hint
    }

    pub(super) fn mask(&self, x: u32) -> u128 {
        self.variables[x as usize].mask
    }

    /// Value of the representative, if the literals determine it.
    pub(super) fn value(&self, root: u32) -> Option<u128> {
        self.variables[root as usize].value
    }

    pub(super) fn facts(&self, x: u32) -> impl Iterator<Item = Fact> {
        let mut at = self.variables[x as usize].facts;
        std::iter::from_fn(move || {
            let &(fact, next) = self.facts.get(at as usize)?;
            at = next;
            Some(fact)
        })
    }

    /// Distance of `x` from its representative. Requires an earlier call of [`Self::root`] for `x`.
    pub(super) fn distance(&self, x: u32) -> u128 {
        self.variables[x as usize].distance
    }

    /// The representative of `x`. Requires an earlier call of [`Self::root`] for `x`.
    pub(super) fn parent(&self, x: u32) -> u32 {
        self.variables[x as usize].parent
    }
}
