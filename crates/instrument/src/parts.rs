//! Parts of small structures and arrays that will become registers.
//!
//! ```text
//!   struct { int a; char b[2]; } s      parts  0: i32   4: i8   5: i8
//! ```
//! SROA splits a variable that is used only by loads, stores and copies at constant offsets. Parts that are also
//! accessed with another width are not split, so they are left out.

use crate::llvm::{LLVMOpcode, Module, Type, Value};
use crate::{names, padding};

/// Maximum number of parts. Variables with more parts are not split.
const MAX_PARTS: usize = 64;

/// A scalar inside a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) offset: u64,
    pub(crate) ty: Type,
}

/// Parts of a variable on the stack that become registers.
pub(crate) fn of(module: &Module, alloca: Value) -> Vec<Part> {
    let mut parts = Vec::new();
    let is_one = alloca.operand(0).as_constant() == Some(1);
    let fits = is_one && list(module, alloca.allocated(), 0, &mut parts) && keep(module, alloca, 0, &mut parts);
    if fits { parts } else { Vec::new() }
}

/// Lists the scalars of a type. Returns false if there are too many.
fn list(module: &Module, ty: Type, offset: u64, parts: &mut Vec<Part>) -> bool {
    if !ty.is_aggregate() {
        parts.push(Part { offset, ty });
        return parts.len() <= MAX_PARTS;
    }
    let elements = ty.struct_elements_or_none();
    match elements {
        Some(elements) => elements.into_iter().enumerate().all(|(k, element)| {
            let at = offset + module.element_offset(ty, k as u32);
            list(module, element, at, parts)
        }),
        None => {
            let size = module.alloc_size(ty.element());
            (0..ty.n_elements()).all(|k| list(module, ty.element(), offset + k * size, parts))
        }
    }
}

/// Keeps the parts that match all accesses through `pointer`. Returns false if it has another use.
fn keep(module: &Module, pointer: Value, offset: u64, parts: &mut Vec<Part>) -> bool {
    use LLVMOpcode::*;
    pointer.users().into_iter().all(|user| match user.opcode() {
        LLVMLoad | LLVMStore if user.is_volatile() || user.is_atomic() => false,
        LLVMLoad => agree(module, offset, user.ty(), parts),
        LLVMStore => user.operand(0) != pointer && agree(module, offset, user.operand(0).ty(), parts),
        LLVMGetElementPtr => match constant_offset(module, user) {
            Some(more) => keep(module, user, offset.wrapping_add(more), parts),
            None => false,
        },
        LLVMCall => padding::is_lifetime_marker(user) || is_copy(user),
        _ => false,
    })
}

fn agree(module: &Module, offset: u64, ty: Type, parts: &mut Vec<Part>) -> bool {
    let end = offset + module.store_size(ty);
    parts.retain(|part| {
        let part_end = part.offset + module.store_size(part.ty);
        part_end <= offset || end <= part.offset || (part.offset == offset && part.ty == ty)
    });
    true
}

/// True for a copy or fill of a known length, which SROA splits, too.
fn is_copy(call: Value) -> bool {
    let called = call.called();
    called.is_function()
        && names::is_memory_intrinsic(&called.name())
        && [2, 3].into_iter().all(|k| call.arguments()[k].as_constant().is_some())
        && call.arguments()[3].is_zero()
}

/// Number of bytes that a `getelementptr` adds, if it is constant.
fn constant_offset(module: &Module, gep: Value) -> Option<u64> {
    let mut ty = gep.gep_source();
    let first = gep.operand(1).as_signed_constant()?;
    let mut offset = first.checked_mul(module.alloc_size(ty) as i64)?;
    for k in 2..gep.n_operands() {
        let index = gep.operand(k).as_signed_constant()?;
        offset += match ty.struct_elements_or_none() {
            Some(elements) => {
                let at = module.element_offset(ty, index as u32);
                ty = elements[index as usize];
                at as i64
            }
            None => {
                ty = ty.element();
                index.checked_mul(module.alloc_size(ty) as i64)?
            }
        };
    }
    Some(offset as u64)
}
