//! Values, instructions, blocks.

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind, LLVMValueKind,
    LLVMVisibility,
};

use super::{Type, borrowed_text};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value(pub(super) LLVMValueRef);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block(pub(super) LLVMBasicBlockRef);

/// Scope of source positions: a function of the debug information.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope(pub(super) LLVMMetadataRef);

/// A source position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Metadata of branches and switches that clang made without one in the source.
const IMPLICIT: &str = "tine.implicit";

// SAFETY of all blocks here: handles are alive (the rule in `mod.rs`), and each getter is called on the kind of value
// that its name states.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one argument for all of them stands above")]
impl Value {
    pub(crate) fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub(crate) fn name(self) -> String {
        let mut len = 0;
        let text = unsafe { LLVMGetValueName2(self.0, &mut len) };
        borrowed_text(text, len)
    }

    pub(crate) fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub(crate) fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    pub(crate) fn is_zero(self) -> bool {
        self.is_constant() && unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// The value of an integer constant that fits 64 bits.
    pub(crate) fn as_constant(self) -> Option<u64> {
        let is_int = unsafe { !LLVMIsAConstantInt(self.0).is_null() };
        (is_int && self.ty().int_width() <= 64).then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }

    /// The value as a signed number.
    pub(crate) fn as_signed_constant(self) -> Option<i64> {
        self.as_constant().map(|_| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    pub(crate) fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    pub(crate) fn is_constant_expression(self) -> bool {
        self.kind() == LLVMValueKind::LLVMConstantExprValueKind
    }

    /// Opcode of a constant expression.
    pub(crate) fn opcode_of_constant(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    pub(crate) fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub(crate) fn n_operands(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    pub(crate) fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }

    pub(crate) fn replace_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) }
    }

    /// The block that contains an instruction.
    pub(crate) fn parent(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub(crate) fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    pub(crate) fn next(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    pub(crate) fn previous(self) -> Option<Value> {
        let previous = unsafe { LLVMGetPreviousInstruction(self.0) };
        (!previous.is_null()).then_some(Value(previous))
    }

    /// Removes an instruction from its block, to be inserted elsewhere.
    pub(crate) fn unlink(self) {
        unsafe { LLVMInstructionRemoveFromParent(self.0) }
    }

    /// A copy that is in no block, with the same operands.
    pub(crate) fn copy_instruction(self) -> Value {
        unsafe {
            let copy = LLVMInstructionClone(self.0);
            // Loop metadata refers to positions in the original's scope.
            let kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(copy)), c"llvm.loop".as_ptr(), 9);
            LLVMSetMetadata(copy, kind, std::ptr::null_mut());
            Value(copy)
        }
    }

    pub(crate) fn is_argument(self) -> bool {
        self.kind() == LLVMValueKind::LLVMArgumentValueKind
    }

    pub(crate) fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    pub(crate) fn is_atomic(self) -> bool {
        unsafe { LLVMIsAtomic(self.0) != 0 }
    }

    pub(crate) fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub(crate) fn real_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// True if it is marked `!nosanitize`: clang made it for a check, and it has no source line.
    pub(crate) fn is_made_by_sanitizer(self) -> bool {
        self.is_marked("nosanitize")
    }

    /// True if an instruction has metadata of this kind.
    pub(crate) fn is_marked(self, kind: &str) -> bool {
        unsafe { !LLVMGetMetadata(self.0, self.metadata_kind(kind)).is_null() }
    }

    /// Gives an instruction empty metadata of this kind.
    pub(crate) fn mark(self, kind: &str) {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let empty = LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0);
            LLVMSetMetadata(self.0, self.metadata_kind(kind), LLVMMetadataAsValue(context, empty));
        }
    }

    fn metadata_kind(self, kind: &str) -> u32 {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32)
        }
    }

    /// Base of a constant address.
    pub(crate) fn without_offset(self) -> Value {
        let mut base = self;
        while base.kind() == LLVMValueKind::LLVMConstantExprValueKind
            && unsafe { LLVMGetConstOpcode(base.0) } == LLVMOpcode::LLVMGetElementPtr
        {
            base = base.operand(0);
        }
        base
    }

    /// True if this is an undefined constant.
    pub(crate) fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0 }
    }

    /// A constant integer as a pointer.
    pub(crate) fn constant_pointer(self, pointer: Type) -> Value {
        Value(unsafe { LLVMConstIntToPtr(self.0, pointer.0) })
    }

    /// Marks a branch or switch that clang made without one in the source (`crate::implicit`).
    pub(crate) fn mark_implicit(self) {
        self.mark(IMPLICIT);
    }

    pub(crate) fn is_implicit(self) -> bool {
        self.is_marked(IMPLICIT)
    }

    pub(crate) fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|i| Block(unsafe { LLVMGetSuccessor(self.0, i) })).collect()
    }

    /// Adds a case to a switch.
    pub(crate) fn add_case(self, value: Value, block: Block) {
        unsafe { LLVMAddCase(self.0, value.0, block.0) }
    }

    pub(crate) fn set_successor(self, index: u32, block: Block) {
        unsafe { LLVMSetSuccessor(self.0, index, block.0) }
    }

    /// Value of the `index`-th successor of a switch (1 is the first case).
    pub(crate) fn case_value(self, index: u32) -> Value {
        Value(unsafe { LLVMGetSwitchCaseValue(self.0, index) })
    }

    /// An integer constant of any width up to 128 bits.
    pub(crate) fn wide_constant(self) -> u128 {
        if let Some(small) = self.as_constant() {
            return small as u128;
        }
        // The C API reads at most 64 bits. The other bits are parsed from the printed form.
        let text = self.print();
        let digits = text.rsplit(' ').next().unwrap_or("0");
        match digits.strip_prefix('-') {
            Some(rest) => rest.parse::<u128>().unwrap_or(0).wrapping_neg(),
            None => digits.parse::<u128>().unwrap_or(0),
        }
    }

    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        (0..count)
            .map(|i| unsafe { (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))) })
            .collect()
    }

    pub(crate) fn add_incoming(self, value: Value, from: Block) {
        let (mut value, mut from) = (value.0, from.0);
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut from, 1) }
    }

    pub(crate) fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// Elements of its two operands that a shuffle takes; -1 means none.
    pub(crate) fn shuffle_mask(self) -> Vec<i32> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        (0..count).map(|i| unsafe { LLVMGetMaskValue(self.0, i) }).collect()
    }

    /// Instructions that use this value.
    pub(crate) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = unsafe { LLVMGetFirstUse(self.0) };
        while !next.is_null() {
            users.push(Value(unsafe { LLVMGetUser(next) }));
            next = unsafe { LLVMGetNextUse(next) };
        }
        users
    }

    pub(crate) fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// True if the compiler made it, for example for a string.
    pub(crate) fn is_private(self) -> bool {
        self.linkage() == LLVMLinkage::LLVMPrivateLinkage
    }

    pub(crate) fn is_alias(self) -> bool {
        unsafe { !LLVMIsAGlobalAlias(self.0).is_null() }
    }

    pub(crate) fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// An array of numbers.
    pub(crate) fn is_data_array(self) -> bool {
        unsafe { !LLVMIsAConstantDataSequential(self.0).is_null() }
    }

    /// True for a structure, array or vector of constants.
    pub(crate) fn is_constant_aggregate(self) -> bool {
        use LLVMValueKind::*;
        matches!(self.kind(), LLVMConstantStructValueKind | LLVMConstantArrayValueKind | LLVMConstantVectorValueKind)
    }

    /// Text of a constant.
    pub(crate) fn print(self) -> String {
        super::owned_message(unsafe { LLVMPrintValueToString(self.0) })
    }

    pub(crate) fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// The type of the value of a global variable.
    pub(crate) fn held_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub(crate) fn is_global_variable(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    pub(crate) fn gep_source(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub(crate) fn allocated(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub(crate) fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    // Calls.

    pub(crate) fn called(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub(crate) fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub(crate) fn arguments(self) -> Vec<Value> {
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn is_inline_asm(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// The assembly text of inline assembly.
    pub(crate) fn assembly(self) -> String {
        let mut len = 0;
        let text = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut len) };
        borrowed_text(text, len)
    }

    /// Constraints of inline assembly.
    pub(crate) fn constraints(self) -> String {
        let mut len = 0;
        let text = unsafe { LLVMGetInlineAsmConstraintString(self.0, &mut len) };
        borrowed_text(text, len)
    }

    /// The type that an argument of inline assembly points to, if the assembly accesses memory.
    pub(crate) fn accessed_type(self, argument: usize) -> Option<Type> {
        let kind = super::Module::attribute_kind("elementtype");
        self.call_byval(argument, kind)
    }

    /// Copies the attributes of another call's arguments. Argument `k` is the same argument in both calls.
    pub(crate) fn copy_argument_attributes(self, call: Value) {
        for index in 1..=call.arguments().len() as u32 {
            unsafe {
                let mut list = vec![std::ptr::null_mut(); LLVMGetCallSiteAttributeCount(call.0, index) as usize];
                LLVMGetCallSiteAttributes(call.0, index, list.as_mut_ptr());
                list.into_iter().for_each(|attribute| LLVMAddCallSiteAttribute(self.0, index, attribute));
            }
        }
    }

    pub(crate) fn set_called(self, function: Value) {
        self.set_operand(self.n_operands() - 1, function);
    }

    /// Copies the attributes of the callee to a call.
    pub(crate) fn copy_call_attributes(self, function: Value) {
        for index in 0..=function.params().len() as u32 {
            for attribute in attributes(function, index) {
                unsafe { LLVMAddCallSiteAttribute(self.0, index, attribute) }
            }
        }
    }

    /// Copies the attributes of results and parameters from another function of the same type.
    pub(crate) fn copy_attributes(self, function: Value) {
        for index in 0..=function.params().len() as u32 {
            for attribute in attributes(function, index) {
                unsafe { LLVMAddAttributeAtIndex(self.0, index, attribute) }
            }
        }
    }

    /// Generates a function's code for the same machine as another's: clang writes options such as `-mavx2` as a string
    /// attribute of each function.
    pub(crate) fn copy_machine(self, function: Value) {
        const INDEX: u32 = llvm_sys::LLVMAttributeFunctionIndex;
        for attribute in attributes(function, INDEX) {
            unsafe {
                if LLVMIsStringAttribute(attribute) != 0 {
                    LLVMAddAttributeAtIndex(self.0, INDEX, attribute);
                }
            }
        }
    }

    pub(crate) fn is_must_tail(self) -> bool {
        unsafe { LLVMGetTailCallKind(self.0) == llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail }
    }

    pub(crate) fn set_not_tail(self) {
        unsafe { LLVMSetTailCallKind(self.0, llvm_sys::LLVMTailCallKind::LLVMTailCallKindNone) }
    }

    /// The type of the k-th argument's `byval` attribute at this call.
    pub(crate) fn call_byval(self, argument: usize, kind: u32) -> Option<Type> {
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, argument as u32 + 1, kind) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    pub(crate) fn remove_call_attribute(self, index: u32, kind: u32) {
        unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, index, kind) }
    }

    pub(crate) fn has_call_attribute(self, index: u32, kind: u32) -> bool {
        unsafe { !LLVMGetCallSiteEnumAttribute(self.0, index, kind).is_null() }
    }

    // Functions and globals.

    pub(crate) fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    pub(crate) fn is_intrinsic(self) -> bool {
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn function_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub(crate) fn params(self) -> Vec<Value> {
        let count = unsafe { LLVMCountParams(self.0) };
        (0..count).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut block = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !block.is_null() {
            blocks.push(Block(block));
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
        blocks
    }

    pub(crate) fn param_byval(self, param: usize, kind: u32) -> Option<Type> {
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, param as u32 + 1, kind) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    pub(crate) fn has_attribute(self, index: u32, kind: u32) -> bool {
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, index, kind).is_null() }
    }

    pub(crate) fn remove_attribute(self, index: u32, kind: u32) {
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, index, kind) }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }

    pub(crate) fn set_hidden(self) {
        unsafe { LLVMSetVisibility(self.0, LLVMVisibility::LLVMHiddenVisibility) }
    }

    pub(crate) fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn erase_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Marks calls of this function as keeping all the caller's general registers (`preserve_most`).
    pub(crate) fn set_register_preserving(self) {
        unsafe { LLVMSetFunctionCallConv(self.0, llvm_sys::LLVMCallConv::LLVMPreserveMostCallConv as u32) }
    }

    pub(crate) fn erase_global(self) {
        unsafe { LLVMDeleteGlobal(self.0) }
    }

    pub(crate) fn initializer(self) -> Value {
        Value(unsafe { LLVMGetInitializer(self.0) })
    }

    pub(crate) fn has_section(self) -> bool {
        unsafe {
            let section = LLVMGetSection(self.0);
            !section.is_null() && *section != 0
        }
    }

    /// Copies the properties of a global variable, except its name, type and value.
    pub(crate) fn copy_global(self, other: Value) {
        unsafe {
            LLVMSetLinkage(self.0, LLVMGetLinkage(other.0));
            LLVMSetVisibility(self.0, LLVMGetVisibility(other.0));
            LLVMSetAlignment(self.0, LLVMGetAlignment(other.0));
            LLVMSetGlobalConstant(self.0, LLVMIsGlobalConstant(other.0));
            LLVMSetExternallyInitialized(self.0, LLVMIsExternallyInitialized(other.0));
        }
    }

    pub(crate) fn set_constant(self) {
        unsafe { LLVMSetGlobalConstant(self.0, 1) }
    }

    pub(crate) fn set_initializer(self, value: Value) {
        unsafe { LLVMSetInitializer(self.0, value.0) }
    }

    /// True if this function has a use other than a direct call.
    pub(crate) fn address_taken(self) -> bool {
        self.users().into_iter().any(|user| {
            let calls = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall && user.called() == self;
            // An argument that is the function itself is a second use by the same call.
            !calls || user.arguments().contains(&self)
        })
    }

    /// Removes flags for behaviour that C leaves undefined and LLVM exploits (`nsw`, `nuw`, `exact`, `inbounds` …):
    /// code under test computes the machine's result.
    pub(crate) fn drop_poison_flags(self) {
        use LLVMOpcode::*;
        unsafe {
            match self.opcode() {
                LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                    LLVMSetNSW(self.0, 0);
                    LLVMSetNUW(self.0, 0);
                }
                LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => LLVMSetExact(self.0, 0),
                LLVMZExt | LLVMUIToFP => LLVMSetNNeg(self.0, 0),
                LLVMOr => LLVMSetIsDisjoint(self.0, 0),
                LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(self.0, 0),
                _ => {}
            }
        }
    }

    /// Line of an instruction, or 0.
    pub(crate) fn line(self) -> u32 {
        // SAFETY: it is an instruction of a live module.
        unsafe { LLVMGetDebugLocLine(self.0) }
    }

    pub(crate) fn location(self) -> Location {
        unsafe {
            let mut len = 0;
            let name = LLVMGetDebugLocFilename(self.0, &mut len);
            let name = borrowed_text(name, len as usize);
            let directory = LLVMGetDebugLocDirectory(self.0, &mut len);
            let directory = borrowed_text(directory, len as usize);
            let file = if name.is_empty() || name.starts_with('/') || directory.is_empty() {
                name
            } else {
                format!("{directory}/{name}")
            };
            let is_instruction = self.is_instruction();
            Location {
                file,
                line: LLVMGetDebugLocLine(self.0),
                column: if is_instruction { LLVMGetDebugLocColumn(self.0) } else { 0 },
            }
        }
    }

    /// Copies the source position of another instruction.
    pub(crate) fn set_location(self, other: Value) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, other.debug_location()) }
    }

    pub(crate) fn forget_location(self) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, std::ptr::null_mut()) }
    }

    /// `address` + `offset` bytes of a function or global, as a constant.
    pub(crate) fn constant_offset(self, byte: Type, offset: Value) -> Value {
        let mut indices = [offset.0];
        Value(unsafe { LLVMConstGEP2(byte.0, self.0, indices.as_mut_ptr(), 1) })
    }

    /// Raises the alignment to at least this number.
    pub(crate) fn raise_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, LLVMGetAlignment(self.0).max(bytes)) }
    }

    pub(crate) fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }

    pub(crate) fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }

    pub(super) fn debug_location(self) -> LLVMMetadataRef {
        unsafe { LLVMInstructionGetDebugLoc(self.0) }
    }

    pub(crate) fn is_void(self) -> bool {
        self.ty().kind() == LLVMTypeKind::LLVMVoidTypeKind
    }
}

fn attributes(function: Value, index: u32) -> Vec<LLVMAttributeRef> {
    // SAFETY: LLVM writes as many elements as it counts.
    unsafe {
        let mut list = vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(function.0, index) as usize];
        LLVMGetAttributesAtIndex(function.0, index, list.as_mut_ptr());
        list
    }
}

#[expect(clippy::undocumented_unsafe_blocks, reason = "as above")]
impl Block {
    /// Branches and switches that jump to this block.
    pub(crate) fn users(self) -> Vec<Value> {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) }).users()
    }

    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        let mut next = self.first();
        while let Some(instruction) = next {
            instructions.push(instruction);
            next = instruction.next();
        }
        instructions
    }

    pub(crate) fn name(self) -> String {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) }).name()
    }

    /// Replaces all references to this block, labels included, by another block.
    pub(crate) fn replace_uses(self, with: Block) {
        unsafe { LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(self.0), LLVMBasicBlockAsValue(with.0)) }
    }

    /// The phis that a block begins with.
    pub(crate) fn phis(self) -> Vec<Value> {
        let is_phi = |instruction: &Value| instruction.opcode() == LLVMOpcode::LLVMPHI;
        std::iter::successors(self.first(), |instruction| instruction.next()).take_while(is_phi).collect()
    }

    /// Deletes a block without predecessors.
    pub(crate) fn delete(self) {
        unsafe { LLVMDeleteBasicBlock(self.0) }
    }

    pub(crate) fn first(self) -> Option<Value> {
        let first = unsafe { LLVMGetFirstInstruction(self.0) };
        (!first.is_null()).then_some(Value(first))
    }

    /// The constant that is the address of this block, if there is one.
    pub(crate) fn address(self) -> Option<Value> {
        self.users().into_iter().find(|user| user.kind() == LLVMValueKind::LLVMBlockAddressValueKind)
    }

    pub(crate) fn terminator(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
}
