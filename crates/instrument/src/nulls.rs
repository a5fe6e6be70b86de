//! Checks of null pointers, applied to the pointer instead of the address computed from it.
//!
//! ```text
//!   text[i] = 0;        clang checks   &text[i] != NULL      here   text != NULL
//! ```
//! No object is at a position from which an index reaches address 0. A solution of the first condition for `i` alone is
//! not an input that callers intend. An index into a null pointer is an error for every index.

//!
//! `&((struct s *)0)->member` is a handwritten `offsetof`. If no memory is accessed at such an address, it is only a
//! number.

use crate::llvm::{LLVMIntPredicate, LLVMOpcode, Module, Value};

/// Changes the checks of the module to test base pointers.
pub(crate) fn ask_for_bases(module: &Module) {
    let instructions = module.functions().into_iter().flat_map(|f| f.blocks()).flat_map(|block| block.instructions());
    for check in instructions.filter(|instruction| is_null_check(*instruction)) {
        let base = base_of(check.operand(0));
        // clang does not check variables.
        if base.is_instruction() || base.is_argument() {
            check.set_operand(0, base);
        }
    }
}

/// Removes checks of constant addresses in functions that only compute with them.
pub(crate) fn allow_offsets(module: &Module) {
    for function in module.functions() {
        let instructions: Vec<Value> = function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
        let is_access = |instruction: &Value| match instruction.opcode() {
            LLVMOpcode::LLVMLoad => is_number(instruction.operand(0)),
            LLVMOpcode::LLVMStore => is_number(instruction.operand(1)),
            LLVMOpcode::LLVMCall => {
                instruction.called().is_intrinsic() && instruction.arguments().into_iter().any(is_number)
            }
            _ => false,
        };
        if instructions.iter().any(is_access) {
            continue;
        }
        for branch in instructions.iter().filter(|instruction| is_constant_check(**instruction)) {
            branch.set_operand(0, branch.operand(0).ty().constant(1));
        }
    }
}

/// True if an address is a constant that belongs to no variable.
fn is_number(address: Value) -> bool {
    if address.ty().text() != "ptr" || !address.is_constant() {
        return false;
    }
    let mut base = address;
    while base.is_constant_expression() && base.opcode_of_constant() == LLVMOpcode::LLVMGetElementPtr {
        base = base.operand(0);
    }
    base.is_zero() || base.is_constant_expression() && base.opcode_of_constant() == LLVMOpcode::LLVMIntToPtr
}

/// True for a constant branch to the handler for bad pointers, in either direction.
fn is_constant_check(instruction: Value) -> bool {
    let handles = |block: crate::llvm::Block| {
        block.instructions().into_iter().any(|call| {
            call.opcode() == LLVMOpcode::LLVMCall
                && call.called().is_function()
                && call.called().name().starts_with("__ubsan_handle_type_mismatch")
        })
    };
    instruction.opcode() == LLVMOpcode::LLVMBr
        && instruction.is_conditional()
        && instruction.is_made_by_sanitizer()
        && instruction.operand(0).as_constant() == Some(0)
        && instruction.successors().into_iter().any(handles)
}

fn is_null_check(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMICmp
        && instruction.is_made_by_sanitizer()
        && instruction.int_predicate() == LLVMIntPredicate::LLVMIntNE
        && instruction.operand(0).ty().text() == "ptr"
        && instruction.operand(1).is_zero()
}

/// Base of an address, as far as the instructions show.
fn base_of(place: Value) -> Value {
    let mut base = place;
    while base.is_instruction() && base.opcode() == LLVMOpcode::LLVMGetElementPtr {
        base = base.operand(0);
    }
    base
}
