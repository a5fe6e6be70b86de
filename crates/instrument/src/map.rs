//! Writes the program map of a module (`trace::map`).

use std::collections::{HashMap, HashSet};

use tine_trace::map::codec::ModuleMap;
use tine_trace::map::{
    BlockRecord, CONSTANT, CallRecord, CaseRecord, EdgeRecord, FUNCTION_LIBRARY, FactRecord, FunctionRecord, SiteKind,
    SiteRecord, Text,
};

use crate::facts::Fact;
use crate::llvm::Location;

#[derive(Debug, Default)]
pub(crate) struct MapBuilder {
    module: ModuleMap,
    /// Numbers that [`MapBuilder::constant`] has added.
    constants: HashSet<i64>,
    known: HashMap<String, Text>,
}

/// Properties of a new site; other fields are 0.
#[derive(Debug)]
pub(crate) struct NewSite<'a> {
    pub(crate) kind: SiteKind,
    pub(crate) location: &'a Location,
    pub(crate) block: u32,
    pub(crate) n_sides: u16,
    pub(crate) failing: u8,
    pub(crate) detail: u32,
    pub(crate) text: &'a str,
}

impl MapBuilder {
    pub(crate) fn new(source: &str) -> MapBuilder {
        let mut map = MapBuilder::default();
        map.module.header.source = map.text(source);
        map
    }

    pub(crate) fn n_sites(&self) -> usize {
        self.module.sites.len()
    }

    pub(crate) fn n_covered(&self) -> u32 {
        self.module.header.n_covered
    }

    /// Starts a function: the following sites and blocks belong to it.
    pub(crate) fn begin_function(&mut self, name: &str, location: &Location, flags: u32, signature: u64) {
        let record = FunctionRecord {
            name: self.text(name),
            file: self.text(&location.file),
            line: location.line,
            flags,
            first_site: self.module.sites.len() as u32,
            n_sites: 0,
            first_block: self.module.blocks.len() as u32,
            n_blocks: 0,
            signature,
            // Only the user's functions have lines that count as coverage.
            entry: if flags & FUNCTION_LIBRARY == 0 { self.module.header.n_covered + 1 } else { 0 },
            _pad: 0,
        };
        self.module.header.n_covered += u32::from(record.entry != 0);
        self.module.functions.push(record);
    }

    pub(crate) fn end_function(&mut self) {
        let (n_sites, n_blocks) = (self.module.sites.len() as u32, self.module.blocks.len() as u32);
        let function = self.module.functions.last_mut().expect("a function was begun");
        function.n_sites = n_sites - function.first_site;
        function.n_blocks = n_blocks - function.first_block;
    }

    /// Index of the block that the next [`MapBuilder::block`] adds.
    pub(crate) fn next_block(&self) -> u32 {
        self.module.blocks.len() as u32
    }

    /// `line` is that of its first instruction; `lines` are those of all.
    pub(crate) fn block(&mut self, line: u32, lines: &[u32]) {
        let first_line = self.module.lines.len() as u32;
        self.module.lines.extend_from_slice(lines);
        self.module.blocks.push(BlockRecord {
            function: self.module.functions.len() as u32 - 1,
            line,
            first_edge: 0,
            n_edges: 0,
            first_call: 0,
            n_calls: 0,
            first_line,
            n_lines: lines.len() as u32,
        });
    }

    /// Sets the edges of a block, as `(to, site, side)`, and its calls.
    pub(crate) fn leave_block(&mut self, block: u32, edges: &[EdgeRecord], calls: &[CallRecord]) {
        let record = &mut self.module.blocks[block as usize];
        record.first_edge = self.module.edges.len() as u32;
        record.n_edges = edges.len() as u32;
        record.first_call = self.module.calls.len() as u32;
        record.n_calls = calls.len() as u32;
        self.module.edges.extend_from_slice(edges);
        self.module.calls.extend_from_slice(calls);
    }

    pub(crate) fn site(&mut self, new: &NewSite<'_>) -> u32 {
        // Only sites that count as coverage have coverage bytes.
        let covered = new.kind.covers();
        let record = SiteRecord {
            kind: new.kind as u8,
            failing: new.failing,
            n_sides: new.n_sides,
            function: self.module.functions.len() as u32 - 1,
            file: self.text(&new.location.file),
            line: new.location.line,
            column: new.location.column,
            first_covered: if covered { self.module.header.n_covered } else { u32::MAX },
            detail: new.detail,
            text: self.text(new.text),
            first_case: self.module.cases.len() as u32,
            n_cases: 0,
            block: new.block,
            _pad: 0,
        };
        if covered {
            self.module.header.n_covered += new.n_sides as u32;
        }
        self.module.sites.push(record);
        self.module.sites.len() as u32 - 1
    }

    /// Coverage byte of the start of the current function, if it has one.
    pub(crate) fn entry(&self) -> Option<u32> {
        self.module.functions.last()?.entry.checked_sub(1)
    }

    pub(crate) fn first_covered(&self, site: u32) -> u32 {
        self.module.sites[site as usize].first_covered
    }

    /// Adds a case to the switch that was added last.
    pub(crate) fn case(&mut self, value: u128, side_index: u32) {
        self.module.cases.push(CaseRecord { value: [value as u64, (value >> 64) as u64], side_index, _pad: 0 });
        self.module.sites.last_mut().expect("a switch was added").n_cases += 1;
    }

    /// Adds a number that the code compares with, between functions.
    pub(crate) fn constant(&mut self, value: i64) {
        if self.constants.insert(value) {
            self.module.cases.push(CaseRecord { value: [value as u64, 0], side_index: CONSTANT, _pad: 0 });
        }
    }

    /// Adds a fact about a pointer.
    pub(crate) fn fact(&mut self, fact: &Fact) {
        let Fact { owner, kind, index, callee, argument } = fact;
        let (owner, callee) = (self.text(owner), self.text(callee));
        let record = FactRecord { owner, kind: *kind as u32, index: *index, callee, argument: *argument, _pad: 0 };
        if !self.module.facts.contains(&record) {
            self.module.facts.push(record);
        }
    }

    /// Sets the data flow, as bytes.
    pub(crate) fn dataflow(&mut self, bytes: Vec<u8>) {
        self.module.dataflow = bytes;
    }

    pub(crate) fn text(&mut self, text: &str) -> Text {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let record = self.module.text(text);
        self.known.insert(text.to_owned(), record);
        record
    }

    pub(crate) fn serialise(&self) -> Vec<u8> {
        self.module.encode(digest)
    }
}

/// FNV-1a of 128 bits: identity of a module, not a defence against forgery.
fn digest(bytes: &[u8]) -> [u8; 16] {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in bytes {
        hash = (hash ^ *byte as u128).wrapping_mul(PRIME);
    }
    hash.to_le_bytes()
}

/// Hash of a function's type, to match indirect calls with the functions they may reach.
pub(crate) fn signature(text: &str) -> u64 {
    u64::from_le_bytes(digest(text.as_bytes())[..8].try_into().expect("8 of 16 bytes"))
}
