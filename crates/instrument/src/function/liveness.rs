//! Liveness of values: the usual backward data flow.

use std::collections::HashMap;

use super::regions::{Plan, Region, Start, leading_allocas, phis, used};
use crate::llvm::{Block, LLVMOpcode, Value};

/// A bit per value.
pub(super) struct Liveness {
    numbers: HashMap<Value, usize>,
    values: Vec<Value>,
    live_out: HashMap<Block, Bits>,
}

type Bits = Vec<u64>;

impl Liveness {
    pub(super) fn new(order: &[(Block, Vec<Value>)], params: &[Value]) -> Liveness {
        let n_allocas = leading_allocas(&order[0].1).count();
        let defined = order.iter().flat_map(|(_, instructions)| instructions).skip(n_allocas);
        let defined = defined.copied().filter(|i| !i.is_void());
        let values: Vec<Value> = params.iter().copied().chain(defined).collect();
        let numbers: HashMap<Value, usize> = values.iter().enumerate().map(|(k, value)| (*value, k)).collect();
        let empty = vec![0; values.len().div_ceil(64)];
        let live_out = order.iter().map(|(block, _)| (*block, empty.clone())).collect();
        let mut liveness = Liveness { numbers, values, live_out };
        let (mut changed, mut live_in) = (true, HashMap::<Block, Bits>::new());
        while changed {
            changed = false;
            for (block, instructions) in order.iter().rev() {
                let mut live = liveness.out_of(*block, instructions, &live_in, &empty);
                liveness.live_out.insert(*block, live.clone());
                instructions.iter().rev().for_each(|instruction| liveness.step(*instruction, &mut live));
                if live_in.get(block) != Some(&live) {
                    live_in.insert(*block, live);
                    changed = true;
                }
            }
        }
        liveness
    }

    fn out_of(&self, block: Block, instructions: &[Value], live_in: &HashMap<Block, Bits>, empty: &Bits) -> Bits {
        let mut live = empty.clone();
        for successor in instructions.last().expect("a block has a terminator").successors() {
            if let Some(next) = live_in.get(&successor) {
                live.iter_mut().zip(next).for_each(|(word, more)| *word |= more);
            }
            for phi in phis(successor) {
                for (value, from) in phi.incoming() {
                    if from == block {
                        self.set(value, &mut live);
                    }
                }
            }
        }
        live
    }

    /// From behind an instruction to before it.
    fn step(&self, instruction: Value, live: &mut Bits) {
        if let Some(number) = self.numbers.get(&instruction) {
            live[number / 64] &= !(1 << (number % 64));
        }
        if instruction.opcode() != LLVMOpcode::LLVMPHI {
            used(instruction).into_iter().for_each(|value| self.set(value, live));
        }
    }

    fn set(&self, value: Value, live: &mut Bits) {
        if let Some(number) = self.numbers.get(&value) {
            live[number / 64] |= 1 << (number % 64);
        }
    }

    /// Fills in what lives where regions start.
    pub(super) fn fill(&self, order: &[(Block, Vec<Value>)], n_params: usize, plan: &mut Plan) {
        let mut starts: HashMap<Block, usize> = HashMap::new();
        for (k, region) in plan.regions.iter().enumerate() {
            if let Start::Block(block) = region.start {
                starts.insert(block, k);
            }
        }
        for (k, (block, instructions)) in order.iter().enumerate() {
            let mut live = self.live_out[block].clone();
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

    fn list(&self, live: &Bits, n_params: usize, region: &mut Region) {
        if !region.left {
            return;
        }
        let set = |number: &usize| live[number / 64] >> (number % 64) & 1 != 0;
        region.live_params = (0..n_params).filter(set).map(|number| self.values[number]).collect();
        region.live = (n_params..self.values.len()).filter(set).map(|number| self.values[number]).collect();
    }
}
