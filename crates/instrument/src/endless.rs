//! Loops that no code inside them can end: `for (;;);`, and `LOOP: goto LOOP;` where an assumption does not hold.
//!
//! ```text
//!   block ──▶ block ──▶ …      no exit, no call, no access to memory, no trapping instruction
//!     ▲─────────┘
//! ```
//! A run that reaches such a loop cannot continue. `__tine_endless` reports it immediately, so that it does not wait
//! for its time limit.

use std::collections::HashSet;

use crate::llvm::{Block, LLVMOpcode, Module, Value};

/// `__tine_endless`: see `tine_trace::entry::INTERFACE`.
const ENDLESS: &str = "__tine_endless";

/// Inserts calls of `__tine_endless` into such loops.
pub(crate) fn announce(module: &Module) {
    let blocks: Vec<Block> = module.functions().into_iter().flat_map(endless).collect();
    if blocks.is_empty() {
        return;
    }
    let builder = module.builder();
    let announce = module.add_function(ENDLESS, builder.void.function(&[]));
    for block in blocks {
        builder.before(block.terminator());
        builder.call(announce, &[]);
    }
}

/// The blocks of a function that lead only to themselves and have no effects.
fn endless(function: Value) -> Vec<Block> {
    let mut within: HashSet<Block> = function.blocks().into_iter().filter(|block| does_nothing(*block)).collect();
    loop {
        let leads_out = |block: &&Block| block.terminator().successors().iter().any(|next| !within.contains(next));
        let out: Vec<Block> = within.iter().filter(leads_out).copied().collect();
        if out.is_empty() {
            break;
        }
        within.retain(|block| !out.contains(block));
    }
    within.retain(|block| leads_to(*block, *block));
    function.blocks().into_iter().filter(|block| within.contains(block)).collect()
}

fn leads_to(from: Block, to: Block) -> bool {
    let mut pending = from.terminator().successors();
    let mut seen = HashSet::new();
    while let Some(block) = pending.pop() {
        if block == to {
            return true;
        }
        if seen.insert(block) {
            pending.extend(block.terminator().successors());
        }
    }
    false
}

/// True if a block only computes and jumps.
fn does_nothing(block: Block) -> bool {
    use LLVMOpcode::*;
    let computes = |instruction: Value| {
        matches!(
            instruction.opcode(),
            LLVMBr
                | LLVMSwitch
                | LLVMPHI
                | LLVMICmp
                | LLVMSelect
                | LLVMZExt
                | LLVMSExt
                | LLVMTrunc
                | LLVMAdd
                | LLVMSub
                | LLVMMul
                | LLVMAnd
                | LLVMOr
                | LLVMXor
        )
    };
    !block.terminator().successors().is_empty() && block.instructions().into_iter().all(computes)
}
