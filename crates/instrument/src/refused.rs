//! Operands of failed checks, for reports such as `2147483647 + 1`.
//!
//! Handlers of the minimal sanitizer runtime take no arguments. Here their calls get three: the operation
//! (`Refused::pack`) and its operands. They are operands of the call from then on, so the tracks keep them alive.
//! Instrumented code passes them to the runtime (`failed`).

use llvm_sys::LLVMTypeKind;
use tine_trace::outcome::{ErrorKind, Operation, Refused};

use crate::function::{check_before, error_of_handler};
use crate::llvm::{Block, LLVMOpcode, Module, Value};

/// Maximum number of operations between a check's branch and the checked operation.
const MAX_CONDITION: usize = 16;

/// An operation with its operands.
struct Checked {
    operation: Operation,
    is_signed: bool,
    operands: [Value; 2],
}

/// Passes the operands to all handlers that have them.
pub(crate) fn pass_operands(module: &Module) {
    let b = module.builder();
    let ty = b.void.function(&[b.i32, b.i64, b.i64]);
    for function in module.functions() {
        let calls: Vec<Value> = function.blocks().into_iter().flat_map(Block::instructions).collect();
        for call in calls.into_iter().filter(|i| i.opcode() == LLVMOpcode::LLVMCall && i.called().is_function()) {
            let Some(Checked { operation, is_signed, operands }) = checked(call) else { continue };
            let width = operands[0].ty().int_width();
            let how = b.i32.constant(u64::from(Refused::pack(operation, width, is_signed)));
            b.before(call);
            let operands = operands.map(|operand| b.resize(operand, b.i64));
            b.call_as(ty, call.called(), &[how, operands[0], operands[1]]);
            call.erase();
        }
    }
}

/// The operation whose check calls the handler.
fn checked(call: Value) -> Option<Checked> {
    let kind = error_of_handler(call)?;
    let check = check_before(call)?;
    let condition = condition(check.operand(0));
    let found = match kind {
        ErrorKind::SignedOverflow | ErrorKind::UnsignedOverflow => {
            condition.iter().find_map(|value| with_overflow(*value, kind == ErrorKind::SignedOverflow))
        }
        ErrorKind::ArrayBounds | ErrorKind::VlaBound => {
            let compared = condition.iter().copied().find(|value| value.opcode() == LLVMOpcode::LLVMICmp)?;
            let operation = if kind == ErrorKind::ArrayBounds { Operation::Index } else { Operation::Size };
            Some(Checked { operation, is_signed: true, operands: [compared.operand(0), compared.operand(1)] })
        }
        ErrorKind::DivisionOverflow | ErrorKind::Shift => {
            let next = check.successors().into_iter().find(|block| *block != call.parent())?;
            next.instructions().into_iter().find_map(|i| arithmetic(i, kind))
        }
        _ => None,
    }?;
    let is_known = |value: &Value| {
        let is_early = !value.is_instruction() || value.parent() == check.parent() || condition.contains(value);
        is_early && value.ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind && value.ty().int_width() <= 64
    };
    found.operands.iter().all(is_known).then_some(found)
}

/// Instructions that compute a condition.
fn condition(value: Value) -> Vec<Value> {
    let (mut seen, mut todo) = (Vec::new(), vec![value]);
    while let Some(value) = todo.pop() {
        let is_new = value.is_instruction() && value.opcode() != LLVMOpcode::LLVMPHI && !seen.contains(&value);
        if is_new && seen.len() < MAX_CONDITION {
            seen.push(value);
            todo.extend((0..value.n_operands()).map(|k| value.operand(k)));
        }
    }
    seen
}

fn with_overflow(call: Value, is_signed: bool) -> Option<Checked> {
    if call.opcode() != LLVMOpcode::LLVMCall || !call.called().is_function() {
        return None;
    }
    let name = call.called().name();
    let base = name.strip_prefix(if is_signed { "llvm.s" } else { "llvm.u" })?;
    let operation = match base.split_once(".with.overflow.")?.0 {
        "add" => Operation::Add,
        "sub" => Operation::Subtract,
        "mul" => Operation::Multiply,
        _ => return None,
    };
    Some(Checked { operation, is_signed, operands: [call.operand(0), call.operand(1)] })
}

fn arithmetic(instruction: Value, kind: ErrorKind) -> Option<Checked> {
    use LLVMOpcode::{LLVMAShr, LLVMLShr, LLVMSDiv, LLVMSRem, LLVMShl, LLVMUDiv, LLVMURem};
    let (operation, is_signed) = match (kind, instruction.opcode()) {
        (ErrorKind::Shift, LLVMShl) => (Operation::ShiftLeft, true),
        (ErrorKind::Shift, LLVMLShr) => (Operation::ShiftRight, false),
        (ErrorKind::Shift, LLVMAShr) => (Operation::ShiftRight, true),
        (ErrorKind::DivisionOverflow, LLVMSDiv) => (Operation::Divide, true),
        (ErrorKind::DivisionOverflow, LLVMUDiv) => (Operation::Divide, false),
        (ErrorKind::DivisionOverflow, LLVMSRem) => (Operation::Remainder, true),
        (ErrorKind::DivisionOverflow, LLVMURem) => (Operation::Remainder, false),
        _ => return None,
    };
    Some(Checked { operation, is_signed, operands: [instruction.operand(0), instruction.operand(1)] })
}
