//! Outlining of assembly that jumps (`asm goto`) into separate functions.
//!
//! ```text
//!   callbr asm(x) to next [a, b]       k = @"asm goto"(x, &results);  switch k: next, 1: a, 2: b
//! ```
//! The function returns the target of the assembly and is not instrumented. So all code around the assembly is
//! instrumented, and inputs that reach the assembly are counted as for any other uninstrumented function.

use crate::llvm::{Block, LLVMLinkage, LLVMOpcode, Module, Value};
use crate::names::ASM_GOTO;

/// Moves all assembly with jumps in the module into functions.
pub(crate) fn outline(module: &Module) {
    for function in module.functions() {
        let ends = function.blocks().into_iter().map(Block::terminator);
        let jumps: Vec<Value> = ends.filter(|end| end.opcode() == LLVMOpcode::LLVMCallBr).collect();
        jumps
            .into_iter()
            .filter(|jump| jump.called().is_inline_asm())
            .for_each(|jump| call_instead(module, function, jump));
    }
}

fn call_instead(module: &Module, function: Value, jump: Value) {
    let b = module.builder();
    let arguments = jump.arguments();
    // Constants are not passed, because some constraints allow only constants.
    let passed: Vec<Value> = arguments.iter().copied().filter(|argument| !argument.is_constant()).collect();
    let mut params: Vec<_> = passed.iter().map(|argument| argument.ty()).collect();
    params.push(b.ptr);
    let outlined = module.add_function(ASM_GOTO, b.i32.function(&params));
    outlined.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    module.add_function_attribute(outlined, "noinline");
    outlined.copy_machine(function);

    let targets = jump.successors();
    write(module, outlined, jump, targets.len());

    let results = (!jump.is_void()).then(|| {
        b.before(function.blocks()[0].first().expect("a block is not empty"));
        b.alloca(jump.ty())
    });
    b.before(jump);
    let mut values = passed;
    values.push(results.unwrap_or_else(|| b.ptr.null()));
    let number = b.call(outlined, &values);
    if let Some(results) = results {
        let loaded = b.load_natural(jump.ty(), results);
        jump.replace_uses(loaded);
    }
    let cases: Vec<_> = (1..targets.len()).map(|k| (b.i32.constant(k as u64), targets[k])).collect();
    b.switch(number, targets[0], &cases).mark(ASM_GOTO);
    jump.erase();
}

/// Writes the function that contains the assembly. Its last parameter is the address of the results.
fn write(module: &Module, function: Value, jump: Value, n_targets: usize) {
    let b = module.builder();
    let params = function.params();
    let results = params[params.len() - 1];
    let mut next = params.into_iter();
    let arguments: Vec<Value> = jump
        .arguments()
        .into_iter()
        .map(|argument| if argument.is_constant() { argument } else { next.next().expect("as many as are passed") })
        .collect();
    let entry = b.block(function, "entry");
    let targets: Vec<Block> = (0..n_targets).map(|_| b.block(function, "")).collect();
    b.at_end(entry);
    let call = b.call_assembly(jump.called_type(), jump.called(), &arguments, &targets);
    call.copy_argument_attributes(jump);
    for (number, target) in targets.into_iter().enumerate() {
        b.at_end(target);
        if !jump.is_void() {
            b.store_natural(call, results);
        }
        b.ret(Some(b.i32.constant(number as u64)));
    }
}

/// True if a switch selects the target of such assembly.
pub(crate) fn is_jump(switch: Value) -> bool {
    switch.is_marked(ASM_GOTO)
}
