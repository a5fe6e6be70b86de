//! Writes the data flow of a module (`trace::map::dataflow`) before instrumentation: variables are registers, and every
//! branch of the source is a branch.
//!
//! Only facts are written. Their meaning (the memory that an address may point to, the effects of a call of unknown
//! code) is derived by the engine, which has the whole program.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use llvm_sys::LLVMTypeKind;
use tine_trace::hash;
use tine_trace::map::dataflow::{self, Dataflow, Kind, Operand, Operation, Symbol};

use crate::llvm::{Block, LLVMLinkage, LLVMOpcode, Module, Type, Value};
use crate::pipeline::Skipped;
use crate::{names, undefined};

/// Metadata of the instructions of [`keep_writes`].
const WRITE: &str = "tine.write";

/// Runs before variables become registers. Gives each write to a variable an instruction that is kept, with its line.
/// Otherwise no instruction would remain for `k = 5`.
pub(crate) fn keep_writes(module: &Module) {
    let builder = module.builder();
    for instruction in instructions(module) {
        if instruction.opcode() != LLVMOpcode::LLVMStore || instruction.line() == 0 {
            continue;
        }
        let value = instruction.operand(0);
        let is_computed = value.is_instruction() && value.opcode() != LLVMOpcode::LLVMLoad;
        if is_computed || value.is_undefined() || !is_in_variable(instruction.operand(1)) {
            continue;
        }
        builder.before(instruction);
        let write = builder.freeze(value);
        write.mark(WRITE);
        instruction.set_operand(0, write);
    }
}

/// Removes the instructions of [`keep_writes`], and phis with the same constant from all predecessors.
fn release_writes(module: &Module) {
    let is_write = |instruction: &Value| instruction.opcode() == LLVMOpcode::LLVMFreeze && instruction.is_marked(WRITE);
    let writes: Vec<Value> = instructions(module).filter(is_write).collect();
    let mut phis: Vec<Value> = Vec::new();
    for write in writes {
        phis.extend(write.users().into_iter().filter(|user| user.opcode() == LLVMOpcode::LLVMPHI));
        write.replace_uses(write.operand(0));
        write.erase();
    }
    let mut gone = HashSet::new();
    while let Some(phi) = phis.pop() {
        if gone.contains(&phi) {
            continue;
        }
        let values: Vec<Value> =
            phi.incoming().into_iter().map(|(value, _)| value).filter(|value| *value != phi).collect();
        let Some(first) = values.first().copied().filter(|first| first.is_constant()) else { continue };
        if values.iter().all(|value| *value == first) {
            phis.extend(phi.users().into_iter().filter(|user| user.opcode() == LLVMOpcode::LLVMPHI && *user != phi));
            phi.replace_uses(first);
            phi.erase();
            gone.insert(phi);
        }
    }
}

fn instructions(module: &Module) -> impl Iterator<Item = Value> + use<> {
    let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    defined.flat_map(|function| function.blocks()).flat_map(|block| block.instructions())
}

fn is_in_variable(pointer: Value) -> bool {
    match pointer.is_instruction().then(|| pointer.opcode()) {
        Some(LLVMOpcode::LLVMAlloca) => true,
        Some(LLVMOpcode::LLVMGetElementPtr) => is_in_variable(pointer.operand(0)),
        _ => false,
    }
}

/// The data flow of a module, and the blocks of its functions. [`Flow::encode`] relates them to the map.
pub(crate) struct Flow {
    flow: Dataflow,
    /// Blocks by function.
    functions: Vec<(Value, Vec<Block>)>,
}

impl Flow {
    /// Numbers the values of all functions. Must be called before the functions are instrumented; `skipped` is known
    /// afterwards.
    pub(crate) fn number(&mut self) {
        for (written, (function, blocks)) in self.flow.functions.iter_mut().zip(&self.functions) {
            let numbers: HashMap<Block, u32> = function.blocks().into_iter().zip(0..).collect();
            for (written, block) in written.blocks.iter_mut().zip(blocks) {
                written.number = numbers.get(block).copied();
            }
        }
    }

    /// The bytes for the map. The functions of the map are those that were instrumented, in the same order.
    pub(crate) fn encode(mut self, skipped: &[Skipped]) -> Vec<u8> {
        for function in &mut self.flow.functions {
            let name = &self.flow.symbols[function.symbol as usize].name;
            function.is_mapped = !skipped.iter().any(|skipped| skipped.function.trim_start_matches('\u{1}') == name);
        }
        self.flow.encode()
    }
}

/// The data flow of a module, after [`keep_writes`].
pub(crate) fn of(module: &Module) -> Flow {
    let mut writer = Writer { module, flow: Dataflow::default(), symbols: HashMap::new(), types: HashMap::new() };
    let mut functions = Vec::new();
    for function in module.functions() {
        if !function.is_declaration() && !function.is_intrinsic() && !function.name().starts_with(names::ASM_GOTO) {
            let symbol = writer.symbol(function);
            let written = Body::write(&mut writer, function, symbol);
            writer.flow.functions.push(written);
            functions.push((function, function.blocks()));
        }
    }
    for alias in module.aliases() {
        writer.symbol(alias);
    }
    // Variables that no function mentions may hold addresses of variables that are mentioned.
    for variable in module.globals() {
        writer.symbol(variable);
    }
    let flow = writer.flow;
    release_writes(module);
    Flow { flow, functions }
}

struct Writer<'a> {
    module: &'a Module,
    flow: Dataflow,
    symbols: HashMap<Value, u32>,
    /// Hashes of types.
    types: HashMap<Type, u64>,
}

impl Writer<'_> {
    /// Returns the number of a function, variable or alias.
    fn symbol(&mut self, value: Value) -> u32 {
        if let Some(known) = self.symbols.get(&value) {
            return *known;
        }
        let number = self.flow.symbols.len() as u32;
        self.symbols.insert(value, number);
        let is_local = matches!(value.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage);
        let (is_function, is_variable) = (value.is_function(), value.is_global_variable());
        let is_defined = !value.is_declaration();
        self.flow.symbols.push(Symbol {
            name: value.name().trim_start_matches('\u{1}').to_owned(),
            is_function,
            is_defined,
            is_local,
            size: if is_variable && value.held_type().is_sized() {
                self.module.alloc_size(value.held_type())
            } else {
                0
            },
            ..Symbol::default()
        });
        if is_variable && is_defined {
            let mut addresses = Vec::new();
            self.addresses(value.initializer(), 0, &mut addresses);
            self.flow.symbols[number as usize].addresses = addresses;
        } else if !is_function && !is_variable {
            let mut meant = Vec::new();
            self.constant(value.aliasee(), &mut meant);
            let target = meant.into_iter().find_map(|operand| match operand {
                Operand::Symbol(symbol, _) => Some(symbol),
                _ => None,
            });
            self.flow.symbols[number as usize].alias = target;
        }
        number
    }

    /// Addresses in a constant, with their offsets.
    fn addresses(&mut self, value: Value, offset: u64, found: &mut Vec<(u64, Operand)>) {
        if value.is_zero() || value.is_undefined() || value.as_constant().is_some() || value.is_data_array() {
            return;
        }
        let ty = value.ty();
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                for index in 0..value.n_operands() {
                    let at = offset + self.module.element_offset(ty, index);
                    self.addresses(value.operand(index), at, found);
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let size = self.module.alloc_size(ty.element());
                for index in 0..value.n_operands() {
                    self.addresses(value.operand(index), offset + u64::from(index) * size, found);
                }
            }
            _ => {
                let mut operands = Vec::new();
                self.constant(value, &mut operands);
                found.extend(operands.into_iter().map(|operand| (offset, operand)));
            }
        }
    }

    /// The addresses that a constant is computed from.
    fn constant(&mut self, value: Value, found: &mut Vec<Operand>) {
        if value.is_function() || value.is_global_variable() || value.is_alias() {
            found.push(Operand::Symbol(self.symbol(value), Some(0)));
            return;
        }
        if !value.is_constant_expression() && !value.is_constant_aggregate() {
            return;
        }
        let first = found.len();
        for index in 0..value.n_operands() {
            self.constant(value.operand(index), found);
        }
        let is_step = value.is_constant_expression() && value.opcode_of_constant() == LLVMOpcode::LLVMGetElementPtr;
        let is_cast = value.is_constant_expression() && value.n_operands() == 1;
        let step =
            if is_step { step(self.module, value) } else { Step { stride: u64::from(!is_cast), ..Step::default() } };
        for operand in &mut found[first..] {
            if let Operand::Symbol(_, offset) = operand {
                *offset = offset.filter(|_| step.stride == 0).map(|offset| offset + step.offset);
            }
        }
    }

    fn text_of(&mut self, ty: Type) -> u64 {
        *self.types.entry(ty).or_insert_with(|| hash::of(ty.text().as_bytes()))
    }
}

/// The effect of an address computation.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    offset: i64,
    stride: u64,
    structure: u32,
}

fn step(module: &Module, address: Value) -> Step {
    let source = address.gep_source();
    let mut step = Step { structure: structure(source), ..Step::default() };
    let mut ty = source;
    for operand in 1..address.n_operands() {
        let index = address.operand(operand);
        if operand > 1 && ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
            let index = index.as_constant().unwrap_or(0) as u32;
            step.offset += module.element_offset(ty, index) as i64;
            ty = ty.struct_elements()[index as usize];
            continue;
        }
        if operand > 1 {
            ty = ty.element();
        }
        let size = if ty.is_sized() { module.alloc_size(ty) } else { 1 };
        match index.as_signed_constant() {
            Some(index) => step.offset = step.offset.wrapping_add(index.wrapping_mul(size as i64)),
            None => step.stride = gcd(step.stride, size.max(1)),
        }
    }
    step
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Number that identifies a structure type in all modules; 0 for other types.
fn structure(ty: Type) -> u32 {
    if ty.kind() != LLVMTypeKind::LLVMStructTypeKind {
        return 0;
    }
    let text = ty.text();
    let name = text.split(" = ").next().unwrap_or_default();
    // LLVM appends numbers to structures with the same name.
    let plain = name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    (hash::of(plain.map_or(name, |(plain, _)| plain).as_bytes()) as u32).max(1)
}

/// State while a function is written.
struct Body<'a, 'b> {
    writer: &'a mut Writer<'b>,
    function: Value,
    locals: HashMap<Value, u32>,
    blocks: HashMap<Block, u32>,
    /// Operations of the current block.
    operations: Vec<Operation>,
    next: u32,
    code: DefaultHasher,
}

impl Body<'_, '_> {
    fn write(writer: &mut Writer<'_>, function: Value, symbol: u32) -> dataflow::Function {
        let params = function.params();
        let blocks = function.blocks();
        let mut body = Body {
            writer,
            function,
            locals: params.iter().copied().zip(0..).collect(),
            blocks: blocks.iter().copied().zip(0..).collect(),
            operations: Vec::new(),
            next: params.len() as u32,
            code: DefaultHasher::new(),
        };
        body.number(&blocks);
        let written = blocks.iter().map(|block| {
            for instruction in block.instructions() {
                body.hash(instruction);
                body.instruction(instruction);
            }
            let successors = block.terminator().successors().iter().map(|next| body.blocks[next]).collect();
            dataflow::Block { number: None, operations: std::mem::take(&mut body.operations), successors }
        });
        let blocks = written.collect();
        dataflow::Function {
            symbol,
            n_parameters: params.len() as u32,
            is_mapped: false,
            code: body.code.finish(),
            blocks,
        }
    }

    /// Numbers all instructions in advance, because phis use later values. Must match [`Body::instruction`].
    fn number(&mut self, blocks: &[Block]) {
        let mut next = self.next;
        for instruction in blocks.iter().flat_map(|block| block.instructions()) {
            self.next = next;
            let before = self.operations.len();
            self.instruction(instruction);
            next += (self.operations.len() - before) as u32;
        }
        self.operations.clear();
        self.next = self.function.params().len() as u32;
    }

    /// Writes one operation. Returns its value.
    fn add(&mut self, kind: Kind, line: u32, operands: Vec<Operand>) -> Operand {
        self.operations.push(Operation { kind, line, operands });
        self.next += 1;
        Operand::Local(self.next - 1)
    }

    /// A value as an operand. Constants of several addresses become one operation.
    fn operand(&mut self, value: Value, line: u32) -> Operand {
        if let Some(local) = self.locals.get(&value) {
            return Operand::Local(*local);
        }
        let mut found = Vec::new();
        if value.is_constant() {
            self.writer.constant(value, &mut found);
        }
        match found[..] {
            [] => Operand::Constant,
            [one] => one,
            _ => self.add(Kind::Join, line, found),
        }
    }

    fn all(&mut self, values: &[Value], line: u32) -> Vec<Operand> {
        values.iter().map(|value| self.operand(*value, line)).collect()
    }

    fn size(&self, ty: Type) -> u64 {
        if ty.is_sized() { self.writer.module.store_size(ty) } else { 0 }
    }

    fn instruction(&mut self, instruction: Value) {
        use LLVMOpcode::*;
        let line = instruction.line();
        let operands: Vec<Value> = (0..instruction.n_operands()).map(|index| instruction.operand(index)).collect();
        let opcode = instruction.opcode();
        let result = match opcode {
            LLVMCall => self.call(instruction, line),
            LLVMFence => return,
            LLVMUnreachable => return,
            LLVMBr | LLVMSwitch | LLVMIndirectBr => {
                let condition = operands.first().filter(|_| instruction.successors().len() > 1).copied();
                let condition = condition.map(|condition| self.operand(condition, line));
                Some(self.add(Kind::Branch, line, condition.into_iter().collect()))
            }
            LLVMAlloca => {
                let count = operands.first().and_then(|count| count.as_constant());
                let size = count.map_or(0, |count| count.saturating_mul(self.size(instruction.allocated())));
                let operands = self.all(&operands, line);
                Some(self.add(Kind::Variable { size }, line, operands))
            }
            LLVMGetElementPtr => {
                let Step { offset, stride, structure } = step(self.writer.module, instruction);
                let operands = self.all(&operands, line);
                Some(self.add(Kind::Step { offset, stride, structure }, line, operands))
            }
            LLVMLoad => {
                let size = self.size(instruction.ty());
                let operands = self.all(&operands, line);
                Some(self.add(Kind::Load { size }, line, operands))
            }
            LLVMStore => {
                let size = self.size(operands[0].ty());
                let (value, address) = (self.operand(operands[0], line), self.operand(operands[1], line));
                Some(self.add(Kind::Store { size }, line, vec![address, value]))
            }
            LLVMAtomicRMW | LLVMAtomicCmpXchg => {
                let size = self.size(operands[operands.len() - 1].ty());
                let mut all = self.all(&operands, line);
                let address = all[0];
                let old = self.add(Kind::Load { size }, line, vec![address]);
                all[0] = old;
                let new = self.add(Kind::Compute, line, all);
                self.add(Kind::Store { size }, line, vec![address, new]);
                Some(new)
            }
            LLVMPHI => {
                let incoming = instruction.incoming();
                let blocks = incoming.iter().map(|(_, block)| self.blocks[block]).collect();
                // Operations for constants would precede the phi.
                let operands = incoming.iter().map(|(value, _)| self.operand(*value, line)).collect();
                Some(self.add(Kind::Phi { blocks }, line, operands))
            }
            LLVMRet => {
                let operands = self.all(&operands, line);
                Some(self.add(Kind::Return, line, operands))
            }
            _ => {
                let kind = match opcode {
                    LLVMSelect | LLVMFreeze | LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMZExt | LLVMSExt
                    | LLVMTrunc | LLVMAddrSpaceCast | LLVMInsertValue | LLVMExtractValue | LLVMInsertElement
                    | LLVMExtractElement | LLVMShuffleVector => Kind::Join,
                    LLVMICmp | LLVMFCmp => Kind::Compare,
                    _ => Kind::Compute,
                };
                let operands = self.all(&operands, line);
                Some(self.add(kind, line, operands))
            }
        };
        if let Some(Operand::Local(local)) = result {
            self.locals.insert(instruction, local);
        }
    }

    fn call(&mut self, call: Value, line: u32) -> Option<Operand> {
        let (called, arguments) = (call.called(), call.arguments());
        let name = if called.is_function() { called.name() } else { String::new() };
        let is = |prefix: &str| name.strip_prefix("llvm.").is_some_and(|name| name.starts_with(prefix));
        let constant = |index: usize| arguments.get(index).and_then(|value| value.as_constant());
        if undefined::is_use(call) || names::intrinsic(&name) == Some(names::Pure::Identity) || is("ptrmask") {
            let operands = self.all(&arguments, line);
            return Some(self.add(Kind::Join, line, operands));
        }
        if is("memcpy") || is("memmove") || is("va_copy") {
            let size = if is("va_copy") { 24 } else { constant(2).unwrap_or(0) };
            let operands = self.all(&arguments, line);
            return Some(self.add(Kind::Copy { size }, line, operands));
        }
        if is("memset") {
            let size = constant(2).unwrap_or(0);
            let operands = self.all(&arguments, line);
            return Some(self.add(Kind::Store { size }, line, operands));
        }
        if is("va_start") {
            let operands = self.all(&arguments, line);
            return Some(self.add(Kind::Arguments, line, operands));
        }
        if called.is_intrinsic() && names::is_silent_intrinsic(&name) {
            // Some have a result nevertheless, which is not an address of the program.
            let operands = if call.is_void() { Vec::new() } else { self.all(&arguments, line) };
            return Some(self.add(Kind::Compare, line, operands));
        }
        if called.is_intrinsic() {
            let operands = self.all(&arguments, line);
            return Some(self.add(Kind::Compute, line, operands));
        }
        let callee = if called.is_inline_asm() { Operand::Constant } else { self.operand(called, line) };
        let mut operands = vec![callee];
        operands.extend(self.all(&arguments, line));
        Some(self.add(Kind::Call, line, operands))
    }

    /// Adds an instruction to the hash of the code. Positions in arguments of assertions are excluded.
    fn hash(&mut self, instruction: Value) {
        let opcode = instruction.opcode();
        (opcode as u32).hash(&mut self.code);
        self.writer.text_of(instruction.ty()).hash(&mut self.code);
        match opcode {
            LLVMOpcode::LLVMICmp => (instruction.int_predicate() as u32).hash(&mut self.code),
            LLVMOpcode::LLVMFCmp => (instruction.real_predicate() as u32).hash(&mut self.code),
            LLVMOpcode::LLVMAlloca => self.writer.text_of(instruction.allocated()).hash(&mut self.code),
            LLVMOpcode::LLVMGetElementPtr => self.writer.text_of(instruction.gep_source()).hash(&mut self.code),
            LLVMOpcode::LLVMAtomicRMW => (instruction.rmw_operation() as u32).hash(&mut self.code),
            LLVMOpcode::LLVMExtractValue | LLVMOpcode::LLVMInsertValue => {
                instruction.indices().hash(&mut self.code);
            }
            LLVMOpcode::LLVMShuffleVector => instruction.shuffle_mask().hash(&mut self.code),
            LLVMOpcode::LLVMPHI => {
                for (_, block) in instruction.incoming() {
                    self.blocks[&block].hash(&mut self.code);
                }
            }
            _ => {}
        }
        if instruction == instruction.parent().terminator() {
            for next in instruction.successors() {
                self.blocks[&next].hash(&mut self.code);
            }
        }
        if opcode == LLVMOpcode::LLVMSwitch {
            for case in 1..instruction.successors().len() {
                instruction.case_value(case as u32).wide_constant().hash(&mut self.code);
            }
        }
        let is_call = opcode == LLVMOpcode::LLVMCall;
        let is_assertion =
            is_call && instruction.called().is_function() && names::is_assertion(&instruction.called().name());
        for index in 0..instruction.n_operands() {
            let is_position = is_assertion && index > 0 && index + 1 < instruction.n_operands();
            if !is_position {
                self.hash_operand(instruction.operand(index));
            }
        }
    }

    fn hash_operand(&mut self, value: Value) {
        if let Some(local) = self.locals.get(&value) {
            (1, local).hash(&mut self.code);
        } else if value.is_global_variable() && value.is_private() {
            // Strings are numbered in the order of the module.
            (2, value.initializer().print()).hash(&mut self.code);
        } else if value.is_global_variable() && !value.is_declaration() {
            (4, value.name(), value.initializer().print()).hash(&mut self.code);
        } else if value.is_function() || value.is_global_variable() || value.is_alias() {
            (3, value.name()).hash(&mut self.code);
        } else if let Some(constant) = value.as_constant() {
            (4, constant).hash(&mut self.code);
        } else if value.is_constant_expression() {
            (5, value.opcode_of_constant() as u32).hash(&mut self.code);
            (0..value.n_operands()).for_each(|index| self.hash_operand(value.operand(index)));
        } else if value.is_constant() {
            (6, value.print()).hash(&mut self.code);
        }
    }
}
