//! Loads, stores, allocations on the stack.

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::ACCESS_WRITES;
use tine_trace::event::ConcretiseReason;
use tine_trace::map::SiteKind;
use tine_trace::op::Op;

use super::{Walk, is_aggregate};
use crate::leaf::{Leaf, leaves};
use crate::llvm::{Block, LLVMIntPredicate, LLVMOpcode, Type, Value};
use crate::padding::{self, Padded};

impl Walk<'_, '_> {
    /// Clears shadows that an earlier frame left in the memory of this object.
    pub(super) fn visit_alloca(&mut self, instruction: Value) {
        let padded = self.runtime.padded.get(&instruction).copied();
        let size = self.module.alloc_size(instruction.allocated());
        if padded.is_none() && size == 0 {
            return;
        }
        let length = self.shadow_of(padded.map_or(instruction.operand(0), |padded| padded.count));
        self.b().before(instruction);
        self.concretise(instruction, SiteKind::Access, length, ConcretiseReason::Length);
        self.b().after(instruction);
        let Some(padded) = padded else {
            let address = self.bits(instruction);
            let clear = self.runtime.entry("stack_clear");
            self.b().call(clear, &[address, self.b().i64.constant(size)]);
            return;
        };
        self.call_for_padded("stack_padded", instruction, padded);
        if let Some(lowest) = self.lowest.filter(|_| !padded.is_fixed) {
            self.b().store(self.bits(instruction), lowest, 8);
        }
    }

    fn call_for_padded(&mut self, name: &'static str, alloca: Value, Padded { gap, len, .. }: Padded) {
        let entry = self.runtime.entry(name);
        let b = self.b();
        let address = b.add(self.bits(alloca), b.i64.constant(gap));
        b.call(entry, &[address, len]);
    }

    /// Marks the start or end of the scope of a padded object. `alloca` is its alloca, or the replacement in the
    /// symbolic track.
    pub(super) fn visit_lifetime(&mut self, marker: Value, alloca: Value) {
        let arguments = marker.arguments();
        let Some(padded) = arguments.iter().find_map(|argument| self.runtime.padded.get(argument)).copied() else {
            return;
        };
        let ends = marker.called().name().starts_with("llvm.lifetime.end");
        self.call_for_padded(if ends { "scope_end" } else { "stack_padded" }, alloca, padded);
    }

    /// Remembers the stack pointer at the start of a function with arrays of variable length.
    pub(super) fn begin_frame(&mut self, program: &[(Block, Vec<Value>)]) {
        let mut instructions = program.iter().flat_map(|(_, instructions)| instructions);
        if instructions.any(|i| self.runtime.padded.get(i).is_some_and(|padded| !padded.is_fixed)) {
            self.b().before(program[0].1[0]);
            let lowest = self.b().alloca(self.b().i64);
            let none = self.bits(lowest);
            self.b().store(none, lowest, 8);
            self.lowest = Some(lowest);
        }
    }

    /// `llvm.stackrestore`: arrays of variable length below `saved` end.
    pub(super) fn visit_stack_restore(&mut self, call: Value) {
        let Some(lowest) = self.lowest else { return };
        self.b().before(call);
        let saved = self.bits(call.arguments()[0]);
        self.end_scope_up_to(lowest, saved);
        self.b().store(saved, lowest, 8);
    }

    fn end_scope_up_to(&mut self, lowest: Value, end: Value) {
        let end_scope = self.runtime.entry("scope_end");
        let b = self.b();
        let from = b.load(b.i64, lowest, 8);
        let len = b.binary(LLVMOpcode::LLVMSub, end, from);
        let is_below = b.icmp(LLVMIntPredicate::LLVMIntULT, from, end);
        b.call(end_scope, &[from, b.select(is_below, len, b.i64.constant(0))]);
    }

    /// Ends the objects of the frame before each return. LLVM must not reuse the memory of an object whose scope has
    /// ended, because it is forbidden.
    pub(super) fn end_frame(&mut self) {
        let blocks = self.function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        instructions.into_iter().filter(|i| padding::is_lifetime_marker(*i)).for_each(Value::erase);
        let instructions = blocks.iter().flat_map(|block| block.instructions());
        let padded = instructions.filter_map(|i| Some((i, *self.runtime.padded.get(&i)?)));
        let padded: Vec<(Value, Padded)> = padded.filter(|(_, padded)| padded.is_fixed).collect();
        for ret in blocks.into_iter().map(|block| block.terminator()).filter(|i| i.opcode() == LLVMOpcode::LLVMRet) {
            if ret.previous().is_some_and(|i| i.opcode() == LLVMOpcode::LLVMCall && i.is_must_tail()) {
                continue;
            }
            self.b().before(ret);
            for (alloca, padded) in &padded {
                self.call_for_padded("stack_end", *alloca, *padded);
            }
            if let Some(lowest) = self.lowest {
                let end = self.bits(lowest);
                self.end_scope_up_to(lowest, end);
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

    /// Handles an address before a load or store. If it depends on inputs, the accessed object is a decision. Returns
    /// the address's shadow, if it may have one and the access is of one value, or otherwise of a known `size`. If not,
    /// the address is concretised.
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
            self.concretise_address(instruction, pointer);
            return None;
        };
        let size = self.b().i32.constant(u64::from(size));
        self.begin_access_of(instruction, pointer, size, flags);
        Some(shadow)
    }

    /// As [`Self::begin_access`], for a size that may be known only at run time.
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

    /// Emits the call after a load of a value of `bits` bits whose shadow would be `loaded`.
    fn read(&mut self, pointer: Value, loaded: Value, value: Value, bits: u32) -> Value {
        let guard = self.runtime.guard("read");
        let (lo, hi) = self.halves(value, bits);
        let b = self.b();
        let read = b.call(guard, &[pointer, loaded, lo, hi]);
        let read = if bits.is_multiple_of(8) { read } else { self.unary(Op::Extract, bits, 0, read, value) };
        let b = self.b();
        b.select(b.icmp(LLVMIntPredicate::LLVMIntNE, pointer, b.i32.constant(0)), read, loaded)
    }

    /// Emits the call after a store of a value of `bits` bits.
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

    /// Concretises an address that depends on inputs.
    pub(super) fn concretise_address(&mut self, instruction: Value, pointer: Value) {
        let shadow = self.shadow_of(pointer);
        if !shadow.is_zero() {
            self.b().before(instruction);
            self.concretise(instruction, SiteKind::Access, shadow, ConcretiseReason::Address);
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

    /// Shadow of the bytes in memory: odd widths are stored zero-extended.
    fn as_bytes(&mut self, shadow: Value, value: Value, bits: u32) -> Value {
        if bits.is_multiple_of(8) {
            return shadow;
        }
        let width = bits.next_multiple_of(8);
        let wide = self.b().resize(value, self.b().int(width));
        self.unary(Op::ZExt, width, 0, shadow, wide)
    }

    /// Handles a read of a vector or `long double`: symbolic bytes become concrete, and this is reported.
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

/// Bytes that a value takes in memory.
fn bytes(leaf: Option<Leaf>) -> Option<u32> {
    leaf.map(|leaf| leaf.bits.div_ceil(8)).filter(|size| *size <= 16)
}
