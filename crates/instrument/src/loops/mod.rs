//! Detection of infinite loops at run time, with proof.
//!
//! ```text
//!   while (l) {            header:  l = phi …            the exits depend on l and on memory
//!       n++;                        turn = phi -64, turn + 1
//!       l = l->next;                __tine_loop_state(loop, turn, l)
//!   }
//! ```
//! A loop that writes no memory and calls no function is determined by the values of the phis at its header. The exits
//! depend only on some of them, the *slice* (`slice`). When these values return to an earlier state, the loop cannot
//! end. The runtime compares states with Brent's algorithm, in windows of the turns (`runtime/src/record/turns.rs`).
//!
//! During instrumentation the probe is a marker, which has no shadows. Afterwards it becomes a test of the turn and,
//! rarely, a call of the runtime.

mod natural;
mod slice;

use std::hash::{Hash, Hasher};

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::{LOOP_STATE, LOOP_WAIT, LOOP_WINDOW};

use crate::function;
use crate::llvm::{Block, Builder, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Module, Value};
use crate::pipeline::Options;

/// Name of the marker: the number of the loop, the turn, and the values of its slice.
pub(crate) const MARKER: &str = "__tine_loop_state";
/// `__tine_loop`: see `tine_trace::entry::INTERFACE`.
const PROBE: &str = "__tine_loop";
/// The test of the turn.
const TEST: &str = "__tine_loop_turn";

/// Inserts a marker at the header of every loop that can be proved infinite.
pub(crate) fn mark(module: &Module, options: &Options) {
    if options.library {
        return;
    }
    let builder = module.builder();
    let mut marker = None;
    for function in module.functions() {
        if function.is_declaration() || function::is_library(function, options) {
            continue;
        }
        for (k, natural) in natural::loops(function).into_iter().enumerate() {
            let Some(slice) = slice::of(&natural) else { continue };
            let marker = *marker
                .get_or_insert_with(|| module.add_function(MARKER, builder.void.variadic(&[builder.i64, builder.i64])));
            let mut hasher = std::hash::DefaultHasher::new();
            (module.source_file(), function.name(), k).hash(&mut hasher);
            mark_header(&builder, &natural, marker, hasher.finish(), &slice);
        }
    }
}

fn mark_header(b: &Builder, natural: &natural::Loop, marker: Value, number: u64, slice: &[Value]) {
    let header = natural.header;
    let is_phi = |i: &Value| i.opcode() == LLVMOpcode::LLVMPHI;
    let first = header.instructions().into_iter().find(|i| !is_phi(i)).expect("a terminator follows the phis");
    b.before(header.first().expect("a block is not empty"));
    let turn = b.phi(b.i64);
    b.before(first);
    let next = b.add(turn, b.i64.constant(1));
    for from in natural::predecessors(header) {
        let value = if natural.blocks.contains(&from) { next } else { b.i64.constant(LOOP_WAIT.wrapping_neg()) };
        turn.add_incoming(value, from);
    }
    let probe = b.call(marker, &[&[b.i64.constant(number), turn], slice].concat());
    if let Some(place) = header.instructions().into_iter().find(|i| i.location().line != 0) {
        probe.set_location(place);
    }
}

/// Replaces the markers.
pub(crate) fn expand(module: &Module) {
    let Some(marker) = module.functions().into_iter().find(|function| function.name() == MARKER) else { return };
    let b = module.builder();
    let test = make_test(module, &b);
    for call in marker.users() {
        b.before(call);
        let mut arguments = call.arguments();
        for value in &mut arguments[2..] {
            *value = as_number(&b, *value);
        }
        arguments.resize(2 + LOOP_STATE, b.i64.constant(0));
        b.call(test, &arguments).set_location(call);
        call.erase();
    }
    marker.erase_function();
}

fn as_number(b: &Builder, value: Value) -> Value {
    let ty = value.ty();
    match ty.kind() {
        LLVMTypeKind::LLVMPointerTypeKind => b.cast(LLVMOpcode::LLVMPtrToInt, value, b.i64),
        LLVMTypeKind::LLVMFloatTypeKind => b.resize(b.cast(LLVMOpcode::LLVMBitCast, value, b.i32), b.i64),
        LLVMTypeKind::LLVMDoubleTypeKind => b.cast(LLVMOpcode::LLVMBitCast, value, b.i64),
        _ => b.resize(value, b.i64),
    }
}

/// The function that calls the runtime in the turns of a window. It is inlined.
fn make_test(module: &Module, b: &Builder) -> Value {
    let ty = b.void.function(&[b.i64; 2 + LOOP_STATE]);
    let (probe, test) = (module.add_function(PROBE, ty), module.add_function(TEST, ty));
    test.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    module.add_function_attribute(test, "alwaysinline");
    let [entry, rare, usual]: [Block; 3] = ["", "", ""].map(|name| b.block(test, name));
    let params = test.params();
    b.at_end_of(entry, test);
    let window = b.and(params[1], b.i64.constant(LOOP_WINDOW));
    let is_due = b.icmp(LLVMIntPredicate::LLVMIntEQ, window, b.i64.constant(0));
    b.branch_unlikely(is_due, rare, usual);
    b.at_end_of(rare, test);
    b.call(probe, &params);
    b.jump(usual);
    b.at_end_of(usual, test);
    b.ret(None);
    test
}
