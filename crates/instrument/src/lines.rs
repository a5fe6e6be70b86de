//! Source lines of basic blocks, read before variables move to registers: after that, an assignment may have no
//! instruction.

use std::collections::HashMap;

use crate::function;
use crate::llvm::{Block, LLVMOpcode, Location, Module, Value};
use crate::padding;
use crate::pipeline::Options;

/// Lines of the blocks of the user's functions.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    blocks: HashMap<Block, Vec<Location>>,
}

impl Lines {
    pub(crate) fn of_module(module: &Module, options: &Options) -> Lines {
        let is_users = |function: &Value| !function::is_library(*function, options);
        let functions = module.functions().into_iter().filter(is_users);
        Lines { blocks: functions.flat_map(|function| function.blocks()).map(|block| (block, lines(block))).collect() }
    }

    /// Lines of a block in the file of its function. A block that was added later has the lines of its instructions.
    pub(crate) fn of(&self, block: Block, function: &Location) -> Vec<u32> {
        let own = |lines: &Vec<Location>| -> Vec<u32> {
            lines.iter().filter(|place| place.file == function.file).map(|place| place.line).collect()
        };
        self.blocks.get(&block).map_or_else(|| own(&lines(block)), own)
    }
}

/// Instructions that return the result of several `return` statements. They have the position of the function's closing
/// brace, which is not a statement: in `return x`, the value has another position.
fn closing_brace(block: Block) -> Vec<Value> {
    let end = block.terminator();
    if end.opcode() != LLVMOpcode::LLVMRet || end.n_operands() == 0 {
        return Vec::new();
    }
    let value = end.operand(0);
    let is_loaded = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMLoad;
    if is_loaded && value.location() == end.location() { vec![value, end] } else { Vec::new() }
}

fn lines(block: Block) -> Vec<Location> {
    let mut places: Vec<Location> = Vec::new();
    let brace = closing_brace(block);
    let is_code = |instruction: &Value| !brace.contains(instruction) && !padding::is_lifetime_marker(*instruction);
    for instruction in block.instructions().into_iter().filter(is_code) {
        let line = instruction.line();
        if line != 0 && places.iter().all(|place| place.line != line) {
            places.push(instruction.location());
        }
    }
    places
}
