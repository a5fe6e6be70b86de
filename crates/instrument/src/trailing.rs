//! Arrays at the end of a structure, whose real length is determined by the allocation.
//!
//! ```text
//!   struct text { size_t len; char bytes[2]; };      malloc(sizeof(struct text) + len)
//! ```
//! Programs older than `bytes[]` use this form. clang compares an index with the 2 of the declaration. Here the 2 is
//! replaced by a query of the heap, `__tine_room`, which returns 2 for other memory. A structure that is an element of
//! an array, a variable, or a member before others cannot end in such an array, so those checks are kept.

use llvm_sys::LLVMTypeKind;
use tine_trace::outcome::ErrorKind;

use crate::llvm::{Block, LLVMIntPredicate, LLVMOpcode, Module, Value};
use crate::names;

/// `__tine_room`: see `tine_trace::entry::INTERFACE`.
const ROOM: &str = "__tine_room";

/// A check of an index into such an array.
struct Check {
    /// The branch on the comparison.
    branch: Value,
    /// Instruction that computes the address of the element.
    element: Value,
}

/// Makes the checks of the module query the lengths of the arrays.
pub(crate) fn ask_for_room(module: &Module) {
    let builder = module.builder();
    let checks: Vec<Check> =
        module.functions().into_iter().flat_map(|function| function.blocks()).filter_map(check).collect();
    if checks.is_empty() {
        return;
    }
    let ty = builder.i64.function(&[builder.ptr, builder.i64, builder.i64]);
    let known = module.functions().into_iter().find(|function| function.name() == ROOM);
    let room = known.unwrap_or_else(|| module.add_function(ROOM, ty));
    for Check { branch, element } in checks {
        let (array, condition) = (element.gep_source(), branch.operand(0));
        let declared = builder.i64.constant(array.n_elements());
        let size = builder.i64.constant(module.alloc_size(array.element()));
        builder.before(if condition.is_instruction() { condition } else { branch });
        let room = builder.call(room, &[element.operand(0), declared, size]);
        if condition.is_instruction() {
            condition.set_operand(1, room);
        } else {
            // clang has folded a comparison of two constants.
            let index = builder.resize(element.operand(2), builder.i64);
            let fits = builder.icmp(LLVMIntPredicate::LLVMIntULT, index, room);
            branch.set_operand(0, fits);
        }
    }
}

/// The check of such an array that a block ends with.
fn check(block: Block) -> Option<Check> {
    let branch = block.terminator();
    if branch.opcode() != LLVMOpcode::LLVMBr || !branch.is_conditional() || !branch.is_made_by_sanitizer() {
        return None;
    }
    let successors = branch.successors();
    let (inside, outside) = (successors[0], successors[1]);
    if !outside.instructions().into_iter().any(is_bounds_handler) {
        return None;
    }
    let condition = branch.operand(0);
    let compares = condition.is_instruction()
        && condition.opcode() == LLVMOpcode::LLVMICmp
        && matches!(condition.int_predicate(), LLVMIntPredicate::LLVMIntULT | LLVMIntPredicate::LLVMIntULE)
        && condition.operand(1).ty().int_width() == 64;
    if !compares && condition.as_constant() != Some(0) {
        return None;
    }
    let mut following = inside.instructions().into_iter();
    let element = following.find(|instruction| is_element(*instruction))?;
    let declared = element.gep_source().n_elements();
    let is_meant = !compares || condition.operand(1).as_constant() == Some(declared);
    let array = element.operand(0);
    (is_meant && array.is_instruction() && array.parent() != inside && is_at_the_end(array))
        .then_some(Check { branch, element })
}

fn is_bounds_handler(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.called().is_function()
        && names::sanitizer_handler(&instruction.called().name()) == Some(ErrorKind::ArrayBounds)
}

/// The address of an element of an array whose length is known.
fn is_element(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMGetElementPtr
        && instruction.gep_source().kind() == LLVMTypeKind::LLVMArrayTypeKind
        && instruction.n_operands() == 3
}

/// True if an address is that of the last member of an object that a pointer points to.
fn is_at_the_end(address: Value) -> bool {
    let mut at = address;
    while at.is_instruction() && at.opcode() == LLVMOpcode::LLVMGetElementPtr {
        let ty = at.gep_source();
        if ty.kind() != LLVMTypeKind::LLVMStructTypeKind || at.n_operands() != 3 || !at.operand(1).is_zero() {
            return false;
        }
        if at.operand(2).as_constant().map(|index| index + 1) != Some(ty.struct_elements().len() as u64) {
            return false;
        }
        at = at.operand(0);
    }
    at != address && !at.is_global_variable() && !(at.is_instruction() && at.opcode() == LLVMOpcode::LLVMAlloca)
}
