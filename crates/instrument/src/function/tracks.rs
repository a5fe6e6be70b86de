//! The walk over a function, in one track or in two.
//!
//! Most functions get two (`super::concrete`, `super::symbolic`). Functions bound to their stack frame (`setjmp`,
//! VLAs, variadic functions …) keep one, in which every shadow is computed inline.

use super::Walk;
use super::concrete::Concrete;
use super::regions::{Plan, Start, leading_allocas};
use super::symbolic::Symbolic;
use crate::llvm::{Block, LLVMOpcode, Value};
use crate::padding;

#[derive(Debug)]
pub(super) struct Tracks {
    pub(super) plan: Plan,
    pub(super) symbolic: Symbolic,
    pub(super) concrete: Concrete,
}

impl Walk<'_, '_> {
    pub(super) fn walk_one_track(&mut self, program: &[(Block, Vec<Value>)]) {
        self.enter();
        self.begin_frame(program);
        for (block, instructions) in program {
            self.block = self.block_index[block];
            for instruction in instructions {
                self.original = *instruction;
                self.visit(*instruction);
            }
            self.leave_block();
        }
        self.connect_phis();
    }

    pub(super) fn walk_two_tracks(&mut self, program: &[(Block, Vec<Value>)]) {
        let plan = Plan::new(program, &self.function.params());
        let symbolic = Symbolic::new(self.module, self.function, &plan, program);
        let concrete = Concrete::new(self.function);
        let starts: Vec<(Block, usize)> = plan
            .regions
            .iter()
            .enumerate()
            .filter(|(_, region)| region.left)
            .filter_map(|(k, region)| match region.start {
                Start::Entry => Some((program[0].0, k)),
                Start::Block(block) => Some((block, k)),
                Start::After(_) => None,
            })
            .collect();
        let starts: std::collections::HashMap<Block, usize> = starts.into_iter().collect();
        self.tracks = Some(Tracks { plan, symbolic, concrete });
        let entry = &program[0].1;
        self.enter_concrete(entry);
        let n_allocas = leading_allocas(entry).count();
        for (k, (block, instructions)) in program.iter().enumerate() {
            self.block = self.block_index[block];
            self.begin_copy(*block, starts.get(block).copied());
            let n_skipped = if k == 0 { n_allocas } else { 0 };
            for (index, instruction) in instructions.iter().enumerate().skip(n_skipped) {
                if instruction.opcode() != LLVMOpcode::LLVMPHI {
                    self.visit_both(*block, *instruction, instructions.get(index + 1).copied());
                }
            }
            self.finish_block();
            self.leave_block();
        }
        self.finish_copy();
        self.finish_concrete();
    }

    /// Visits the copy first, which makes the sites, then the instruction itself.
    fn visit_both(&mut self, block: Block, instruction: Value, next: Option<Value>) {
        self.original = instruction;
        if padding::is_lifetime_marker(instruction) {
            self.visit_lifetime_in_both(instruction);
            return self.begin_region_behind(instruction);
        }
        self.covered = None;
        let copy = self.copy_instruction(instruction);
        if instruction.opcode() == LLVMOpcode::LLVMRet {
            self.b().before(copy);
            self.recall_caller();
        }
        self.runtime.outlined = true;
        self.visit_in_copy(instruction, copy);
        self.runtime.outlined = false;
        if next.is_none() {
            self.connect_copy(block, instruction, copy);
        } else {
            self.keep_copy(instruction, copy);
        }
        self.visit_concrete(instruction, next);
        self.begin_region_behind(instruction);
    }

    fn begin_region_behind(&mut self, instruction: Value) {
        let tracks = self.tracks.as_ref().expect("the function has two tracks");
        if let Some(region) = tracks.plan.after(instruction) {
            self.begin_region_copy(region);
        }
    }

    /// The frame's objects are in the concrete track, because they exist longer than its calls of the symbolic one.
    fn visit_lifetime_in_both(&mut self, marker: Value) {
        let Some(alloca) = marker.arguments().into_iter().find(|argument| self.runtime.padded.contains_key(argument))
        else {
            return;
        };
        self.at_end_of_copy();
        let copy = self.copy_of(alloca);
        self.visit_lifetime(marker, copy);
        self.b().before(marker);
        self.visit_lifetime(marker, alloca);
    }

    fn leave_block(&mut self) {
        let (edges, calls) = (std::mem::take(&mut self.edges), std::mem::take(&mut self.calls));
        self.map.leave_block(self.block, &edges, &calls);
    }
}
