//! Arrays of a raw trace: the memory of objects that are accessed at symbolic addresses.

use tine_expr::{TermId, TermPool};
use tine_trace::node::Node;
use tine_trace::op::{ArrayOp, image_hash};

use crate::import::ImportError;

/// Nodes of a run, with the bytes that initialise its arrays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrays<'a> {
    pub(crate) nodes: &'a [Node],
    pub(crate) images: &'a [u8],
}

impl Arrays<'_> {
    /// Checks that an array node is well formed and that its value follows from its operands.
    pub(crate) fn check(&self, index: u32, node: &Node, op: ArrayOp) -> Result<(), ImportError> {
        let wrong = |why: &str| Err(ImportError::Shape { node: index, why: why.to_owned() });
        if let Some(operand) = node.operands().find(|operand| *operand == 0 || *operand >= index) {
            return Err(ImportError::Operand { node: index, operand });
        }
        let width = |id: u32| u32::from(self.nodes[id as usize].width);
        let whole_bytes = |width: u32| width.is_multiple_of(8) && (8..=128).contains(&width);
        match op {
            ArrayOp::Table => match self.image(node) {
                None => wrong("a table outside of the images"),
                Some(bytes) if u128::from(image_hash(bytes)) != node.value() => Err(ImportError::Image { node: index }),
                Some(_) if node.width != 0 => wrong("a table has no width"),
                Some(_) => Ok(()),
            },
            _ if width(node.a) != 0 || width(node.b) != 64 => wrong("it is not an index into an array"),
            ArrayOp::Store if node.width != 0 || !whole_bytes(width(node.c)) => wrong("a store of no bytes"),
            ArrayOp::Store => Ok(()),
            ArrayOp::Select if !whole_bytes(u32::from(node.width)) => wrong("a broken number of bytes"),
            ArrayOp::Select => {
                let at = self.nodes[node.b as usize].value[0];
                let byte = |k: u64| u128::from(self.byte(node.a, at.wrapping_add(k)));
                let computed = (0..u64::from(node.width / 8)).fold(0, |value, k| value | byte(k) << (k * 8));
                if computed == node.value() {
                    return Ok(());
                }
                let width = u32::from(node.width);
                Err(ImportError::Value { node: index, op: "select", width, seen: node.value(), computed })
            }
        }
    }

    /// Returns the node as a term. The terms of its operands must exist.
    pub(crate) fn build(
        &self,
        pool: &mut TermPool,
        node: &Node,
        op: ArrayOp,
        operand: impl Fn(u32) -> Result<TermId, ImportError>,
    ) -> Result<TermId, ImportError> {
        Ok(match op {
            ArrayOp::Table => pool.table(self.image(node).unwrap_or(&[])),
            ArrayOp::Select => {
                let (array, index) = (operand(node.a)?, operand(node.b)?);
                pool.select(array, index, u32::from(node.width))
            }
            ArrayOp::Store => {
                let (array, index, value) = (operand(node.a)?, operand(node.b)?, operand(node.c)?);
                pool.store(array, index, value)
            }
        })
    }

    fn image(&self, table: &Node) -> Option<&[u8]> {
        self.images.get(table.a as usize..)?.get(..table.b as usize)
    }

    /// Value of a byte of a checked array in this run.
    fn byte(&self, array: u32, index: u64) -> u8 {
        let mut node = &self.nodes[array as usize];
        while node.op == ArrayOp::Store as u8 {
            let (at, value) = (&self.nodes[node.b as usize], &self.nodes[node.c as usize]);
            let offset = index.wrapping_sub(at.value[0]);
            if offset < u64::from(value.width / 8) {
                return (value.value() >> (offset * 8)) as u8;
            }
            node = &self.nodes[node.a as usize];
        }
        let found = usize::try_from(index).ok().and_then(|index| self.image(node)?.get(index));
        found.copied().unwrap_or(0)
    }
}
