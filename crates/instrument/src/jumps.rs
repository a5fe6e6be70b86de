//! `longjmp(place, 0)` makes `setjmp` return 1. The instrumented program computes this value itself, so that it has an
//! expression: it passes `value == 0 ? 1 : value`.

use crate::llvm::{LLVMOpcode, Module, Value};
use crate::names;

/// Changes the second argument of every such call.
pub(crate) fn pass_one_for_zero(module: &Module) {
    let builder = module.builder();
    let calls: Vec<Value> = module.functions().into_iter().flat_map(long_jumps).collect();
    for call in calls {
        let value = call.operand(1);
        builder.before(call);
        let is_zero = builder.eq(value, value.ty().constant(0));
        call.set_operand(1, builder.select(is_zero, value.ty().constant(1), value));
    }
}

fn long_jumps(function: Value) -> Vec<Value> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    let is_call = |call: &Value| matches!(call.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke);
    let calls = instructions.filter(is_call).filter(|call| is_long_jump(*call));
    calls.filter(|call| call.operand(1).as_constant().is_none()).collect()
}

/// True if a call makes `setjmp` return its second argument.
pub(crate) fn is_long_jump(call: Value) -> bool {
    call.called().is_function() && names::is_long_jump(&call.called().name()) && call.arguments().len() == 2
}
