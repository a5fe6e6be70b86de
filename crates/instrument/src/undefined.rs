//! Variables that are read before they are written.
//!
//! mem2reg chooses any suitable value for such a read, so a branch on it may disappear: `phi(1, undefined)` becomes 1.
//! Therefore each variable that becomes a register is first given a value, [`mark`], which no pass can examine. If that
//! value may still be used afterwards, [`resolve`] replaces it by 0, tracks it through phis with a bit, and tests the
//! bit before the use:
//!
//! ```text
//!   int x;                        x = freeze poison
//!   if (a) x = 1;           ─▶    x' = phi [1, 0]   undefined = phi [false, true]
//!   if (x) …                      if (tine.undefined(x', undefined)) …
//! ```
//! `tine.undefined` returns its first operand, with the shadow of an undefined value if the second operand is true. So
//! a variable that was written after all costs a test. An unwritten value is followed like an input, through memory and
//! calls, up to a decision. [`erase`] removes the calls when everything has been instrumented.
//!
//! Structures and arrays are marked part by part (`parts`). For variables that stay in memory, unwritten bytes are
//! recognised by their cells.

use std::collections::{HashMap, HashSet};

use crate::leaf::leaves;
use crate::llvm::{Block, Builder, LLVMOpcode, Module, Type, Value};
use crate::names;
use crate::padding;
use crate::parts::{self, Part};

/// Prefix before the type in the name of `tine.undefined`.
const UNDEFINED: &str = "tine.undefined.";

/// True if a call is one of `tine.undefined`.
pub(crate) fn is_use(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.called().is_function()
        && instruction.called().name().starts_with(UNDEFINED)
}

/// Gives each variable a value at the start of its scope. Runs before variables become registers.
pub(crate) fn mark(module: &Module) {
    let builder = module.builder();
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let entry = function.blocks()[0].instructions();
        let n_allocas = entry.iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMAlloca).count();
        let (allocas, rest) = entry.split_at(n_allocas);
        let Some(first) = rest.first() else { continue };
        for variable in allocas.iter().copied().filter(|alloca| alloca.operand(0).as_constant() == Some(1)) {
            let parts = match variable.allocated() {
                ty if ty.is_aggregate() => parts::of(module, variable),
                ty if is_register(variable) && !is_written_first(variable, rest) => vec![Part { offset: 0, ty }],
                _ => continue,
            };
            let starts: Vec<Value> = variable.users().into_iter().filter(|user| starts_scope(*user)).collect();
            let starts = if starts.is_empty() { vec![*first] } else { starts };
            for start in starts {
                builder.before(if start == *first { start } else { start.next().expect("a marker ends no block") });
                for part in parts.iter().filter(|part| is_scalar(part.ty)) {
                    let at = match part.offset {
                        0 => variable,
                        offset => builder.offset(variable, builder.i64.constant(offset)),
                    };
                    builder.store_natural(builder.freeze(part.ty.poison()), at);
                }
            }
        }
    }
}

fn starts_scope(user: Value) -> bool {
    padding::is_lifetime_marker(user) && user.called().name().starts_with("llvm.lifetime.start")
}

/// True if a store was made by [`mark`], for a variable that did not become a register.
fn is_mark(store: Value) -> bool {
    let stored = || store.operand(0);
    store.opcode() == LLVMOpcode::LLVMStore
        && stored().is_instruction()
        && stored().opcode() == LLVMOpcode::LLVMFreeze
        && stored().operand(0).is_undefined()
        && is_in_variable(store.operand(1))
}

fn is_in_variable(pointer: Value) -> bool {
    match pointer.is_instruction().then(|| pointer.opcode()) {
        Some(LLVMOpcode::LLVMAlloca) => true,
        Some(LLVMOpcode::LLVMGetElementPtr) => is_in_variable(pointer.operand(0)),
        _ => false,
    }
}

/// True if the first block writes a variable before reading it, as for parameters.
fn is_written_first(variable: Value, instructions: &[Value]) -> bool {
    let users = variable.users();
    let first = instructions.iter().find(|instruction| users.contains(instruction));
    first.is_some_and(|first| first.opcode() == LLVMOpcode::LLVMStore)
}

/// True if a variable is a scalar that becomes a register: its address is used only by loads and stores.
fn is_register(alloca: Value) -> bool {
    let ty = alloca.allocated();
    let is_access = |user: Value| match user.opcode() {
        LLVMOpcode::LLVMLoad => user.ty() == ty && !user.is_volatile() && !user.is_atomic(),
        LLVMOpcode::LLVMStore => {
            let value = user.operand(0);
            value != alloca && value.ty() == ty && !user.is_volatile() && !user.is_atomic()
        }
        LLVMOpcode::LLVMCall => user.called().is_function() && names::is_lifetime_marker(&user.called().name()),
        _ => false,
    };
    alloca.operand(0).as_constant() == Some(1) && is_scalar(ty) && alloca.users().into_iter().all(is_access)
}

/// True if values of a type are one scalar that has expressions.
fn is_scalar(ty: Type) -> bool {
    !ty.is_aggregate() && matches!(leaves(ty)[..], [leaf] if leaf.is_supported())
}

/// Makes the uses of undefined values visible. Runs when variables are registers.
pub(crate) fn resolve(module: &Module) {
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let instructions = function.blocks().into_iter().flat_map(Block::instructions);
        instructions.filter(|instruction| is_mark(*instruction)).collect::<Vec<_>>().into_iter().for_each(Value::erase);
        let mut values = Values::of(function);
        values.ask_before_uses(module, function);
        values.define();
        settle_padding(function);
    }
}

/// Makes the remaining undefined operands zeros: padding of structures that are copied, which is not followed. LLVM may choose
/// another value at each use, and then the recorded value would differ from the one that the machine computes with.
fn settle_padding(function: Value) {
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        let is_call = instruction.opcode() == LLVMOpcode::LLVMCall;
        if is_call && instruction.called().is_function() && instruction.called().is_intrinsic() {
            continue;
        }
        for k in 0..instruction.n_operands() {
            let operand = instruction.operand(k);
            if operand.is_undefined() && !operand.ty().is_aggregate() {
                instruction.set_operand(k, operand.ty().null());
            }
        }
    }
}

/// The undefined values of a function.
#[derive(Debug, Default)]
struct Values {
    /// Instructions that are always undefined.
    always: Vec<Value>,
    /// Phis that may be undefined, with the bit that tells it.
    sometimes: HashMap<Value, Option<Value>>,
}

impl Values {
    fn of(function: Value) -> Values {
        let mut values = Values::default();
        let instructions: Vec<Value> = function.blocks().into_iter().flat_map(Block::instructions).collect();
        let is_undefined =
            |i: &Value| i.opcode() == LLVMOpcode::LLVMFreeze && i.operand(0).is_undefined() && is_scalar(i.ty());
        for value in instructions.iter().copied().filter(is_undefined) {
            if value.users().is_empty() {
                value.erase();
            } else {
                values.always.push(value);
            }
        }
        let instructions: Vec<Value> = function.blocks().into_iter().flat_map(Block::instructions).collect();
        let is_phi = |i: &Value| i.opcode() == LLVMOpcode::LLVMPHI && is_scalar(i.ty());
        let undefined_phis = instructions.into_iter().filter(is_phi);
        let mut pending: Vec<Value> = undefined_phis
            .filter(|phi| phi.incoming().iter().any(|(value, _)| value.is_undefined() || values.always.contains(value)))
            .collect();
        while let Some(phi) = pending.pop() {
            if values.sometimes.insert(phi, None).is_none() {
                pending.extend(phi.users().into_iter().filter(is_phi));
            }
        }
        values
    }

    /// Inserts a test before each use that is not in a phi.
    fn ask_before_uses(&mut self, module: &Module, function: Value) {
        let builder = module.builder();
        let values: Vec<Value> = self.always.iter().chain(self.sometimes.keys()).copied().collect();
        let order: HashMap<Value, usize> = function
            .blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .enumerate()
            .map(|(k, instruction)| (instruction, k))
            .collect();
        let mut uses: Vec<(Value, Value)> = Vec::new();
        for value in values {
            let users = value.users().into_iter().filter(|user| user.opcode() != LLVMOpcode::LLVMPHI);
            let users: HashSet<Value> = users.collect();
            uses.extend(users.into_iter().map(|user| (user, value)));
        }
        // Sets have no order, but the output must always be the same.
        uses.sort_by_key(|(user, value)| (order[user], order[value]));
        for (user, value) in uses {
            let undefined = self.bit(&builder, value);
            builder.before(user);
            let asked = builder.call(function_for(module, value.ty()), &[value, undefined]);
            replace_operands(user, value, asked);
        }
        for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
            ask_before_decision(module, &builder, instruction);
        }
    }

    /// The bit that tells if a value is undefined.
    fn bit(&mut self, builder: &Builder, value: Value) -> Value {
        let [no, yes] = [0, 1].map(|bit| builder.i1.constant(bit));
        if value.is_undefined() || self.always.contains(&value) {
            return yes;
        }
        match self.sometimes.get(&value) {
            None => no,
            Some(Some(bit)) => *bit,
            Some(None) => {
                builder.before(value);
                let bit = builder.phi(builder.i1);
                self.sometimes.insert(value, Some(bit));
                for (incoming, from) in value.incoming() {
                    let incoming = self.bit(builder, incoming);
                    bit.add_incoming(incoming, from);
                }
                bit
            }
        }
    }

    /// Replaces undefined values by 0.
    fn define(self) {
        for phi in self.sometimes.keys() {
            for (k, (value, _)) in phi.incoming().into_iter().enumerate() {
                if value.is_undefined() {
                    phi.set_operand(k as u32, phi.ty().null());
                }
            }
        }
        for value in self.always {
            value.replace_uses(value.ty().null());
            value.erase();
        }
    }
}

/// Handles an undefined constant that determines a branch: a part of a variable that was not marked.
fn ask_before_decision(module: &Module, builder: &Builder, instruction: Value) {
    use LLVMOpcode::*;
    let decides = match instruction.opcode() {
        LLVMICmp | LLVMFCmp | LLVMSwitch => true,
        LLVMBr => instruction.is_conditional(),
        _ => false,
    };
    if !decides {
        return;
    }
    for k in 0..instruction.n_operands() {
        let operand = instruction.operand(k);
        if operand.is_undefined() && is_scalar(operand.ty()) {
            builder.before(instruction);
            let (zero, yes) = (operand.ty().null(), builder.i1.constant(1));
            instruction.set_operand(k, builder.call(function_for(module, operand.ty()), &[zero, yes]));
        }
    }
}

fn replace_operands(user: Value, value: Value, with: Value) {
    for k in (0..user.n_operands()).filter(|k| user.operand(*k) == value) {
        user.set_operand(k, with);
    }
}

/// `tine.undefined` for values of a type.
fn function_for(module: &Module, ty: Type) -> Value {
    let name = format!("{UNDEFINED}{}", ty.text());
    let known = module.functions().into_iter().find(|function| function.name() == name);
    known.unwrap_or_else(|| module.add_function(&name, ty.function(&[ty, module.builder().i1])))
}

/// Replaces the calls by their first operand, when all functions have been instrumented.
pub(crate) fn erase(module: &Module) {
    for function in module.functions().into_iter().filter(|function| function.name().starts_with(UNDEFINED)) {
        for call in function.users() {
            call.replace_uses(call.operand(0));
            call.erase();
        }
        function.erase_function();
    }
}
