//! Writes the program map of a module (`trace::map`).

use std::collections::{HashMap, HashSet};

use tine_trace::VERSION;
use tine_trace::map::{
    BlockRecord, CONSTANT, CallRecord, CaseRecord, EdgeRecord, FunctionRecord, MAGIC, MapHeader, SiteKind, SiteRecord,
    Text,
};

use crate::llvm::Location;

#[derive(Debug)]
pub(crate) struct MapBuilder {
    source: Text,
    functions: Vec<FunctionRecord>,
    sites: Vec<SiteRecord>,
    cases: Vec<CaseRecord>,
    /// Those that [`MapBuilder::constant`] has added.
    constants: HashSet<i64>,
    blocks: Vec<BlockRecord>,
    edges: Vec<EdgeRecord>,
    calls: Vec<CallRecord>,
    strings: Vec<u8>,
    known: HashMap<String, Text>,
    n_covered: u32,
}

/// Properties of a new site; the rest is 0.
#[derive(Debug)]
pub(crate) struct NewSite<'a> {
    pub(crate) kind: SiteKind,
    pub(crate) location: &'a Location,
    pub(crate) block: u32,
    pub(crate) n_alternatives: u16,
    pub(crate) failing: u8,
    pub(crate) detail: u32,
    pub(crate) text: &'a str,
}

impl MapBuilder {
    pub(crate) fn new(source: &str) -> MapBuilder {
        let mut map = MapBuilder {
            source: Text::default(),
            functions: Vec::new(),
            sites: Vec::new(),
            cases: Vec::new(),
            constants: HashSet::new(),
            blocks: Vec::new(),
            edges: Vec::new(),
            calls: Vec::new(),
            strings: Vec::new(),
            known: HashMap::new(),
            n_covered: 0,
        };
        map.source = map.text(source);
        map
    }

    pub(crate) fn n_sites(&self) -> usize {
        self.sites.len()
    }

    pub(crate) fn n_covered(&self) -> u32 {
        self.n_covered
    }

    /// Starts a function: sites and blocks that follow are its own.
    pub(crate) fn begin_function(&mut self, name: &str, location: &Location, flags: u32, signature: u64) {
        let record = FunctionRecord {
            name: self.text(name),
            file: self.text(&location.file),
            line: location.line,
            flags,
            first_site: self.sites.len() as u32,
            n_sites: 0,
            first_block: self.blocks.len() as u32,
            n_blocks: 0,
            signature,
        };
        self.functions.push(record);
    }

    pub(crate) fn end_function(&mut self) {
        let (n_sites, n_blocks) = (self.sites.len() as u32, self.blocks.len() as u32);
        let function = self.functions.last_mut().expect("a function was begun");
        function.n_sites = n_sites - function.first_site;
        function.n_blocks = n_blocks - function.first_block;
    }

    /// Index of the block that the next [`MapBuilder::block`] adds.
    pub(crate) fn next_block(&self) -> u32 {
        self.blocks.len() as u32
    }

    pub(crate) fn block(&mut self, line: u32) {
        self.blocks.push(BlockRecord {
            function: self.functions.len() as u32 - 1,
            line,
            first_edge: 0,
            n_edges: 0,
            first_call: 0,
            n_calls: 0,
        });
    }

    /// Sets what leaves a block: `(to, site, alternative)` each, and the calls in it.
    pub(crate) fn leave_block(&mut self, block: u32, edges: &[EdgeRecord], calls: &[CallRecord]) {
        let record = &mut self.blocks[block as usize];
        record.first_edge = self.edges.len() as u32;
        record.n_edges = edges.len() as u32;
        record.first_call = self.calls.len() as u32;
        record.n_calls = calls.len() as u32;
        self.edges.extend_from_slice(edges);
        self.calls.extend_from_slice(calls);
    }

    pub(crate) fn site(&mut self, new: &NewSite<'_>) -> u32 {
        // Only what counts as coverage has bytes for it.
        let covered = new.kind.covers();
        let record = SiteRecord {
            kind: new.kind as u8,
            failing: new.failing,
            n_alternatives: new.n_alternatives,
            function: self.functions.len() as u32 - 1,
            file: self.text(&new.location.file),
            line: new.location.line,
            column: new.location.column,
            first_covered: if covered { self.n_covered } else { u32::MAX },
            detail: new.detail,
            text: self.text(new.text),
            first_case: self.cases.len() as u32,
            n_cases: 0,
            block: new.block,
            _pad: 0,
        };
        if covered {
            self.n_covered += new.n_alternatives as u32;
        }
        self.sites.push(record);
        self.sites.len() as u32 - 1
    }

    pub(crate) fn first_covered(&self, site: u32) -> u32 {
        self.sites[site as usize].first_covered
    }

    /// Adds a case to the switch that was added last.
    pub(crate) fn case(&mut self, value: u128, alternative: u32) {
        self.cases.push(CaseRecord { value: [value as u64, (value >> 64) as u64], alternative, _pad: 0 });
        self.sites.last_mut().expect("a switch was added").n_cases += 1;
    }

    /// Adds a number that the code compares with, between functions.
    pub(crate) fn constant(&mut self, value: i64) {
        if self.constants.insert(value) {
            self.cases.push(CaseRecord { value: [value as u64, 0], alternative: CONSTANT, _pad: 0 });
        }
    }

    pub(crate) fn text(&mut self, text: &str) -> Text {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let record = Text { offset: self.strings.len() as u32, len: text.len() as u32 };
        self.strings.extend_from_slice(text.as_bytes());
        self.known.insert(text.to_owned(), record);
        record
    }

    pub(crate) fn serialise(&self) -> Vec<u8> {
        let mut body = Vec::new();
        append(&mut body, &self.functions);
        append(&mut body, &self.sites);
        append(&mut body, &self.cases);
        append(&mut body, &self.blocks);
        append(&mut body, &self.edges);
        append(&mut body, &self.calls);
        body.extend_from_slice(&self.strings);
        let header = MapHeader {
            magic: MAGIC,
            version: VERSION,
            len: (size_of::<MapHeader>() + body.len()) as u32,
            digest: digest(&body),
            n_functions: self.functions.len() as u32,
            n_sites: self.sites.len() as u32,
            n_cases: self.cases.len() as u32,
            n_blocks: self.blocks.len() as u32,
            n_edges: self.edges.len() as u32,
            n_calls: self.calls.len() as u32,
            n_covered: self.n_covered,
            strings_len: self.strings.len() as u32,
            source: self.source,
        };
        let mut bytes = Vec::with_capacity(header.len as usize);
        append(&mut bytes, &[header]);
        bytes.extend_from_slice(&body);
        bytes
    }
}

/// A record of the map: fixed layout, no padding, nothing but integers.
///
/// # Safety
/// Implement it only for `repr(C)` types without padding.
unsafe trait Record: Copy {}
// SAFETY: `trace::map` lays them out without padding (their sizes are sums of their fields).
unsafe impl Record for MapHeader {}
// SAFETY: as above.
unsafe impl Record for FunctionRecord {}
// SAFETY: as above.
unsafe impl Record for SiteRecord {}
// SAFETY: as above.
unsafe impl Record for CaseRecord {}
// SAFETY: as above.
unsafe impl Record for BlockRecord {}
// SAFETY: as above.
unsafe impl Record for EdgeRecord {}
// SAFETY: as above.
unsafe impl Record for CallRecord {}

fn append<T: Record>(bytes: &mut Vec<u8>, records: &[T]) {
    // SAFETY: records have no padding, so all their bytes are initialised.
    let raw = unsafe { std::slice::from_raw_parts(records.as_ptr().cast::<u8>(), size_of_val(records)) };
    bytes.extend_from_slice(raw);
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
