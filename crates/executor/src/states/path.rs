//! Path constraints on the inputs that a state mentions, and elimination of other inputs.

use std::collections::BTreeSet;

use tine_trace::event::{Event, EventKind};
use tine_trace::op::Op;

use super::{Constraint, Definition, How, Meaning, Signature};

impl Signature<'_> {
    /// Constraints of the path on the live inputs, directly or through other inputs.
    pub(super) fn constraints(&mut self, path: &[Event]) -> Option<Vec<Constraint>> {
        let mut open = Vec::new();
        for event in path {
            let value = self.node(event.node)?.value();
            let (node, how) = match EventKind::from_number(event.kind)? {
                EventKind::Branch | EventKind::Failing => self.bare(event.node, event.side_index == 1),
                EventKind::Switch => (event.node, How::Leads { site: event.site, side_index: event.side_index }),
                EventKind::Choice | EventKind::Concretise | EventKind::Aliasing => (event.node, How::Equals(value)),
            };
            let support = self.inputs_of(node)?;
            open.push(Constraint { node, how, support });
        }
        let mut linked = self.live.clone();
        let mut found = vec![false; open.len()];
        loop {
            let before = linked.len();
            for (constraint, found) in open.iter().zip(&mut found).filter(|(_, found)| !**found) {
                if constraint.support.iter().any(|input| linked.contains(input)) {
                    *found = true;
                    linked.extend(&constraint.support);
                }
            }
            if linked.len() == before {
                break;
            }
        }
        for input in &linked {
            let node = self.node(*input)?;
            if !self.is_number(node.a, node.b, u32::from(node.width) / 8) {
                return None;
            }
        }
        Some(open.into_iter().zip(found).filter(|(_, found)| *found).map(|(constraint, _)| constraint).collect())
    }

    /// A condition without its outer negations.
    fn bare(&self, node: u32, holds: bool) -> (u32, How) {
        let (mut node, mut holds) = (node, holds);
        while let Some(inner) = self.node(node).filter(|inner| inner.op == Op::Not as u8 && inner.width == 1) {
            (node, holds) = (inner.a, !holds);
        }
        (node, How::Is(holds))
    }

    /// Eliminates inputs that the state does not mention, where that is exact.
    pub(super) fn eliminate(&mut self, constraints: &mut Vec<Constraint>) -> Option<()> {
        loop {
            if let Some(Definition { index, of: defined }) = self.first_definition(constraints)? {
                constraints.remove(index);
                if let Some((input, meaning)) = defined {
                    let of = if let Meaning::Node(node) = meaning { self.support(node)? } else { BTreeSet::new() };
                    self.meanings.insert(input, meaning);
                    for constraint in constraints.iter_mut() {
                        if constraint.support.remove(&input) {
                            constraint.support.extend(&of);
                        }
                    }
                }
            } else if let Some(input) = self.first_free(constraints)? {
                constraints.retain(|constraint| !constraint.support.contains(&input));
            } else {
                // A constraint without inputs holds for the terms that replaced them.
                constraints.retain(|constraint| !constraint.support.is_empty());
                return Some(());
            }
        }
    }

    /// The first constraint that defines an input, or that is trivial (`x = x`).
    fn first_definition(&mut self, constraints: &[Constraint]) -> Option<Option<Definition>> {
        for (index, constraint) in constraints.iter().enumerate() {
            if let How::Equals(value) = constraint.how {
                let input = self.meant(constraint.node);
                if self.is_dead(input) {
                    return Some(Some(Definition { index, of: Some((input, Meaning::Value(value))) }));
                }
            }
            if constraint.how != How::Is(true) || self.op(constraint.node)? != Op::Eq {
                continue;
            }
            let (a, b) = self.sides(constraint.node)?;
            if self.meant(a) == self.meant(b) {
                return Some(Some(Definition { index, of: None }));
            }
            for (input, other) in [(a, b), (b, a)] {
                let input = self.meant(input);
                if self.is_dead(input) && !self.support(other)?.contains(&input) {
                    return Some(Some(Definition { index, of: Some((input, Meaning::Node(other))) }));
                }
            }
        }
        Some(None)
    }

    /// An input that only has to differ from a few values.
    fn first_free(&mut self, constraints: &[Constraint]) -> Option<Option<u32>> {
        let inputs: BTreeSet<u32> =
            constraints.iter().flat_map(|constraint| constraint.support.iter().copied()).collect();
        'inputs: for input in inputs {
            if self.live.contains(&input) || self.domain_of(input)? & 1 != 0 {
                continue;
            }
            let about: Vec<&Constraint> =
                constraints.iter().filter(|constraint| constraint.support.contains(&input)).collect();
            let n_values = 1usize << self.node(input)?.width.min(40);
            if about.len() >= n_values {
                continue;
            }
            for constraint in about {
                if !self.differs(constraint, input)? {
                    continue 'inputs;
                }
            }
            return Some(Some(input));
        }
        Some(None)
    }

    /// True if the constraint excludes at most one value of the input.
    fn differs(&mut self, constraint: &Constraint, input: u32) -> Option<bool> {
        if constraint.how != How::Is(false) || self.op(constraint.node)? != Op::Eq {
            return Some(false);
        }
        let node = self.node(constraint.node)?;
        for (side, other) in [(node.a, node.b), (node.b, node.a)] {
            if self.meant(self.unextended(side)) == input && !self.support(other)?.contains(&input) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// True if an input may be eliminated.
    fn is_dead(&self, id: u32) -> bool {
        let bool_or_none = self.domain_of(id).is_none_or(|domain| domain & 1 != 0);
        self.op(id) == Some(Op::Input) && !bool_or_none && !self.live.contains(&id) && !self.meanings.contains_key(&id)
    }

    /// Meaning of an input.
    pub(super) fn meant(&self, id: u32) -> u32 {
        let mut id = id;
        while let Some(Meaning::Node(node)) = self.meanings.get(&id) {
            id = *node;
        }
        id
    }

    pub(super) fn unextended(&self, id: u32) -> u32 {
        let mut id = id;
        while let Some(node) = self.node(id).filter(|node| node.op == Op::SExt as u8 || node.op == Op::ZExt as u8) {
            id = node.a;
        }
        id
    }

    /// Both sides of an equation, without an extension that they share.
    pub(super) fn sides(&self, equation: u32) -> Option<(u32, u32)> {
        let node = self.node(equation)?;
        let (mut a, mut b) = (node.a, node.b);
        loop {
            let (left, right) = (self.node(a)?, self.node(b)?);
            let extends = left.op == Op::SExt as u8 || left.op == Op::ZExt as u8;
            let same =
                left.op == right.op && self.node(left.a)?.width == self.node(right.a).map_or(0, |node| node.width);
            if !extends || !same {
                return Some((a, b));
            }
            (a, b) = (left.a, right.a);
        }
    }
}
