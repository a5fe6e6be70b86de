//! Region of a loop: the code that a turn can execute, and what the ways out of it need.
//!
//! ```text
//!   while (l) {            blocks of the loop
//!       count(l);    ──▶   blocks of `count`, and of the functions that it calls
//!       puts("x");   ──▶   opaque: not analysed, so its execution ends every proof
//!       l = l->next;
//!   }
//! ```

use std::collections::{HashMap, HashSet};

use tine_trace::outcome::ErrorKind;

use super::natural::Loop;
use crate::llvm::{Block, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Module, Value};
use crate::names;
use crate::undefined;

/// Above this number of instructions in a region, markers would cost more than a proof is worth.
const MAX_INSTRUCTIONS: usize = 1500;

pub(super) struct Region<'l> {
    pub(super) natural: &'l Loop,
    pub(super) blocks: HashSet<Block>,
    /// Functions of the region, with the calls of each.
    pub(super) calls: HashMap<Value, Vec<Value>>,
}

/// Role of an instruction in the proof.
pub(super) enum Role {
    /// Its result depends on its operands alone.
    Computes,
    Loads,
    Stores,
    /// It writes memory from its first argument on, as many bytes as its third argument says.
    Fills,
    /// It calls a function of the region.
    Enters(Value),
    /// Its effects are not known.
    Opaque,
}

impl Region<'_> {
    /// The region of a loop. `None` if it is too large, or if every turn executes something opaque.
    pub(super) fn of(natural: &Loop) -> Option<Region<'_>> {
        let mut region = Region { natural, blocks: natural.blocks.clone(), calls: HashMap::new() };
        let mut todo: Vec<Block> = natural.blocks.iter().copied().collect();
        let mut left = MAX_INSTRUCTIONS;
        while let Some(block) = todo.pop() {
            for instruction in block.instructions() {
                left = left.checked_sub(1)?;
                match role(instruction) {
                    Role::Enters(callee) if callee == natural.function => return None,
                    Role::Enters(callee) => {
                        let calls = region.calls.entry(callee).or_default();
                        if calls.is_empty() {
                            todo.extend(callee.blocks());
                            region.blocks.extend(callee.blocks());
                        }
                        calls.push(instruction);
                    }
                    // The marker follows the instruction, which is impossible here.
                    Role::Opaque if !can_be_marked(instruction) => return None,
                    Role::Opaque if natural.every_turn.contains(&block) => return None,
                    _ => {}
                }
            }
        }
        Some(region)
    }

    /// Operands of an instruction that decide whether and where the run leaves the loop.
    pub(super) fn needs(&self, instruction: Value) -> Vec<Value> {
        use LLVMOpcode::*;
        match (role(instruction), instruction.opcode()) {
            (_, LLVMBr) if instruction.is_conditional() => {
                let stays = always(instruction.operand(0)).map(|taken| instruction.successors()[usize::from(!taken)]);
                if stays.is_some_and(|block| self.blocks.contains(&block)) {
                    return Vec::new();
                }
                let reports = |block: &Block| self.blocks.contains(block) && only_reports(*block);
                let is_check = instruction.successors().iter().any(reports);
                if is_check { Vec::new() } else { vec![instruction.operand(0)] }
            }
            (_, LLVMSwitch) | (Role::Loads, _) => vec![instruction.operand(0)],
            (Role::Stores, _) => vec![instruction.operand(1)],
            (Role::Fills, _) => instruction.arguments(),
            (_, LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem) => vec![instruction.operand(0), instruction.operand(1)],
            _ => Vec::new(),
        }
    }

    /// The values that a value depends on, within the region.
    pub(super) fn operands(&self, value: Value) -> Vec<Value> {
        if value.is_argument() {
            let passed = |(callee, calls): (&Value, &Vec<Value>)| {
                let index = callee.params().iter().position(|param| *param == value)?;
                Some(calls.iter().map(|call| call.arguments()[index]).collect())
            };
            return self.calls.iter().find_map(passed).unwrap_or_default();
        }
        if !value.is_instruction() || !self.blocks.contains(&value.parent()) {
            return Vec::new();
        }
        match (role(value), value.opcode()) {
            (Role::Enters(callee), _) => {
                let ends = callee.blocks().into_iter().map(Block::terminator);
                ends.filter(|end| end.opcode() == LLVMOpcode::LLVMRet && end.n_operands() > 0)
                    .map(|end| end.operand(0))
                    .collect()
            }
            (_, LLVMOpcode::LLVMPHI) => {
                let is_header = value.parent() == self.natural.header;
                let comes_round = |from: &Block| !is_header || self.natural.blocks.contains(from);
                value.incoming().into_iter().filter(|(_, from)| comes_round(from)).map(|(value, _)| value).collect()
            }
            _ => (0..value.n_operands()).map(|k| value.operand(k)).collect(),
        }
    }
}

/// True if the marker can follow an instruction.
fn can_be_marked(instruction: Value) -> bool {
    let is_call = instruction.opcode() == LLVMOpcode::LLVMCall;
    instruction.parent().terminator() != instruction && !(is_call && instruction.is_must_tail())
}

pub(super) fn role(instruction: Value) -> Role {
    use LLVMOpcode::*;
    let is_plain = || !instruction.is_volatile() && !instruction.is_atomic();
    match instruction.opcode() {
        LLVMLoad if is_plain() => Role::Loads,
        LLVMStore if is_plain() => Role::Stores,
        LLVMCall => role_of_call(instruction),
        LLVMAlloca if is_fixed(instruction) => Role::Computes,
        LLVMBr | LLVMSwitch | LLVMRet | LLVMUnreachable | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMPHI
        | LLVMICmp | LLVMFCmp | LLVMSelect | LLVMGetElementPtr | LLVMFreeze | LLVMZExt | LLVMSExt | LLVMTrunc
        | LLVMFPExt | LLVMFPTrunc | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP | LLVMPtrToInt | LLVMIntToPtr
        | LLVMBitCast | LLVMAdd | LLVMSub | LLVMMul | LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMExtractValue | LLVMInsertValue
        | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => Role::Computes,
        _ => Role::Opaque,
    }
}

/// True if a variable has its place in the frame of its function from the start.
fn is_fixed(alloca: Value) -> bool {
    let is_entry = alloca.parent().users().iter().all(|user| !user.is_instruction());
    alloca.operand(0).as_constant().is_some() && is_entry
}

fn role_of_call(call: Value) -> Role {
    let called = call.called();
    if called.is_inline_asm() || !called.is_function() {
        return Role::Opaque;
    }
    let name = called.name();
    let is_any_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if called.is_intrinsic() && is_any_of(&["llvm.memcpy.", "llvm.memmove.", "llvm.memset."]) {
        return Role::Fills;
    }
    let computes = if called.is_intrinsic() {
        names::intrinsic(&name).is_some()
            || is_any_of(&["llvm.dbg.", "llvm.assume", "llvm.pseudoprobe", "llvm.lifetime."])
    } else {
        names::sanitizer_handler(&name).is_some() || undefined::is_use(call)
    };
    match () {
        () if computes => Role::Computes,
        () if is_followed(call, called) => Role::Enters(called),
        () => Role::Opaque,
    }
}

/// True if this is the function that the call executes, and values are all that is passed.
fn is_followed(call: Value, called: Value) -> bool {
    use LLVMLinkage::{LLVMExternalLinkage, LLVMInternalLinkage, LLVMPrivateLinkage};
    let byval = Module::attribute_kind("byval");
    let params = called.params().len();
    !called.is_declaration()
        && matches!(called.linkage(), LLVMExternalLinkage | LLVMInternalLinkage | LLVMPrivateLinkage)
        && !called.function_type().is_variadic()
        && call.arguments().len() == params
        && (0..params).all(|k| called.param_byval(k, byval).is_none() && call.call_byval(k, byval).is_none())
        && names::failure(&called.name()).is_none()
}

/// The value of a condition that is the same for all operands: `i >= 0` of an unsigned `i`.
fn always(condition: Value) -> Option<bool> {
    if !condition.is_instruction() || condition.opcode() != LLVMOpcode::LLVMICmp || !condition.operand(1).is_zero() {
        return None;
    }
    match condition.int_predicate() {
        LLVMIntPredicate::LLVMIntUGE => Some(true),
        LLVMIntPredicate::LLVMIntULT => Some(false),
        _ => None,
    }
}

/// True if a block reports an error after which the run continues, and has no other effect.
fn only_reports(block: Block) -> bool {
    let goes_on = |kind: ErrorKind| {
        matches!(kind, ErrorKind::SignedOverflow | ErrorKind::Shift | ErrorKind::FloatCast | ErrorKind::InvalidValue)
    };
    let reports = |i: &Value| {
        i.opcode() == LLVMOpcode::LLVMCall
            && i.called().is_function()
            && names::sanitizer_handler(&i.called().name()).is_some_and(goes_on)
    };
    block.instructions().iter().any(reports)
        && block.terminator().successors().iter().all(|next| next.phis().is_empty())
}
