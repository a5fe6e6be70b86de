//! The slice of a loop: the values on which its ways out depend.
//!
//! Ways out are branches, addresses of accesses to memory, divisors, and checks after which a run stops. Checks after
//! which it continues like the native program (overflow, shifts, conversions) are none. So `n++` in `while (l) { n++;
//! l = l->next; }` is not part of the slice.
//!
//! A load whose value belongs to the slice must find the same bytes when the state returns. If nothing has written
//! them, it does. If a store has, the stored value must be determined by the slice, too. The runtime observes which
//! stores hit which loads; here it is only guessed, to choose the stores that become part of the slice.

use std::collections::HashSet;

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::LOOP_STATE;

use super::region::{Region, Role, role};
use crate::llvm::{LLVMOpcode, Type, Value};

pub(super) struct Slice {
    /// Phis of the header, in its order.
    pub(super) state: Vec<Value>,
    /// Loads whose value belongs to the slice.
    pub(super) loads: HashSet<Value>,
    /// Stores whose value belongs to the slice.
    pub(super) stores: HashSet<Value>,
}

/// The slice of a region. `None` if its state is too large or cannot return.
pub(super) fn of(region: &Region<'_>) -> Option<Slice> {
    let instructions: Vec<Value> = region.blocks.iter().flat_map(|block| block.instructions()).collect();
    let all_stores: Vec<Value> = instructions.iter().copied().filter(|i| matches!(role(*i), Role::Stores)).collect();
    let mut todo: Vec<Value> = instructions.iter().flat_map(|i| region.needs(*i)).collect();
    let (mut seen, mut loads, mut stores) = (HashSet::new(), HashSet::new(), HashSet::new());
    while !todo.is_empty() {
        while let Some(value) = todo.pop() {
            if !seen.insert(value) {
                continue;
            }
            let is_load = value.is_instruction() && matches!(role(value), Role::Loads);
            if is_load && region.blocks.contains(&value.parent()) {
                loads.insert(value);
            } else {
                todo.extend(region.operands(value));
            }
        }
        for store in &all_stores {
            if !stores.contains(store) && loads.iter().any(|load| may_feed(*store, *load)) {
                stores.insert(*store);
                todo.push(store.operand(0));
            }
        }
    }
    let state: Vec<Value> = region.natural.header.phis().into_iter().filter(|phi| seen.contains(phi)).collect();
    let returns = state.len() <= LOOP_STATE && state.iter().all(|phi| is_comparable(*phi) && !counts(region, *phi));
    returns.then_some(Slice { state, loads, stores })
}

fn is_comparable(value: Value) -> bool {
    let ty = value.ty();
    match ty.kind() {
        LLVMTypeKind::LLVMPointerTypeKind | LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => true,
        LLVMTypeKind::LLVMIntegerTypeKind => ty.int_width() <= 64,
        _ => false,
    }
}

/// True if every turn adds the same small constant to a phi of the header, so that its value takes too long to return.
fn counts(region: &Region<'_>, phi: Value) -> bool {
    const MAX_STEP: u64 = 4096;
    let ty = phi.ty();
    let is_wide = ty.kind() != LLVMTypeKind::LLVMIntegerTypeKind || ty.int_width() >= 32;
    let is_step = |step: Option<i64>| step.is_some_and(|step| step != 0 && step.unsigned_abs() <= MAX_STEP);
    let steps = |value: Value| {
        if !value.is_instruction() {
            return false;
        }
        let (sum, opcode) = (value.operand(0), value.opcode());
        if opcode == LLVMOpcode::LLVMExtractValue && value.indices() == [0] && sum.is_instruction() {
            let is_sum = sum.opcode() == LLVMOpcode::LLVMCall && sum.called().is_function() && {
                let name = sum.called().name();
                ["llvm.sadd.with", "llvm.uadd.with", "llvm.ssub.with", "llvm.usub.with"]
                    .iter()
                    .any(|p| name.starts_with(p))
            };
            return is_sum && sum.operand(0) == phi && is_step(sum.operand(1).as_signed_constant());
        }
        let adds = matches!(opcode, LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMGetElementPtr);
        adds && value.n_operands() == 2 && sum == phi && is_step(value.operand(1).as_signed_constant())
    };
    let mut round = phi.incoming().into_iter().filter(|(_, from)| region.natural.blocks.contains(from));
    is_wide && round.all(|(value, _)| steps(value))
}

/// True if the two are likely to access the same bytes. Nothing but precision depends on it.
fn may_feed(store: Value, load: Value) -> bool {
    let (to, from) = (Place::of(store.operand(1)), Place::of(load.operand(0)));
    match (&to.member, &from.member) {
        _ if to.variable.is_some() && from.variable.is_some() && to.variable != from.variable => false,
        (Some(to), Some(from)) => to == from,
        (None, Some(_)) if to.is_plain() => false,
        (Some(_), None) if from.is_plain() => false,
        _ => store.operand(0).ty() == load.ty(),
    }
}

/// Known facts about an address.
struct Place {
    /// The variable in which it lies.
    variable: Option<Value>,
    /// Type of the structure around it, and the path of the member, without zeros at its end.
    member: Option<(String, Vec<u64>)>,
}

impl Place {
    fn of(address: Value) -> Place {
        let mut base = address;
        while base.is_instruction() && base.opcode() == LLVMOpcode::LLVMGetElementPtr {
            base = base.operand(0);
        }
        let base = base.without_offset();
        let is_local = base.is_instruction() && base.opcode() == LLVMOpcode::LLVMAlloca;
        let variable = (is_local || base.is_global_variable()).then_some(base);
        let is_first = |ty: &Type| variable == Some(address) && ty.kind() == LLVMTypeKind::LLVMStructTypeKind;
        let first = variable.map(type_of).filter(is_first).map(|ty| (ty.text(), Vec::new()));
        Place { variable, member: first.or_else(|| member(address)) }
    }

    /// True if it lies in a variable that is not a structure.
    fn is_plain(&self) -> bool {
        self.variable.is_some_and(|variable| type_of(variable).kind() != LLVMTypeKind::LLVMStructTypeKind)
    }
}

fn type_of(variable: Value) -> Type {
    if variable.is_global_variable() { variable.held_type() } else { variable.allocated() }
}

fn member(address: Value) -> Option<(String, Vec<u64>)> {
    if !address.is_instruction() || address.opcode() != LLVMOpcode::LLVMGetElementPtr || address.n_operands() < 3 {
        return None;
    }
    let path: Option<Vec<u64>> = (2..address.n_operands()).map(|k| address.operand(k).as_constant()).collect();
    let mut path = path.filter(|_| address.gep_source().kind() == LLVMTypeKind::LLVMStructTypeKind)?;
    while path.last() == Some(&0) {
        path.pop();
    }
    Some((address.gep_source().text(), path))
}
