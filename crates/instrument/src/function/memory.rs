//! Loads, stores, allocations on the stack.

use llvm_sys::LLVMTypeKind;
use tine_trace::event::PinReason;
use tine_trace::map::SiteKind;
use tine_trace::op::Op;

use super::{Walk, is_aggregate};
use crate::leaf::leaves;
use crate::llvm::{LLVMOpcode, Type, Value};

/// Stack objects up to this size are checked in line when they come to life.
const SMALL_OBJECT: u64 = 16;

impl Walk<'_, '_> {
    /// What an earlier frame left in the shadow is not this object's.
    pub(super) fn visit_alloca(&mut self, instruction: Value) {
        let element = self.module.alloc_size(instruction.allocated());
        let count = instruction.operand(0);
        let known = count.as_constant().map(|count| count * element);
        if known == Some(0) {
            return;
        }
        let shadow = self.shadow_of(count);
        self.b().before(instruction);
        self.pin(instruction, SiteKind::Access, shadow, PinReason::Length);
        self.b().after(instruction);
        let address = self.bits(instruction);
        match known {
            Some(size) if size <= SMALL_OBJECT => {
                let guard = self.runtime.store_guard(size as u32);
                let zero = self.zero();
                self.b().call(guard, &[address, zero]);
            }
            _ => {
                let clear = self.runtime.entry("clear");
                let b = self.b();
                let count = b.resize(count, b.i64);
                let len = b.binary(LLVMOpcode::LLVMMul, count, b.i64.constant(element));
                b.call(clear, &[address, len]);
            }
        }
    }

    pub(super) fn visit_load(&mut self, instruction: Value) {
        let pointer = instruction.operand(0);
        self.pin_address(instruction, pointer);
        self.b().after(instruction);
        let shadows = self.load_leaves(instruction, self.bits(pointer), instruction);
        if shadows.iter().any(|shadow| !shadow.is_zero()) {
            self.shadows.insert(instruction, shadows);
        }
    }

    pub(super) fn visit_store(&mut self, instruction: Value) {
        let (value, pointer) = (instruction.operand(0), instruction.operand(1));
        self.pin_address(instruction, pointer);
        self.b().after(instruction);
        let address = self.bits(pointer);
        let shadows = self.shadows_of(value);
        self.store_leaves(value.ty(), address, 0, &shadows, &mut 0, value);
    }

    /// Addresses that depend on inputs are pinned to what they are.
    pub(super) fn pin_address(&mut self, instruction: Value, pointer: Value) {
        let shadow = self.shadow_of(pointer);
        if !shadow.is_zero() {
            self.b().before(instruction);
            self.pin(instruction, SiteKind::Access, shadow, PinReason::Address);
        }
    }

    /// Shadows of the leaves of `value`, just read from `address`.
    pub(super) fn load_leaves(&mut self, instruction: Value, address: Value, value: Value) -> Vec<Value> {
        if !is_aggregate(value) {
            return match Self::scalar(value) {
                Some(leaf) => vec![self.load_scalar(address, value, leaf.bits)],
                None => {
                    self.lose_memory(instruction, address, value.ty());
                    vec![self.zero()]
                }
            };
        }
        let elements: Vec<(u32, u64)> = self.elements(value.ty());
        let mut shadows = Vec::new();
        for (index, offset) in elements {
            let part = self.b().extract(value, index);
            let at = self.b().add(address, self.b().i64.constant(offset));
            shadows.extend(self.load_leaves(instruction, at, part));
        }
        shadows.truncate(leaves(value.ty()).len());
        shadows
    }

    /// Shadow of a scalar of `bits` bits read from `address`.
    pub(super) fn load_scalar(&mut self, address: Value, value: Value, bits: u32) -> Value {
        let size = bits.div_ceil(8);
        let guard = self.runtime.load_guard(size);
        let b = self.b();
        let (lo, hi) = if bits <= 64 {
            (self.bits64(value), b.i64.constant(0))
        } else {
            let wide = self.bits128(value);
            let high = b.binary(LLVMOpcode::LLVMLShr, wide, b.i128.constant(64));
            (b.resize(wide, b.i64), b.resize(high, b.i64))
        };
        let whole = b.call(guard, &[address, lo, hi]);
        if bits.is_multiple_of(8) { whole } else { self.unary(Op::Extract, bits, 0, whole, value) }
    }

    /// Elements of an aggregate type: index and byte offset.
    fn elements(&self, ty: Type) -> Vec<(u32, u64)> {
        if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
            let count = ty.struct_elements().len() as u32;
            (0..count).map(|i| (i, self.module.element_offset(ty, i))).collect()
        } else {
            let size = self.module.alloc_size(ty.element());
            (0..ty.n_elements() as u32).map(|i| (i, i as u64 * size)).collect()
        }
    }

    /// Writes the shadows of a value of type `ty` that was stored at `address` + `offset`.
    fn store_leaves(
        &mut self,
        ty: Type,
        address: Value,
        offset: u64,
        shadows: &[Value],
        next: &mut usize,
        value: Value,
    ) {
        if ty.is_aggregate() {
            let elements = if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                ty.struct_elements()
            } else {
                vec![ty.element(); ty.n_elements() as usize]
            };
            for ((index, at), element) in self.elements(ty).into_iter().zip(elements) {
                let part = self.b().extract(value, index);
                self.store_leaves(element, address, offset + at, shadows, next, part);
            }
            return;
        }
        let shadow = shadows.get(*next).copied().unwrap_or_else(|| self.zero());
        *next += 1;
        let at = if offset == 0 { address } else { self.b().add(address, self.b().i64.constant(offset)) };
        match leaves(ty).first().filter(|leaf| leaf.is_supported()) {
            Some(leaf) => self.store_scalar(at, shadow, value, leaf.bits),
            None => {
                let clear = self.runtime.entry("clear");
                let len = self.b().i64.constant(self.module.store_size(ty));
                self.b().call(clear, &[at, len]);
            }
        }
    }

    /// Writes the shadow of a scalar of `bits` bits at `address`.
    pub(super) fn store_scalar(&mut self, address: Value, shadow: Value, value: Value, bits: u32) {
        let size = bits.div_ceil(8);
        // Bytes are what memory holds: odd widths are stored zero-extended.
        let shadow = if bits.is_multiple_of(8) {
            shadow
        } else {
            let wide = self.b().resize(value, self.b().int(size * 8));
            self.unary(Op::ZExt, size * 8, 0, shadow, wide)
        };
        let guard = self.runtime.store_guard(size);
        self.b().call(guard, &[address, shadow]);
    }

    /// A vector or `long double` was read: what was symbolic there is lost, and said to be.
    fn lose_memory(&mut self, instruction: Value, address: Value, ty: Type) {
        let len = self.module.store_size(ty);
        if len == 0 || len > 16 {
            return;
        }
        let guard = self.runtime.load_guard(len as u32);
        let b = self.b();
        let at = b.cast(LLVMOpcode::LLVMIntToPtr, address, b.ptr);
        let whole = b.resize(b.load(b.int(len as u32 * 8), at, 1), b.i128);
        let high = b.resize(b.binary(LLVMOpcode::LLVMLShr, whole, b.i128.constant(64)), b.i64);
        let low = b.resize(whole, b.i64);
        let shadow = b.call(guard, &[address, low, high]);
        let site = self.site(SiteKind::Operation, instruction, "load of a vector or long double");
        self.note(site, shadow, tine_trace::event::NoteKind::Unsupported);
    }
}
