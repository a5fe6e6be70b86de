//! Loads, stores, allocations on the stack.

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::ACCESS_WRITES;
use tine_trace::event::PinReason;
use tine_trace::map::SiteKind;
use tine_trace::op::Op;

use super::{Walk, is_aggregate};
use crate::leaf::{Leaf, leaves};
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, Type, Value};
use crate::names;

/// The runtime's map of the stack tells objects apart that are so far from each other.
const PLACE_ALIGNMENT: u32 = 16;
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
        let pointed_to = is_pointed_to(instruction);
        self.b().before(instruction);
        self.pin(instruction, SiteKind::Access, shadow, PinReason::Length);
        self.b().after(instruction);
        let address = self.bits(instruction);
        // What addresses can be computed into says where it is: arrays, structures, and what pointers point to.
        let is_place = instruction.allocated().is_aggregate() || known.is_none() || pointed_to;
        if is_place {
            instruction.raise_alignment(PLACE_ALIGNMENT);
        }
        match known {
            Some(size) if size <= SMALL_OBJECT && !is_place => {
                let guard = self.runtime.store_guard(size as u32);
                let zero = self.zero();
                self.b().call(guard, &[address, zero]);
            }
            _ => {
                let clear = self.runtime.entry(if is_place { "stack_object" } else { "clear" });
                let b = self.b();
                let count = b.resize(count, b.i64);
                let len = b.binary(LLVMOpcode::LLVMMul, count, b.i64.constant(element));
                b.call(clear, &[address, len]);
            }
        }
    }

    pub(super) fn visit_load(&mut self, instruction: Value) {
        let pointer = instruction.operand(0);
        let leaf = Self::scalar(instruction);
        let pointer_shadow = self.begin_access(instruction, pointer, bytes(leaf), 0);
        self.b().after(instruction);
        let mut shadows = self.load_leaves(instruction, self.bits(pointer), instruction);
        if let (Some(pointer), Some(leaf)) = (pointer_shadow, leaf) {
            shadows = vec![self.read(pointer, shadows[0], instruction, leaf.bits)];
        }
        if shadows.iter().any(|shadow| !shadow.is_zero()) {
            self.shadows.insert(instruction, shadows);
        }
    }

    pub(super) fn visit_store(&mut self, instruction: Value) {
        let (value, pointer) = (instruction.operand(0), instruction.operand(1));
        let leaf = Self::scalar(value);
        let pointer_shadow = self.begin_access(instruction, pointer, bytes(leaf), ACCESS_WRITES);
        self.b().after(instruction);
        let address = self.bits(pointer);
        let shadows = self.shadows_of(value);
        self.store_leaves(value.ty(), address, 0, &shadows, &mut 0, value);
        if let (Some(pointer), Some(leaf)) = (pointer_shadow, leaf) {
            self.wrote(pointer, shadows.first().copied(), value, leaf.bits);
        }
    }

    /// Before a load or store: where an address that depends on inputs leads is a decision. Gives the address's shadow, if it
    /// may have one and the access is of one value, or otherwise of a known `size`; if it is not, the address is pinned.
    pub(super) fn begin_access(
        &mut self,
        instruction: Value,
        pointer: Value,
        size: Option<u32>,
        flags: u32,
    ) -> Option<Value> {
        let shadow = self.shadow_of(pointer);
        if shadow.is_zero() {
            return None;
        }
        let Some(size) = size else {
            self.pin_address(instruction, pointer);
            return None;
        };
        let size = self.b().i32.constant(u64::from(size));
        self.begin_access_of(instruction, pointer, size, flags);
        Some(shadow)
    }

    /// The same for a size that may be known to the run only.
    pub(super) fn begin_access_of(&mut self, instruction: Value, pointer: Value, size: Value, flags: u32) {
        let shadow = self.shadow_of(pointer);
        if shadow.is_zero() {
            return;
        }
        self.b().before(instruction);
        let site = self.site(SiteKind::Access, instruction, "");
        let guard = self.runtime.guard("access");
        let address = self.bits(pointer);
        let b = self.b();
        let size = b.or(size, b.i32.constant(u64::from(flags)));
        b.call(guard, &[self.runtime.descriptor, b.i32.constant(site as u64), shadow, address, size]);
    }

    /// Behind a load of a value of `bits` bits whose shadow would be `loaded`.
    fn read(&mut self, pointer: Value, loaded: Value, value: Value, bits: u32) -> Value {
        let guard = self.runtime.guard("read");
        let (lo, hi) = self.halves(value, bits);
        let b = self.b();
        let read = b.call(guard, &[pointer, loaded, lo, hi]);
        let read = if bits.is_multiple_of(8) { read } else { self.unary(Op::Extract, bits, 0, read, value) };
        let b = self.b();
        b.select(b.icmp(LLVMIntPredicate::LLVMIntNE, pointer, b.i32.constant(0)), read, loaded)
    }

    /// Behind a store of a value of `bits` bits.
    fn wrote(&mut self, pointer: Value, shadow: Option<Value>, value: Value, bits: u32) {
        let guard = self.runtime.guard("wrote");
        let (lo, hi) = self.halves(value, bits);
        let shadow = shadow.unwrap_or_else(|| self.zero());
        let shadow = self.as_bytes(shadow, value, bits);
        self.b().call(guard, &[pointer, shadow, lo, hi]);
    }

    /// A value of `bits` bits as two words.
    fn halves(&mut self, value: Value, bits: u32) -> (Value, Value) {
        if bits <= 64 {
            return (self.bits64(value), self.b().i64.constant(0));
        }
        let wide = self.bits128(value);
        let b = self.b();
        let high = b.binary(LLVMOpcode::LLVMLShr, wide, b.i128.constant(64));
        (b.resize(wide, b.i64), b.resize(high, b.i64))
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
        let (lo, hi) = self.halves(value, bits);
        let whole = self.b().call(guard, &[address, lo, hi]);
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
        let shadow = self.as_bytes(shadow, value, bits);
        let guard = self.runtime.store_guard(bits.div_ceil(8));
        self.b().call(guard, &[address, shadow]);
    }

    /// Bytes are what memory holds: odd widths are stored zero-extended.
    fn as_bytes(&mut self, shadow: Value, value: Value, bits: u32) -> Value {
        if bits.is_multiple_of(8) {
            return shadow;
        }
        let width = bits.next_multiple_of(8);
        let wide = self.b().resize(value, self.b().int(width));
        self.unary(Op::ZExt, width, 0, shadow, wide)
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

/// True if a variable's address is used for more than to read and write the variable.
fn is_pointed_to(variable: Value) -> bool {
    !variable.users().into_iter().all(|user| match user.opcode() {
        LLVMOpcode::LLVMLoad => true,
        LLVMOpcode::LLVMStore => user.operand(0) != variable,
        LLVMOpcode::LLVMCall => {
            let called = user.called();
            called.is_function() && names::is_lifetime_marker(&called.name())
        }
        _ => false,
    })
}

/// Bytes that a value takes in memory.
fn bytes(leaf: Option<Leaf>) -> Option<u32> {
    leaf.map(|leaf| leaf.bits.div_ceil(8)).filter(|size| *size <= 16)
}
