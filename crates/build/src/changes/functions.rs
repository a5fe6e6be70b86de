//! The functions of a compiled file, from its program map.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tine_trace::map::codec::{self, ModuleMap};
use tine_trace::map::dataflow::{Dataflow, Operand};
use tine_trace::map::{FUNCTION_LIBRARY, MAGIC, Text};

/// A function with code.
#[derive(Clone, Debug)]
pub(super) struct Code {
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
    /// Functions that it calls, or whose address it uses.
    pub(super) uses: BTreeSet<String>,
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
        let used = operations().flat_map(|operation| &operation.operands).filter_map(|operand| match operand {
            Operand::Symbol(symbol, _) => flow.symbols.get(*symbol as usize).filter(|symbol| symbol.is_function),
            _ => None,
        });
        all.push(Code {
            name: symbol.name.clone(),
            file: text(record.file).map(|file| PathBuf::from(&file).canonicalize().unwrap_or_else(|_| file.into()))?,
            module,
            first: record.line,
            lines: lines.collect(),
            hash: function.code,
            is_local: symbol.is_local,
            is_library: record.flags & FUNCTION_LIBRARY != 0,
            uses: used.map(|symbol| symbol.name.clone()).collect(),
        });
    }
    Some(all)
}
