//! Analysis of a function for its two tracks, before it is changed.
//!
//! The concrete track of a function leaves for the symbolic one as soon as it meets a symbolic value. It does not leave
//! from the current instruction but from the start of the current *region*: a stretch of code without side effects,
//! which the symbolic track then runs again. So there is one exit per region, however many loads and checks the region
//! has.
//!
//! ```text
//!   store …          ; effect: a region starts after it
//!   x = load p       ┐ leaves to …
//!   check x != 0     │ leaves to …
//!   y = load q       ┘ leaves to … the same place: here
//!   call f(y)        ; effect
//! ```
//! A block starts a region if paths from different regions meet there. So every loop header does.

use std::collections::{HashMap, HashSet};

use super::branches::tested_by_handler;
use super::liveness::Liveness;
use crate::llvm::{Block, LLVMOpcode, Module, Value};
use crate::loops;
use crate::names;
use crate::undefined;

/// Start of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// After the allocas of the entry block.
    Entry,
    /// After the phis of a block.
    Block(Block),
    /// After an instruction.
    After(Value),
}

#[derive(Debug)]
pub(super) struct Region {
    pub(super) start: Start,
    /// True if the concrete track can leave from here.
    pub(super) left: bool,
    /// True if the symbolic track can return here, when nothing is symbolic any more: a loop's header.
    pub(super) resumed: bool,
    /// Values that are live at its start, except the [`Plan::fixed`] ones: the symbolic track receives them.
    pub(super) live: Vec<Value>,
    /// Parameters that are live there.
    pub(super) live_params: Vec<Value>,
}

/// Maximum number of loops of a function from which the symbolic track can return, outer loops first.
const MAX_RESUMED: usize = 16;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) regions: Vec<Region>,
    /// Parameters and allocas: the same at every exit of the concrete track.
    pub(super) fixed: Vec<Value>,
    /// The region an instruction runs in.
    within: HashMap<Value, usize>,
    /// The region that starts after an instruction.
    after: HashMap<Value, usize>,
    /// Values that may depend on inputs.
    symbolic: HashSet<Value>,
}

impl Plan {
    /// `order` lists the reachable blocks, definitions before uses.
    pub(super) fn new(order: &[(Block, Vec<Value>)], params: &[Value]) -> Plan {
        let mut plan = Plan {
            regions: Vec::new(),
            fixed: params.iter().copied().chain(leading_allocas(&order[0].1)).collect(),
            within: HashMap::new(),
            after: HashMap::new(),
            symbolic: may_be_symbolic(order, params),
        };
        plan.find_regions(order);
        plan.regions[0].left = !params.is_empty();
        for instruction in order.iter().flat_map(|(_, instructions)| instructions) {
            match effect(*instruction) {
                Effect::Reads | Effect::Fails => plan.regions[plan.within[instruction]].left = true,
                Effect::Calls if !instruction.is_void() => plan.regions[plan.after[instruction]].left = true,
                Effect::None | Effect::Changes | Effect::Calls => {}
            }
            if matches!(effect(*instruction), Effect::Changes) && reads(*instruction) {
                plan.regions[plan.within[instruction]].left = true;
            }
        }
        let headers = plan.regions.iter_mut().filter(|region| region.resumed);
        headers.filter(|region| !region.left).for_each(|region| region.resumed = false);
        plan.regions.iter_mut().filter(|region| region.resumed).skip(MAX_RESUMED).for_each(|r| r.resumed = false);
        Liveness::new(order, params).fill(order, params.len(), &mut plan);
        plan
    }

    pub(super) fn within(&self, instruction: Value) -> usize {
        self.within[&instruction]
    }

    /// The region that starts after `instruction`, if the concrete track can leave from there.
    pub(super) fn after(&self, instruction: Value) -> Option<usize> {
        self.starts_behind(instruction).filter(|region| self.regions[*region].left)
    }

    pub(super) fn starts_behind(&self, instruction: Value) -> Option<usize> {
        self.after.get(&instruction).copied()
    }

    pub(super) fn may_be_symbolic(&self, value: Value) -> bool {
        self.symbolic.contains(&value)
    }

    fn start(&mut self, start: Start) -> usize {
        self.regions.push(Region { start, left: false, resumed: false, live: Vec::new(), live_params: Vec::new() });
        self.regions.len() - 1
    }

    fn find_regions(&mut self, order: &[(Block, Vec<Value>)]) {
        let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
        for (block, instructions) in order {
            let terminator = instructions.last().expect("a block has a terminator");
            for successor in terminator.successors() {
                predecessors.entry(successor).or_default().push(*block);
            }
        }
        // The region at the end of each block; `None` if the concrete track never reaches the end.
        let mut ends: HashMap<Block, Option<usize>> = HashMap::new();
        for (k, (block, instructions)) in order.iter().enumerate() {
            let mut region = if k == 0 {
                self.start(Start::Entry)
            } else {
                // A predecessor that is not known yet means that this block is the header of a loop.
                let ways: Option<Vec<Option<usize>>> =
                    predecessors[block].iter().map(|from| ends.get(from).copied()).collect();
                let is_header = ways.is_none();
                let mut ways: Vec<usize> = ways.unwrap_or_default().into_iter().flatten().collect();
                ways.dedup();
                if let [one] = ways[..] {
                    one
                } else {
                    let region = self.start(Start::Block(*block));
                    self.regions[region].resumed = is_header;
                    region
                }
            };
            let mut reaches_end = true;
            for instruction in instructions {
                self.within.insert(*instruction, region);
                match effect(*instruction) {
                    Effect::None | Effect::Reads => continue,
                    Effect::Fails => reaches_end = false,
                    Effect::Changes | Effect::Calls => {}
                }
                region = self.start(Start::After(*instruction));
                self.after.insert(*instruction, region);
            }
            ends.insert(*block, reaches_end.then_some(region));
        }
    }
}

/// Side effects of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    /// Reads memory; may be repeated.
    Reads,
    /// Reports an error, which the symbolic track does.
    Fails,
    /// Calls a function that may return shadows.
    Calls,
    Changes,
}

pub(super) fn effect(instruction: Value) -> Effect {
    use LLVMOpcode::*;
    match instruction.opcode() {
        LLVMLoad if !instruction.is_volatile() && !instruction.is_atomic() => Effect::Reads,
        LLVMLoad | LLVMStore | LLVMFence | LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMVAArg => Effect::Changes,
        LLVMCall => {
            let called = instruction.called();
            if called.is_inline_asm() {
                return Effect::Changes;
            }
            let name = if called.is_function() { called.name() } else { String::new() };
            if names::is_lifetime_marker(&name) {
                return Effect::Changes;
            }
            if called.is_intrinsic() {
                let pure = names::intrinsic(&name).is_some() || names::is_silent_intrinsic(&name);
                return if pure { Effect::None } else { Effect::Changes };
            }
            if undefined::is_use(instruction) {
                return Effect::Reads;
            }
            if loops::is_marker(instruction) {
                return Effect::None;
            }
            if names::sanitizer_handler(&name).is_some() || names::failure(&name).is_some() || name == "__tine_fail" {
                return Effect::Fails;
            }
            if names::is_interface(&name) { Effect::Changes } else { Effect::Calls }
        }
        _ => Effect::None,
    }
}

/// True if an instruction reads memory whose shadow must be tested first.
pub(super) fn reads(instruction: Value) -> bool {
    use LLVMOpcode::*;
    matches!(instruction.opcode(), LLVMLoad | LLVMAtomicRMW | LLVMAtomicCmpXchg)
}

/// True if a function can have two tracks. Constructs bound to one stack frame cannot move to another.
pub(super) fn can_have_two_tracks(function: Value, order: &[(Block, Vec<Value>)]) -> bool {
    const FUNCTION: u32 = u32::MAX;
    if function.function_type().is_variadic() || function.has_attribute(FUNCTION, Module::attribute_kind("naked")) {
        return false;
    }
    let returns_twice = Module::attribute_kind("returns_twice");
    let first: HashSet<Value> = leading_allocas(&order[0].1).collect();
    let bound_to_frame = |instruction: &Value| match instruction.opcode() {
        LLVMOpcode::LLVMAlloca => !first.contains(instruction),
        LLVMOpcode::LLVMCall => {
            let called = instruction.called();
            if called.is_inline_asm() {
                // Labels must be unique.
                return called.assembly().contains(':');
            }
            instruction.is_must_tail()
                || instruction.has_call_attribute(FUNCTION, returns_twice)
                || called.is_function()
                    && (called.has_attribute(FUNCTION, returns_twice) || names::is_frame_intrinsic(&called.name()))
        }
        _ => false,
    };
    !order.iter().flat_map(|(_, instructions)| instructions).any(bound_to_frame)
}

/// True if a block jumps back to an earlier one.
pub(super) fn has_loop(order: &[(Block, Vec<Value>)]) -> bool {
    let mut seen = HashSet::new();
    order.iter().any(|(block, instructions)| {
        seen.insert(*block);
        instructions.last().expect("a block has a terminator").successors().iter().any(|next| seen.contains(next))
    })
}

/// The allocas that a function starts with. They live in the frame of the concrete track.
pub(super) fn leading_allocas(entry: &[Value]) -> impl Iterator<Item = Value> + use<'_> {
    let is_fixed = |i: &Value| i.opcode() == LLVMOpcode::LLVMAlloca && i.operand(0).as_constant().is_some();
    entry.iter().copied().take_while(is_fixed)
}

/// True if values of this instruction or parameter can be tracked at all.
fn is_value(value: Value) -> bool {
    value.is_argument() || value.is_instruction() && !value.is_void()
}

/// Values used by an instruction besides its operands. The call for a failed check depends on the tested condition.
pub(super) fn used(instruction: Value) -> Vec<Value> {
    let operands = (0..instruction.n_operands()).map(|i| instruction.operand(i));
    operands.chain(tested_by_handler(instruction)).filter(|value| is_value(*value)).collect()
}

/// An over-approximation, computed optimistically: loads, parameters and results may be symbolic, and so may all values
/// computed from them. A counter that starts at a constant and grows by constants is not symbolic.
fn may_be_symbolic(order: &[(Block, Vec<Value>)], params: &[Value]) -> HashSet<Value> {
    let mut symbolic: HashSet<Value> = params.iter().copied().collect();
    let mut changed = true;
    while changed {
        changed = false;
        for instruction in order.iter().flat_map(|(_, instructions)| instructions) {
            if instruction.is_void() || symbolic.contains(instruction) {
                continue;
            }
            let source =
                reads(*instruction) || undefined::is_use(*instruction) || effect(*instruction) == Effect::Calls;
            if source || used(*instruction).iter().any(|operand| symbolic.contains(operand)) {
                symbolic.insert(*instruction);
                changed = true;
            }
        }
    }
    symbolic
}

pub(super) fn phis(block: Block) -> Vec<Value> {
    let first = block.first();
    std::iter::successors(first, |i| i.next()).take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).collect()
}
