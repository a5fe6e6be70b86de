//! Atomic operations, as executed by a single thread: a load, an operation, a store.

use llvm_sys::LLVMAtomicRMWBinOp;
use tine_trace::entry::Composite;
use tine_trace::op::Op;

use super::{Operand, Walk};
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, Value};

impl Walk<'_, '_> {
    pub(super) fn visit_rmw(&mut self, instruction: Value) {
        use LLVMAtomicRMWBinOp::*;
        let (pointer, operand) = (instruction.operand(0), self.operand(instruction.operand(1)));
        self.check_atomic(instruction, pointer, instruction.operand(1));
        self.concretise_address(instruction, pointer);
        let Some(leaf) = Self::scalar(instruction) else {
            return self.lose_operands(instruction, "atomic operation");
        };
        self.b().after(instruction);
        let address = self.bits(pointer);
        // The cells still describe the old value, which the instruction returns.
        let old = Operand { value: instruction, shadow: self.load_scalar(address, instruction, leaf.bits) };
        let simple = |opcode, op| (Some((opcode, op)), None, false);
        let chosen = |predicate, composite| (None, Some((predicate, composite)), false);
        let (direct, choice, inverted) = match instruction.rmw_operation() {
            LLVMAtomicRMWBinOpXchg => (None, None, false),
            LLVMAtomicRMWBinOpAdd => simple(LLVMOpcode::LLVMAdd, Op::Add),
            LLVMAtomicRMWBinOpSub => simple(LLVMOpcode::LLVMSub, Op::Sub),
            LLVMAtomicRMWBinOpAnd => simple(LLVMOpcode::LLVMAnd, Op::And),
            LLVMAtomicRMWBinOpNand => (Some((LLVMOpcode::LLVMAnd, Op::And)), None, true),
            LLVMAtomicRMWBinOpOr => simple(LLVMOpcode::LLVMOr, Op::Or),
            LLVMAtomicRMWBinOpXor => simple(LLVMOpcode::LLVMXor, Op::Xor),
            LLVMAtomicRMWBinOpFAdd => simple(LLVMOpcode::LLVMFAdd, Op::FAdd),
            LLVMAtomicRMWBinOpFSub => simple(LLVMOpcode::LLVMFSub, Op::FSub),
            LLVMAtomicRMWBinOpMax => chosen(LLVMIntPredicate::LLVMIntSGT, Composite::SMax),
            LLVMAtomicRMWBinOpMin => chosen(LLVMIntPredicate::LLVMIntSLT, Composite::SMin),
            LLVMAtomicRMWBinOpUMax => chosen(LLVMIntPredicate::LLVMIntUGT, Composite::UMax),
            LLVMAtomicRMWBinOpUMin => chosen(LLVMIntPredicate::LLVMIntULT, Composite::UMin),
            _ => {
                self.store_scalar(address, self.zero(), instruction, leaf.bits);
                return self.lose_operands(instruction, "atomic operation");
            }
        };
        let mut new = operand;
        if let Some((opcode, op)) = direct {
            let value = self.b().binary(opcode, old.value, operand.value);
            new = Operand { value, shadow: self.binary(op, leaf.bits, old, operand, value) };
            if inverted {
                let ones = value.ty().constant_wide(u128::MAX);
                let value = self.b().binary(LLVMOpcode::LLVMXor, value, ones);
                new = Operand { value, shadow: self.unary(Op::Not, leaf.bits, 0, new.shadow, value) };
            }
        } else if let Some((predicate, composite)) = choice {
            let first = self.b().icmp(predicate, old.value, operand.value);
            let value = self.b().select(first, old.value, operand.value);
            new = Operand { value, shadow: self.composite(composite, leaf.bits, &[old, operand], value) };
        }
        self.store_scalar(address, new.shadow, new.value, leaf.bits);
        self.set(instruction, old.shadow);
    }

    pub(super) fn visit_compare_exchange(&mut self, instruction: Value) {
        let (pointer, expected, new) =
            (instruction.operand(0), self.operand(instruction.operand(1)), self.operand(instruction.operand(2)));
        self.check_atomic(instruction, pointer, new.value);
        self.concretise_address(instruction, pointer);
        let Some(leaf) = Self::scalar(new.value) else {
            return self.lose_operands(instruction, "atomic exchange");
        };
        self.b().after(instruction);
        let address = self.bits(pointer);
        let (value, success) = (self.b().extract(instruction, 0), self.b().extract(instruction, 1));
        let old = Operand { value, shadow: self.load_scalar(address, value, leaf.bits) };
        let equal = self.binary(Op::Eq, leaf.bits, old, expected, success);
        let success = Operand { value: success, shadow: equal };
        let stored = self.b().select(success.value, new.value, old.value);
        let shadow = self.select(leaf.bits, success, new, old, stored);
        self.store_scalar(address, shadow, stored, leaf.bits);
        self.shadows.insert(instruction, vec![old.shadow, equal]);
    }
}
