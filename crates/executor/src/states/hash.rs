//! Hashes of states and of path constraints. Variables are numbered in the order of their first mention.

use tine_trace::layout::CELL_UNREAD;
use tine_trace::op::Op;
use tine_trace::state::{StateRecord, mix};

use super::{Constraint, How, Meaning, Signature, Variable};

impl Signature<'_> {
    /// Hash of the state itself.
    pub(super) fn key(&mut self, pieces: &[StateRecord], end: &StateRecord) -> Option<u64> {
        let mut key = 0;
        for piece in pieces {
            key = mix(key, piece.hash);
            key = mix(key, u64::from(piece.len));
            if piece.cell & CELL_UNREAD == 0 {
                key = mix(key, u64::from(piece.cell & 15));
                key = mix(key, self.hash(piece.cell >> 4)?);
                continue;
            }
            for byte in (0..piece.len).map(|k| (piece.cell & !CELL_UNREAD) + k) {
                let (input, offset) = self.owner(byte)?;
                let domain = self.domain(input, offset, 1);
                key = mix(key, self.variable(Variable::Byte(byte), domain));
            }
        }
        Some(mix(key, end.hash))
    }

    fn variable(&mut self, variable: Variable, domain: u64) -> u64 {
        let next = self.variables.len() as u64;
        let number = *self.variables.entry(variable).or_insert(next);
        mix(mix(Op::Input as u64, number), domain)
    }

    pub(super) fn hash_of(&mut self, constraint: &Constraint) -> Option<u64> {
        let hash = self.hash(constraint.node)?;
        Some(match constraint.how {
            How::Is(holds) => mix(hash, u64::from(holds)),
            How::Equals(value) => mix(mix(mix(hash, 2), value as u64), (value >> 64) as u64),
            How::Leads { site, side_index } => mix(mix(mix(hash, 3), u64::from(site)), u64::from(side_index)),
        })
    }

    /// Hash of an expression. Operands are visited from the left, so the numbering of variables depends on nothing
    /// else.
    fn hash(&mut self, root: u32) -> Option<u64> {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.hashes.contains_key(&id) {
                open.pop();
                continue;
            }
            self.work()?;
            let node = self.node(id)?;
            let op = node.op()?;
            let hash = match (op, self.meanings.get(&id)) {
                (Op::Input, Some(Meaning::Node(meant))) => match self.hashes.get(meant) {
                    Some(hash) => *hash,
                    None => {
                        open.push(*meant);
                        continue;
                    }
                },
                (Op::Input, Some(Meaning::Value(value))) => constant(node.width, *value),
                (Op::Input, None) => {
                    let domain = self.domain_of(id)?;
                    self.variable(Variable::Node(id), domain)
                }
                (Op::Const, _) => constant(node.width, node.value()),
                _ => {
                    let operands = self.operands(id)?;
                    let missing: Vec<u32> =
                        operands.iter().rev().copied().filter(|operand| !self.hashes.contains_key(operand)).collect();
                    if !missing.is_empty() {
                        open.extend(missing);
                        continue;
                    }
                    let mut hashes: Vec<u64> = operands.iter().map(|operand| self.hashes[operand]).collect();
                    if commutes(op) {
                        hashes.sort_unstable();
                    }
                    let shape = op.shape();
                    let immediate = [node.a, node.b, node.c].get(shape.operands as usize).copied().unwrap_or(0);
                    let start = mix(
                        mix(op as u64, u64::from(node.width)),
                        u64::from(immediate * u32::from(shape.immediates.min(1))),
                    );
                    hashes.into_iter().fold(start, mix)
                }
            };
            self.hashes.insert(id, hash);
            open.pop();
        }
        self.hashes.get(&root).copied()
    }
}

fn constant(width: u16, value: u128) -> u64 {
    mix(mix(mix(Op::Const as u64, u64::from(width)), value as u64), (value >> 64) as u64)
}

fn commutes(op: Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq)
}
