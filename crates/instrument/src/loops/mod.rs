//! Detection of infinite loops at run time, with proof.
//!
//! ```text
//!   while (l) {            header:  l = phi …            the exits depend on l and on memory
//!       n++;                        turn = phi -64, turn + 1
//!       count(l);                   __tine_loop(loop, turn, l)
//!       l = l->next;       load:    __tine_loop_read(&l->next, 8)
//!   }                      stores of `count`:  __tine_loop_wrote(…)
//! ```
//! The ways out of a loop depend on some values only, the *slice* ([`slice`]): phis of its header, and memory. When the
//! phis return to an earlier state, and the memory that the slice has read in between is unchanged, then the loop
//! cannot end. Code that is not analysed ends a proof when it is executed ([`region`]). The runtime compares states with
//! Brent's algorithm, in windows of the turns (`runtime/src/record/turns.rs`), and observes memory only while it compares.
//!
//! During instrumentation the probes are markers, which have no shadows. Afterwards they become tests of the turn, or of
//! whether memory is observed, and rarely a call of the runtime.

mod natural;
mod region;
mod slice;

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::mem::offset_of;

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::{LOOP_OBSERVES, LOOP_STATE, LOOP_WAIT, LOOP_WINDOW, Passing};

use self::region::{Region, Role};
use self::slice::Slice;
use crate::function;
use crate::llvm::{Block, Builder, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Module, Value};
use crate::pipeline::Options;

/// Prefix of the names of markers.
const MARKER: &str = "tine.loop.";
/// Marker in a header: the number of the loop, the turn, and the phis of its slice.
const TURN: &str = "tine.loop.turn";
/// Markers after accesses of the slice, and after code that is not analysed, with the runtime's functions.
const READ: (&str, &str) = ("tine.loop.read", "__tine_loop_read");
const WROTE: (&str, &str) = ("tine.loop.wrote", "__tine_loop_wrote");
const OPAQUE: (&str, &str) = ("tine.loop.opaque", "__tine_loop_opaque");
/// `__tine_loop`: see `tine_trace::entry::INTERFACE`.
const PROBE: &str = "__tine_loop";

/// True if this is a marker.
pub(crate) fn is_marker(call: Value) -> bool {
    call.opcode() == LLVMOpcode::LLVMCall && call.called().is_function() && call.called().name().starts_with(MARKER)
}

/// A loop to be marked.
struct Found {
    header: Block,
    blocks: HashSet<Block>,
    number: u64,
    state: Vec<Value>,
}

/// Instructions to be marked. The value of a store counts as known if every slice around it determines it.
#[derive(Default)]
struct Observed {
    loads: HashSet<Value>,
    stores: HashMap<Value, bool>,
    opaque: HashSet<Value>,
}

/// Inserts markers for every loop that can be proved infinite.
pub(crate) fn mark(module: &Module, options: &Options) {
    if options.library {
        return;
    }
    let (mut found, mut observed) = (Vec::new(), Observed::default());
    for function in module.functions() {
        if function.is_declaration() || function::is_library(function, options) {
            continue;
        }
        for (k, natural) in natural::loops(function).into_iter().enumerate() {
            let Some(region) = Region::of(&natural) else { continue };
            let Some(slice) = slice::of(&region) else { continue };
            let mut hasher = std::hash::DefaultHasher::new();
            (module.source_file(), function.name(), k).hash(&mut hasher);
            let observes = if observed.add(&region, &slice) { LOOP_OBSERVES } else { 0 };
            let number = hasher.finish() & !LOOP_OBSERVES | observes;
            found.push(Found { header: natural.header, blocks: natural.blocks.clone(), number, state: slice.state });
        }
    }
    if found.is_empty() {
        return;
    }
    let builder = module.builder();
    observed.mark(module, &builder);
    let marker = module.add_function(TURN, builder.void.variadic(&[builder.i64, builder.i64]));
    for found in &found {
        mark_header(&builder, found, marker);
    }
}

impl Observed {
    /// Adds the instructions of a region. Returns false if nothing in it needs to be observed.
    fn add(&mut self, region: &Region<'_>, slice: &Slice) -> bool {
        let instructions = region.blocks.iter().filter(|block| returns(**block)).flat_map(|block| block.instructions());
        let (mut writes, mut opaque) = (Vec::new(), Vec::new());
        for instruction in instructions {
            match region::role(instruction) {
                Role::Stores | Role::Fills => writes.push(instruction),
                Role::Opaque => opaque.push(instruction),
                _ => {}
            }
        }
        if writes.is_empty() && opaque.is_empty() && region.calls.is_empty() {
            return false;
        }
        self.loads.extend(&slice.loads);
        self.opaque.extend(opaque);
        for write in writes {
            *self.stores.entry(write).or_insert(true) &= slice.stores.contains(&write);
        }
        true
    }

    fn mark(&self, module: &Module, b: &Builder) {
        if self.loads.is_empty() && self.stores.is_empty() && self.opaque.is_empty() {
            return;
        }
        let read = module.add_function(READ.0, b.void.function(&[b.ptr, b.i64]));
        let wrote = module.add_function(WROTE.0, b.void.function(&[b.ptr, b.i64, b.i64]));
        let opaque = module.add_function(OPAQUE.0, b.void.function(&[]));
        // In the order of the module, so that builds are reproducible.
        for instruction in module.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions) {
            if self.loads.contains(&instruction) {
                let size = b.i64.constant(module.store_size(instruction.ty()));
                b.after(instruction);
                b.call(read, &[instruction.operand(0), size]);
            } else if let Some(known) = self.stores.get(&instruction) {
                b.after(instruction);
                let known = b.i64.constant(u64::from(*known));
                let (to, size) = match region::role(instruction) {
                    Role::Fills => (instruction.operand(0), b.resize(instruction.operand(2), b.i64)),
                    _ => (instruction.operand(1), b.i64.constant(module.store_size(instruction.operand(0).ty()))),
                };
                b.call(wrote, &[to, size, known]);
            } else if self.opaque.contains(&instruction) {
                b.after(instruction);
                b.call(opaque, &[]);
            }
        }
    }
}

/// False if a run that reaches a block ends there.
fn returns(block: Block) -> bool {
    block.terminator().opcode() != LLVMOpcode::LLVMUnreachable
}

fn mark_header(b: &Builder, found: &Found, marker: Value) {
    let header = found.header;
    let is_phi = |i: &Value| i.opcode() == LLVMOpcode::LLVMPHI;
    let first = header.instructions().into_iter().find(|i| !is_phi(i)).expect("a terminator follows the phis");
    b.before(header.first().expect("a block is not empty"));
    let turn = b.phi(b.i64);
    b.before(first);
    let next = b.add(turn, b.i64.constant(1));
    for from in natural::predecessors(header) {
        let value = if found.blocks.contains(&from) { next } else { b.i64.constant(LOOP_WAIT.wrapping_neg()) };
        turn.add_incoming(value, from);
    }
    let probe = b.call(marker, &[&[b.i64.constant(found.number), turn], &found.state[..]].concat());
    if let Some(place) = header.instructions().into_iter().find(|i| i.location().line != 0) {
        probe.set_location(place);
    }
}

/// Replaces the markers.
pub(crate) fn expand(module: &Module) {
    let marker = |name: &str| module.functions().into_iter().find(|function| function.name() == name);
    let b = module.builder();
    if let Some(turn) = marker(TURN) {
        let test = make_test(module, &b);
        for call in turn.users() {
            b.before(call);
            let mut arguments = call.arguments();
            for value in &mut arguments[2..] {
                *value = as_number(&b, *value);
            }
            arguments.resize(2 + LOOP_STATE, b.i64.constant(0));
            b.call(test, &arguments).set_location(call);
            call.erase();
        }
        turn.erase_function();
    }
    for (name, probe) in [READ, WROTE, OPAQUE] {
        let Some(marker) = marker(name) else { continue };
        let test = make_observation(module, &b, probe, marker);
        for call in marker.users() {
            b.before(call);
            b.call(test, &call.arguments()).set_location(call);
            call.erase();
        }
        marker.erase_function();
    }
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
    let (probe, test) = (module.add_function(PROBE, ty), module.add_function("__tine_loop_turn", ty));
    calls_if(module, b, test, probe, |params| {
        // Loops that are observed have a quarter of the window (`runtime/src/record/turns.rs`), because their probes
        // cost more.
        let observes = b.and(params[0], b.i64.constant(LOOP_OBSERVES));
        let quarter = b.binary(LLVMOpcode::LLVMMul, observes, b.i64.constant(LOOP_WINDOW >> 2));
        let window = b.and(params[1], b.or(quarter, b.i64.constant(LOOP_WINDOW)));
        b.icmp(LLVMIntPredicate::LLVMIntEQ, window, b.i64.constant(0))
    });
    test
}

/// The function that calls the runtime while it observes memory. It is inlined.
fn make_observation(module: &Module, b: &Builder, probe: &str, marker: Value) -> Value {
    let test = module.add_function(&format!("{probe}_test"), marker.function_type());
    let probe = module.add_function(probe, marker.function_type());
    let passing = module.globals().into_iter().find(|global| global.name() == "__tine_passing");
    let passing = passing.expect("an instrumented module has it");
    calls_if(module, b, test, probe, |_| {
        let observes = b.offset(passing, b.i64.constant(offset_of!(Passing, observes_loop) as u64));
        b.not_equal(b.load_natural(b.i32, observes), b.i32.constant(0))
    });
    test
}

/// Defines `test`: under a condition it calls `probe` with its parameters.
fn calls_if(module: &Module, b: &Builder, test: Value, probe: Value, condition: impl FnOnce(&[Value]) -> Value) {
    test.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    module.add_function_attribute(test, "alwaysinline");
    let [entry, rare, usual]: [Block; 3] = ["", "", ""].map(|name| b.block(test, name));
    let params = test.params();
    b.at_end_of(entry, test);
    let condition = condition(&params);
    b.branch_unlikely(condition, rare, usual);
    b.at_end_of(rare, test);
    b.call(probe, &params);
    b.jump(usual);
    b.at_end_of(usual, test);
    b.ret(None);
}
