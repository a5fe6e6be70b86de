//! Types.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMTypeKind, target};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Type(pub(super) LLVMTypeRef);

impl Type {
    pub(crate) fn kind(self) -> LLVMTypeKind {
        // SAFETY: the handle is alive (see the module's rule).
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub(crate) fn int_width(self) -> u32 {
        assert_eq!(self.kind(), LLVMTypeKind::LLVMIntegerTypeKind);
        // SAFETY: it is an integer type.
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Types of the members if it is a structure; otherwise `None`.
    pub(crate) fn struct_elements_or_none(self) -> Option<Vec<Type>> {
        (self.kind() == LLVMTypeKind::LLVMStructTypeKind).then(|| self.struct_elements())
    }

    pub(crate) fn struct_elements(self) -> Vec<Type> {
        // SAFETY: it is a struct type; LLVM writes as many elements as it counts.
        unsafe {
            let count = LLVMCountStructElementTypes(self.0) as usize;
            let mut elements = vec![std::ptr::null_mut(); count];
            LLVMGetStructElementTypes(self.0, elements.as_mut_ptr());
            elements.into_iter().map(Type).collect()
        }
    }

    pub(crate) fn element(self) -> Type {
        // SAFETY: it is an array or vector type.
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    /// Number of elements of an array or a vector.
    pub(crate) fn n_elements(self) -> u64 {
        // SAFETY: it is an array type or a vector type.
        unsafe {
            match self.kind() {
                LLVMTypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(self.0) as u64,
                _ => LLVMGetArrayLength2(self.0),
            }
        }
    }

    pub(crate) fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }

    /// True for a type that consists of several values.
    pub(crate) fn is_aggregate(self) -> bool {
        use LLVMTypeKind::*;
        matches!(self.kind(), LLVMStructTypeKind | LLVMArrayTypeKind | LLVMVectorTypeKind)
    }

    pub(crate) fn array(self, len: u64) -> Type {
        // SAFETY: any sized type can be an element.
        Type(unsafe { LLVMArrayType2(self.0, len) })
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }

    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: it is a function type.
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub(crate) fn return_type(self) -> Type {
        // SAFETY: it is a function type.
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    pub(crate) fn n_params(self) -> usize {
        // SAFETY: it is a function type.
        unsafe { LLVMCountParamTypes(self.0) as usize }
    }

    pub(crate) fn params(self) -> Vec<Type> {
        let mut params = vec![std::ptr::null_mut(); self.n_params()];
        // SAFETY: it is a function type; LLVM writes as many elements as it counts.
        unsafe { LLVMGetParamTypes(self.0, params.as_mut_ptr()) };
        params.into_iter().map(Type).collect()
    }

    pub(crate) fn function(self, params: &[Type]) -> Type {
        let mut params: Vec<_> = params.iter().map(|t| t.0).collect();
        // SAFETY: all types belong to one context.
        Type(unsafe { LLVMFunctionType(self.0, params.as_mut_ptr(), params.len() as u32, 0) })
    }

    /// The type of a function that takes more arguments of any type after these.
    pub(crate) fn variadic(self, params: &[Type]) -> Type {
        let mut params: Vec<_> = params.iter().map(|t| t.0).collect();
        // SAFETY: all types belong to one context.
        Type(unsafe { LLVMFunctionType(self.0, params.as_mut_ptr(), params.len() as u32, 1) })
    }

    pub(crate) fn constant(self, value: u64) -> super::Value {
        // SAFETY: it is an integer type.
        super::Value(unsafe { LLVMConstInt(self.0, value, 0) })
    }

    pub(crate) fn constant_wide(self, value: u128) -> super::Value {
        let words = [value as u64, (value >> 64) as u64];
        // SAFETY: it is an integer type.
        super::Value(unsafe { LLVMConstIntOfArbitraryPrecision(self.0, 2, words.as_ptr()) })
    }

    pub(crate) fn float(self, value: f64) -> super::Value {
        // SAFETY: it is a float type.
        super::Value(unsafe { LLVMConstReal(self.0, value) })
    }

    pub(crate) fn null(self) -> super::Value {
        // SAFETY: every first-class type has a zero.
        super::Value(unsafe { LLVMConstNull(self.0) })
    }

    /// A value that is not used.
    pub(crate) fn poison(self) -> super::Value {
        // SAFETY: every first-class type has one.
        super::Value(unsafe { LLVMGetPoison(self.0) })
    }

    /// The type as LLVM prints it; for hashes of signatures.
    pub(crate) fn text(self) -> String {
        // SAFETY: the caller owns the message.
        super::owned_message(unsafe { LLVMPrintTypeToString(self.0) })
    }

    pub(super) fn store_size(self, layout: target::LLVMTargetDataRef) -> u64 {
        // SAFETY: the type is sized.
        unsafe { target::LLVMStoreSizeOfType(layout, self.0) }
    }

    /// True if it has a size. A structure that is only declared has none.
    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: valid for any type.
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    pub(super) fn alloc_size(self, layout: target::LLVMTargetDataRef) -> u64 {
        // SAFETY: the type is sized.
        unsafe { target::LLVMABISizeOfType(layout, self.0) }
    }

    pub(super) fn element_offset(self, layout: target::LLVMTargetDataRef, index: u32) -> u64 {
        // SAFETY: it is a struct with that element.
        unsafe { target::LLVMOffsetOfElement(layout, self.0, index) }
    }
}
