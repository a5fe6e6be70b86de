//! Facts about pointers that the user's code implies: the parameters and members it compares with NULL, and the
//! parameters it passes on.
//!
//! ```text
//!   if (!list->head)        MemberTested     list, offset of head
//!   while (p != NULL)       ParameterTested  f, number of p
//!   int a[static 4]         ParameterNonnull f, number of a
//!   g(p)                    ParameterPassed  f, number of p, g, number of its parameter
//! ```
//! A pointer that is compared with NULL somewhere may be NULL. So its use without a check is an error and not a
//! requirement on callers. Comparisons that clang adds for its checks do not count.

use std::collections::{BTreeSet, HashSet};

use llvm_sys::LLVMTypeKind;
use tine_trace::map::FactKind;

use crate::function::is_library;
use crate::llvm::{Block, LLVMIntPredicate, LLVMOpcode, Module, Value};
use crate::names;
use crate::pipeline::Options;

/// One fact, as in `trace::map::FactRecord`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fact {
    pub(crate) owner: String,
    pub(crate) kind: FactKind,
    pub(crate) index: u32,
    pub(crate) callee: String,
    pub(crate) argument: u32,
}

impl Fact {
    fn tested(kind: FactKind, owner: String, index: u32) -> Fact {
        Fact { owner, kind, index, callee: String::new(), argument: 0 }
    }
}

/// All facts of the user's functions.
pub(crate) fn of(module: &Module, options: &Options) -> Vec<Fact> {
    let mut facts = BTreeSet::new();
    for function in module.functions() {
        if function.is_declaration() || is_library(function, options) {
            continue;
        }
        facts.extend(declared(function));
        for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
            if let Some(tested) = tested_pointer(instruction) {
                let mut seen = HashSet::new();
                let mut found = BTreeSet::new();
                collect(module, function, tested, &mut seen, &mut found);
                // A variable that may have been set to NULL is compared to detect this, independent of its other
                // values.
                let is_marker = seen.iter().any(|value| value.is_zero());
                facts.extend(found.into_iter().filter(|fact| !is_marker || fact.kind != FactKind::ParameterTested));
            }
            facts.extend(passed(function, instruction));
        }
    }
    facts.into_iter().collect()
}

/// The pointer that an instruction of the program compares with NULL.
fn tested_pointer(instruction: Value) -> Option<Value> {
    let is_test = instruction.opcode() == LLVMOpcode::LLVMICmp
        && matches!(instruction.int_predicate(), LLVMIntPredicate::LLVMIntEQ | LLVMIntPredicate::LLVMIntNE)
        && !instruction.is_made_by_sanitizer()
        && !is_asserted(instruction)
        && instruction.operand(0).ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
    if !is_test {
        return None;
    }
    let (a, b) = (instruction.operand(0), instruction.operand(1));
    if b.is_zero() {
        Some(a)
    } else if a.is_zero() {
        Some(b)
    } else {
        None
    }
}

/// True if the test is an assertion, which requires that the pointer is not NULL.
fn is_asserted(test: Value) -> bool {
    let fails = |block: Block| {
        let calls = block.instructions().into_iter().filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMCall);
        calls.map(Value::called).any(|called| called.is_function() && names::is_assertion(&called.name()))
    };
    let users = test.users();
    let asserts = |user: &Value| user.opcode() == LLVMOpcode::LLVMBr && user.successors().into_iter().any(fails);
    !users.is_empty() && users.iter().all(asserts)
}

/// The parameters that are declared as not NULL: `__attribute__((nonnull))`, `int a[static 4]`.
fn declared(function: Value) -> Vec<Fact> {
    let kinds = ["nonnull", "dereferenceable"].map(Module::attribute_kind);
    let is_nonnull = |index: &u32| kinds.iter().any(|kind| function.has_attribute(index + 1, *kind));
    let indices = (0..function.params().len() as u32).filter(is_nonnull);
    indices.map(|index| Fact::tested(FactKind::ParameterNonnull, function.name(), index)).collect()
}

/// The parameters that a call passes on unchanged.
fn passed(function: Value, call: Value) -> Vec<Fact> {
    if call.opcode() != LLVMOpcode::LLVMCall || !call.called().is_function() || call.called().is_intrinsic() {
        return Vec::new();
    }
    let params = function.params();
    let pass = |(argument, value): (u32, Value)| {
        let index = params.iter().position(|param| *param == value)? as u32;
        let (owner, callee) = (function.name(), call.called().name());
        Some(Fact { owner, kind: FactKind::ParameterPassed, index, callee, argument })
    };
    (0..).zip(call.arguments()).filter_map(pass).collect()
}

/// Adds the parameters and members that a pointer may come from.
fn collect(module: &Module, function: Value, pointer: Value, seen: &mut HashSet<Value>, facts: &mut BTreeSet<Fact>) {
    if !seen.insert(pointer) {
        return;
    }
    if pointer.is_argument() {
        let index = function.params().iter().position(|param| *param == pointer);
        facts.extend(index.map(|index| Fact::tested(FactKind::ParameterTested, function.name(), index as u32)));
        return;
    }
    if !pointer.is_instruction() {
        return;
    }
    match pointer.opcode() {
        LLVMOpcode::LLVMPHI => {
            for (value, _) in pointer.incoming() {
                collect(module, function, value, seen, facts);
            }
        }
        LLVMOpcode::LLVMSelect => {
            collect(module, function, pointer.operand(1), seen, facts);
            collect(module, function, pointer.operand(2), seen, facts);
        }
        LLVMOpcode::LLVMFreeze => collect(module, function, pointer.operand(0), seen, facts),
        LLVMOpcode::LLVMLoad => facts.extend(members(module, pointer.operand(0))),
        _ => {}
    }
}

/// The members that contain an address: of the innermost structure, and of the enclosing ones.
fn members(module: &Module, address: Value) -> Vec<Fact> {
    let mut found = Vec::new();
    let mut address = address;
    let mut offset = 0;
    while address.is_instruction() && address.opcode() == LLVMOpcode::LLVMGetElementPtr {
        let source = address.gep_source();
        if source.kind() == LLVMTypeKind::LLVMStructTypeKind {
            let Some(member) = member_offset(module, address) else { break };
            offset += member;
            let owner = source_name(&source.text());
            found.extend(owner.map(|owner| Fact::tested(FactKind::MemberTested, owner, offset as u32)));
        } else if (1..address.n_operands()).any(|operand| address.operand(operand).as_constant() != Some(0)) {
            // An element of an array: the enclosing structures have it at many offsets.
            break;
        }
        address = address.operand(0);
    }
    found
}

/// Offset of the member whose address an instruction computes, if all its indices are constants.
fn member_offset(module: &Module, address: Value) -> Option<u64> {
    let mut ty = address.gep_source();
    let mut offset = 0;
    for operand in 2..address.n_operands() {
        let index = address.operand(operand).as_constant()?;
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                offset += module.element_offset(ty, index as u32);
                ty = ty.struct_elements().get(index as usize).copied()?;
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                ty = ty.element();
                offset += index * module.alloc_size(ty);
            }
            _ => return None,
        }
    }
    Some(offset)
}

/// The name of a structure in C: `%struct.list.3 = type { ... }` is `list`.
fn source_name(text: &str) -> Option<String> {
    let name = text.split([' ', '=']).next()?.trim_start_matches('%').trim_matches('"');
    let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("union."))?;
    // LLVM appends numbers to structures with the same name.
    let plain = name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let name = plain.map_or(name, |(name, _)| name);
    (name != "anon").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn structures_have_their_name_in_c() {
        assert_eq!(source_name("%struct.list = type { ptr, i32 }").as_deref(), Some("list"));
        assert_eq!(source_name("%struct.list.12").as_deref(), Some("list"));
        assert_eq!(source_name("%union.value").as_deref(), Some("value"));
        assert_eq!(source_name("%struct.anon.3"), None);
        assert_eq!(source_name("{ ptr, i32 }"), None);
    }
}
