//! Liveness of values, in time and memory proportional to the sum of the live ranges: each value is followed from its uses
//! back to its definition. A bit per value and block would be quadratic in functions with thousands of blocks.

use std::collections::{BTreeSet, HashMap};

use super::regions::{Plan, Region, Start, leading_allocas, phis, used};
use crate::llvm::{Block, LLVMOpcode, Value};

/// Values that are live at the end of each block.
pub(super) struct Liveness {
    numbers: HashMap<Value, usize>,
    values: Vec<Value>,
    /// Numbers of values, ascending, for each block in order.
    live_out: Vec<Vec<usize>>,
}

/// The block at whose start or end a value must be live, by its position in the order.
#[derive(Clone, Copy)]
enum Use {
    AtStart(usize),
    AtEnd(usize),
}

impl Liveness {
    pub(super) fn new(order: &[(Block, Vec<Value>)], params: &[Value]) -> Liveness {
        let n_allocas = leading_allocas(&order[0].1).count();
        let mut values = params.to_vec();
        let mut defined_in = vec![0; params.len()];
        let instructions = order.iter().enumerate().flat_map(|(k, (_, all))| all.iter().map(move |i| (k, *i)));
        for (k, instruction) in instructions.skip(n_allocas).filter(|(_, i)| !i.is_void()) {
            values.push(instruction);
            defined_in.push(k);
        }
        let numbers = values.iter().enumerate().map(|(k, value)| (*value, k)).collect();
        let mut liveness = Liveness { numbers, values, live_out: vec![Vec::new(); order.len()] };
        let places: HashMap<Block, usize> = order.iter().enumerate().map(|(k, (block, _))| (*block, k)).collect();
        let uses = liveness.uses(order, &places, &defined_in);
        liveness.follow(&uses, &predecessors(order, &places), &defined_in);
        liveness
    }

    /// The uses of each value outside the block that defines it.
    fn uses(
        &self,
        order: &[(Block, Vec<Value>)],
        places: &HashMap<Block, usize>,
        defined_in: &[usize],
    ) -> Vec<Vec<Use>> {
        let mut uses = vec![Vec::new(); self.values.len()];
        for (k, (block, instructions)) in order.iter().enumerate() {
            for (value, from) in phis(*block).into_iter().flat_map(|phi| phi.incoming()) {
                if let (Some(number), Some(from)) = (self.numbers.get(&value), places.get(&from)) {
                    uses[*number].push(Use::AtEnd(*from));
                }
            }
            for instruction in instructions.iter().filter(|i| i.opcode() != LLVMOpcode::LLVMPHI) {
                for number in used(*instruction).iter().filter_map(|value| self.numbers.get(value)) {
                    if defined_in[*number] != k {
                        uses[*number].push(Use::AtStart(k));
                    }
                }
            }
        }
        uses
    }

    /// Marks the blocks between the uses of each value and its definition.
    fn follow(&mut self, uses: &[Vec<Use>], predecessors: &[Vec<usize>], defined_in: &[usize]) {
        // The last value found to be live at the start of a block.
        let mut live_in = vec![usize::MAX; predecessors.len()];
        for (number, uses) in uses.iter().enumerate() {
            let mut left = uses.clone();
            while let Some(next) = left.pop() {
                match next {
                    Use::AtStart(k) if live_in[k] != number => {
                        live_in[k] = number;
                        left.extend(predecessors[k].iter().map(|before| Use::AtEnd(*before)));
                    }
                    Use::AtEnd(k) if self.live_out[k].last() != Some(&number) => {
                        self.live_out[k].push(number);
                        if defined_in[number] != k {
                            left.push(Use::AtStart(k));
                        }
                    }
                    Use::AtStart(_) | Use::AtEnd(_) => {}
                }
            }
        }
    }

    /// Updates the live values from after an instruction to before it.
    fn step(&self, instruction: Value, live: &mut BTreeSet<usize>) {
        if let Some(number) = self.numbers.get(&instruction) {
            live.remove(number);
        }
        if instruction.opcode() != LLVMOpcode::LLVMPHI {
            live.extend(used(instruction).iter().filter_map(|value| self.numbers.get(value)));
        }
    }

    /// Fills in the values that are live at the starts of regions.
    pub(super) fn fill(&self, order: &[(Block, Vec<Value>)], n_params: usize, plan: &mut Plan) {
        let mut starts: HashMap<Block, usize> = HashMap::new();
        for (k, region) in plan.regions.iter().enumerate() {
            if let Start::Block(block) = region.start {
                starts.insert(block, k);
            }
        }
        for (k, (block, instructions)) in order.iter().enumerate() {
            let mut live: BTreeSet<usize> = self.live_out[k].iter().copied().collect();
            let is_start = |i: &Value| match i.opcode() {
                LLVMOpcode::LLVMPHI => true,
                LLVMOpcode::LLVMAlloca => k == 0,
                _ => false,
            };
            let n_first = instructions.iter().take_while(|i| is_start(i)).count();
            for (index, instruction) in instructions.iter().enumerate().rev() {
                if let Some(region) = plan.starts_behind(*instruction) {
                    self.list(&live, n_params, &mut plan.regions[region]);
                }
                if index + 1 == n_first {
                    break;
                }
                self.step(*instruction, &mut live);
            }
            let region = if k == 0 { Some(0) } else { starts.get(block).copied() };
            if let Some(region) = region {
                self.list(&live, n_params, &mut plan.regions[region]);
            }
        }
    }

    fn list(&self, live: &BTreeSet<usize>, n_params: usize, region: &mut Region) {
        if !region.left {
            return;
        }
        region.live_params = live.range(..n_params).map(|number| self.values[*number]).collect();
        region.live = live.range(n_params..).map(|number| self.values[*number]).collect();
    }
}

/// The blocks before each block, by their places in the order.
fn predecessors(order: &[(Block, Vec<Value>)], places: &HashMap<Block, usize>) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); order.len()];
    for (k, (_, instructions)) in order.iter().enumerate() {
        let terminator = instructions.last().expect("a block has a terminator");
        for next in terminator.successors().iter().filter_map(|successor| places.get(successor)) {
            predecessors[*next].push(k);
        }
    }
    predecessors
}
