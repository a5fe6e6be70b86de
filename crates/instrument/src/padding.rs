//! Padding around objects on the stack and after global variables, so that an access that leaves an object does not
//! reach the next one.
//!
//! ```text
//!   alloca T   becomes   │ gap │ T │ gap up to a multiple of 16, and 16 more │
//! ```
//! Padded objects are those that addresses can be computed into: arrays, structures, and variables that pointers point
//! to. The runtime forbids the gaps while the object lives (`__tine_stack_padded`). The gaps of global variables are
//! always forbidden.

use std::collections::HashMap;

use tine_trace::layout::{GAP, gap_end};

use crate::llvm::{LLVMLinkage, LLVMOpcode, Module, Value};
use crate::loops;
use crate::names;

/// The object in an alloca that was padded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padded {
    /// Bytes before the object.
    pub(crate) gap: u64,
    /// Its length in bytes.
    pub(crate) len: Value,
    /// Number of elements that the program requested.
    pub(crate) count: Value,
    /// True if it exists as long as the function: neither an array of variable length nor memory of `alloca`.
    pub(crate) is_fixed: bool,
}

/// Pads the stack objects of all functions. Returns the object of each padded alloca.
pub(crate) fn pad_stack(module: &Module) -> HashMap<Value, Padded> {
    let mut padded = HashMap::new();
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let blocks = function.blocks();
        let entry = blocks[0].instructions();
        let allocas =
            blocks.into_iter().flat_map(|block| block.instructions()).filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca);
        let allocas: Vec<Value> = allocas.filter(|alloca| is_place(*alloca)).collect();
        // Allocas stay together at the start of the function.
        let first_other = entry.into_iter().find(|i| i.opcode() != LLVMOpcode::LLVMAlloca);
        for alloca in allocas {
            let is_first = first_other
                .is_some_and(|first_other| first_other.parent() == alloca.parent() && is_leading(alloca, first_other));
            let new = pad(module, alloca, first_other.filter(|_| is_first));
            padded.insert(new.0, new.1);
        }
    }
    padded
}

/// True if an alloca precedes the first other instruction.
fn is_leading(alloca: Value, first_other: Value) -> bool {
    std::iter::successors(Some(alloca), |i| i.next())
        .take_while(|i| i.opcode() == LLVMOpcode::LLVMAlloca || *i == first_other)
        .any(|i| i == first_other)
}

/// Replaces an alloca by a larger one. The address of the object is computed before `first_other`, or immediately.
fn pad(module: &Module, alloca: Value, first_other: Option<Value>) -> (Value, Padded) {
    let b = module.builder();
    let element = module.alloc_size(alloca.allocated());
    let gap = GAP.max(u64::from(alloca.alignment()));
    let count = alloca.operand(0);
    b.before(alloca);
    let (new, len) = match count.as_constant() {
        Some(count) => {
            let len = count * element;
            let room = gap + gap_end(len);
            (b.alloca(b.i8.array(room)), b.i64.constant(len))
        }
        None => {
            let len = b.binary(LLVMOpcode::LLVMMul, b.resize(count, b.i64), b.i64.constant(element));
            let room = b.add(len, b.i64.constant(gap + 2 * GAP));
            (b.alloca_bytes(room), len)
        }
    };
    new.raise_alignment(gap as u32);
    new.set_name(&alloca.name());
    if let Some(first_other) = first_other {
        b.before(first_other);
    }
    let object = b.offset(new, b.i64.constant(gap));
    for user in alloca.users() {
        if is_lifetime_marker(user) {
            let argument = (0..user.n_operands()).find(|k| user.operand(*k) == alloca);
            argument.into_iter().for_each(|k| user.set_operand(k, new));
        }
    }
    alloca.replace_uses(object);
    alloca.erase();
    (new, Padded { gap, len, count, is_fixed: first_other.is_some() && count.as_constant().is_some() })
}

/// Pads the global variables that the module defines. Returns their lengths.
pub(crate) fn pad_globals(module: &Module) -> HashMap<Value, u64> {
    let mut padded = HashMap::new();
    for global in module.globals().into_iter().filter(|global| can_be_padded(*global)) {
        let (ty, b) = (global.held_type(), module.builder());
        let len = module.alloc_size(ty);
        let gap = b.i8.array(gap_end(len) - len);
        let value = module.constant_struct(&[global.initializer(), gap.null()]);
        let name = global.name();
        global.set_name("");
        let new = module.add_global(&name, value.ty());
        new.set_initializer(value);
        new.copy_global(global);
        new.raise_alignment(GAP as u32);
        global.replace_uses(new);
        global.erase_global();
        padded.insert(new, len);
    }
    padded
}

/// True if a global variable can be padded. Variables in a section of their own may be elements of an array that the
/// linker makes.
fn can_be_padded(global: Value) -> bool {
    use LLVMLinkage::{LLVMExternalLinkage, LLVMInternalLinkage, LLVMPrivateLinkage};
    let name = global.name();
    !global.is_declaration()
        && !global.is_thread_local()
        && matches!(global.linkage(), LLVMExternalLinkage | LLVMInternalLinkage | LLVMPrivateLinkage)
        && !global.has_section()
        && !["llvm.", "tine.", "__tine_"].iter().any(|prefix| name.starts_with(prefix))
}

/// True if addresses can be computed into a variable on the stack.
pub(crate) fn is_place(alloca: Value) -> bool {
    let size = alloca.operand(0).as_constant();
    size != Some(0) && (alloca.allocated().is_aggregate() || size != Some(1) || is_pointed_to(alloca))
}

/// True if a variable's address has other uses than reading and writing the variable.
fn is_pointed_to(variable: Value) -> bool {
    !variable.users().into_iter().all(|user| match user.opcode() {
        LLVMOpcode::LLVMLoad => true,
        LLVMOpcode::LLVMStore => user.operand(0) != variable,
        LLVMOpcode::LLVMCall => is_lifetime_marker(user) || loops::is_marker(user),
        _ => false,
    })
}

pub(crate) fn is_lifetime_marker(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.called().is_function()
        && names::is_lifetime_marker(&instruction.called().name())
}
