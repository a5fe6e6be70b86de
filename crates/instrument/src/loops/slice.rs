//! The slice of a loop: the phis of its header on which the exits depend.
//!
//! Exits are branches, accesses to memory, divisions, and checks after which a run stops. Checks after which it
//! continues like the native program (overflow, shifts, conversions) are not exits. So `n++` in `while (l) { n++; l =
//! l->next; }` is not part of the slice.

use std::collections::HashSet;

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::LOOP_STATE;
use tine_trace::outcome::ErrorKind;

use super::natural::Loop;
use crate::llvm::{Block, LLVMIntPredicate, LLVMOpcode, Value};
use crate::names;

/// Header phis of the slice. `None` if the loop writes memory, calls a function or has too many phis.
pub(super) fn of(natural: &Loop) -> Option<Vec<Value>> {
    let mut todo = Vec::new();
    for instruction in natural.blocks.iter().flat_map(|block| block.instructions()) {
        needs(natural, instruction, &mut todo)?;
    }
    let mut seen: HashSet<Value> = HashSet::new();
    let mut state = Vec::new();
    while let Some(value) = todo.pop() {
        if !value.is_instruction() || !natural.blocks.contains(&value.parent()) || !seen.insert(value) {
            continue;
        }
        if value.opcode() != LLVMOpcode::LLVMPHI {
            todo.extend((0..value.n_operands()).map(|k| value.operand(k)));
            continue;
        }
        let is_header = value.parent() == natural.header;
        if is_header {
            state.push(value);
        }
        let comes_round = |from: &Block| !is_header || natural.blocks.contains(from);
        todo.extend(value.incoming().into_iter().filter(|(_, from)| comes_round(from)).map(|(value, _)| value));
    }
    let fits = state.len() <= LOOP_STATE && state.iter().all(|value| is_comparable(*value));
    // In the order of the block, so that builds are reproducible.
    let in_order = || natural.header.phis().into_iter().filter(|phi| seen.contains(phi)).collect();
    fits.then(in_order)
}

fn is_comparable(value: Value) -> bool {
    let ty = value.ty();
    match ty.kind() {
        LLVMTypeKind::LLVMPointerTypeKind | LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => true,
        LLVMTypeKind::LLVMIntegerTypeKind => ty.int_width() <= 64,
        _ => false,
    }
}

/// Adds the operands of an instruction that can leave the loop. `None` if the instruction makes a proof impossible.
fn needs(natural: &Loop, instruction: Value, needed: &mut Vec<Value>) -> Option<()> {
    use LLVMOpcode::*;
    match instruction.opcode() {
        LLVMBr if instruction.is_conditional() => {
            let stays = always(instruction.operand(0)).map(|taken| instruction.successors()[usize::from(!taken)]);
            if stays.is_some_and(|block| natural.blocks.contains(&block)) {
                return Some(());
            }
            if !instruction.successors().iter().any(|block| natural.blocks.contains(block) && only_reports(*block)) {
                needed.push(instruction.operand(0));
            }
        }
        LLVMSwitch => needed.push(instruction.operand(0)),
        LLVMLoad if !instruction.is_volatile() && !instruction.is_atomic() => needed.push(instruction.operand(0)),
        LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => needed.extend([instruction.operand(0), instruction.operand(1)]),
        LLVMCall => {
            let called = instruction.called();
            if called.is_inline_asm() || !called.is_function() {
                return None;
            }
            let name = called.name();
            let computes = called.is_intrinsic() && names::intrinsic(&name).is_some();
            let says = ["llvm.dbg.", "llvm.assume", "llvm.pseudoprobe"].iter().any(|prefix| name.starts_with(prefix));
            if !computes && !says && names::sanitizer_handler(&name).is_none() {
                return None;
            }
        }
        LLVMBr | LLVMPHI | LLVMICmp | LLVMFCmp | LLVMSelect | LLVMGetElementPtr | LLVMFreeze | LLVMZExt | LLVMSExt
        | LLVMTrunc | LLVMFPExt | LLVMFPTrunc | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP | LLVMPtrToInt
        | LLVMIntToPtr | LLVMBitCast | LLVMAdd | LLVMSub | LLVMMul | LLVMAnd | LLVMOr | LLVMXor | LLVMShl
        | LLVMLShr | LLVMAShr | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMExtractValue
        | LLVMInsertValue | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => {}
        _ => return None,
    }
    Some(())
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
