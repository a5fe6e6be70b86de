//! Encoding of a module's map: the only writer and the only reader. The unit's side has the feature `alloc` off and
//! reads records in place.

use alloc::vec::Vec;

use super::{
    BlockRecord, CallRecord, CaseRecord, EdgeRecord, FactRecord, FunctionRecord, MAGIC, MapHeader, SiteRecord, Text,
};

/// The map of a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleMap {
    /// Encoding sets all fields except `n_covered` and `source`.
    pub header: MapHeader,
    pub functions: Vec<FunctionRecord>,
    pub sites: Vec<SiteRecord>,
    pub cases: Vec<CaseRecord>,
    pub blocks: Vec<BlockRecord>,
    /// Lines of the blocks, in order.
    pub lines: Vec<u32>,
    pub edges: Vec<EdgeRecord>,
    pub calls: Vec<CallRecord>,
    pub facts: Vec<FactRecord>,
    /// Bytes of a [`super::dataflow::Dataflow`]; empty if the module has none.
    pub dataflow: Vec<u8>,
    pub strings: Vec<u8>,
}

/// Error: the bytes end inside this part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncated(pub &'static str);

impl ModuleMap {
    /// Adds a string.
    pub fn text(&mut self, text: &str) -> Text {
        let offset = self.strings.len() as u32;
        self.strings.extend_from_slice(text.as_bytes());
        Text { offset, len: text.len() as u32 }
    }

    /// Encodes the map. `digest` receives everything after the header.
    pub fn encode(&self, digest: impl FnOnce(&[u8]) -> [u8; 16]) -> Vec<u8> {
        let ModuleMap { header, functions, sites, cases, blocks, lines, edges, calls, facts, dataflow, strings } = self;
        let mut body = Vec::new();
        write_all(functions, &mut body);
        write_all(sites, &mut body);
        write_all(cases, &mut body);
        write_all(blocks, &mut body);
        write_all(lines, &mut body);
        write_all(edges, &mut body);
        write_all(calls, &mut body);
        write_all(facts, &mut body);
        body.extend_from_slice(dataflow);
        body.extend_from_slice(strings);
        let header = MapHeader {
            magic: MAGIC,
            version: crate::VERSION,
            len: (size_of::<MapHeader>() + body.len()) as u32,
            digest: digest(&body),
            n_functions: functions.len() as u32,
            n_sites: sites.len() as u32,
            n_cases: cases.len() as u32,
            n_blocks: blocks.len() as u32,
            n_lines: lines.len() as u32,
            n_edges: edges.len() as u32,
            n_calls: calls.len() as u32,
            strings_len: strings.len() as u32,
            n_facts: facts.len() as u32,
            dataflow_len: dataflow.len() as u32,
            ..*header
        };
        let mut bytes = Vec::with_capacity(header.len as usize);
        header.write(&mut bytes);
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads the parts that the header announces.
    pub fn decode(bytes: &[u8]) -> Result<ModuleMap, Truncated> {
        let header = header(bytes)?;
        let body = bytes.get(size_of::<MapHeader>()..header.len as usize).ok_or(Truncated("header"))?;
        let mut reader = Reader { bytes: body, what: "functions" };
        Ok(ModuleMap {
            header,
            functions: reader.many("functions", header.n_functions)?,
            sites: reader.many("sites", header.n_sites)?,
            cases: reader.many("cases", header.n_cases)?,
            blocks: reader.many("blocks", header.n_blocks)?,
            lines: reader.many("lines", header.n_lines)?,
            edges: reader.many("edges", header.n_edges)?,
            calls: reader.many("calls", header.n_calls)?,
            facts: reader.many("facts", header.n_facts)?,
            dataflow: reader.take("data flow", header.dataflow_len as usize)?.to_vec(),
            strings: reader.take("strings", header.strings_len as usize)?.to_vec(),
        })
    }
}

/// Reads only the header, to check magic number and version.
pub fn header(bytes: &[u8]) -> Result<MapHeader, Truncated> {
    MapHeader::read(&mut Reader { bytes, what: "header" })
}

fn write_all<T: Record>(records: &[T], to: &mut Vec<u8>) {
    records.iter().for_each(|record| record.write(to));
}

/// Bytes not yet read; `what` is the current part.
struct Reader<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, what: &'static str, len: usize) -> Result<&'a [u8], Truncated> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(Truncated(what))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn many<T: Record>(&mut self, what: &'static str, count: u32) -> Result<Vec<T>, Truncated> {
        // Checked before any allocation: a corrupt count must not reserve memory.
        let len = (count as usize).checked_mul(size_of::<T>()).ok_or(Truncated(what))?;
        let mut records = Reader { bytes: self.take(what, len)?, what };
        (0..count).map(|_| T::read(&mut records)).collect()
    }
}

/// A value that is written field by field, in the order and with the sizes of its `repr(C)` layout.
trait Record: Sized {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Truncated>;
    fn write(&self, to: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Record for $number {
            fn read(reader: &mut Reader<'_>) -> Result<$number, Truncated> {
                let bytes = reader.take(reader.what, size_of::<$number>())?;
                Ok(<$number>::from_le_bytes(bytes.try_into().expect("as many as were taken")))
            }

            fn write(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}
numbers! { u8 u16 u32 u64 }

impl<T: Record + Copy + Default, const N: usize> Record for [T; N] {
    fn read(reader: &mut Reader<'_>) -> Result<[T; N], Truncated> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(reader)?;
        }
        Ok(items)
    }

    fn write(&self, to: &mut Vec<u8>) {
        write_all(self, to);
    }
}

macro_rules! records {
    ($($record:ident { $($field:ident: $type:ty),* })*) => { $(
        // All padding is in named fields, so the fields in order are the layout.
        const _: () = assert!(size_of::<$record>() == 0 $(+ size_of::<$type>())*);

        impl Record for $record {
            fn read(reader: &mut Reader<'_>) -> Result<$record, Truncated> {
                $( let $field = <$type as Record>::read(reader)?; )*
                Ok($record { $($field),* })
            }

            fn write(&self, to: &mut Vec<u8>) {
                $( self.$field.write(to); )*
            }
        }
    )* };
}

records! {
    Text { offset: u32, len: u32 }
    MapHeader {
        magic: u64, version: u32, len: u32, digest: [u8; 16], n_functions: u32, n_sites: u32, n_cases: u32,
        n_blocks: u32, n_edges: u32, n_calls: u32, n_covered: u32, strings_len: u32, n_lines: u32, n_facts: u32,
        dataflow_len: u32, _pad: u32, source: Text
    }
    FunctionRecord {
        name: Text, file: Text, line: u32, flags: u32, first_site: u32, n_sites: u32, first_block: u32, n_blocks: u32,
        signature: u64, entry: u32, _pad: u32
    }
    SiteRecord {
        kind: u8, failing: u8, n_sides: u16, function: u32, file: Text, line: u32, column: u32,
        first_covered: u32, detail: u32, text: Text, first_case: u32, n_cases: u32, block: u32, _pad: u32
    }
    CaseRecord { value: [u64; 2], side_index: u32, _pad: u32 }
    BlockRecord {
        function: u32, line: u32, first_edge: u32, n_edges: u32, first_call: u32, n_calls: u32, first_line: u32,
        n_lines: u32
    }
    EdgeRecord { to: u32, site: u32, side_index: u32 }
    CallRecord { callee: Text, signature: u64, site: u32, _pad: u32 }
    FactRecord { owner: Text, kind: u32, index: u32, callee: Text, argument: u32, _pad: u32 }
}
