//! Computed gotos as switches over the labels of a function.
//!
//! ```text
//!   static void *table[] = {&&a, &&b};          {number of a, number of b}
//!   goto *table[i];                             switch (table[i]) { number of a: …, number of b: …, default: trap }
//! ```
//! The optimiser does not preserve addresses of blocks: a merged or dead block gets the address 1. The two tracks of a
//! function compare such addresses and are optimised separately, so two labels could become equal in one of them.
//! Numbers do not change.

use std::collections::{HashMap, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher};

use crate::llvm::{Block, LLVMOpcode, Module, Value};

/// Mark of a switch that was a computed goto.
const GOTO: &str = "tine.goto";

/// Replaces all addresses of labels by numbers, and the jumps to them by switches.
pub(crate) fn number(module: &Module) {
    for function in module.functions() {
        let blocks = function.blocks();
        let jumps: Vec<Value> = blocks.iter().map(|block| block.terminator()).filter(is_indirect).collect();
        let named: Vec<Block> = blocks.into_iter().filter(|block| block.address().is_some()).collect();
        if named.is_empty() && jumps.is_empty() {
            continue;
        }
        let mut numbers = Numbers::new(module, function);
        let builder = module.builder();
        for block in named {
            let number = builder.i64.constant(numbers.of(block)).constant_pointer(builder.ptr);
            block.address().expect("it was filtered").replace_uses(number);
        }
        jumps.into_iter().for_each(|jump| switch_instead(module, function, jump, &mut numbers));
    }
}

/// True if a switch was a computed goto.
pub(crate) fn is_goto(switch: Value) -> bool {
    switch.is_marked(GOTO)
}

fn is_indirect(terminator: &Value) -> bool {
    terminator.opcode() == LLVMOpcode::LLVMIndirectBr
}

fn switch_instead(module: &Module, function: Value, jump: Value, numbers: &mut Numbers) {
    let builder = module.builder();
    let nowhere = builder.block(function, "");
    let mut cases: Vec<(u64, Block)> = Vec::new();
    for successor in jump.successors() {
        // A block that is listed twice has two entries in its phis, so it needs two cases.
        let known = cases.iter().any(|(_, block)| *block == successor);
        cases.push((if known { numbers.fresh() } else { numbers.of(successor) }, successor));
    }
    builder.before(jump);
    let target = builder.cast(LLVMOpcode::LLVMPtrToInt, jump.operand(0), builder.i64);
    let cases: Vec<_> = cases.into_iter().map(|(number, block)| (builder.i64.constant(number), block)).collect();
    builder.switch(target, nowhere, &cases).mark(GOTO);
    builder.at(nowhere, jump);
    builder.call(module.trap(), &[]);
    builder.unreachable();
    jump.erase();
}

/// Numbers of the labels of one function. They differ from addresses of objects and code, and from numbers in other
/// functions.
struct Numbers {
    known: HashMap<Block, u64>,
    next: u64,
}

impl Numbers {
    fn new(module: &Module, function: Value) -> Numbers {
        let mut hasher = DefaultHasher::new();
        (module.source_file(), function.name()).hash(&mut hasher);
        // Bits 47 to 63 of an address are equal, so this is not an address.
        Numbers { known: HashMap::new(), next: 0x4c00_0000_0000_0000 | (hasher.finish() >> 32) << 20 }
    }

    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn of(&mut self, block: Block) -> u64 {
        if let Some(number) = self.known.get(&block) {
            return *number;
        }
        let number = self.fresh();
        self.known.insert(block, number);
        number
    }
}
