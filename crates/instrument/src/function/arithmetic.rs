//! Arithmetic, comparisons, casts, selects and address computation.

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::{Composite, pack, pack_composite};
use tine_trace::op::Op;

use super::vectors::is_vector_cast;
use super::{Operand, Walk, is_aggregate};
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, Value};

impl Walk<'_, '_> {
    pub(super) fn visit_binary(&mut self, instruction: Value) {
        let Some(leaf) = Self::scalar(instruction) else {
            return self.lose_operands(instruction, "vector or wide arithmetic");
        };
        let op = match instruction.opcode() {
            LLVMOpcode::LLVMAdd => Op::Add,
            LLVMOpcode::LLVMSub => Op::Sub,
            LLVMOpcode::LLVMMul => Op::Mul,
            LLVMOpcode::LLVMUDiv => Op::UDiv,
            LLVMOpcode::LLVMSDiv => Op::SDiv,
            LLVMOpcode::LLVMURem => Op::URem,
            LLVMOpcode::LLVMSRem => Op::SRem,
            LLVMOpcode::LLVMAnd => Op::And,
            LLVMOpcode::LLVMOr => Op::Or,
            LLVMOpcode::LLVMXor => Op::Xor,
            LLVMOpcode::LLVMFAdd => Op::FAdd,
            LLVMOpcode::LLVMFSub => Op::FSub,
            LLVMOpcode::LLVMFMul => Op::FMul,
            LLVMOpcode::LLVMFDiv => Op::FDiv,
            LLVMOpcode::LLVMFRem => Op::FRem,
            other => unreachable!("{other:?} is not a binary operation"),
        };
        let (a, b) = (self.operand(instruction.operand(0)), self.operand(instruction.operand(1)));
        self.b().after(instruction);
        let shadow = self.binary(op, leaf.bits, a, b, instruction);
        self.set(instruction, shadow);
    }

    /// Shifts by more than the width are undefined in C and LLVM. The machine takes the amount modulo the width, and so
    /// do the instrumented value and the expression.
    pub(super) fn visit_shift(&mut self, instruction: Value) {
        let Some(leaf) = Self::scalar(instruction) else {
            return self.lose_operands(instruction, "vector or wide shift");
        };
        let op = match instruction.opcode() {
            LLVMOpcode::LLVMShl => Op::Shl,
            LLVMOpcode::LLVMLShr => Op::LShr,
            _ => Op::AShr,
        };
        let value = self.operand(instruction.operand(0));
        let mut amount = self.operand(instruction.operand(1));
        if amount.value.as_constant().is_none_or(|constant| constant >= leaf.bits as u64) {
            self.b().before(instruction);
            let (opcode, how, bound) = if leaf.bits.is_power_of_two() {
                (LLVMOpcode::LLVMAnd, Op::And, leaf.bits - 1)
            } else {
                (LLVMOpcode::LLVMURem, Op::URem, leaf.bits)
            };
            let bound = self.operand(amount.value.ty().constant(bound as u64));
            let reduced = self.b().binary(opcode, amount.value, bound.value);
            let shadow = self.binary(how, leaf.bits, amount, bound, reduced);
            instruction.set_operand(1, reduced);
            amount = Operand { value: reduced, shadow };
        }
        self.b().after(instruction);
        let shadow = self.binary(op, leaf.bits, value, amount, instruction);
        self.set(instruction, shadow);
    }

    pub(super) fn visit_negation(&mut self, instruction: Value) {
        let Some(leaf) = Self::scalar(instruction) else {
            return self.lose_operands(instruction, "negation of a vector or long double");
        };
        let a = self.operand(instruction.operand(0));
        self.b().after(instruction);
        let shadow = self.unary(Op::FNeg, leaf.bits, 0, a.shadow, instruction);
        self.set(instruction, shadow);
    }

    pub(super) fn visit_int_compare(&mut self, instruction: Value) {
        use LLVMIntPredicate::*;
        let (a, b) = (self.operand(instruction.operand(0)), self.operand(instruction.operand(1)));
        let Some(leaf) = Self::scalar(a.value) else {
            return self.lose_operands(instruction, "comparison of vectors");
        };
        let (op, a, b, negated) = match instruction.int_predicate() {
            LLVMIntEQ => (Op::Eq, a, b, false),
            LLVMIntNE => (Op::Eq, a, b, true),
            LLVMIntULT => (Op::Ult, a, b, false),
            LLVMIntULE => (Op::Ule, a, b, false),
            LLVMIntUGT => (Op::Ult, b, a, false),
            LLVMIntUGE => (Op::Ule, b, a, false),
            LLVMIntSLT => (Op::Slt, a, b, false),
            LLVMIntSLE => (Op::Sle, a, b, false),
            LLVMIntSGT => (Op::Slt, b, a, false),
            LLVMIntSGE => (Op::Sle, b, a, false),
        };
        self.b().after(instruction);
        let shadow = if !negated {
            self.binary(op, leaf.bits, a, b, instruction)
        } else if leaf.bits <= 64 {
            self.negated(op, leaf.bits, a, b, instruction)
        } else {
            let positive = self.b().binary(LLVMOpcode::LLVMXor, instruction, self.b().i1.constant(1));
            let predicate = self.binary(op, leaf.bits, a, b, positive);
            self.unary(Op::Not, 1, 0, predicate, instruction)
        };
        self.set(instruction, shadow);
    }

    pub(super) fn visit_float_compare(&mut self, instruction: Value) {
        use LLVMRealPredicate::*;
        let (a, b) = (self.operand(instruction.operand(0)), self.operand(instruction.operand(1)));
        let Some(leaf) = Self::scalar(a.value) else {
            return self.lose_operands(instruction, "comparison of vectors or long doubles");
        };
        enum How {
            Direct(Op),
            Composite(Composite),
        }
        let (how, a, b) = match instruction.real_predicate() {
            LLVMRealPredicateFalse | LLVMRealPredicateTrue => return,
            LLVMRealOEQ => (How::Direct(Op::FEq), a, b),
            LLVMRealOLT => (How::Direct(Op::FLt), a, b),
            LLVMRealOLE => (How::Direct(Op::FLe), a, b),
            LLVMRealOGT => (How::Direct(Op::FLt), b, a),
            LLVMRealOGE => (How::Direct(Op::FLe), b, a),
            LLVMRealONE => (How::Composite(Composite::FOne), a, b),
            LLVMRealORD => (How::Composite(Composite::FOrd), a, b),
            LLVMRealUNO => (How::Composite(Composite::FUno), a, b),
            LLVMRealUEQ => (How::Composite(Composite::FUeq), a, b),
            LLVMRealUNE => (How::Composite(Composite::FUne), a, b),
            LLVMRealULT => (How::Composite(Composite::FUlt), a, b),
            LLVMRealULE => (How::Composite(Composite::FUle), a, b),
            LLVMRealUGT => (How::Composite(Composite::FUlt), b, a),
            LLVMRealUGE => (How::Composite(Composite::FUle), b, a),
        };
        self.b().after(instruction);
        let shadow = match how {
            How::Direct(op) => self.binary(op, leaf.bits, a, b, instruction),
            How::Composite(composite) => self.composite(composite, leaf.bits, &[a, b], instruction),
        };
        self.set(instruction, shadow);
    }

    pub(super) fn visit_cast(&mut self, instruction: Value) {
        if is_vector_cast(instruction) {
            return self.visit_vector_cast(instruction);
        }
        let source = instruction.operand(0);
        let (Some(from), Some(to)) = (Self::scalar(source), Self::scalar(instruction)) else {
            return self.lose_operands(instruction, "conversion of a vector or long double");
        };
        let shadow = self.shadow_of(source);
        if shadow.is_zero() {
            return;
        }
        self.b().after(instruction);
        let resized = |this: &mut Self| match to.bits.cmp(&from.bits) {
            std::cmp::Ordering::Equal => shadow,
            std::cmp::Ordering::Less => this.unary(Op::Extract, to.bits, 0, shadow, instruction),
            std::cmp::Ordering::Greater => this.unary(Op::ZExt, to.bits, 0, shadow, instruction),
        };
        let result = match instruction.opcode() {
            LLVMOpcode::LLVMSExt => self.unary(Op::SExt, to.bits, 0, shadow, instruction),
            LLVMOpcode::LLVMFPTrunc | LLVMOpcode::LLVMFPExt => self.unary(Op::FToF, to.bits, 0, shadow, instruction),
            LLVMOpcode::LLVMFPToSI => self.unary(Op::FToS, to.bits, 0, shadow, instruction),
            LLVMOpcode::LLVMFPToUI => self.unary(Op::FToU, to.bits, 0, shadow, instruction),
            LLVMOpcode::LLVMSIToFP => self.unary(Op::SToF, to.bits, 0, shadow, instruction),
            LLVMOpcode::LLVMUIToFP => self.unary(Op::UToF, to.bits, 0, shadow, instruction),
            // trunc, zext, ptrtoint, inttoptr, bitcast
            _ => resized(self),
        };
        self.set(instruction, result);
    }

    pub(super) fn visit_select(&mut self, instruction: Value) {
        let condition = self.operand(instruction.operand(0));
        let (yes, no) = (instruction.operand(1), instruction.operand(2));
        if condition.value.ty().kind() != LLVMTypeKind::LLVMIntegerTypeKind {
            return self.lose_operands(instruction, "select by a vector");
        }
        self.b().after(instruction);
        if is_aggregate(instruction) {
            // The condition is not recorded for the parts of an aggregate.
            let shadows = self.shadows_of(yes).into_iter().zip(self.shadows_of(no));
            let chosen = shadows.map(|(y, n)| self.b().select(condition.value, y, n)).collect();
            self.shadows.insert(instruction, chosen);
            return self.lose(instruction, &[condition.value], "select of an aggregate");
        }
        let Some(leaf) = Self::scalar(instruction) else {
            return self.lose_operands(instruction, "select of vectors or long doubles");
        };
        let shadow = self.select(leaf.bits, condition, self.operand(yes), self.operand(no), instruction);
        self.set(instruction, shadow);
    }

    /// `getelementptr`: base + Σ index × size, with the shadow of each index that may have one.
    pub(super) fn visit_address(&mut self, instruction: Value) {
        let base = instruction.operand(0);
        if Self::scalar(instruction).is_none() {
            return self.lose_operands(instruction, "addresses in a vector");
        }
        let indices: Vec<Value> = (1..instruction.n_operands()).map(|i| instruction.operand(i)).collect();
        let mut shadow = self.shadow_of(base);
        if shadow.is_zero() && indices.iter().all(|index| self.shadow_of(*index).is_zero()) {
            return;
        }
        self.b().after(instruction);
        let guard = self.runtime.address_guard();
        let mut address = self.bits(base);
        let mut ty = instruction.gep_source();
        let mut constant: i64 = 0;
        for (k, index) in indices.iter().enumerate() {
            let scale = if k == 0 {
                self.module.alloc_size(ty)
            } else if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                let field = index.as_constant().expect("fields have constant numbers") as u32;
                constant += self.module.element_offset(ty, field) as i64;
                ty = ty.struct_elements()[field as usize];
                continue;
            } else {
                ty = ty.element();
                self.module.alloc_size(ty)
            };
            if let Some(known) = index.as_signed_constant() {
                constant += known.wrapping_mul(scale as i64);
                continue;
            }
            let width = index.ty().int_width();
            let b = self.b();
            let wide = match width.cmp(&64) {
                std::cmp::Ordering::Less => b.cast(LLVMOpcode::LLVMSExt, *index, b.i64),
                _ => b.resize(*index, b.i64),
            };
            let scale = b.i64.constant(scale);
            let arguments =
                [shadow, self.shadow_of(*index), address, wide, b.i32.constant(width.min(64) as u64), scale];
            shadow = b.call(guard, &arguments);
            address = b.add(address, b.binary(LLVMOpcode::LLVMMul, wide, scale));
        }
        if constant != 0 {
            let b = self.b();
            let (zero, one) = (self.zero(), b.i64.constant(1));
            let constant = b.i64.constant(constant as u64);
            shadow = b.call(guard, &[shadow, zero, address, constant, b.i32.constant(64), one]);
        }
        self.set(instruction, shadow);
    }

    /// Shadow of `op(a, b)`, whose machine result is `result`. The builder is positioned after it.
    pub(super) fn binary(&mut self, op: Op, width: u32, a: Operand, b: Operand, result: Value) -> Value {
        if a.shadow.is_zero() && b.shadow.is_zero() {
            return self.zero();
        }
        let packed = self.b().i32.constant(pack(op, width) as u64);
        if width <= 64 {
            let guard = self.runtime.guard("binary");
            let values = [self.bits64(a.value), self.bits64(b.value), self.bits64(result)];
            self.b().call(guard, &[packed, a.shadow, b.shadow, values[0], values[1], values[2]])
        } else {
            let guard = self.runtime.wide_guard("binary_wide", 3);
            let values = [self.bits128(a.value), self.bits128(b.value), self.bits128(result)];
            self.b().call(guard, &[packed, a.shadow, b.shadow, values[0], values[1], values[2]])
        }
    }

    /// Shadow of the negation of a predicate; `result` is the negated one.
    fn negated(&mut self, op: Op, width: u32, a: Operand, b: Operand, result: Value) -> Value {
        if a.shadow.is_zero() && b.shadow.is_zero() {
            return self.zero();
        }
        let guard = self.runtime.negated_guard();
        let packed = self.b().i32.constant(pack(op, width) as u64);
        let values = [self.bits64(a.value), self.bits64(b.value), self.bits64(result)];
        self.b().call(guard, &[packed, a.shadow, b.shadow, values[0], values[1], values[2]])
    }

    /// Shadow of a one-operand operation of result width `width`.
    pub(super) fn unary(&mut self, op: Op, width: u32, immediate: u32, shadow: Value, result: Value) -> Value {
        if shadow.is_zero() {
            return shadow;
        }
        let packed = self.b().i32.constant(pack(op, width) as u64);
        let immediate = self.b().i32.constant(immediate as u64);
        if width <= 64 {
            let guard = self.runtime.guard("unary");
            let value = self.bits64(result);
            self.b().call(guard, &[packed, immediate, shadow, value])
        } else {
            let guard = self.runtime.wide_guard("unary_wide", 1);
            let value = self.bits128(result);
            self.b().call(guard, &[packed, immediate, shadow, value])
        }
    }

    /// Shadow of `condition ? yes : no`.
    pub(super) fn select(&mut self, width: u32, condition: Operand, yes: Operand, no: Operand, result: Value) -> Value {
        if [condition, yes, no].iter().all(|operand| operand.shadow.is_zero()) {
            return self.zero();
        }
        let wide = width > 64;
        let guard = self.runtime.select_guard(wide);
        let bits = |value| if wide { self.bits128(value) } else { self.bits64(value) };
        let (y, n, r) = (bits(yes.value), bits(no.value), bits(result));
        let width = self.b().i32.constant(width as u64);
        self.b().call(guard, &[width, condition.shadow, yes.shadow, no.shadow, condition.value, y, n, r])
    }

    /// Shadow of a composite of up to three operands of width `width`.
    pub(super) fn composite(&mut self, what: Composite, width: u32, operands: &[Operand], result: Value) -> Value {
        if operands.iter().all(|operand| operand.shadow.is_zero()) {
            return self.zero();
        }
        let guard = self.runtime.wide_guard("compose", 4);
        let mut arguments = vec![self.b().i32.constant(pack_composite(what, width) as u64)];
        let zero = self.zero();
        arguments.extend((0..3).map(|k| operands.get(k).map_or(zero, |operand| operand.shadow)));
        for k in 0..3 {
            let value = operands.get(k).map(|operand| self.bits128(operand.value));
            arguments.push(value.unwrap_or_else(|| self.b().i128.constant(0)));
        }
        let result = self.bits128(result);
        arguments.push(result);
        self.b().call(guard, &arguments)
    }
}
