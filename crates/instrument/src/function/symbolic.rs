//! The symbolic track: a copy of the function that carries shadows.
//!
//! It is entered in the middle, at the start of any region that the concrete track can leave from, with the live values
//! in a buffer. So a value that is live at such a point has two definitions. It is stored in a slot of the copy's
//! frame, and its shadows in further slots. All other values stay in registers. Phis are slots, too.
//!
//! ```text
//!   define T @f.symbolic(ptr buffer, i32 way) {
//!     switch way: …
//!   way 2:                       ; region 1, nothing symbolic yet
//!     x.slot = load buffer + 0
//!     x.shadow.slot = 0
//!     br region 1
//!   …
//! ```
//! Its code is not optimised, because building expressions costs more than its execution.

use std::collections::{HashMap, HashSet};
use std::mem::offset_of;

use tine_trace::entry::{MAX_ARGUMENTS, MAX_RESULTS, Passing};

use super::Walk;
use super::regions::{Plan, Region, Start, phis};
use super::tracks::Tracks;
use crate::leaf::leaves;
use crate::llvm::{Block, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Module, Scope, Value};

/// Stack slot of a value that has more than one definition.
#[derive(Clone, Debug)]
struct Slot {
    home: Value,
    /// Empty if the value cannot be symbolic.
    shadows: Vec<Value>,
}

#[derive(Debug)]
pub(super) struct Symbolic {
    pub(super) function: Value,
    scope: Option<Scope>,
    entry: Block,
    slots: HashMap<Value, Slot>,
    /// True if the function's caller is instrumented.
    caller: Value,
    /// Number of loop headers passed.
    rounds: Value,
    /// Copies of values that have no slot.
    copies: HashMap<Value, Value>,
    /// Values of this block that have a single definition.
    held: HashMap<Value, Value>,
    /// The first block of each block's copy.
    blocks: HashMap<Block, Block>,
    /// Starts of the regions from which the concrete track can leave.
    starts: HashMap<usize, Block>,
    /// Current insertion point.
    at: Block,
}

/// Layout of a region's state in the buffer.
///
/// ```text
///   caller is instrumented, where to resume │ fixed values │ shadows of a call's result │ live values
/// ```
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) fixed: Vec<u64>,
    pub(super) shadows: u64,
    pub(super) live: Vec<u64>,
    pub(super) len: u64,
}

impl Layout {
    pub(super) fn new(module: &Module, fixed: &[Value], live: &[Value]) -> Layout {
        let mut len = 8;
        let fixed = fixed.iter().map(|value| place(module, *value, &mut len)).collect();
        let shadows = len;
        len += 4 * MAX_RESULTS as u64;
        let live = live.iter().map(|value| place(module, *value, &mut len)).collect();
        Layout { fixed, shadows, live, len }
    }
}

fn place(module: &Module, value: Value, len: &mut u64) -> u64 {
    let size = module.alloc_size(value.ty());
    let at = len.next_multiple_of(if size > 8 { 16 } else { 8 });
    *len = at + size.next_multiple_of(8);
    at
}

/// Offset in the buffer of the region in which the concrete track continues, counted from 1, or 0 if the function has
/// returned.
pub(super) const RESUME: u64 = 4;
/// Number of loop headers passed before the symbolic track tests if it can return.
const ROUNDS: u64 = 16;

/// Number by which a region is entered: without shadows, or with those of a call's result or the parameters.
pub(super) fn way(region: usize, with_shadows: bool) -> u64 {
    2 * region as u64 + with_shadows as u64
}

impl Symbolic {
    pub(super) fn new(module: &Module, function: Value, plan: &Plan, order: &[(Block, Vec<Value>)]) -> Symbolic {
        let b = module.builder();
        let ty = function.function_type().return_type().function(&[b.ptr, b.i32]);
        let copy = module.add_function(&format!("{}.symbolic", function.name()), ty);
        copy.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        for attribute in ["noinline", "optnone", "null_pointer_is_valid"] {
            module.add_function_attribute(copy, attribute);
        }
        copy.copy_machine(function);
        module.add_text_attribute(copy, "no-builtins");
        let scope = module.copy_scope(function, copy);
        let entry = b.block(copy, "entry");
        b.at_end(entry);

        let live = plan.regions.iter().flat_map(|region| &region.live);
        let in_slots: HashSet<Value> = live.chain(&plan.fixed).copied().collect();
        let mut all_shadows = Vec::new();
        let mut shadows = |value: &Value| {
            let n_shadows = if plan.may_be_symbolic(*value) { leaves(value.ty()).len() } else { 0 };
            let shadows: Vec<Value> = (0..n_shadows).map(|_| b.alloca(b.i32)).collect();
            all_shadows.extend_from_slice(&shadows);
            shadows
        };
        let mut slots = HashMap::new();
        for value in plan.fixed.iter().chain(order.iter().flat_map(|(_, instructions)| instructions)) {
            let is_phi = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMPHI;
            if !slots.contains_key(value) && (is_phi || in_slots.contains(value)) {
                slots.insert(*value, Slot { home: b.alloca(value.ty()), shadows: shadows(value) });
            }
        }
        let caller = b.alloca(b.i8);
        let buffer = copy.params()[0];
        let rounds = b.alloca(b.i32);
        b.store(b.i32.constant(0), rounds, 4);
        b.store(b.load(b.i8, buffer, 1), caller, 1);
        for (value, offset) in plan.fixed.iter().zip(Layout::new(module, &plan.fixed, &[]).fixed) {
            let from = b.offset(buffer, b.i64.constant(offset));
            b.store_natural(b.load_natural(value.ty(), from), slots[value].home);
        }
        // At every entry of the copy, few values are symbolic.
        for shadow in all_shadows {
            b.store(b.i32.constant(0), shadow, 4);
        }
        let blocks: HashMap<Block, Block> = order.iter().map(|(block, _)| (*block, b.block(copy, ""))).collect();
        let at = blocks[&order[0].0];
        Symbolic {
            function: copy,
            scope,
            entry,
            slots,
            caller,
            rounds,
            copies: HashMap::new(),
            held: HashMap::new(),
            blocks,
            starts: HashMap::new(),
            at,
        }
    }
}

impl Walk<'_, '_> {
    fn track(&mut self) -> &mut Symbolic {
        &mut self.tracks.as_mut().expect("the function has two tracks").symbolic
    }

    pub(super) fn has_slot(&self, value: Value) -> bool {
        self.tracks.as_ref().is_some_and(|tracks| tracks.symbolic.slots.contains_key(&value))
    }

    /// Continues in the copy of `block`.
    pub(super) fn begin_copy(&mut self, block: Block, region: Option<usize>) {
        let track = self.track();
        track.at = track.blocks[&block];
        track.held.clear();
        let Some(region) = region else { return };
        if self.tracks.as_ref().is_some_and(|tracks| tracks.plan.regions[region].resumed) {
            self.resume_if_concrete(region);
        }
        let track = self.track();
        track.starts.insert(region, track.at);
    }

    /// At the header of a loop: returns to the concrete track if nothing is symbolic any more. Not immediately, because
    /// a loop that reads a symbolic value in each turn would change tracks all the time.
    fn resume_if_concrete(&mut self, region: usize) {
        let tracks = self.tracks.as_ref().expect("the function has two tracks");
        let (plan, track) = (&tracks.plan, &tracks.symbolic);
        let (b, Region { live, live_params, .. }) = (self.b(), &plan.regions[region]);
        let [back, stay] = ["", ""].map(|name| b.block(track.function, name));
        b.at_end(track.at);
        let count = b.add(b.load(b.i32, track.rounds, 4), b.i32.constant(1));
        b.store(count, track.rounds, 4);
        let shadows = live.iter().chain(live_params).flat_map(|value| &track.slots[value].shadows);
        let any = shadows.fold(b.i32.constant(0), |any, shadow| b.or(any, b.load(b.i32, *shadow, 4)));
        let concrete = b.eq(any, b.i32.constant(0));
        let often = b.icmp(LLVMIntPredicate::LLVMIntUGE, count, b.i32.constant(ROUNDS));
        b.branch(b.and(concrete, often), back, stay);
        b.at_end(back);
        let layout = Layout::new(self.module, &plan.fixed, live);
        let buffer = self.runtime.buffer;
        for (value, offset) in live.iter().zip(&layout.live) {
            let value = b.load_natural(value.ty(), track.slots[value].home);
            b.store_natural(value, b.offset(buffer, b.i64.constant(*offset)));
        }
        b.store(b.i32.constant(region as u64 + 1), b.offset(buffer, b.i64.constant(RESUME)), 4);
        let ty = self.function.function_type().return_type();
        b.ret((!ty.is_void()).then(|| ty.poison()));
        self.track().at = stay;
    }

    /// Starts the copy of a region that the concrete track can leave from.
    pub(super) fn begin_region_copy(&mut self, region: usize) {
        let (function, old) = (self.track().function, self.track().at);
        let new = self.b().block(function, "");
        self.b().at_end(old);
        self.b().jump(new);
        let track = self.track();
        track.at = new;
        track.held.clear();
        track.starts.insert(region, new);
    }

    /// The counterpart of `value` in the copy; may add instructions.
    pub(super) fn copy_of(&mut self, value: Value) -> Value {
        if !(value.is_instruction() || value.is_argument()) {
            return value;
        }
        let Some(tracks) = &self.tracks else { return value };
        let track = &tracks.symbolic;
        if let Some(held) = track.held.get(&value) {
            return *held;
        }
        let Some(slot) = track.slots.get(&value).cloned() else {
            // A value without a definition is in unreachable code.
            return track.copies.get(&value).copied().unwrap_or_else(|| value.ty().poison());
        };
        let b = self.b();
        let loaded = b.load_natural(value.ty(), slot.home);
        if !slot.shadows.is_empty() {
            let shadows = slot.shadows.iter().map(|shadow| b.load(b.i32, *shadow, 4)).collect();
            self.shadows.insert(loaded, shadows);
        }
        self.track().held.insert(value, loaded);
        loaded
    }

    /// Positions the builder in the copy.
    pub(super) fn at_end_of_copy(&mut self) {
        let at = self.track().at;
        self.b().at_end(at);
    }

    /// Adds a copy of an instruction, to be visited.
    pub(super) fn copy_instruction(&mut self, original: Value) -> Value {
        let at = self.track().at;
        self.b().at_end(at);
        let operands: Vec<(u32, Value)> = (0..original.n_operands())
            .map(|i| (i, original.operand(i)))
            .filter(|(_, operand)| operand.is_instruction() || operand.is_argument())
            .map(|(i, operand)| (i, self.copy_of(operand)))
            .collect();
        let copy = original.copy_instruction();
        self.b().insert(copy);
        operands.into_iter().for_each(|(i, operand)| copy.set_operand(i, operand));
        if let Some(scope) = self.track().scope {
            self.module.copy_location(copy, original, scope);
        }
        copy
    }

    /// Stores a visited copy of an instruction and its shadows for later uses.
    pub(super) fn keep_copy(&mut self, original: Value, copy: Value) {
        let at = self.track().at;
        self.b().at_end(at);
        if original.is_void() {
            return;
        }
        match self.track().slots.get(&original).cloned() {
            None => _ = self.track().copies.insert(original, copy),
            Some(slot) => {
                self.fill_slot(&slot, copy);
                self.track().held.insert(original, copy);
            }
        }
    }

    fn fill_slot(&mut self, slot: &Slot, value: Value) {
        let shadows = self.shadows_of(value);
        let b = self.b();
        b.store_natural(value, slot.home);
        for (to, shadow) in slot.shadows.iter().zip(shadows) {
            b.store(shadow, *to, 4);
        }
    }

    /// Connects a visited copy of a terminator to the copies of its successors.
    pub(super) fn connect_copy(&mut self, block: Block, original: Value, copy: Value) {
        let successors = original.successors();
        let mut distinct: Vec<Block> = Vec::new();
        successors.iter().for_each(|s| {
            if !distinct.contains(s) {
                distinct.push(*s);
            }
        });
        let mut ways: HashMap<Block, Block> = HashMap::new();
        for successor in &distinct {
            let target = self.track().blocks[successor];
            let mut way = target;
            if !phis(*successor).is_empty() {
                if distinct.len() == 1 {
                    self.b().before(copy);
                    self.fill_phis(block, *successor);
                } else {
                    let function = self.track().function;
                    way = self.b().block(function, "");
                    self.b().at_end(way);
                    // Values loaded here are available only on this path.
                    let held = self.track().held.clone();
                    self.fill_phis(block, *successor);
                    self.track().held = held;
                    self.b().jump(target);
                }
            }
            ways.insert(*successor, way);
        }
        for (i, successor) in successors.iter().enumerate() {
            copy.set_successor(i as u32, ways[successor]);
        }
    }

    /// Loads, at a return of the copy, whether instrumented code called the function.
    pub(super) fn recall_caller(&mut self) {
        let remembered = self.tracks.as_ref().expect("the function has two tracks").concrete.remembers_caller();
        self.meant = remembered.then(|| {
            let caller = self.track().caller;
            self.b().resize(self.b().load(self.b().i8, caller, 1), self.b().i1)
        });
    }

    /// Fills all phis of `successor` at once, for the edge from `block`.
    fn fill_phis(&mut self, block: Block, successor: Block) {
        let mut values = Vec::new();
        for phi in phis(successor) {
            let incoming = phi.incoming();
            let (value, _) = incoming.iter().find(|(_, from)| *from == block).expect("one for each predecessor");
            values.push((self.track().slots[&phi].clone(), self.copy_of(*value)));
        }
        values.into_iter().for_each(|(slot, value)| self.fill_slot(&slot, value));
    }

    /// Writes the entries of the copy.
    pub(super) fn finish_copy(&mut self) {
        let tracks = self.tracks.take().expect("the function has two tracks");
        let (plan, track) = (&tracks.plan, &tracks.symbolic);
        let params = track.function.params();
        let (buffer, number) = (params[0], params[1]);
        let b = self.b();
        let nowhere = b.block(track.function, "");
        b.at_end(nowhere);
        b.unreachable();
        let mut ways = Vec::new();
        for (k, region) in plan.regions.iter().enumerate().filter(|(_, region)| region.left) {
            let layout = Layout::new(self.module, &plan.fixed, &region.live);
            let plain = b.block(track.function, "");
            b.at_end(plain);
            for (value, offset) in region.live.iter().zip(&layout.live) {
                let from = b.offset(buffer, b.i64.constant(*offset));
                b.store_natural(b.load_natural(value.ty(), from), track.slots[value].home);
            }
            b.jump(track.starts[&k]);
            ways.push((b.i32.constant(way(k, false)), plain));
            if !matches!(region.start, Start::Block(_)) {
                let with_shadows = b.block(track.function, "");
                b.at_end(with_shadows);
                self.enter_with_shadows(&tracks, region.start, &layout);
                b.jump(plain);
                ways.push((b.i32.constant(way(k, true)), with_shadows));
            }
        }
        b.at_end(track.entry);
        b.switch(number, nowhere, &ways);
        self.tracks = Some(tracks);
    }

    /// Fills the shadows passed with a call's result or with the parameters.
    fn enter_with_shadows(&self, tracks: &Tracks, start: Start, layout: &Layout) {
        let (b, track) = (self.b(), &tracks.symbolic);
        match start {
            Start::Block(_) => {}
            Start::After(call) => {
                let buffer = track.function.params()[0];
                let shadows = track.slots.get(&call).into_iter().flat_map(|slot| &slot.shadows);
                for (k, shadow) in shadows.take(MAX_RESULTS).enumerate() {
                    let from = b.offset(buffer, b.i64.constant(layout.shadows + 4 * k as u64));
                    b.store(b.load(b.i32, from, 4), *shadow, 4);
                }
            }
            Start::Entry => {
                let params = self.function.params();
                let shadows =
                    params.iter().flat_map(|param| leaves(param.ty()).into_iter().zip(&track.slots[param].shadows));
                for (k, (leaf, shadow)) in shadows.take(MAX_ARGUMENTS).enumerate() {
                    if leaf.is_supported() {
                        let from = self.runtime.passing(offset_of!(Passing, arguments) + 4 * k);
                        b.store(b.load(b.i32, from, 4), *shadow, 4);
                    }
                }
            }
        }
    }
}
