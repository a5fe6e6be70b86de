//! Building instructions.

use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMDIBuilderCreateDebugLocation, LLVMGetSubprogram};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use super::{Block, Type, Value, c_text};

/// Memory that belongs to tine: the program's accesses never overlap it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    /// Cells of the shadow.
    Cells,
    Coverage,
}

impl Area {
    pub(crate) const ALL: [Area; 2] = [Area::Cells, Area::Coverage];

    fn name(self) -> &'static str {
        match self {
            Area::Cells => "tine.cells",
            Area::Coverage => "tine.coverage",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Builder {
    raw: LLVMBuilderRef,
    pub(crate) i1: Type,
    pub(crate) i8: Type,
    pub(crate) i32: Type,
    pub(crate) i64: Type,
    pub(crate) i128: Type,
    pub(crate) ptr: Type,
    pub(crate) void: Type,
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: created in `new`, disposed once.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

// SAFETY of all blocks here: the builder and its operands belong to one living context. Operands have the types
// required by the instruction (LLVM's verifier checks every emitted module).
#[expect(clippy::undocumented_unsafe_blocks, reason = "one argument for all of them stands above")]
impl Builder {
    pub(super) fn new(context: LLVMContextRef) -> Builder {
        unsafe {
            Builder {
                raw: LLVMCreateBuilderInContext(context),
                i1: Type(LLVMInt1TypeInContext(context)),
                i8: Type(LLVMInt8TypeInContext(context)),
                i32: Type(LLVMInt32TypeInContext(context)),
                i64: Type(LLVMInt64TypeInContext(context)),
                i128: Type(LLVMInt128TypeInContext(context)),
                ptr: Type(LLVMPointerTypeInContext(context, 0)),
                void: Type(LLVMVoidTypeInContext(context)),
            }
        }
    }

    pub(crate) fn at_end(&self, block: Block) {
        unsafe {
            LLVMPositionBuilderAtEnd(self.raw, block.0);
            LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut());
        }
    }

    /// Positions the builder before `instruction`, with its source position.
    pub(crate) fn before(&self, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.raw, instruction.0);
            LLVMSetCurrentDebugLocation2(self.raw, instruction.debug_location());
        }
    }

    /// Positions the builder after `instruction`, which is not a terminator, with its source position.
    pub(crate) fn after(&self, instruction: Value) {
        unsafe {
            match instruction.next() {
                Some(next) => LLVMPositionBuilderBefore(self.raw, next.0),
                // A block that is not complete yet.
                None => LLVMPositionBuilderAtEnd(self.raw, instruction.parent().0),
            }
            LLVMSetCurrentDebugLocation2(self.raw, instruction.debug_location());
        }
    }

    /// Positions the builder at the end of a block, with the source position of `instruction`.
    pub(crate) fn at(&self, block: Block, instruction: Value) {
        self.at_end(block);
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, instruction.debug_location()) }
    }

    /// Positions the builder at the end of a block that belongs to no line of `function`.
    pub(crate) fn at_end_of(&self, block: Block, function: Value) {
        self.at_end(block);
        unsafe {
            let scope = LLVMGetSubprogram(function.0);
            if !scope.is_null() {
                let context = LLVMGetTypeContext(self.i1.0);
                let nowhere = LLVMDIBuilderCreateDebugLocation(context, 0, 0, scope, std::ptr::null_mut());
                LLVMSetCurrentDebugLocation2(self.raw, nowhere);
            }
        }
    }

    /// Inserts an instruction that is in no block, unchanged.
    pub(crate) fn insert(&self, instruction: Value) {
        unsafe {
            LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut());
            LLVMInsertIntoBuilder(self.raw, instruction.0);
        }
    }

    pub(crate) fn int(&self, bits: u32) -> Type {
        match bits {
            1 => self.i1,
            8 => self.i8,
            32 => self.i32,
            64 => self.i64,
            128 => self.i128,
            _ => Type(unsafe { LLVMIntTypeInContext(LLVMGetTypeContext(self.i1.0), bits) }),
        }
    }

    pub(crate) fn binary(&self, opcode: LLVMOpcode, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildBinOp(self.raw, opcode, a.0, b.0, NO_NAME) })
    }

    pub(crate) fn add(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMAdd, a, b)
    }

    pub(crate) fn or(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMOr, a, b)
    }

    pub(crate) fn and(&self, a: Value, b: Value) -> Value {
        self.binary(LLVMOpcode::LLVMAnd, a, b)
    }

    pub(crate) fn icmp(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildICmp(self.raw, predicate, a.0, b.0, NO_NAME) })
    }

    pub(crate) fn eq(&self, a: Value, b: Value) -> Value {
        self.icmp(LLVMIntPredicate::LLVMIntEQ, a, b)
    }

    pub(crate) fn not_equal(&self, a: Value, b: Value) -> Value {
        self.icmp(LLVMIntPredicate::LLVMIntNE, a, b)
    }

    pub(crate) fn fcmp(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildFCmp(self.raw, predicate, a.0, b.0, NO_NAME) })
    }

    pub(crate) fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.raw, condition.0, yes.0, no.0, NO_NAME) })
    }

    pub(crate) fn cast(&self, opcode: LLVMOpcode, value: Value, to: Type) -> Value {
        Value(unsafe { LLVMBuildCast(self.raw, opcode, value.0, to.0, NO_NAME) })
    }

    /// An integer, zero-extended or truncated to `to`.
    pub(crate) fn resize(&self, value: Value, to: Type) -> Value {
        let (from_bits, to_bits) = (value.ty().int_width(), to.int_width());
        match from_bits.cmp(&to_bits) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.cast(LLVMOpcode::LLVMZExt, value, to),
            std::cmp::Ordering::Greater => self.cast(LLVMOpcode::LLVMTrunc, value, to),
        }
    }

    pub(crate) fn load(&self, ty: Type, address: Value, align: u32) -> Value {
        unsafe {
            let load = LLVMBuildLoad2(self.raw, ty.0, address.0, NO_NAME);
            LLVMSetAlignment(load, align);
            Value(load)
        }
    }

    /// A load of memory that never changes once a function can access it.
    pub(crate) fn load_invariant(&self, ty: Type, address: Value, align: u32) -> Value {
        let load = self.load(ty, address, align);
        unsafe {
            let context = LLVMGetTypeContext(self.i1.0);
            let kind = LLVMGetMDKindIDInContext(context, c"invariant.load".as_ptr(), 14);
            let empty = LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0);
            LLVMSetMetadata(load.0, kind, LLVMMetadataAsValue(context, empty));
        }
        load
    }

    /// Declares that `access` touches only memory of the areas `to`, and no memory of `away_from`.
    pub(crate) fn confine(&self, access: Value, to: &[Area], away_from: &[Area]) {
        unsafe {
            let context = LLVMGetTypeContext(self.i1.0);
            let text = |text: &str| LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
            let node = |parts: &mut [LLVMMetadataRef]| LLVMMDNodeInContext2(context, parts.as_mut_ptr(), parts.len());
            let domain = node(&mut [text("tine")]);
            for (kind, areas) in [(c"alias.scope", to), (c"noalias", away_from)] {
                if areas.is_empty() {
                    continue;
                }
                let mut list: Vec<_> = areas.iter().map(|area| node(&mut [text(area.name()), domain])).collect();
                let id = LLVMGetMDKindIDInContext(context, kind.as_ptr(), kind.to_bytes().len() as u32);
                LLVMSetMetadata(access.0, id, LLVMMetadataAsValue(context, node(&mut list)));
            }
        }
    }

    /// A load with the natural alignment of the type.
    pub(crate) fn load_natural(&self, ty: Type, address: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.raw, ty.0, address.0, NO_NAME) })
    }

    pub(crate) fn store_natural(&self, value: Value, address: Value) {
        unsafe { LLVMBuildStore(self.raw, value.0, address.0) };
    }

    pub(crate) fn store(&self, value: Value, address: Value, align: u32) -> Value {
        unsafe {
            let store = LLVMBuildStore(self.raw, value.0, address.0);
            LLVMSetAlignment(store, align);
            Value(store)
        }
    }

    pub(crate) fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.raw, ty.0, NO_NAME) })
    }

    /// Memory of the stack with a length known at run time.
    pub(crate) fn alloca_bytes(&self, len: Value) -> Value {
        Value(unsafe { LLVMBuildArrayAlloca(self.raw, self.i8.0, len.0, NO_NAME) })
    }

    pub(crate) fn memcpy(&self, to: Value, from: Value, len: u64) {
        unsafe { LLVMBuildMemCpy(self.raw, to.0, 4, from.0, 4, self.i64.constant(len).0) };
    }

    /// `address` + `offset` bytes.
    pub(crate) fn offset(&self, address: Value, offset: Value) -> Value {
        let mut indices = [offset.0];
        Value(unsafe { LLVMBuildGEP2(self.raw, self.i8.0, address.0, indices.as_mut_ptr(), 1, NO_NAME) })
    }

    /// An element of a structure, array or vector.
    pub(crate) fn extract(&self, aggregate: Value, index: u32) -> Value {
        if aggregate.ty().is_vector() {
            let index = self.i32.constant(index as u64);
            return Value(unsafe { LLVMBuildExtractElement(self.raw, aggregate.0, index.0, NO_NAME) });
        }
        Value(unsafe { LLVMBuildExtractValue(self.raw, aggregate.0, index, NO_NAME) })
    }

    pub(crate) fn phi(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPhi(self.raw, ty.0, NO_NAME) })
    }

    pub(crate) fn call(&self, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|a| a.0).collect();
        let ty = function.function_type();
        unsafe {
            let call =
                LLVMBuildCall2(self.raw, ty.0, function.0, arguments.as_mut_ptr(), arguments.len() as u32, NO_NAME);
            LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function.0));
            Value(call)
        }
    }

    /// A call with other arguments than the function declares.
    pub(crate) fn call_as(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|a| a.0).collect();
        Value(unsafe {
            LLVMBuildCall2(self.raw, ty.0, function.0, arguments.as_mut_ptr(), arguments.len() as u32, NO_NAME)
        })
    }

    /// Inline assembly that may jump. It continues at `targets[0]` if it does not.
    pub(crate) fn call_assembly(&self, ty: Type, assembly: Value, arguments: &[Value], targets: &[Block]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|a| a.0).collect();
        let mut others: Vec<_> = targets[1..].iter().map(|target| target.0).collect();
        Value(unsafe {
            LLVMBuildCallBr(
                self.raw,
                ty.0,
                assembly.0,
                targets[0].0,
                others.as_mut_ptr(),
                others.len() as u32,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                std::ptr::null_mut(),
                0,
                NO_NAME,
            )
        })
    }

    /// An arbitrary but fixed value of a type.
    pub(crate) fn freeze(&self, value: Value) -> Value {
        Value(unsafe { LLVMBuildFreeze(self.raw, value.0, NO_NAME) })
    }

    /// A conditional branch whose true side is rare.
    pub(crate) fn branch_unlikely(&self, condition: Value, rare: Block, usual: Block) -> Value {
        unsafe {
            let branch = LLVMBuildCondBr(self.raw, condition.0, rare.0, usual.0);
            let context = LLVMGetTypeContext(self.i1.0);
            let mut weights = [
                LLVMMDStringInContext2(context, c"branch_weights".as_ptr(), 14),
                LLVMValueAsMetadata(self.i32.constant(1).0),
                LLVMValueAsMetadata(self.i32.constant(1 << 20).0),
            ];
            let node = LLVMMDNodeInContext2(context, weights.as_mut_ptr(), 3);
            let kind = LLVMGetMDKindIDInContext(context, c"prof".as_ptr(), 4);
            LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, node));
            Value(branch)
        }
    }

    pub(crate) fn branch(&self, condition: Value, yes: Block, no: Block) -> Value {
        Value(unsafe { LLVMBuildCondBr(self.raw, condition.0, yes.0, no.0) })
    }

    pub(crate) fn jump(&self, to: Block) -> Value {
        Value(unsafe { LLVMBuildBr(self.raw, to.0) })
    }

    pub(crate) fn unreachable(&self) {
        unsafe { LLVMBuildUnreachable(self.raw) };
    }

    pub(crate) fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        unsafe {
            let switch = LLVMBuildSwitch(self.raw, value.0, default.0, cases.len() as u32);
            for (value, block) in cases {
                LLVMAddCase(switch, value.0, block.0);
            }
            Value(switch)
        }
    }

    pub(crate) fn ret(&self, value: Option<Value>) {
        unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.raw, value.0),
                None => LLVMBuildRetVoid(self.raw),
            }
        };
    }

    /// A new block placed after another.
    pub(crate) fn block_behind(&self, block: Block) -> Block {
        unsafe {
            let new = Block(LLVMCreateBasicBlockInContext(LLVMGetTypeContext(self.i1.0), NO_NAME));
            LLVMPositionBuilderAtEnd(self.raw, block.0);
            LLVMInsertExistingBasicBlockAfterInsertBlock(self.raw, new.0);
            new
        }
    }

    /// A new block placed before another.
    pub(crate) fn block_before(&self, block: Block) -> Block {
        unsafe { Block(LLVMInsertBasicBlockInContext(LLVMGetTypeContext(self.i1.0), block.0, NO_NAME)) }
    }

    /// Positions the builder at the end of a block, with the source position of `instruction`.
    pub(crate) fn at_end_like(&self, block: Block, instruction: Value) {
        unsafe {
            LLVMPositionBuilderAtEnd(self.raw, block.0);
            LLVMSetCurrentDebugLocation2(self.raw, instruction.debug_location());
        }
    }

    pub(crate) fn block(&self, function: Value, name: &str) -> Block {
        let name = c_text(name);
        unsafe { Block(LLVMAppendBasicBlockInContext(LLVMGetTypeContext(self.i1.0), function.0, name.as_ptr())) }
    }
}
