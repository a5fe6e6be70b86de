//! Instrumentation of one function: a walk over its blocks in an order where definitions come before uses. It adds to
//! every instruction the computation of its shadow.

mod arithmetic;
mod assembly;
mod atomics;
mod branches;
mod calls;
mod concrete;
mod contracts;
mod expand;
mod intrinsics;
mod liveness;
mod memory;
mod regions;
mod resume;
mod symbolic;
mod tracks;
mod trees;
mod vectors;

pub(crate) use branches::{check_before, error_of_handler};

use std::collections::{HashMap, HashSet};

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::SITE_IN_MODEL;
use tine_trace::event::ConcretiseReason;
use tine_trace::map::{
    CallRecord, DRIVER_FILE, ENSURE, EdgeRecord, FUNCTION_ADDRESS_TAKEN, FUNCTION_INTERNAL, FUNCTION_LIBRARY, HOOK,
    MAIN_OF_UNIT, SiteKind, THROUGH,
};

use crate::leaf::{Leaf, leaves, leaves_at};
use crate::llvm::{Block, Builder, LLVMLinkage, LLVMOpcode, Location, Module, Value};
use crate::map::{MapBuilder, NewSite, signature};
use crate::names::shown;
use crate::pipeline::{HANDLES_EXCEPTIONS, Options};
use crate::runtime::Runtime;

/// Prepares a function. The optimiser must not exploit behaviour that C leaves undefined but the machine defines. It
/// must not assume more about calls than the shadows allow.
pub(crate) fn prepare(module: &Module, function: Value) {
    const FUNCTION: u32 = u32::MAX;
    if function.is_intrinsic() {
        return;
    }
    // With these attributes, LLVM could assume that a callee does not access the shadows passed with the call.
    let assumptions: Vec<u32> =
        ["memory", "nosync", "nofree", "speculatable"].map(Module::attribute_kind).into_iter().collect();
    for kind in &assumptions {
        function.remove_attribute(FUNCTION, *kind);
    }
    if function.is_declaration() {
        return;
    }
    // At -O0 clang marks everything `noinline`.
    function.remove_attribute(FUNCTION, Module::attribute_kind("noinline"));
    function.remove_attribute(FUNCTION, Module::attribute_kind("optnone"));
    module.add_function_attribute(function, "null_pointer_is_valid");
    module.add_text_attribute(function, "no-builtins");
    let builder = module.builder();
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        instruction.drop_poison_flags();
        if instruction.opcode() != LLVMOpcode::LLVMCall {
            continue;
        }
        let called = instruction.called();
        if called.is_function() && called.name().starts_with("llvm.fmuladd.") {
            expand::multiply_add(&builder, instruction);
        } else if called.is_function() && called.name().starts_with("llvm.is.fpclass.") {
            expand::float_class(&builder, instruction);
        } else if !called.is_function() || !called.is_intrinsic() {
            for kind in &assumptions {
                instruction.remove_call_attribute(FUNCTION, *kind);
            }
        }
    }
}

/// True if a function is not user code: its branches do not count as coverage.
pub(crate) fn is_library(function: Value, options: &Options) -> bool {
    let location = function.location();
    let path = std::path::Path::new(&location.file);
    let is_driver = path.file_name().is_some_and(|name| name == DRIVER_FILE);
    // clang writes a function that selects among versions of another for different processors.
    let is_resolver = location.line == 0 && function.name().ends_with(".resolver");
    let is_hook = [HOOK, THROUGH].iter().any(|prefix| function.name().starts_with(prefix));
    is_driver
        || is_resolver
        || is_hook
        || options.library
        || options.library_paths.iter().any(|prefix| path.starts_with(prefix))
}

/// Adds shadows to `function`; `Err` is the reason why it stays concrete.
pub(crate) fn instrument(
    module: &Module,
    runtime: &mut Runtime<'_>,
    map: &mut MapBuilder,
    function: Value,
    options: &Options,
) -> Result<(), String> {
    refuse_what_is_unknown(function)?;
    let location = function.location();
    let mut flags = 0;
    if runtime.address_taken.contains(&function) {
        flags |= FUNCTION_ADDRESS_TAKEN;
    }
    if matches!(function.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage) {
        flags |= FUNCTION_INTERNAL;
    }
    if is_library(function, options) {
        flags |= FUNCTION_LIBRARY;
    }
    // A function that the harness renames is still user code.
    let name = function.name();
    let name = if name == MAIN_OF_UNIT { "main" } else { name.strip_prefix(ENSURE).unwrap_or(shown(&name)) };
    let blocks = function.blocks();
    if flags & FUNCTION_LIBRARY == 0 {
        for constant in blocks.iter().flat_map(|block| block.instructions()).flat_map(compared_with) {
            map.constant(constant);
        }
    }
    map.begin_function(name, &location, flags, signature(&function.function_type().text()));

    let first_block = map.next_block();
    let mut block_index = HashMap::new();
    for (k, block) in blocks.iter().enumerate() {
        block_index.insert(*block, first_block + k as u32);
        let line = block.instructions().iter().map(|i| i.location().line).find(|line| *line != 0);
        let own = runtime.lines.of(*block, &location);
        map.block(line.unwrap_or(0), &own);
    }
    let order = reverse_postorder(&blocks);
    let mut walk = Walk {
        module,
        runtime,
        map,
        function,
        block_index,
        block: first_block,
        shadows: HashMap::new(),
        phis: Vec::new(),
        calls: Vec::new(),
        edges: Vec::new(),
        saved_va: None,
        meant: None,
        original: function,
        covered: None,
        call_site: 0,
        tracks: None,
        inner: HashSet::new(),
        lowest: None,
    };
    // The list is made before any insertion, because inserted code is not instrumented.
    let program: Vec<(Block, Vec<Value>)> = order.iter().map(|b| (*b, b.instructions())).collect();
    function.set_alignment(16);
    if regions::can_have_two_tracks(function, &program) {
        walk.walk_two_tracks(&program);
    } else {
        walk.walk_one_track(&program);
    }
    walk.end_frame();
    walk.cover_entries();
    map.end_function();
    Ok(())
}

/// Numbers that an instruction compares a value with.
fn compared_with(instruction: Value) -> Vec<i64> {
    let operands = match instruction.opcode() {
        LLVMOpcode::LLVMICmp => vec![instruction.operand(0), instruction.operand(1)],
        LLVMOpcode::LLVMSwitch => {
            (1..instruction.successors().len()).map(|case| instruction.case_value(case as u32)).collect()
        }
        _ => Vec::new(),
    };
    operands.into_iter().filter_map(Value::as_signed_constant).collect()
}

/// Functions that only this module can call, and only directly: their callers need not pass the callee's address.
/// Callers that pass shadows get a separate entry.
pub(crate) fn declare_entries(module: &Module, runtime: &mut Runtime<'_>, functions: &[Value]) {
    let instrumented = functions.iter().copied().filter(|function| refuse_what_is_unknown(*function).is_ok());
    runtime.instrumented = instrumented.collect();
    runtime.address_taken = functions.iter().copied().filter(|function| function.address_taken()).collect();
    for function in functions {
        let order = reverse_postorder(&function.blocks());
        let program: Vec<(Block, Vec<Value>)> = order.iter().map(|b| (*b, b.instructions())).collect();
        let byval = Module::attribute_kind("byval");
        let is_ours = function.linkage() == LLVMLinkage::LLVMInternalLinkage
            && !runtime.address_taken.contains(function)
            && runtime.instrumented.contains(function)
            && regions::can_have_two_tracks(*function, &program)
            && regions::leading_allocas(&program[0].1).next().is_none()
            && !regions::has_loop(&program)
            && (0..function.params().len()).all(|k| function.param_byval(k, byval).is_none());
        if is_ours {
            let entry = module.add_function(&format!("{}.passed", function.name()), function.function_type());
            entry.set_linkage(LLVMLinkage::LLVMInternalLinkage);
            entry.copy_attributes(*function);
            entry.copy_machine(*function);
            runtime.entries.insert(*function, entry);
        }
    }
}

fn refuse_what_is_unknown(function: Value) -> Result<(), String> {
    for block in function.blocks() {
        match block.terminator().opcode() {
            LLVMOpcode::LLVMInvoke => return Err(HANDLES_EXCEPTIONS.to_owned()),
            LLVMOpcode::LLVMCallBr => return Err("it jumps out of inline assembly".to_owned()),
            LLVMOpcode::LLVMCatchSwitch | LLVMOpcode::LLVMResume => return Err(HANDLES_EXCEPTIONS.to_owned()),
            _ => {}
        }
    }
    Ok(())
}

/// Blocks reachable from the entry, definitions before uses.
pub(crate) fn reverse_postorder(blocks: &[Block]) -> Vec<Block> {
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    let mut stack = vec![(blocks[0], blocks[0].terminator().successors(), 0)];
    seen.insert(blocks[0]);
    while let Some((block, successors, next)) = stack.pop() {
        if let Some(successor) = successors.get(next).copied() {
            stack.push((block, successors, next + 1));
            if seen.insert(successor) {
                stack.push((successor, successor.terminator().successors(), 0));
            }
        } else {
            order.push(block);
        }
    }
    order.reverse();
    order
}

/// The walk over one function.
struct Walk<'w, 'm> {
    module: &'w Module,
    runtime: &'w mut Runtime<'m>,
    map: &'w mut MapBuilder,
    function: Value,
    block_index: HashMap<Block, u32>,
    /// The block being walked, as an index of the map.
    block: u32,
    /// Shadows of visited values, one per leaf.
    shadows: HashMap<Value, Vec<Value>>,
    /// Phis whose shadows wait for their incoming values.
    phis: Vec<(Value, Vec<Value>)>,
    calls: Vec<CallRecord>,
    edges: Vec<EdgeRecord>,
    /// In a variadic function, the copy of the caller's variadic shadows.
    saved_va: Option<Value>,
    /// True if the caller is instrumented.
    meant: Option<Value>,
    /// The instruction of the program that is visited, or the original of the visited copy.
    original: Value,
    /// The branch or switch visited last, if it counts as coverage.
    covered: Option<branches::Covered>,
    /// The site of the call visited last.
    call_site: u32,
    tracks: Option<tracks::Tracks>,
    /// Copies that have no shadow because they are part of a larger expression.
    inner: HashSet<Value>,
    /// Start of the lowest array of variable length.
    lowest: Option<Value>,
}

/// A value with its shadow, as an operand of an expression.
#[derive(Clone, Copy)]
struct Operand {
    value: Value,
    shadow: Value,
}

impl Walk<'_, '_> {
    fn visit(&mut self, instruction: Value) {
        use LLVMOpcode::*;
        match instruction.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMAnd | LLVMOr | LLVMXor
            | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => self.visit_binary(instruction),
            LLVMShl | LLVMLShr | LLVMAShr => self.visit_shift(instruction),
            LLVMFNeg => self.visit_negation(instruction),
            LLVMICmp => self.visit_int_compare(instruction),
            LLVMFCmp => self.visit_float_compare(instruction),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPTrunc | LLVMFPExt | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP
            | LLVMUIToFP | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast => self.visit_cast(instruction),
            LLVMSelect => self.visit_select(instruction),
            LLVMGetElementPtr => self.visit_address(instruction),
            LLVMPHI => self.visit_phi(instruction),
            LLVMFreeze => {
                let shadows = self.shadows_of(instruction.operand(0));
                self.shadows.insert(instruction, shadows);
            }
            LLVMExtractValue => self.visit_extract(instruction),
            LLVMInsertValue => self.visit_insert(instruction),
            LLVMExtractElement => self.visit_extract_element(instruction),
            LLVMInsertElement => self.visit_insert_element(instruction),
            LLVMShuffleVector => self.visit_shuffle(instruction),
            LLVMAlloca => self.visit_alloca(instruction),
            LLVMLoad => self.visit_load(instruction),
            LLVMStore => self.visit_store(instruction),
            LLVMAtomicRMW => self.visit_rmw(instruction),
            LLVMAtomicCmpXchg => self.visit_compare_exchange(instruction),
            LLVMFence => {}
            LLVMCall => self.visit_call(instruction),
            LLVMBr => self.visit_branch(instruction),
            LLVMSwitch => self.visit_switch(instruction),
            LLVMRet => self.visit_return(instruction),
            LLVMUnreachable => {}
            _ => self.lose_operands(instruction, &format!("{:?}", instruction.opcode())[4..]),
        }
    }

    fn b(&self) -> &Builder {
        &self.runtime.builder
    }

    fn zero(&self) -> Value {
        self.b().i32.constant(0)
    }

    /// One shadow per leaf; zeros for values without shadows.
    fn shadows_of(&self, value: Value) -> Vec<Value> {
        match self.shadows.get(&value) {
            Some(shadows) => shadows.clone(),
            None => vec![self.zero(); leaves(value.ty()).len()],
        }
    }

    /// The shadow of a scalar.
    fn shadow_of(&self, value: Value) -> Value {
        self.shadows.get(&value).and_then(|shadows| shadows.first().copied()).unwrap_or_else(|| self.zero())
    }

    fn operand(&self, value: Value) -> Operand {
        Operand { value, shadow: self.shadow_of(value) }
    }

    fn set(&mut self, value: Value, shadow: Value) {
        if !shadow.is_zero() {
            self.shadows.insert(value, vec![shadow]);
        }
    }

    /// The single supported leaf of a scalar type.
    fn scalar(value: Value) -> Option<Leaf> {
        match leaves(value.ty()).as_slice() {
            [leaf] if leaf.is_supported() && !is_aggregate(value) => Some(*leaf),
            _ => None,
        }
    }

    /// The bits of a scalar as an integer of the same width.
    fn bits(&self, value: Value) -> Value {
        let b = self.b();
        match value.ty().kind() {
            LLVMTypeKind::LLVMPointerTypeKind => b.cast(LLVMOpcode::LLVMPtrToInt, value, b.i64),
            LLVMTypeKind::LLVMFloatTypeKind => b.cast(LLVMOpcode::LLVMBitCast, value, b.i32),
            LLVMTypeKind::LLVMDoubleTypeKind => b.cast(LLVMOpcode::LLVMBitCast, value, b.i64),
            _ => value,
        }
    }

    fn bits64(&self, value: Value) -> Value {
        self.b().resize(self.bits(value), self.b().i64)
    }

    fn bits128(&self, value: Value) -> Value {
        self.b().resize(self.bits(value), self.b().i128)
    }

    /// A new site at `instruction`.
    fn site(&mut self, kind: SiteKind, instruction: Value, text: &str) -> u32 {
        let location = self.place_of(instruction);
        self.map.site(&NewSite {
            kind,
            location: &location,
            block: self.block,
            n_sides: 0,
            failing: 0,
            detail: 0,
            text,
        })
    }

    /// Source position of an instruction, or of the function if the compiler gives none.
    fn place_of(&self, instruction: Value) -> Location {
        let instruction = if self.tracks.is_some() { self.original } else { instruction };
        let location = instruction.location();
        if location.line == 0 { self.function.location() } else { location }
    }

    /// Concretises `value`. The builder must be positioned before `instruction`.
    fn concretise(&mut self, instruction: Value, kind: SiteKind, shadow: Value, reason: ConcretiseReason) {
        if shadow.is_zero() {
            return;
        }
        let site = self.site(kind, instruction, "");
        let guard = self.runtime.guard("concretise");
        let b = self.b();
        let arguments = [self.runtime.descriptor, b.i32.constant(site as u64), shadow, b.i32.constant(reason as u64)];
        b.call(guard, &arguments);
    }

    /// A site for `note` and `escape`.
    fn place_for_user(&self, site: u32) -> u64 {
        u64::from(if self.runtime.is_model { site | SITE_IN_MODEL } else { site })
    }

    /// Notes that `shadow` is lost at `instruction`. The builder must be positioned before or after it.
    fn note(&mut self, site: u32, shadow: Value, kind: tine_trace::event::NoteKind) {
        if shadow.is_zero() {
            return;
        }
        let guard = self.runtime.guard("note");
        let b = self.b();
        let site = b.i32.constant(self.place_for_user(site));
        let arguments = [self.runtime.descriptor, site, shadow, b.i32.constant(kind as u64)];
        b.call(guard, &arguments);
    }

    /// The result has no expression: notes this for every operand with a shadow.
    fn lose_operands(&mut self, instruction: Value, what: &str) {
        let operands: Vec<Value> = (0..instruction.n_operands()).map(|i| instruction.operand(i)).collect();
        self.lose(instruction, &operands, what);
    }

    fn lose(&mut self, instruction: Value, operands: &[Value], what: &str) {
        let shadows: Vec<Value> =
            operands.iter().flat_map(|o| self.shadows_of(*o)).filter(|shadow| !shadow.is_zero()).collect();
        if shadows.is_empty() {
            return;
        }
        let site = self.site(SiteKind::Operation, instruction, what);
        self.b().before(instruction);
        let all = shadows.into_iter().reduce(|x, y| self.b().or(x, y)).expect("there is at least one");
        self.note(site, all, tine_trace::event::NoteKind::Unsupported);
    }

    fn visit_phi(&mut self, phi: Value) {
        let leaves = leaves(phi.ty());
        if !leaves.iter().any(|leaf| leaf.is_supported()) {
            return;
        }
        self.b().before(phi);
        let shadows: Vec<Value> = leaves.iter().map(|_| self.b().phi(self.b().i32)).collect();
        self.shadows.insert(phi, shadows.clone());
        self.phis.push((phi, shadows));
    }

    fn connect_phis(&mut self) {
        for (phi, shadows) in std::mem::take(&mut self.phis) {
            for (value, from) in phi.incoming() {
                let incoming = self.shadows_of(value);
                for (shadow, value) in shadows.iter().zip(incoming) {
                    shadow.add_incoming(value, from);
                }
            }
        }
    }

    fn visit_extract(&mut self, instruction: Value) {
        let aggregate = instruction.operand(0);
        let (first, count) = leaves_at(aggregate.ty(), &instruction.indices());
        let shadows = self.shadows_of(aggregate);
        if let Some(part) = shadows.get(first..first + count) {
            self.shadows.insert(instruction, part.to_vec());
        }
    }

    fn visit_insert(&mut self, instruction: Value) {
        let (aggregate, element) = (instruction.operand(0), instruction.operand(1));
        let (first, count) = leaves_at(aggregate.ty(), &instruction.indices());
        let mut shadows = self.shadows_of(aggregate);
        if let Some(part) = shadows.get_mut(first..first + count) {
            part.copy_from_slice(&self.shadows_of(element));
        }
        self.shadows.insert(instruction, shadows);
    }
}

fn is_aggregate(value: Value) -> bool {
    value.ty().is_aggregate()
}
