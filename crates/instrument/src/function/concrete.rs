//! The concrete track: the function itself, as long as nothing in it is symbolic.
//!
//! It carries no shadows. It tests the shadows of loaded values, of results and of parameters, and leaves for the
//! symbolic track at the first one that is not 0. So the rest of it is as fast as the original function:
//!
//! ```text
//!     br any_cell(p, 4) ? exit : next         ; unlikely
//!   next:
//!     x = load p
//!     …
//!   exit:                                     ; one for each region
//!     store the values live at the region's start → buffer
//!     ret @f.symbolic(buffer, region)
//! ```
//! A check that fails is an exit, too. The code after it in this track may rely on the checked condition.

use std::collections::HashMap;
use std::mem::offset_of;

use tine_trace::entry::{MAX_ARGUMENTS, MAX_RESULTS, Passing};

use super::Walk;
use super::regions::{Effect, effect, leading_allocas, phis, reads};
use super::symbolic::{Layout, RESUME, way};
use super::tracks::Tracks;
use crate::leaf::{Leaf, leaves};
use crate::llvm::{Area, Block, LLVMOpcode, Module, Value};
use crate::names;
use crate::undefined;

#[derive(Debug, Default)]
pub(super) struct Concrete {
    /// Points of the current block where the track may be left, in order.
    places: Vec<Place>,
    exits: HashMap<usize, Exit>,
    /// Flag that the caller is instrumented, if a return needs it.
    called_by_instrumented: Option<Value>,
    /// Terminators of all blocks. When a block is split, its successors get another predecessor.
    terminators: Vec<(Block, Value)>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// Before a read.
    Reads(Value),
    /// Before a use of a value that may not have been written.
    Undefined(Value),
    /// Before the report of an error.
    Fails(Value),
    /// After the instruction `previous`, when `call` has returned.
    Returned { call: Value, previous: Value },
    /// After the instruction, where parameters may have shadows.
    Entered { callee: Value, ours: Value, previous: Value },
}

/// Exit of a region.
#[derive(Debug)]
struct Exit {
    block: Block,
    /// Terminators that jump here, each with a flag if shadows are passed.
    from: Vec<(Value, bool)>,
}

impl Concrete {
    pub(super) fn new(function: Value) -> Concrete {
        let terminators = function.blocks().into_iter().map(|block| (block, block.terminator())).collect();
        Concrete { terminators, ..Concrete::default() }
    }

    pub(super) fn remembers_caller(&self) -> bool {
        self.called_by_instrumented.is_some()
    }
}

impl Walk<'_, '_> {
    fn concrete(&mut self) -> &mut Concrete {
        &mut self.tracks.as_mut().expect("the function has two tracks").concrete
    }

    /// Notes the caller's mark at the start of the function.
    pub(super) fn enter_concrete(&mut self, entry: &[Value]) {
        let allocas: Vec<Value> = leading_allocas(entry).collect();
        let first = entry[allocas.len()];
        allocas.into_iter().for_each(|alloca| self.visit_alloca(alloca));
        let returns = !leaves(self.function.function_type().return_type()).is_empty();
        let takes = self.function.params().iter().any(|param| !leaves(param.ty()).is_empty());
        if !returns && !takes || self.runtime.entries.contains_key(&self.function) {
            return;
        }
        self.b().before(first);
        let slot = self.runtime.passing(offset_of!(Passing, callee));
        let callee = self.b().load(self.b().i64, slot, 8);
        self.copy_byval_params(callee);
        let (ours, by_instrumented) = self.meaning_of(callee);
        if returns && !names::is_main(&self.function.name()) {
            self.concrete().called_by_instrumented = Some(by_instrumented);
        }
        let previous = first.previous().expect("the load at least stands before it");
        self.concrete().places.push(Place::Entered { callee, ours, previous });
    }

    fn copy_byval_params(&mut self, callee: Value) {
        let byval = Module::attribute_kind("byval");
        let params = self.function.params();
        let mut index = 0;
        for (k, param) in params.into_iter().enumerate() {
            if let Some(ty) = self.function.param_byval(k, byval) {
                let meant = self.b().eq(callee, self.bits(self.function));
                let size = self.module.alloc_size(ty);
                if index < tine_trace::entry::MAX_BYVAL {
                    self.copy_byval(param, index, meant, size);
                }
                index += 1;
            }
        }
    }

    /// Handles an instruction in this track. `next` is the instruction after it.
    pub(super) fn visit_concrete(&mut self, instruction: Value, next: Option<Value>) {
        use LLVMOpcode::*;
        if matches!(instruction.opcode(), LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg) {
            self.b().confine(instruction, &[], &Area::ALL);
        }
        match effect(instruction) {
            Effect::Fails => return self.concrete().places.push(Place::Fails(instruction)),
            Effect::Calls => return self.call_concrete(instruction, next.expect("a call is not a terminator")),
            Effect::None | Effect::Reads | Effect::Changes => {}
        }
        if undefined::is_use(instruction) {
            let is_returned = |user: &Value| user.opcode() == LLVMRet;
            return if instruction.users().iter().all(is_returned) {
                self.return_undefined(instruction);
            } else {
                self.concrete().places.push(Place::Undefined(instruction));
            };
        }
        if reads(instruction) {
            return self.concrete().places.push(Place::Reads(instruction));
        }
        match instruction.opcode() {
            LLVMStore => self.visit_store(instruction),
            LLVMShl | LLVMLShr | LLVMAShr => self.visit_shift(instruction),
            LLVMCall if instruction.called().is_inline_asm() => self.visit_memory_of_assembly(instruction),
            LLVMCall if instruction.called().is_intrinsic() => {
                let name = instruction.called().name();
                self.visit_intrinsic(instruction, &name);
            }
            LLVMBr | LLVMSwitch => self.cover_concrete(instruction),
            _ => {}
        }
    }

    fn call_concrete(&mut self, call: Value, next: Value) {
        let name = if call.called().is_function() { call.called().name() } else { String::new() };
        if names::is_immediate_exit(&name) && call.arguments().len() == 1 {
            self.before_exit(call);
        }
        let site = self.call_site;
        self.check_contracts(call, site, false);
        self.pass_concrete(call, site);
        if !leaves(call.ty()).is_empty() {
            let previous = next.previous().expect("the call at least stands before it");
            self.concrete().places.push(Place::Returned { call, previous });
        }
    }

    /// Ends the walk of a block: splits it where the track may be left.
    pub(super) fn finish_block(&mut self) {
        // From the end, so that every instruction is moved only once for each split after it.
        for place in std::mem::take(&mut self.concrete().places).into_iter().rev() {
            match place {
                Place::Reads(instruction) => self.leave_if_read(instruction),
                Place::Undefined(call) => self.leave_if(call, call.operand(1)),
                Place::Fails(call) => {
                    let head = call.parent();
                    self.split_before(call);
                    let exit = self.exit(self.region_of(call));
                    self.b().at_end(head);
                    let jump = self.b().jump(exit);
                    self.leave_from(self.region_of(call), jump, false);
                }
                Place::Returned { call, previous } => self.leave_if_returned(call, previous),
                Place::Entered { callee, ours, previous } => self.leave_if_passed(callee, ours, previous),
            }
        }
    }

    fn region_of(&self, instruction: Value) -> usize {
        self.tracks.as_ref().expect("the function has two tracks").plan.within(instruction)
    }

    /// Moves `instruction` and all following ones into a separate block.
    pub(super) fn split_before(&mut self, instruction: Value) -> Block {
        let b = self.module.builder();
        let tail = b.block_behind(instruction.parent());
        b.at_end(tail);
        let mut next = Some(instruction);
        while let Some(moved) = next {
            next = moved.next();
            moved.unlink();
            b.insert(moved);
        }
        tail
    }

    fn exit(&mut self, region: usize) -> Block {
        let function = self.function;
        if let Some(exit) = self.concrete().exits.get(&region) {
            return exit.block;
        }
        let block = self.b().block(function, "");
        self.concrete().exits.insert(region, Exit { block, from: Vec::new() });
        block
    }

    fn leave_from(&mut self, region: usize, terminator: Value, with_shadows: bool) {
        let exit = self.concrete().exits.get_mut(&region).expect("it was made a moment ago");
        exit.from.push((terminator, with_shadows));
    }

    fn leave_if_read(&mut self, instruction: Value) {
        let (pointer, ty) = match instruction.opcode() {
            LLVMOpcode::LLVMAtomicCmpXchg => (instruction.operand(0), instruction.operand(1).ty()),
            _ => (instruction.operand(0), instruction.ty()),
        };
        let size = self.module.store_size(ty);
        if size == 0 || is_read_only(pointer) {
            return;
        }
        self.b().before(instruction);
        let address = self.bits(pointer);
        let symbolic = self.runtime.any_cell(address, size as u32);
        self.leave_if(instruction, symbolic);
    }

    /// Leaves before an instruction.
    fn leave_if(&mut self, instruction: Value, symbolic: Value) {
        let region = self.region_of(instruction);
        let (head, exit) = (instruction.parent(), self.exit(region));
        let tail = self.split_before(instruction);
        self.b().at_end(head);
        let branch = self.b().branch_unlikely(symbolic, exit, tail);
        self.leave_from(region, branch, false);
    }

    /// Result shadows are nonzero only briefly, when the symbolic track of the callee has returned some.
    fn leave_if_returned(&mut self, call: Value, previous: Value) {
        let next = previous.next().expect("a terminator follows at least");
        let results = leaves(call.ty());
        self.b().before(next);
        let first = self.runtime.passing(offset_of!(Passing, results));
        let mut all = self.b().load(self.b().i64, first, 8);
        for k in 2..results.len().min(MAX_RESULTS) {
            let more = self.b().load(self.b().i32, self.runtime.passing(offset_of!(Passing, results) + 4 * k), 4);
            all = self.b().or(all, self.b().resize(more, self.b().i64));
        }
        let some = self.b().not_equal(all, self.b().i64.constant(0));
        let head = next.parent();
        let tail = self.split_before(next);
        let function = self.function;
        let look = self.b().block(function, "");
        self.b().at_end(head);
        self.b().branch_unlikely(some, look, tail);

        self.b().at_end(look);
        let (shadows, genuine) = self.take_results(call.called(), &results);
        let tracks = self.tracks.as_ref().expect("the function has two tracks");
        let region = tracks.plan.after(call).filter(|region| tracks.plan.regions[*region].live.contains(&call));
        let Some(region) = region else {
            self.b().jump(tail);
            return;
        };
        let layout = Layout::new(self.module, &tracks.plan.fixed, &[]);
        let b = self.b();
        let mut any = b.i32.constant(0);
        for (k, shadow) in shadows.into_iter().enumerate() {
            let to = b.offset(self.runtime.buffer, b.i64.constant(layout.shadows + 4 * k as u64));
            b.store(shadow, to, 4);
            any = b.or(any, shadow);
        }
        let symbolic = b.and(genuine, b.not_equal(any, b.i32.constant(0)));
        let exit = self.exit(region);
        let branch = self.b().branch(symbolic, exit, tail);
        self.leave_from(region, branch, true);
    }

    fn leave_if_passed(&mut self, callee: Value, ours: Value, previous: Value) {
        let next = previous.next().expect("a terminator follows at least");
        let head = next.parent();
        let tail = self.split_before(next);
        let function = self.function;
        let look = self.b().block(function, "");
        self.b().at_end(head);
        self.b().branch(ours, look, tail);

        self.b().at_end(look);
        let b = self.b();
        let (own, zero) = (self.bits(function), b.i64.constant(0));
        b.store(zero, self.runtime.passing(offset_of!(Passing, callee)), 8);
        b.store(zero, self.runtime.passing(offset_of!(Passing, results)), 8);
        let meant = b.eq(callee, own);
        let any = self.any_passed();
        let b = self.b();
        let symbolic = b.and(meant, b.not_equal(any, b.i32.constant(0)));
        if !self.tracks.as_ref().expect("the function has two tracks").plan.regions[0].left {
            self.b().jump(tail);
            return;
        }
        let exit = self.exit(0);
        let branch = self.b().branch(symbolic, exit, tail);
        self.leave_from(0, branch, true);
    }

    /// The shadows of all parameters, or-ed.
    fn any_passed(&self) -> Value {
        let b = self.b();
        let params = self.function.params();
        let passed = params.iter().flat_map(|param| leaves(param.ty())).take(MAX_ARGUMENTS).enumerate();
        passed.filter(|(_, leaf): &(usize, Leaf)| leaf.is_supported()).fold(b.i32.constant(0), |any, (k, _)| {
            let at = self.runtime.passing(offset_of!(Passing, arguments) + 4 * k);
            b.or(any, b.load(b.i32, at, 4))
        })
    }

    /// Ends the walk of all blocks: writes the exits and the way back, and corrects the phis for the split blocks.
    pub(super) fn finish_concrete(&mut self) {
        let mut exits: Vec<(usize, Exit)> = std::mem::take(&mut self.concrete().exits).into_iter().collect();
        exits.sort_by_key(|(region, _)| *region);
        if exits.is_empty() {
            self.rebuild_phis();
        } else {
            let targets = self.split_headers();
            let function = self.function;
            let last = self.b().block(function, "");
            let ways: Vec<_> = exits.iter().map(|(region, exit)| self.write_exit(*region, exit, last)).collect();
            let renamed = self.rebuild_phis();
            self.b().at_end_of(last, function);
            let number = self.b().phi(self.b().i32);
            ways.into_iter().for_each(|(jump, way)| number.add_incoming(way, jump.parent()));
            let tracks = self.tracks.take().expect("the function has two tracks");
            let result = self.go_symbolic(&tracks, &tracks.plan.fixed, number);
            self.resume(&tracks, &targets, &renamed);
            self.b().ret((!result.is_void()).then_some(result));
            self.tracks = Some(tracks);
        }
        self.write_entry();
    }

    /// Corrects the phis for the split blocks. Returns the replacement of each phi.
    fn rebuild_phis(&mut self) -> HashMap<Value, Value> {
        let terminators = std::mem::take(&mut self.concrete().terminators);
        let ends: HashMap<Block, Block> = terminators.iter().map(|(block, last)| (*block, last.parent())).collect();
        let mut renamed = HashMap::new();
        for (block, _) in &terminators {
            for phi in phis(*block) {
                let incoming = phi.incoming();
                if incoming.iter().all(|(_, from)| ends[from] == *from) {
                    continue;
                }
                self.b().before(phi);
                let new = self.b().phi(phi.ty());
                incoming.into_iter().for_each(|(value, from)| new.add_incoming(value, ends[&from]));
                phi.replace_uses(new);
                phi.erase();
                renamed.insert(phi, new);
            }
        }
        renamed
    }

    fn write_exit(&mut self, region: usize, exit: &Exit, last: Block) -> (Value, Value) {
        let tracks = self.tracks.as_ref().expect("the function has two tracks");
        let plan = &tracks.plan;
        let b = self.b();
        b.at_end_of(exit.block, self.function);
        let number = b.phi(b.i32);
        for (terminator, with_shadows) in &exit.from {
            number.add_incoming(b.i32.constant(way(region, *with_shadows)), terminator.parent());
        }
        let live = &plan.regions[region].live;
        let layout = Layout::new(self.module, &plan.fixed, live);
        for (value, offset) in live.iter().zip(&layout.live) {
            b.store_natural(*value, b.offset(self.runtime.buffer, b.i64.constant(*offset)));
        }
        let jump = b.jump(last);
        self.runtime.need_buffer(layout.len);
        (jump, number)
    }

    /// Passes the values that are the same for all regions and calls the symbolic track. `values` are the current
    /// versions of the fixed values.
    fn go_symbolic(&mut self, tracks: &Tracks, values: &[Value], number: Value) -> Value {
        let (b, buffer) = (self.b(), self.runtime.buffer);
        let layout = Layout::new(self.module, &tracks.plan.fixed, &[]);
        if let Some(by_instrumented) = tracks.concrete.called_by_instrumented {
            b.store(b.resize(by_instrumented, b.i8), buffer, 1);
        }
        for (value, offset) in values.iter().zip(&layout.fixed) {
            b.store_natural(*value, b.offset(buffer, b.i64.constant(*offset)));
        }
        b.store(b.i32.constant(0), b.offset(buffer, b.i64.constant(RESUME)), 4);
        let result = b.call(tracks.symbolic.function, &[buffer, number]);
        self.runtime.need_buffer(layout.len);
        result
    }

    /// Writes the entry for callers that pass shadows. It belongs to a function that all other callers call without
    /// testing shadows.
    fn write_entry(&mut self) {
        let Some(entry) = self.runtime.entries.get(&self.function).copied() else { return };
        let tracks = self.tracks.take().expect("the function has two tracks");
        let b = self.b();
        let [first, symbolic, concrete] = ["entry", "symbolic", "concrete"].map(|name| b.block(entry, name));
        b.at_end_of(first, self.function);
        b.store(b.i64.constant(0), self.runtime.passing(offset_of!(Passing, callee)), 8);
        let any = self.any_passed();
        let left = tracks.plan.regions[0].left;
        let some = b.not_equal(any, b.i32.constant(0));
        let some = if left { some } else { b.i1.constant(0) };
        b.branch(some, symbolic, concrete);

        b.at_end_of(symbolic, self.function);
        if left {
            let number = b.i32.constant(way(0, true));
            let result = self.go_symbolic(&tracks, &entry.params(), number);
            self.b().ret((!result.is_void()).then_some(result));
        } else {
            b.unreachable();
        }
        let b = self.b();
        b.at_end_of(concrete, self.function);
        let result = b.call(self.function, &entry.params());
        result.copy_call_attributes(self.function);
        b.ret((!result.is_void()).then_some(result));
        self.tracks = Some(tracks);
    }
}

/// True if nothing writes the memory that a pointer points to.
fn is_read_only(pointer: Value) -> bool {
    let object = super::calls::underlying(pointer);
    object.is_global_variable() && object.is_constant_global()
}
