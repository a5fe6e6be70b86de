//! The functions of a compiled file, from its program map.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tine_trace::map::codec::{self, ModuleMap};
use tine_trace::map::dataflow::{self, Dataflow, Kind, Operand, Operation, Symbol};
use tine_trace::map::{FUNCTION_LIBRARY, MAGIC, Text};

use crate::{Error, Unit};

/// A function with code.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(super) name: String,
    pub(super) file: PathBuf,
    /// Number of the file of the unit that was compiled.
    pub(super) module: usize,
    /// First line.
    pub(super) first: u32,
    /// Lines with code.
    pub(super) lines: BTreeSet<u32>,
    /// Hash of the code, without positions.
    pub(super) hash: u64,
    /// Other files cannot call it.
    pub(super) is_local: bool,
    pub(super) is_library: bool,
    /// Functions that it calls, or whose address it uses, also through variables that contain the address.
    pub(super) uses: BTreeSet<String>,
    /// Variables that it reads or passes on, also through variables that contain their addresses.
    pub(super) variables: BTreeSet<String>,
    /// Variables that it writes to, or whose address it passes on, and those that other files can name.
    pub(super) writes: BTreeSet<String>,
}

/// The functions of a unit.
pub(crate) fn compiled(unit: &Unit, flags: &[String], is_now: bool) -> Result<Vec<Code>, Error> {
    let mut all = Vec::new();
    for index in 0..unit.sources().len() {
        let bytes = unit.instrumented(index, if is_now { "now" } else { "before" }, flags)?;
        all.extend(functions(&bytes, index));
    }
    Ok(all)
}

/// The functions in an object file. Empty if it has no map.
pub(super) fn functions(object: &[u8], module: usize) -> Vec<Code> {
    read(object, module).unwrap_or_default()
}

fn read(object: &[u8], module: usize) -> Option<Vec<Code>> {
    let magic = MAGIC.to_le_bytes();
    let map = memchr::memmem::find_iter(object, &magic).find_map(|start| {
        let bytes = &object[start..];
        let header = codec::header(bytes).ok().filter(|header| header.version == tine_trace::VERSION)?;
        ModuleMap::decode(bytes.get(..header.len as usize)?).ok()
    })?;
    let flow = Dataflow::decode(&map.dataflow).ok()?;
    let text = |text: Text| {
        let end = text.offset as usize + text.len as usize;
        map.strings.get(text.offset as usize..end).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let mut records = map.functions.iter();
    let mut all = Vec::new();
    for function in flow.functions.iter().filter(|function| function.is_mapped) {
        let record = records.next()?;
        let symbol = flow.symbols.get(function.symbol as usize)?;
        let operations = || function.blocks.iter().flat_map(|block| &block.operations);
        let lines = operations().map(|operation| operation.line).filter(|line| *line >= record.line.max(1));
        let mut changes = written(function, &flow.symbols);
        // A variable that is only overwritten has no effect.
        let n_overwritten = |operation: &Operation| usize::from(matches!(operation.kind, Kind::Store { .. }));
        let operands = operations().flat_map(|operation| &operation.operands[n_overwritten(operation)..]);
        let used = symbols_of(&flow.symbols, operands.filter_map(symbol_of).collect());
        // Other files may change a variable that they can name.
        changes.extend(used.iter().filter(|number| !flow.symbols[**number as usize].is_local));
        let named = |is_function: bool, among: &BTreeSet<u32>| -> BTreeSet<String> {
            let symbols = among.iter().map(|number| &flow.symbols[*number as usize]);
            symbols.filter(|symbol| symbol.is_function == is_function).map(|symbol| symbol.name.clone()).collect()
        };
        all.push(Code {
            name: symbol.name.clone(),
            file: text(record.file).map(|file| PathBuf::from(&file).canonicalize().unwrap_or_else(|_| file.into()))?,
            module,
            first: record.line,
            lines: lines.collect(),
            hash: function.code,
            is_local: symbol.is_local,
            is_library: record.flags & FUNCTION_LIBRARY != 0,
            uses: named(true, &used),
            variables: named(false, &used),
            writes: named(false, &changes),
        });
    }
    Some(all)
}

fn symbol_of(operand: &Operand) -> Option<u32> {
    match operand {
        Operand::Symbol(symbol, _) => Some(*symbol),
        _ => None,
    }
}

/// Symbols whose addresses are in the initial values of these variables.
fn held(symbols: &[Symbol], variables: &BTreeSet<u32>) -> Vec<u32> {
    let known = variables.iter().filter_map(|number| symbols.get(*number as usize));
    known.flat_map(|symbol| &symbol.addresses).filter_map(|(_, operand)| symbol_of(operand)).collect()
}

/// These symbols, and those whose addresses are in the initial values of the variables among them.
fn symbols_of(symbols: &[Symbol], mut waiting: Vec<u32>) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    while let Some(number) = waiting.pop() {
        let Some(symbol) = symbols.get(number as usize).filter(|_| seen.insert(number)) else { continue };
        waiting.extend(symbol.addresses.iter().filter_map(|(_, operand)| symbol_of(operand)));
        waiting.extend(symbol.alias);
    }
    seen
}

/// Symbols in which a function writes, or whose address it passes on.
fn written(function: &dataflow::Function, symbols: &[Symbol]) -> BTreeSet<u32> {
    let n_values = function.blocks.iter().map(|block| block.operations.len()).sum::<usize>();
    let first = function.n_parameters as usize;
    // Symbols into which each value may point.
    let mut values: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); first + n_values];
    let mut written = BTreeSet::new();
    loop {
        let mut is_changed = false;
        for (number, operation) in function.blocks.iter().flat_map(|block| &block.operations).enumerate() {
            let into = |operand: &Operand| match operand {
                Operand::Symbol(symbol, _) => BTreeSet::from([*symbol]),
                Operand::Local(value) => values.get(*value as usize).cloned().unwrap_or_default(),
                Operand::Constant => BTreeSet::new(),
            };
            let all = || operation.operands.iter().flat_map(&into).collect::<BTreeSet<u32>>();
            let (result, changed) = match operation.kind {
                Kind::Join | Kind::Compute | Kind::Step { .. } | Kind::Phi { .. } => (all(), BTreeSet::new()),
                Kind::Copy { .. } => (BTreeSet::new(), operation.operands.first().map(into).unwrap_or_default()),
                Kind::Store { .. } | Kind::Call | Kind::Arguments | Kind::Return => (BTreeSet::new(), all()),
                // A loaded address may be one of the initial value.
                Kind::Load { .. } => (symbols_of(symbols, held(symbols, &all())), BTreeSet::new()),
                Kind::Variable { .. } | Kind::Compare | Kind::Branch => Default::default(),
            };
            written.extend(changed);
            let value = &mut values[first + number];
            let n = value.len();
            value.extend(result);
            is_changed |= value.len() > n;
        }
        if !is_changed {
            return written;
        }
    }
}

/// Everything that a call of a function may execute, as far as the unit defines it.
#[derive(Debug, Default)]
pub(crate) struct Reachable {
    /// Names of the functions, and of those that the unit only declares.
    pub(crate) functions: BTreeSet<String>,
    /// Variables that the functions name and that code may change.
    pub(crate) state: BTreeSet<String>,
}

/// Returns the part of a unit that a call of the function `name` of the first file may reach.
pub(crate) fn reachable(all: &[Code], name: &str) -> Reachable {
    let mut found = Reachable { functions: BTreeSet::from([name.to_owned()]), ..Reachable::default() };
    let mut waiting: Vec<usize> = (0..all.len()).filter(|index| all[*index].name == name).collect();
    let mut seen: BTreeSet<usize> = waiting.iter().copied().collect();
    while let Some(index) = waiting.pop() {
        let code = &all[index];
        found.functions.extend(code.uses.iter().cloned());
        let is_written = |name: &&String| all.iter().any(|other| other.writes.contains(*name));
        found.state.extend(code.variables.iter().filter(is_written).cloned());
        let is_callee =
            |callee: &Code| code.uses.contains(&callee.name) && (!callee.is_local || callee.module == code.module);
        waiting.extend((0..all.len()).filter(|index| is_callee(&all[*index]) && seen.insert(*index)));
    }
    found
}
