//! Blocks that the compiler knows never to run: after `0 ? isdigit(c) : …`, or in a `switch (sizeof(long))`. Their
//! branches are not decisions of the program. So their conditions become constant, and they are not branches to cover.

use std::collections::HashSet;

use crate::llvm::{Block, LLVMOpcode, Module, Value};

/// Makes the conditions in all such blocks constant.
pub(crate) fn decide(module: &Module) {
    let builder = module.builder();
    for function in module.functions() {
        let blocks = function.blocks();
        let Some(entry) = blocks.first() else { continue };
        let living = living(*entry);
        for block in blocks.iter().filter(|block| !living.contains(block)) {
            let end = block.terminator();
            match end.opcode() {
                LLVMOpcode::LLVMBr if end.is_conditional() => end.set_operand(0, builder.int(1).constant(0)),
                LLVMOpcode::LLVMSwitch => end.set_operand(0, end.operand(0).ty().constant(0)),
                _ => {}
            }
        }
    }
}

/// The blocks that may run.
fn living(entry: Block) -> HashSet<Block> {
    let mut found = HashSet::from([entry]);
    let mut pending = vec![entry];
    while let Some(block) = pending.pop() {
        for successor in successors(block.terminator()) {
            if found.insert(successor) {
                pending.push(successor);
            }
        }
    }
    found
}

/// Successors of a block; one if the condition is constant.
fn successors(end: Value) -> Vec<Block> {
    let all = end.successors();
    let is_branch = end.opcode() == LLVMOpcode::LLVMBr && end.is_conditional();
    if !is_branch && end.opcode() != LLVMOpcode::LLVMSwitch {
        return all;
    }
    let Some(value) = end.operand(0).as_constant() else { return all };
    if is_branch {
        // LLVM lists the true side first.
        return vec![all[usize::from(value == 0)]];
    }
    let case = (1..all.len()).find(|case| end.case_value(*case as u32).as_constant() == Some(value));
    vec![all[case.unwrap_or(0)]]
}
