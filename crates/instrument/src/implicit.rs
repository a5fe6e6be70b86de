//! Branches that clang makes without one in the source. They are decisions, but do not count as coverage.
//!
//! Recognised by the names that clang gives to blocks and values (`-fno-discard-value-names`). A label of the user
//! never follows a conditional branch directly, so its name is not confused with these.

use crate::llvm::{Block, Builder, LLVMIntPredicate, LLVMOpcode, Value};
use crate::names;

/// Blocks that follow only such branches: `va_arg`, updates of atomic objects, products of complex numbers, `fpclassify`.
const FOLLOWING: &[&str] = &[
    "vaarg.in_reg",
    "vaarg.maybe_reg",
    "vaarg.in_mem",
    "cmpxchg.store_expected",
    "cmpxchg.continue",
    "atomic_op",
    "atomic_cont",
    "complex_mul_imag_nan",
    "complex_mul_libcall",
    "complex_mul_cont",
    "fpclassify_end",
];

/// Name of the value that selects the target after leaving a scope with variable-length arrays or cleanups.
const AFTER_CLEANUP: &str = "cleanup.dest";

/// Marks all such branches and switches of `function`.
pub(crate) fn mark(b: &Builder, function: Value) {
    let ends: Vec<Value> = function.blocks().into_iter().map(Block::terminator).collect();
    for end in &ends {
        let is_implicit = match end.opcode() {
            LLVMOpcode::LLVMBr => end.is_conditional() && end.successors().into_iter().any(follows_implicit),
            LLVMOpcode::LLVMSwitch => end.operand(0).name().starts_with(AFTER_CLEANUP),
            _ => false,
        };
        if is_implicit {
            end.mark_implicit();
        }
    }
    // This deletes blocks, but none that ends with a switch.
    let switches: Vec<Value> = ends.into_iter().filter(|end| end.opcode() == LLVMOpcode::LLVMSwitch).collect();
    for switch in switches {
        take_ranges(b, switch);
    }
}

fn follows_implicit(block: Block) -> bool {
    let name = block.name();
    FOLLOWING.iter().any(|following| names::is_numbered(&name, following))
}

/// `case 0 ... 999:`, a comparison in a separate block before the default.
struct CaseRange {
    block: Block,
    first: Value,
    /// The condition "the value is in the range".
    test: Value,
    inside: Block,
    outside: Block,
}

/// Makes such ranges cases of their switch: values in a range are replaced by its first value, which becomes a case.
fn take_ranges(b: &Builder, switch: Value) {
    while let Some(range) = range_in(switch.successors()[0], switch.operand(0)) {
        b.before(switch);
        for step in range.block.instructions().into_iter().take_while(|step| *step != range.block.terminator()) {
            step.unlink();
            b.insert(step);
        }
        b.before(switch);
        let value = b.select(range.test, range.first, switch.operand(0));
        switch.set_operand(0, value);
        switch.set_successor(0, range.outside);
        switch.add_case(range.first, shared(range.inside));
        range.block.delete();
    }
}

/// The block of a case that follows a range without a statement in between, otherwise the range's own.
fn shared(inside: Block) -> Block {
    let end = inside.terminator();
    let is_empty = inside.first() == Some(end) && end.opcode() == LLVMOpcode::LLVMBr && !end.is_conditional();
    let next = if is_empty { end.successors()[0] } else { return inside };
    let is_case = ["sw.bb", "sw.default"].iter().any(|case| names::is_numbered(&next.name(), case));
    if is_case && next.phis().is_empty() { shared(next) } else { inside }
}

/// The range that `block` tests, if its only predecessor is the switch on `value`.
fn range_in(block: Block, value: Value) -> Option<CaseRange> {
    if !names::is_numbered(&block.name(), "sw.caserange") || block.users().len() != 1 {
        return None;
    }
    let end = block.terminator();
    let [inside, outside] = end.successors()[..] else { return None };
    let test = end.operand(0);
    let is_test = test.is_instruction()
        && test.opcode() == LLVMOpcode::LLVMICmp
        && test.int_predicate() == LLVMIntPredicate::LLVMIntULE
        && test.operand(0).is_instruction()
        && test.operand(0).opcode() == LLVMOpcode::LLVMSub;
    if !is_test
        || value.ty() != test.operand(0).ty()
        || ![inside, outside].into_iter().all(|next| next.phis().is_empty())
    {
        return None;
    }
    Some(CaseRange { block, first: test.operand(0).operand(1), test, inside, outside })
}
