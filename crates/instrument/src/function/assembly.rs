//! Inline assembly: its inputs become concrete, in registers and in memory, and this is reported.
//!
//! ```text
//!   "=r"(y) : "r"(x)             y is concrete; if x depends on inputs, that is noted
//!   "=m"(y) : "m"(x)             the same, for the contents of memory
//!   "r"(p) : "memory"            the same, for all memory reachable through p
//!   "" : "+r"(x)                 x keeps its value and shadow
//! ```

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::{CALLEE_LIBRARY, ESCAPE_FOLLOWS};
use tine_trace::map::SiteKind;

use super::Walk;
use super::calls::underlying;
use crate::leaf::leaves;
use crate::llvm::{LLVMOpcode, Value};

/// Maximum size of memory operands of inline assembly that are checked inline.
const SMALL_OPERAND: u64 = 16;

/// The constraints of inline assembly.
#[derive(Debug, Default)]
struct Operands {
    /// For each result, the argument in the same register.
    results: Vec<Option<usize>>,
    /// Arguments that point to written memory, and those whose memory is read.
    written: Vec<usize>,
    read: Vec<usize>,
    clobbers_memory: bool,
}

impl Operands {
    fn of(constraints: &str) -> Operands {
        let mut operands = Operands::default();
        // By number of the output: its result, unless it is in memory.
        let mut outputs: Vec<Option<usize>> = Vec::new();
        let mut n_arguments = 0;
        for constraint in constraints.split(',').filter(|constraint| !constraint.is_empty()) {
            if let Some(clobber) = constraint.strip_prefix('~') {
                operands.clobbers_memory |= clobber == "{memory}";
            } else if let Some(output) = constraint.strip_prefix('=') {
                if output.trim_start_matches('&').starts_with('*') {
                    operands.written.push(n_arguments);
                    n_arguments += 1;
                    outputs.push(None);
                } else {
                    outputs.push(Some(operands.results.len()));
                    operands.results.push(None);
                }
            } else if !constraint.starts_with('!') {
                if constraint.starts_with('*') {
                    operands.read.push(n_arguments);
                }
                let tied = constraint.parse().ok().and_then(|output: usize| outputs.get(output).copied().flatten());
                if let Some(result) = tied {
                    operands.results[result] = Some(n_arguments);
                }
                n_arguments += 1;
            }
        }
        operands
    }
}

impl Walk<'_, '_> {
    pub(super) fn visit_assembly(&mut self, call: Value) {
        let operands = Operands::of(&call.called().constraints());
        if does_nothing(call) && self.keep_results(call, &operands) {
            return;
        }
        let arguments = call.arguments();
        self.lose(call, &arguments, "inline assembly");
        self.call_site = self.site(SiteKind::Operation, call, "inline assembly");
        self.visit_memory_of_assembly(call);
    }

    /// Checks assembly in the concrete track, where only memory can be symbolic. The symbolic track made the site.
    pub(super) fn visit_memory_of_assembly(&mut self, call: Value) {
        if does_nothing(call) {
            return;
        }
        let operands = Operands::of(&call.called().constraints());
        let arguments = call.arguments();
        self.b().before(call);
        for operand in &operands.read {
            let size = call.accessed_type(*operand).map_or(0, |ty| self.module.store_size(ty));
            self.escape_to_assembly(arguments[*operand], size);
        }
        if operands.clobbers_memory {
            let in_memory = |index: usize| operands.read.contains(&index) || operands.written.contains(&index);
            for index in (0..arguments.len()).filter(|index| !in_memory(*index)) {
                if let Some(pointer) = pointer_in(arguments[index]) {
                    self.escape_to_assembly(pointer, 0);
                }
            }
        }
        for global in self.named_in(&call.called().assembly()) {
            self.escape_to_assembly(global, self.runtime.len_of(global));
        }
        self.b().after(call);
        for operand in operands.written {
            let size = call.accessed_type(operand).map_or(0, |ty| self.module.store_size(ty));
            self.forget(arguments[operand], size);
        }
    }

    /// Keeps the shadows of assembly without instructions: its results are the arguments in the same registers. Returns
    /// false if their types differ.
    fn keep_results(&mut self, call: Value, operands: &Operands) -> bool {
        if call.is_void() {
            return true;
        }
        let arguments = call.arguments();
        let types = if operands.results.len() == 1 { vec![call.ty()] } else { call.ty().struct_elements() };
        if types.len() != operands.results.len() {
            return false;
        }
        let mut shadows = Vec::new();
        for (result, ty) in operands.results.iter().zip(types) {
            match result.map(|index| arguments[index]) {
                Some(argument) if argument.ty() != ty => return false,
                Some(argument) => shadows.extend(self.shadows_of(argument)),
                None => shadows.extend(leaves(ty).iter().map(|_| self.zero())),
            }
        }
        self.shadows.insert(call, shadows);
        true
    }

    /// Notes symbolic memory at `pointer`. A size of 0 means unknown: then all reachable memory is searched.
    fn escape_to_assembly(&mut self, pointer: Value, size: u64) {
        let site = self.call_site;
        let how = self.b().i32.constant(u64::from(CALLEE_LIBRARY));
        if !(1..=SMALL_OPERAND).contains(&size) {
            let follows = if size == 0 { ESCAPE_FOLLOWS } else { 0 };
            return self.escape(site, how, follows, pointer, size);
        }
        let address = self.bits(pointer);
        let guard = self.runtime.operand_guard(size as u32);
        let site = self.b().i32.constant(self.place_for_user(site));
        self.b().call(guard, &[site, how, address]);
    }

    /// Makes written memory concrete.
    fn forget(&mut self, pointer: Value, size: u64) {
        let address = self.bits(pointer);
        let zero = self.zero();
        match size {
            0 => {}
            1..=SMALL_OPERAND => {
                let guard = self.runtime.store_guard(size as u32);
                self.b().call(guard, &[address, zero]);
            }
            _ => {
                let clear = self.runtime.entry("clear");
                self.b().call(clear, &[address, self.b().i64.constant(size)]);
            }
        }
    }

    /// Variables that the assembly text names.
    fn named_in(&self, assembly: &str) -> Vec<Value> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let mut names = Vec::new();
        for (start, text) in assembly.match_indices(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let before = assembly[..start].chars().next_back();
            if before.is_none_or(|c| !is_name(c) && c != '%') {
                let rest = &assembly[start..];
                names.push(rest.split(|c| !is_name(c)).next().unwrap_or(text));
            }
        }
        if names.is_empty() {
            return Vec::new();
        }
        let is_meant = |global: &Value| !global.is_constant_global() && names.contains(&global.name().as_str());
        self.module.globals().into_iter().filter(is_meant).collect()
    }
}

/// True if the assembly has no instruction. It may have comments.
fn does_nothing(call: Value) -> bool {
    call.called().assembly().lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#'))
}

/// The pointer in an operand. System calls receive pointers as numbers.
fn pointer_in(argument: Value) -> Option<Value> {
    let is_cast = argument.is_instruction() && argument.opcode() == LLVMOpcode::LLVMPtrToInt;
    let pointer = if is_cast { argument.operand(0) } else { argument };
    if pointer.ty().kind() != LLVMTypeKind::LLVMPointerTypeKind || pointer.is_zero() {
        return None;
    }
    let object = underlying(pointer);
    let cannot_change = object.is_function() || object.is_global_variable() && object.is_constant_global();
    (!cannot_change).then_some(pointer)
}
