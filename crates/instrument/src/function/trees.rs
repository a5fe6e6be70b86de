//! Shadows of pure expressions in the symbolic track: one call for a whole tree of operations.
//!
//! A value that is used once, by another operation of the same block, needs no separate shadow. So a check such as
//!
//! ```text
//!   p != null & (p & 7) == 0
//! ```
//! costs one call `tine.tree.5(p, shadow of p)` instead of one for each operation. If a shadow passed to it is not 0,
//! the function recomputes the expression step by step. All expressions of the module with the same shape share a
//! function, because its name is the shape.

use std::fmt::Write as _;

use super::Walk;
use crate::leaf::leaves;
use crate::llvm::{LLVMLinkage, LLVMOpcode, Type, Value};
use crate::names::{self, Pure};

/// An expression: operations in an order where operands come first, the last one is the root.
struct Tree {
    nodes: Vec<Value>,
    /// Operands of the operations, without constants, each with a flag if it has a shadow.
    leaves: Vec<(Value, bool)>,
    /// Equal for all trees with this shape.
    shape: String,
}

impl Walk<'_, '_> {
    /// Visits the copy of an instruction.
    pub(super) fn visit_in_copy(&mut self, original: Value, copy: Value) {
        if !Self::is_operation(original) {
            return self.visit(copy);
        }
        if self.is_inner(original) {
            self.inner.insert(copy);
            return;
        }
        let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new(), shape: String::new() };
        self.grow(&mut tree, copy);
        if !tree.leaves.iter().any(|(_, symbolic)| *symbolic) {
            return;
        }
        let function = self.tree_function(&tree);
        self.b().after(copy);
        let mut arguments: Vec<Value> = tree.leaves.iter().map(|(leaf, _)| *leaf).collect();
        arguments.extend(tree.leaves.iter().filter(|(_, symbolic)| *symbolic).map(|(leaf, _)| self.shadow_of(*leaf)));
        let result = self.b().call(function, &arguments);
        let shadows = if leaves(copy.ty()).len() == 1 {
            vec![result]
        } else {
            let b = self.b();
            let high = b.binary(LLVMOpcode::LLVMLShr, result, b.i64.constant(32));
            vec![b.resize(result, b.i32), b.resize(high, b.i32)]
        };
        self.shadows.insert(copy, shadows);
    }

    /// True if an instruction is only an operation on scalars.
    fn is_operation(instruction: Value) -> bool {
        use LLVMOpcode::*;
        let scalar = |value: Value| Self::scalar(value).is_some_and(|leaf| leaf.bits <= 64);
        match instruction.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMAnd | LLVMOr | LLVMXor
            | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMICmp | LLVMFCmp | LLVMTrunc
            | LLVMZExt | LLVMSExt | LLVMFPTrunc | LLVMFPExt | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP
            | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMSelect | LLVMGetElementPtr => {
                scalar(instruction) && (0..instruction.n_operands()).all(|i| scalar(instruction.operand(i)))
            }
            LLVMCall => {
                let called = instruction.called();
                let pure = called.is_intrinsic().then(|| names::intrinsic(&called.name())).flatten();
                let parts = leaves(instruction.ty());
                pure.is_some_and(|pure| pure != Pure::Identity)
                    && matches!(parts.len(), 1 | 2)
                    && parts.iter().all(|leaf| leaf.is_supported() && leaf.bits <= 64)
                    && instruction.arguments().into_iter().all(scalar)
            }
            _ => false,
        }
    }

    /// True if a value is used only by another operation of its block.
    fn is_inner(&self, original: Value) -> bool {
        match original.users()[..] {
            [user] => {
                user.is_instruction()
                    && Self::is_operation(user)
                    && user.parent() == original.parent()
                    && leaves(original.ty()).len() == 1
                    && !self.has_slot(original)
            }
            _ => false,
        }
    }

    fn grow(&self, tree: &mut Tree, node: Value) {
        let is_call = node.opcode() == LLVMOpcode::LLVMCall;
        let n_operands = if is_call { node.arguments().len() as u32 } else { node.n_operands() };
        for operand in (0..n_operands).map(|i| node.operand(i)) {
            if self.inner.contains(&operand) {
                self.grow(tree, operand);
                continue;
            }
            if operand.is_zero() || operand.as_constant().is_some() {
                let _ = write!(tree.shape, "={:?}:{} ", operand.as_constant(), operand.ty().text());
                continue;
            }
            let index = tree.leaves.iter().position(|(leaf, _)| *leaf == operand).unwrap_or_else(|| {
                tree.leaves.push((operand, !self.shadow_of(operand).is_zero()));
                tree.leaves.len() - 1
            });
            let _ =
                write!(tree.shape, "{index}{}:{} ", if tree.leaves[index].1 { "s" } else { "" }, operand.ty().text());
        }
        let _ = write!(tree.shape, "{:?}{}:{}", node.opcode(), n_operands, node.ty().text());
        let _ = match node.opcode() {
            LLVMOpcode::LLVMICmp => write!(tree.shape, "{:?}", node.int_predicate()),
            LLVMOpcode::LLVMFCmp => write!(tree.shape, "{:?}", node.real_predicate()),
            LLVMOpcode::LLVMGetElementPtr => write!(tree.shape, "{}", node.gep_source().text()),
            LLVMOpcode::LLVMCall => write!(tree.shape, "{}", node.called().name()),
            _ => Ok(()),
        };
        tree.shape.push('\n');
        tree.nodes.push(node);
    }

    fn tree_function(&mut self, tree: &Tree) -> Value {
        if let Some(function) = self.runtime.trees.get(&tree.shape) {
            return *function;
        }
        let root = *tree.nodes.last().expect("a tree has a root");
        let n_results = leaves(root.ty()).len();
        let result = if n_results == 1 { self.b().i32 } else { self.b().i64 };
        let n_symbolic = tree.leaves.iter().filter(|(_, symbolic)| *symbolic).count();
        let mut params: Vec<Type> = tree.leaves.iter().map(|(leaf, _)| leaf.ty()).collect();
        params.extend(std::iter::repeat_n(self.b().i32, n_symbolic));
        let name = format!("tine.tree.{}", self.runtime.trees.len());
        let function = self.module.add_function(&name, result.function(&params));
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        function.copy_machine(self.function);
        self.module.add_function_attribute(function, "noinline");
        self.runtime.trees.insert(tree.shape.clone(), function);

        let (values, shadows) = (function.params(), function.params().split_off(tree.leaves.len()));
        let [entry, fast, slow] = ["entry", "fast", "slow"].map(|name| self.b().block(function, name));
        self.b().at_end(entry);
        let b = self.b();
        let any = shadows.iter().copied().reduce(|x, y| b.or(x, y)).expect("one leaf has a shadow at least");
        b.branch_unlikely(b.not_equal(any, b.i32.constant(0)), slow, fast);
        b.at_end(fast);
        b.ret(Some(result.constant(0)));

        let mut next_shadow = shadows.into_iter();
        for (value, (_, symbolic)) in values.iter().zip(&tree.leaves) {
            if *symbolic {
                self.shadows.insert(*value, vec![next_shadow.next().expect("as many as counted")]);
            }
        }
        let mut copies: Vec<Value> = Vec::new();
        for node in &tree.nodes {
            let copy = node.copy_instruction();
            self.b().at_end(slow);
            self.b().insert(copy);
            copy.forget_location();
            for i in 0..node.n_operands() {
                let operand = node.operand(i);
                if let Some(leaf) = tree.leaves.iter().position(|(leaf, _)| *leaf == operand) {
                    copy.set_operand(i, values[leaf]);
                } else if let Some(inner) = tree.nodes[..copies.len()].iter().position(|other| *other == operand) {
                    copy.set_operand(i, copies[inner]);
                }
            }
            self.visit(copy);
            copies.push(copy);
        }
        self.b().at_end(slow);
        let shadows = self.shadows_of(*copies.last().expect("a tree has a root"));
        let b = self.b();
        let packed = shadows.into_iter().enumerate().map(|(k, shadow)| {
            let wide = b.resize(shadow, result);
            if k == 0 { wide } else { b.binary(LLVMOpcode::LLVMShl, wide, result.constant(32)) }
        });
        let packed = packed.reduce(|x, y| b.or(x, y)).expect("one or two results");
        b.ret(Some(packed));
        function
    }
}
