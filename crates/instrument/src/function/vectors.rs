//! Vectors that are built, split, copied and passed: two floats of a structure are passed in one register. Operations
//! on vectors have been replaced by operations on their elements (`pipeline::PREPARE`). The results of remaining ones,
//! as intrinsics, are concrete.

use llvm_sys::LLVMTypeKind;
use tine_trace::op::Op;

use super::{Operand, Walk};
use crate::leaf::leaves;
use crate::llvm::{LLVMOpcode, Value};

impl Walk<'_, '_> {
    pub(super) fn visit_extract_element(&mut self, instruction: Value) {
        let vector = instruction.operand(0);
        let shadows = self.shadows_of(vector);
        match instruction.operand(1).as_constant().and_then(|index| shadows.get(index as usize)) {
            Some(shadow) => self.set(instruction, *shadow),
            None => self.lose_operands(instruction, "element of a vector"),
        }
    }

    pub(super) fn visit_insert_element(&mut self, instruction: Value) {
        let mut shadows = self.shadows_of(instruction.operand(0));
        let element = self.shadow_of(instruction.operand(1));
        match instruction.operand(2).as_constant().and_then(|index| shadows.get_mut(index as usize)) {
            Some(shadow) => *shadow = element,
            None => return self.lose_operands(instruction, "element of a vector"),
        }
        self.shadows.insert(instruction, shadows);
    }

    pub(super) fn visit_shuffle(&mut self, instruction: Value) {
        let (a, b) = (self.shadows_of(instruction.operand(0)), self.shadows_of(instruction.operand(1)));
        let both: Vec<Value> = a.into_iter().chain(b).collect();
        let chosen = instruction.shuffle_mask().into_iter();
        let shadows = chosen.map(|k| both.get(k as usize).copied().unwrap_or_else(|| self.zero())).collect();
        self.shadows.insert(instruction, shadows);
    }

    /// A bit cast between a vector and a scalar, or between vectors: goes through an integer with all the bits.
    pub(super) fn visit_vector_cast(&mut self, instruction: Value) {
        let source = instruction.operand(0);
        if self.shadows_of(source).iter().all(|shadow| shadow.is_zero()) {
            return;
        }
        let (from, to) = (leaves(source.ty()), leaves(instruction.ty()));
        let total: u32 = from.iter().map(|leaf| leaf.bits).sum();
        let supported = from.iter().chain(&to).all(|leaf| leaf.is_supported());
        if !supported || total > 128 || to.iter().map(|leaf| leaf.bits).sum::<u32>() != total {
            return self.lose_operands(instruction, "conversion of a vector or long double");
        }
        self.b().after(instruction);
        let whole = self.join(source, total);
        let mut shadows = Vec::new();
        let mut low = 0;
        for leaf in to {
            let part = if leaf.bits == total {
                whole.shadow
            } else {
                let amount = whole.value.ty().constant(low as u64);
                let shifted = self.b().binary(LLVMOpcode::LLVMLShr, whole.value, amount);
                let value = self.b().resize(shifted, self.b().int(leaf.bits));
                self.unary(Op::Extract, leaf.bits, low, whole.shadow, value)
            };
            shadows.push(part);
            low += leaf.bits;
        }
        self.shadows.insert(instruction, shadows);
    }

    /// All elements as one integer of `total` bits, the first lowest.
    fn join(&mut self, source: Value, total: u32) -> Operand {
        let shadows = self.shadows_of(source);
        let whole_type = self.b().int(total);
        if !source.ty().is_vector() {
            return Operand { value: self.b().resize(self.bits(source), whole_type), shadow: shadows[0] };
        }
        let mut joined: Option<(Operand, u32)> = None;
        for (k, shadow) in shadows.into_iter().enumerate() {
            let element = self.b().extract(source, k as u32);
            let bits = self.bits(element);
            let width = bits.ty().int_width();
            let high = Operand { value: bits, shadow };
            joined = Some(match joined {
                None => (high, width),
                Some((low, low_width)) => {
                    let both = low_width + width;
                    let ty = self.b().int(both);
                    let raised = self.b().resize(high.value, ty);
                    let raised = self.b().binary(LLVMOpcode::LLVMShl, raised, ty.constant(low_width as u64));
                    let value = self.b().or(raised, self.b().resize(low.value, ty));
                    let shadow = self.concat(both, high, low, value);
                    (Operand { value, shadow }, both)
                }
            });
        }
        let (whole, _) = joined.expect("a vector has elements");
        Operand { value: self.b().resize(whole.value, whole_type), shadow: whole.shadow }
    }

    /// Shadow of `high` above `low`, written with shifts; `value` is the result.
    fn concat(&mut self, width: u32, high: Operand, low: Operand, value: Value) -> Value {
        let ty = self.b().int(width);
        let low_width = low.value.ty().int_width();
        let extended = |this: &mut Self, part: Operand| {
            let value = this.b().resize(part.value, ty);
            Operand { value, shadow: this.unary(Op::ZExt, width, 0, part.shadow, value) }
        };
        let (high, low) = (extended(self, high), extended(self, low));
        let amount = self.operand(ty.constant(low_width as u64));
        let raised = self.b().binary(LLVMOpcode::LLVMShl, high.value, amount.value);
        let raised = Operand { value: raised, shadow: self.binary(Op::Shl, width, high, amount, raised) };
        self.binary(Op::Or, width, raised, low, value)
    }
}

/// True if a cast has a vector on either side.
pub(super) fn is_vector_cast(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMBitCast
        && [instruction, instruction.operand(0)].iter().any(|v| v.ty().kind() == LLVMTypeKind::LLVMVectorTypeKind)
}
