//! Leaves: the scalars that a first-class value consists of. Each has a separate shadow.

use llvm_sys::LLVMTypeKind::*;

use crate::llvm::Type;

/// A scalar inside a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// Width in bits; 0 for types without expressions (`long double`, integers over 128 bits).
    pub(crate) bits: u32,
}

impl Leaf {
    pub(crate) fn is_supported(self) -> bool {
        self.bits != 0
    }
}

/// In real programs, larger aggregates are passed through memory.
const MAX_LEAVES: u64 = 64;

pub(crate) fn leaves(ty: Type) -> Vec<Leaf> {
    let scalar = |bits| vec![Leaf { bits }];
    match ty.kind() {
        LLVMVoidTypeKind | LLVMLabelTypeKind | LLVMMetadataTypeKind | LLVMTokenTypeKind => Vec::new(),
        LLVMIntegerTypeKind if ty.int_width() <= 128 => scalar(ty.int_width()),
        LLVMPointerTypeKind => scalar(64),
        LLVMFloatTypeKind => scalar(32),
        LLVMDoubleTypeKind => scalar(64),
        LLVMStructTypeKind => ty.struct_elements().into_iter().flat_map(leaves).collect(),
        LLVMArrayTypeKind | LLVMVectorTypeKind => {
            let element = leaves(ty.element());
            let count = ty.n_elements().min(MAX_LEAVES) as usize;
            element.iter().copied().cycle().take(element.len() * count).collect()
        }
        _ => scalar(0),
    }
}

/// Index of the first leaf of the element at `path`, and its number of leaves.
pub(crate) fn leaves_at(ty: Type, path: &[u32]) -> (usize, usize) {
    let Some((&first, rest)) = path.split_first() else {
        return (0, leaves(ty).len());
    };
    let (before, element) = if ty.kind() == LLVMStructTypeKind {
        let elements = ty.struct_elements();
        let before = elements[..first as usize].iter().map(|t| leaves(*t).len()).sum();
        (before, elements[first as usize])
    } else {
        let element = ty.element();
        (leaves(element).len() * first as usize, element)
    };
    let (inner, count) = leaves_at(element, rest);
    (before + inner, count)
}
