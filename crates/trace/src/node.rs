//! A node: one operation with its operands and the concrete value it had in this run.

use crate::op::{ArrayOp, Op};

/// Number of a node in a run's arena. Operands have smaller numbers than their users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// "No expression": the value is concrete. The arena's slot 0 is never used.
    pub const CONCRETE: NodeId = NodeId(0);
}

/// One slot of the arena, 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Node {
    /// Number of an [`Op`] or an [`ArrayOp`].
    pub op: u8,
    /// Used only by `runtime`; the engine ignores it.
    pub flags: u8,
    /// Width of the result in bits, 1 to 128; 0 for an array.
    pub width: u16,
    /// Operands first, then immediates, then zeros: see [`Op::shape`].
    pub a: u32,
    pub b: u32,
    pub c: u32,
    /// The concrete value, zero-extended: low and high half.
    pub value: [u64; 2],
}

impl Node {
    /// The operation, unless it is one on an array.
    pub fn op(&self) -> Option<Op> {
        Op::from_number(self.op)
    }

    /// The operation, if it is one on an array.
    pub fn array_op(&self) -> Option<ArrayOp> {
        ArrayOp::from_number(self.op)
    }

    /// The fields that are nodes.
    pub fn operands(&self) -> impl Iterator<Item = u32> + use<> {
        let array = |op: ArrayOp| op.n_operands();
        let n = self.op().map_or_else(|| self.array_op().map_or(0, array), |op| op.shape().operands as usize);
        [self.a, self.b, self.c].into_iter().take(n)
    }

    /// The concrete value.
    pub const fn value(&self) -> u128 {
        self.value[0] as u128 | (self.value[1] as u128) << 64
    }
}

const _: () = assert!(size_of::<Node>() == 32);
