//! Module maps for tests, written record by record.

use tine_trace::VERSION;
use tine_trace::map::{
    BlockRecord, CallRecord, CaseRecord, EdgeRecord, FunctionRecord, MAGIC, MapHeader, SiteKind, SiteRecord, Text,
};
use tine_trace::segment::ModuleRecord;

use super::ProgramMap;

/// The inverse of reading.
pub(super) trait Write {
    fn write(&self, to: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Write for $number {
            fn write(&self, to: &mut Vec<u8>) {
                to.extend(self.to_le_bytes());
            }
        }
    )* };
}
numbers! { u8 u16 u32 u64 }

impl<T: Write, const N: usize> Write for [T; N] {
    fn write(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|item| item.write(to));
    }
}

/// A module map in the making.
#[derive(Default)]
pub(crate) struct Maker {
    pub(crate) functions: Vec<FunctionRecord>,
    pub(crate) sites: Vec<SiteRecord>,
    pub(crate) cases: Vec<CaseRecord>,
    pub(crate) blocks: Vec<BlockRecord>,
    pub(crate) edges: Vec<EdgeRecord>,
    pub(crate) calls: Vec<CallRecord>,
    strings: Vec<u8>,
    n_covered: u32,
}

impl Maker {
    pub(crate) fn text(&mut self, text: &str) -> Text {
        let offset = self.strings.len() as u32;
        self.strings.extend(text.bytes());
        Text { offset, len: text.len() as u32 }
    }

    pub(crate) fn function(&mut self, name: &str, file: &str, flags: u32) {
        let (name, file) = (self.text(name), self.text(file));
        let first_site = self.sites.len() as u32;
        self.functions.push(FunctionRecord { name, file, line: 1, flags, first_site, ..Default::default() });
    }

    pub(crate) fn site(&mut self, kind: SiteKind, file: &str, line: u32, n_alternatives: u16) -> &mut SiteRecord {
        let file = self.text(file);
        let function = self.functions.len() as u32 - 1;
        self.functions.last_mut().expect("a function first").n_sites += 1;
        let first_covered = self.n_covered;
        self.n_covered += if kind.covers() { u32::from(n_alternatives) } else { 0 };
        self.sites.push(SiteRecord {
            kind: kind as u8,
            n_alternatives,
            function,
            file,
            line,
            column: 7,
            first_covered,
            block: u32::MAX,
            ..Default::default()
        });
        self.sites.last_mut().expect("just pushed")
    }

    pub(crate) fn bytes(&self, digest: u8) -> Vec<u8> {
        let mut body = Vec::new();
        self.functions.iter().for_each(|record| record.write(&mut body));
        self.sites.iter().for_each(|record| record.write(&mut body));
        self.cases.iter().for_each(|record| record.write(&mut body));
        self.blocks.iter().for_each(|record| record.write(&mut body));
        self.edges.iter().for_each(|record| record.write(&mut body));
        self.calls.iter().for_each(|record| record.write(&mut body));
        body.extend(&self.strings);
        let header = MapHeader {
            magic: MAGIC,
            version: VERSION,
            len: (size_of::<MapHeader>() + body.len()) as u32,
            digest: [digest; 16],
            n_functions: self.functions.len() as u32,
            n_sites: self.sites.len() as u32,
            n_cases: self.cases.len() as u32,
            n_blocks: self.blocks.len() as u32,
            n_edges: self.edges.len() as u32,
            n_calls: self.calls.len() as u32,
            n_covered: self.n_covered,
            strings_len: self.strings.len() as u32,
            source: Text::default(),
        };
        let mut bytes = Vec::new();
        header.write(&mut bytes);
        bytes.extend(body);
        bytes
    }

    pub(crate) fn record(&self, digest: u8, site_base: u32, edge_base: u32) -> ModuleRecord {
        let (n_sites, n_edges) = (self.sites.len() as u32, self.n_covered);
        ModuleRecord { digest: [digest; 16], site_base, n_sites, edge_base, n_edges }
    }

    /// The map of a program of this module alone.
    pub(crate) fn map(&self) -> ProgramMap {
        ProgramMap::parse(&self.bytes(1), &[self.record(1, 0, 0)]).expect("the maker makes good maps")
    }
}
