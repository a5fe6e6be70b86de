//! Checks of null pointers ask about the pointer, not about the place that is computed from it.
//!
//! ```text
//!   text[i] = 0;        clang checks   &text[i] != NULL      here   text != NULL
//! ```
//! No object lies so that an index leads from it to address 0: what solves the first for `i` alone is no input that anybody
//! means, and an index into a null pointer is an error whatever it is.

use crate::llvm::{LLVMIntPredicate, LLVMOpcode, Module, Value};

/// Changes the checks of the module.
pub(crate) fn ask_for_bases(module: &Module) {
    let instructions = module.functions().into_iter().flat_map(|f| f.blocks()).flat_map(|block| block.instructions());
    for check in instructions.filter(|instruction| is_null_check(*instruction)) {
        let base = base_of(check.operand(0));
        // Of variables clang checks nothing.
        if base.is_instruction() || base.is_argument() {
            check.set_operand(0, base);
        }
    }
}

fn is_null_check(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMICmp
        && instruction.is_made_by_sanitizer()
        && instruction.int_predicate() == LLVMIntPredicate::LLVMIntNE
        && instruction.operand(0).ty().text() == "ptr"
        && instruction.operand(1).is_zero()
}

/// What a place is computed from, as far as the instructions show.
fn base_of(place: Value) -> Value {
    let mut base = place;
    while base.is_instruction() && base.opcode() == LLVMOpcode::LLVMGetElementPtr {
        base = base.operand(0);
    }
    base
}
