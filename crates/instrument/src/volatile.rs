//! Reads of `volatile` objects as new inputs: before each read, an input is requested and written to the object.
//!
//! Local variables of a function are excluded, because no other code can change them.

use crate::llvm::{LLVMOpcode, Module, Value};

/// `__tine_volatile`: see `tine_trace::entry::INTERFACE`.
const HOOK: &str = "__tine_volatile";

/// Inserts a request before every such read of the module.
pub(crate) fn hook_reads(module: &Module) {
    let builder = module.builder();
    let reads: Vec<Value> = module.functions().into_iter().flat_map(volatile_reads).collect();
    if reads.is_empty() {
        return;
    }
    let ty = builder.void.function(&[builder.ptr, builder.i64, builder.ptr]);
    let known = module.functions().into_iter().find(|function| function.name() == HOOK);
    let hook = known.unwrap_or_else(|| module.add_function(HOOK, ty));
    for read in reads {
        let pointer = read.operand(0);
        builder.before(read);
        let name = match object(pointer) {
            object if object.is_global_variable() => {
                let mut text = object.name().into_bytes();
                text.push(0);
                module.add_text(&text)
            }
            _ => builder.ptr.null(),
        };
        let size = builder.i64.constant(module.store_size(read.ty()));
        builder.call(hook, &[pointer, size, name]);
    }
}

fn volatile_reads(function: Value) -> Vec<Value> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    instructions.filter(|read| is_volatile_read(*read)).collect()
}

fn is_volatile_read(instruction: Value) -> bool {
    if instruction.opcode() != LLVMOpcode::LLVMLoad || !instruction.is_volatile() {
        return false;
    }
    let object = object(instruction.operand(0));
    !(object.is_instruction() && object.opcode() == LLVMOpcode::LLVMAlloca)
}

/// Object that a pointer points into, as far as the instructions show.
fn object(pointer: Value) -> Value {
    let mut object = pointer;
    while object.is_instruction() && object.opcode() == LLVMOpcode::LLVMGetElementPtr {
        object = object.operand(0);
    }
    object
}
