//! Branches, switches and error checks.

use std::collections::HashMap;

use tine_trace::entry::{Passing, SITE_GOES_ON};
use tine_trace::event::{ConcretiseReason, NoteKind};
use tine_trace::map::{EdgeRecord, SiteKind};
use tine_trace::outcome::ErrorKind;

use super::Walk;
use super::calls::RETURNED;
use super::regions::leading_allocas;
use crate::asm_goto;
use crate::labels;
use crate::llvm::{Area, Block, LLVMIntPredicate, LLVMOpcode, Value};
use crate::map::NewSite;
use crate::names;

/// Bit of `site` that tells the runtime that the condition is a check: true means no error, and a conjunction is split.
const CHECK_BIT: u32 = 1 << 31;

/// Marks a branch that is not in the source: made by a sanitizer to select its next check ("the amount is valid; is a
/// negative number shifted?"), or one of `crate::implicit`.
const NO_SIDE: u8 = 2;

/// A branch or switch whose sides are marked as covered when taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Covered {
    site: u32,
    /// Maps the value of a switch to its side.
    classify: Option<Value>,
}

/// Purpose of the two sides of a branch.
struct Sides {
    kind: SiteKind,
    /// The side (0 false, 1 true) that fails, for checks and assumptions.
    failing: u8,
    error: Option<ErrorKind>,
}

impl Walk<'_, '_> {
    pub(super) fn visit_branch(&mut self, instruction: Value) {
        let successors = instruction.successors();
        if !instruction.is_conditional() {
            return self.edge(successors[0], u32::MAX, 0);
        }
        let condition = instruction.operand(0);
        // Decided by the compiler: not a decision of the program.
        if condition.is_constant() {
            return successors.into_iter().for_each(|successor| self.edge(successor, u32::MAX, 0));
        }
        // LLVM lists the true side first.
        let mut sides = sides(successors[1], successors[0]);
        if sides.kind == SiteKind::Branch && (self.original.is_made_by_sanitizer() || self.original.is_implicit()) {
            sides = Sides { kind: SiteKind::Check, failing: NO_SIDE, error: None };
        }
        let location = self.place_of(instruction);
        let site = self.map.site(&NewSite {
            kind: sides.kind,
            location: &location,
            block: self.block,
            n_sides: 2,
            failing: sides.failing,
            detail: sides.error.map_or(0, |kind| kind as u32),
            text: "",
        });
        self.edge(successors[1], site, 0);
        self.edge(successors[0], site, 1);

        self.b().before(instruction);
        let taken = self.b().resize(condition, self.b().i32);
        let shadow = self.shadow_of(condition);
        if !shadow.is_zero() {
            let check = sides.kind == SiteKind::Check && sides.failing == 0;
            // A misaligned pointer is used next as an address, which an undefined value must not be.
            let goes_on = sides.error.is_some_and(|error| !error.stops() && error != ErrorKind::Misaligned);
            let number = site | if check { CHECK_BIT } else { 0 } | if goes_on { SITE_GOES_ON } else { 0 };
            let guard = self.runtime.guard("branch");
            let number = self.b().i32.constant(number as u64);
            self.b().call(guard, &[self.runtime.descriptor, number, shadow, taken]);
        }
        if sides.kind == SiteKind::Branch {
            self.cover(site, taken);
            self.covered = Some(Covered { site, classify: None });
        }
    }

    /// Marks coverage in the concrete track, for the branch or switch visited last.
    pub(super) fn cover_concrete(&mut self, instruction: Value) {
        let Some(Covered { site, classify }) = self.covered.take() else { return };
        self.b().before(instruction);
        let value = instruction.operand(0);
        let side_index = match classify {
            Some(classify) => self.b().call(classify, &[value]),
            None => self.b().resize(value, self.b().i32),
        };
        self.cover(site, side_index);
    }

    pub(super) fn visit_switch(&mut self, instruction: Value) {
        let value = instruction.operand(0);
        let successors = instruction.successors();
        // The target after a cleanup depends on the way to it, never directly on an input.
        if value.is_constant() || self.original.is_implicit() {
            return successors.into_iter().for_each(|successor| self.edge(successor, u32::MAX, 0));
        }
        if labels::is_goto(self.original) {
            return self.visit_goto(instruction, value);
        }
        // The target of such assembly is concrete, and this is not a `switch` of the program.
        if asm_goto::is_jump(self.original) {
            return successors.into_iter().for_each(|successor| self.edge(successor, u32::MAX, 0));
        }
        // Side 0 is the default. Each other successor is one side, for any number of values.
        let mut sides = HashMap::from([(successors[0], 0u32)]);
        let cases: Vec<(Value, u32)> = (1..successors.len())
            .map(|i| {
                let next = sides.len() as u32;
                let side_index = *sides.entry(successors[i]).or_insert(next);
                (instruction.case_value(i as u32), side_index)
            })
            .collect();
        let location = self.place_of(instruction);
        let site = self.map.site(&NewSite {
            kind: SiteKind::Switch,
            location: &location,
            block: self.block,
            n_sides: sides.len() as u16,
            failing: 0,
            detail: 0,
            text: "",
        });
        for (case, side_index) in &cases {
            self.map.case(case.wide_constant(), *side_index);
        }
        for (block, side_index) in sides {
            self.edge(block, site, side_index);
        }
        self.edges.sort_by_key(|edge| (edge.site, edge.side_index));

        let ty = self.b().i32.function(&[value.ty()]);
        let classify = self.runtime.define(&format!("tine.switch.{site}"), ty, |runtime, function| {
            let b = &runtime.builder;
            let mut blocks: HashMap<u32, Block> = HashMap::new();
            let default = b.block(function, "default");
            blocks.insert(0, default);
            for (_, side_index) in &cases {
                blocks.entry(*side_index).or_insert_with(|| b.block(function, "case"));
            }
            let targets: Vec<(Value, Block)> = cases.iter().map(|(v, a)| (*v, blocks[a])).collect();
            b.switch(function.params()[0], default, &targets);
            for (side_index, block) in blocks {
                b.at_end(block);
                b.ret(Some(b.i32.constant(side_index as u64)));
            }
        });
        self.b().before(instruction);
        let side_index = self.b().call(classify, &[value]);
        let shadow = self.shadow_of(value);
        if !shadow.is_zero() {
            let guard = self.runtime.guard("switch");
            let number = self.b().i32.constant(site as u64);
            self.b().call(guard, &[self.runtime.descriptor, number, shadow, side_index]);
        }
        self.cover(site, side_index);
        self.covered = Some(Covered { site, classify: Some(classify) });
    }

    /// `goto *p`: the target is a decision. The possible targets are those known to the compiler.
    fn visit_goto(&mut self, instruction: Value, target: Value) {
        let shadow = self.shadow_of(target);
        self.b().before(instruction);
        self.concretise(instruction, SiteKind::Access, shadow, ConcretiseReason::Target);
        for successor in instruction.successors() {
            self.edge(successor, u32::MAX, 0);
        }
    }

    pub(super) fn visit_return(&mut self, instruction: Value) {
        if instruction.n_operands() == 0 {
            return;
        }
        let shadows = self.shadows_of(instruction.operand(0));
        self.b().before(instruction);
        self.note_foreign_caller(instruction, &shadows);
        let mut any = self.zero();
        for (k, shadow) in shadows.into_iter().take(tine_trace::entry::MAX_RESULTS).enumerate() {
            let slot = self.runtime.passing(std::mem::offset_of!(Passing, results) + 4 * k);
            self.b().store(shadow, slot, 4);
            any = self.b().or(any, shadow);
        }
        let b = self.b();
        let marked = self.runtime.marked_token(self.function, RETURNED);
        let callee = b.select(b.eq(any, self.zero()), b.ptr.null(), marked);
        b.store(callee, self.runtime.passing(std::mem::offset_of!(Passing, callee)), 8);
    }

    /// Notes that a callback returns to uninstrumented code: the result becomes concrete there. The result of `main` is
    /// not a decision.
    fn note_foreign_caller(&mut self, instruction: Value, shadows: &[Value]) {
        let symbolic: Vec<Value> = shadows.iter().copied().filter(|shadow| !shadow.is_zero()).collect();
        let (Some(meant), false) = (self.meant, symbolic.is_empty()) else { return };
        let name = self.function.name();
        if names::is_main(&name) {
            return;
        }
        let site = self.site(SiteKind::Call, instruction, &format!("the caller of {name}"));
        self.b().before(instruction);
        let all = symbolic.into_iter().reduce(|x, y| self.b().or(x, y)).expect("not empty");
        let lost = self.b().select(meant, self.zero(), all);
        self.note(site, lost, NoteKind::ExternCall);
    }

    /// Replaces the call of a sanitizer's handler by the report of its error. The condition of the preceding check
    /// distinguishes two errors of the same handler.
    pub(super) fn visit_sanitizer_handler(&mut self, call: Value, kind: ErrorKind) {
        let mut kind_value = self.b().i32.constant(kind as u64);
        let mut site_kind = kind;
        if let Some(zero_kind) = names::when_zero(kind) {
            match checked_for_zero(self.original) {
                // The condition is only "is not zero".
                Some(NotZero { test: _, alone: true }) => {
                    site_kind = zero_kind;
                    kind_value = self.b().i32.constant(zero_kind as u64);
                }
                Some(NotZero { test, alone: false }) => {
                    self.b().before(call);
                    let test = self.copy_of(test);
                    let zero = self.b().i32.constant(zero_kind as u64);
                    kind_value = self.b().select(test, kind_value, zero);
                }
                // clang decided the condition.
                None if fails_by_zero(self.original, kind) => {
                    site_kind = zero_kind;
                    kind_value = self.b().i32.constant(zero_kind as u64);
                }
                None => {}
            }
        }
        let site = self.failure_site(call, site_kind);
        self.b().before(call);
        let failed = self.runtime.entry("failed");
        let site = self.b().i32.constant(site as u64);
        // See `crate::refused`.
        let (unknown, none) = (self.b().i32.constant(0), self.b().i64.constant(0));
        let operands = <[Value; 3]>::try_from(call.arguments()).unwrap_or([unknown, none, none]);
        let all = [[self.runtime.descriptor, site, kind_value], operands].concat();
        self.b().call(failed, &all);
        call.erase();
    }

    pub(super) fn failure_site(&mut self, instruction: Value, kind: ErrorKind) -> u32 {
        let location = self.place_of(instruction);
        self.map.site(&NewSite {
            kind: SiteKind::Failure,
            location: &location,
            block: self.block,
            n_sides: 0,
            failing: 0,
            detail: kind as u32,
            text: "",
        })
    }

    fn edge(&mut self, to: Block, site: u32, side_index: u32) {
        self.edges.push(EdgeRecord { to: self.block_index[&to], site, side_index });
    }

    /// Sets the coverage byte of the function where it starts, also in its entry for callers that pass shadows.
    pub(super) fn cover_entries(&mut self) {
        let Some(byte) = self.map.entry() else { return };
        let passed = self.runtime.entries.get(&self.function).copied();
        for function in [Some(self.function), passed].into_iter().flatten() {
            let instructions = function.blocks()[0].instructions();
            self.b().before(instructions[leading_allocas(&instructions).count()]);
            self.cover_byte(self.b().i64.constant(byte.into()));
        }
    }

    /// Sets the coverage byte of a side.
    fn cover(&mut self, site: u32, side_index: Value) {
        let first = self.map.first_covered(site) as u64;
        let b = self.b();
        self.cover_byte(b.add(b.resize(side_index, b.i64), b.i64.constant(first)));
    }

    fn cover_byte(&mut self, index: Value) {
        let coverage = self.runtime.coverage();
        let b = self.b();
        let store = b.store(b.i8.constant(1), b.offset(coverage, index), 1);
        b.confine(store, &[Area::Coverage], &[Area::Cells]);
    }
}

fn sides(on_false: Block, on_true: Block) -> Sides {
    for (failing, block) in [(0u8, on_false), (1, on_true)] {
        match first_effect(block) {
            Some(Effect::Reject) => return Sides { kind: SiteKind::Assume, failing, error: None },
            Some(Effect::Fail(error)) => return Sides { kind: SiteKind::Check, failing, error: Some(error) },
            None => {}
        }
    }
    Sides { kind: SiteKind::Branch, failing: 0, error: None }
}

enum Effect {
    Reject,
    Fail(ErrorKind),
}

/// The first observable effect of a block, if it is a report or a rejection.
fn first_effect(block: Block) -> Option<Effect> {
    for instruction in block.instructions() {
        match instruction.opcode() {
            LLVMOpcode::LLVMCall => {}
            LLVMOpcode::LLVMStore | LLVMOpcode::LLVMPHI => return None,
            opcode if is_terminator(opcode) => return None,
            _ => continue,
        }
        let called = instruction.called();
        if !called.is_function() {
            return None;
        }
        let name = called.name();
        if let Some(kind) = error_of_handler(instruction) {
            return Some(Effect::Fail(kind));
        }
        if names::is_assertion(&name) {
            return Some(Effect::Fail(ErrorKind::AssertionFailure));
        }
        if name == "__tine_reject" {
            return Some(Effect::Reject);
        }
        if name == "__tine_fail" {
            let kind = instruction.arguments().first().and_then(|kind| kind.as_constant());
            return kind.and_then(|kind| ErrorKind::from_number(kind as u32)).map(Effect::Fail);
        }
        if !called.is_intrinsic() || !names::is_silent_intrinsic(&name) {
            return None;
        }
    }
    None
}

/// The error that a call of a sanitizer's handler reports. Signed and unsigned operations share handlers, so the
/// operation is examined.
pub(crate) fn error_of_handler(call: Value) -> Option<ErrorKind> {
    let kind = names::sanitizer_handler(&call.called().name())?;
    let is_unsigned = || check_before(call).is_some_and(|check| has_unsigned_overflow(check.operand(0), MAX_CONDITION));
    Some(match kind {
        ErrorKind::SignedOverflow if is_unsigned() => ErrorKind::UnsignedOverflow,
        kind => kind,
    })
}

/// Maximum number of operations between a check's branch and the checked operation.
const MAX_CONDITION: u32 = 4;

/// True if a condition comes from an unsigned operation with an overflow bit.
fn has_unsigned_overflow(condition: Value, depth: u32) -> bool {
    if depth == 0 || !condition.is_instruction() {
        return false;
    }
    match condition.opcode() {
        LLVMOpcode::LLVMCall => {
            let called = condition.called();
            called.is_intrinsic() && called.name().starts_with("llvm.u")
        }
        LLVMOpcode::LLVMPHI => false,
        _ => (0..condition.n_operands()).any(|k| has_unsigned_overflow(condition.operand(k), depth - 1)),
    }
}

fn is_terminator(opcode: LLVMOpcode) -> bool {
    use LLVMOpcode::*;
    matches!(opcode, LLVMBr | LLVMSwitch | LLVMRet | LLVMUnreachable | LLVMIndirectBr | LLVMInvoke | LLVMCallBr)
}

/// The value that the handler called here must test to distinguish two errors.
pub(super) fn tested_by_handler(instruction: Value) -> Option<Value> {
    if instruction.opcode() != LLVMOpcode::LLVMCall || !instruction.called().is_function() {
        return None;
    }
    let kind = names::sanitizer_handler(&instruction.called().name())?;
    names::when_zero(kind)?;
    checked_for_zero(instruction).filter(|found| !found.alone).map(|found| found.test)
}

/// The "is not zero" in the condition of the branch to the block of `call`.
fn checked_for_zero(call: Value) -> Option<NotZero> {
    not_zero_test(check_before(call)?.operand(0), &mut 0)
}

/// The branch to the block of `call`, a sanitizer's handler.
pub(crate) fn check_before(call: Value) -> Option<Value> {
    let leads = |user: &Value| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMBr && user.is_conditional();
    call.parent().users().into_iter().find(leads)
}

/// True if the checked operation divides by a constant zero or uses a constant null pointer. It follows the check, and
/// clang has folded the comparison with zero.
fn fails_by_zero(call: Value, kind: ErrorKind) -> bool {
    use LLVMOpcode::*;
    let Some(check) = check_before(call) else { return false };
    let Some(checked) = check.successors().into_iter().find(|block| *block != call.parent()) else { return false };
    let operand = checked.instructions().into_iter().find_map(|i| match (kind, i.opcode()) {
        (ErrorKind::DivisionOverflow, LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem) => Some(i.operand(1)),
        (ErrorKind::Misaligned, LLVMLoad | LLVMGetElementPtr | LLVMICmp) => Some(i.operand(0)),
        (ErrorKind::Misaligned, LLVMStore) => Some(i.operand(1)),
        (ErrorKind::Misaligned, LLVMCall) => i.arguments().into_iter().next(),
        _ => None,
    });
    match operand {
        Some(operand) => operand.without_offset().is_zero(),
        // clang has folded the operation, too. With constants only the smallest number divided by -1 overflows, which
        // does not occur in practice.
        None => kind == ErrorKind::DivisionOverflow,
    }
}

struct NotZero {
    test: Value,
    alone: bool,
}

/// Finds "x is not zero" in a conjunction.
fn not_zero_test(condition: Value, depth: &mut u32) -> Option<NotZero> {
    *depth += 1;
    if !condition.is_instruction() || *depth > 64 {
        return None;
    }
    match condition.opcode() {
        LLVMOpcode::LLVMICmp
            if condition.int_predicate() == LLVMIntPredicate::LLVMIntNE && condition.operand(1).is_zero() =>
        {
            Some(NotZero { test: condition, alone: true })
        }
        LLVMOpcode::LLVMAnd => [0, 1]
            .into_iter()
            .find_map(|side| not_zero_test(condition.operand(side), depth))
            .map(|found| NotZero { test: found.test, alone: false }),
        _ => None,
    }
}
