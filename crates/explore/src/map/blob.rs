//! The bytes of program maps: cut into modules, records read with every index checked against its bounds.
//! Layout: [`tine_trace::map`].

use tine_trace::VERSION;
use tine_trace::map::{
    BlockRecord, CallRecord, CaseRecord, EdgeRecord, FunctionRecord, MAGIC, MapHeader, SiteRecord, Text,
};

use super::MapError;

/// One module's map.
#[derive(Debug)]
pub(super) struct Blob<'a> {
    pub(super) header: MapHeader,
    pub(super) functions: Vec<FunctionRecord>,
    pub(super) sites: Vec<SiteRecord>,
    pub(super) cases: Vec<CaseRecord>,
    pub(super) blocks: Vec<BlockRecord>,
    pub(super) edges: Vec<EdgeRecord>,
    pub(super) calls: Vec<CallRecord>,
    strings: &'a [u8],
}

impl Blob<'_> {
    /// A text; what is no UTF-8 in a file name is replaced.
    pub(super) fn text(&self, text: Text) -> Result<String, MapError> {
        let end = text.offset as usize + text.len as usize;
        let bytes = self.strings.get(text.offset as usize..end);
        let bytes = bytes.ok_or(MapError::Index { what: "text", index: text.offset })?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// Cuts concatenated maps apart. Linkers pad between sections with zeros, which no map begins with.
pub(super) fn split(bytes: &[u8]) -> Result<Vec<Blob<'_>>, MapError> {
    let mut blobs = Vec::new();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| **byte == 0).count();
        if at == bytes.len() {
            return Ok(blobs);
        }
        let blob = read(&bytes[at..], at)?;
        at += blob.header.len as usize;
        blobs.push(blob);
    }
}

fn read(bytes: &[u8], at: usize) -> Result<Blob<'_>, MapError> {
    let header = MapHeader::one(&mut Reader { bytes, what: "header" })?;
    if header.magic != MAGIC {
        return Err(MapError::Magic(at));
    }
    if header.version != VERSION {
        return Err(MapError::Version { found: header.version });
    }
    let body = bytes.get(size_of::<MapHeader>()..header.len as usize).ok_or(MapError::Truncated("header"))?;
    let mut reader = Reader { bytes: body, what: "functions" };
    Ok(Blob {
        header,
        functions: reader.many("functions", header.n_functions)?,
        sites: reader.many("sites", header.n_sites)?,
        cases: reader.many("cases", header.n_cases)?,
        blocks: reader.many("blocks", header.n_blocks)?,
        edges: reader.many("edges", header.n_edges)?,
        calls: reader.many("calls", header.n_calls)?,
        strings: reader.take("strings", header.strings_len as usize)?,
    })
}

/// Bytes not yet read; `what` is being read.
struct Reader<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, what: &'static str, len: usize) -> Result<&'a [u8], MapError> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(MapError::Truncated(what))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn many<T: Record>(&mut self, what: &'static str, count: u32) -> Result<Vec<T>, MapError> {
        self.what = what;
        // Checked before anything is reserved: a broken count must not ask for memory.
        let len = (count as usize).checked_mul(size_of::<T>()).ok_or(MapError::Truncated(what))?;
        let mut records = Reader { bytes: self.take(what, len)?, what };
        (0..count).map(|_| T::one(&mut records)).collect()
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MapError> {
        let what = self.what;
        Ok(self.take(what, N)?.try_into().expect("N bytes were taken"))
    }
}

/// Something that is read field by field, in the order and the size of its `repr(C)` layout.
trait Record: Sized {
    fn one(reader: &mut Reader<'_>) -> Result<Self, MapError>;
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Record for $number {
            fn one(reader: &mut Reader<'_>) -> Result<$number, MapError> {
                Ok(<$number>::from_le_bytes(reader.array()?))
            }
        }
    )* };
}
numbers! { u8 u16 u32 u64 }

impl Record for [u8; 16] {
    fn one(reader: &mut Reader<'_>) -> Result<[u8; 16], MapError> {
        reader.array()
    }
}

impl Record for [u64; 2] {
    fn one(reader: &mut Reader<'_>) -> Result<[u64; 2], MapError> {
        Ok([u64::one(reader)?, u64::one(reader)?])
    }
}

macro_rules! records {
    ($($record:ident { $($field:ident: $type:ty),* })*) => { $(
        // No padding that the fields do not name, so reading them in order is reading the layout.
        const _: () = assert!(size_of::<$record>() == 0 $(+ size_of::<$type>())*);

        impl Record for $record {
            fn one(reader: &mut Reader<'_>) -> Result<$record, MapError> {
                $( let $field = <$type as Record>::one(reader)?; )*
                Ok($record { $($field),* })
            }
        }

        impl super::maker::Write for $record {
            fn write(&self, to: &mut Vec<u8>) {
                $( super::maker::Write::write(&self.$field, to); )*
            }
        }
    )* };
}

records! {
    Text { offset: u32, len: u32 }
    MapHeader {
        magic: u64, version: u32, len: u32, digest: [u8; 16], n_functions: u32, n_sites: u32, n_cases: u32,
        n_blocks: u32, n_edges: u32, n_calls: u32, n_covered: u32, strings_len: u32, source: Text
    }
    FunctionRecord {
        name: Text, file: Text, line: u32, flags: u32, first_site: u32, n_sites: u32, first_block: u32, n_blocks: u32,
        signature: u64
    }
    SiteRecord {
        kind: u8, failing: u8, n_alternatives: u16, function: u32, file: Text, line: u32, column: u32,
        first_covered: u32, detail: u32, text: Text, first_case: u32, n_cases: u32, block: u32, _pad: u32
    }
    CaseRecord { value: [u64; 2], alternative: u32, _pad: u32 }
    BlockRecord { function: u32, line: u32, first_edge: u32, n_edges: u32, first_call: u32, n_calls: u32 }
    EdgeRecord { to: u32, site: u32, alternative: u32 }
    CallRecord { callee: Text, signature: u64, site: u32, _pad: u32 }
}
