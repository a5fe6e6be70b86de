//! A harness for libFuzzer: tables of the unit's types, which `fuzz.c` uses to decode arguments from bytes, and the
//! cases as such bytes.
//!
//! `fuzz.c` describes the encoding. Encoding here and decoding there must agree: both visit the cells of a type in
//! order.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use tine_session::{Input, Session};
use tine_trace::plan::slot_of;
use tine_types::graph::Qualifier;
use tine_types::{Kind, TypeGraph, TypeId};

use super::frame::{self, Head};
use super::memory::{FUNCTIONS, is_flexible, with_functions};
use super::{Maker, Opened, write};
use crate::Error;

/// Maximum number of array elements whose cells are listed.
const MAX_ELEMENTS: u64 = 256;
/// Maximum number of elements of an object, or of characters including the NUL, that a code can express.
const MAX_COUNT: usize = 127;
/// Number of results of a stub that come from the input.
const STUB_RESULTS: usize = 4;
/// Names of parameters that are numbers of elements.
const NAMES_OF_COUNTS: [&str; 13] =
    ["n", "num", "count", "cnt", "len", "length", "size", "sz", "nbytes", "bytes", "nelems", "nmemb", "numel"];
/// Bytes that follow a structure with an array of unknown length.
const TAIL: u64 = 64;

/// The harness and the cases.
pub(crate) struct Fuzzing {
    pub(crate) function: String,
    pub(crate) head: Head,
    /// Everything below the head of the file.
    pub(crate) text: String,
    /// Distinct inputs, in order.
    pub(crate) corpus: Vec<Vec<u8>>,
}

/// A part of a value that needs more than its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    Object(usize),
    Bytes,
    Function,
    Bool,
    Enum(usize),
    Zero(u64),
}

struct Layout {
    ty: TypeId,
    size: u64,
    tail: u64,
    cells: Vec<(u64, CellKind)>,
}

/// A value that the harness reads.
struct Read {
    source: Source,
    /// Number of the type in the tables.
    layout: usize,
    statement: String,
    /// Number of elements of an array, if `--len` specifies it.
    count: Option<Count>,
}

/// Request of a case that has the value.
enum Source {
    /// Request of the harness's variable with this number, from 1.
    Root(usize),
    /// Result of a stub call: its name among the requests, and the number of the call.
    Stub(String, usize),
}

/// `PTR=N`, `PTR=PARAM`.
#[derive(Clone, Debug)]
enum Count {
    Number(u64),
    Parameter(String),
}

impl Fuzzing {
    pub(crate) fn of(session: &Session, folder: &Path) -> Result<Fuzzing, Error> {
        let opened = Opened::of(session, folder)?;
        let maker = opened.maker()?;
        if !maker.made.is_empty() {
            return Err(Error::Unsupported("a session whose objects the unit's functions make"));
        }
        let mut tables = Tables { graph: &opened.program.types, layouts: Vec::new(), enums: Vec::new() };
        let object = maker.sequence.as_ref().map(|(object, _)| object);
        let callees = object.map(|object| maker.callees(object, &mut tables)).transpose()?;
        let reads = if callees.is_none() { maker.reads(&mut tables)? } else { Vec::new() };
        tables.complete();
        let mut corpus: Vec<Vec<u8>> = Vec::new();
        for case in session.cases()? {
            let input = &with_functions(&case.input.input);
            let encoder = Encoder { maker: &maker, tables: &tables, input };
            let bytes = match &callees {
                Some(callees) => encoder.sequence(input, callees),
                None => encoder.bytes(&reads),
            };
            if !corpus.contains(&bytes) {
                corpus.push(bytes);
            }
        }
        corpus.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        let text = tables.text(&maker.fuzzed_functions())
            + &match (object, &callees) {
                (Some(object), Some(callees)) => maker.sequence_harness(object, callees)?,
                _ => maker.harness(&tables, &reads)?,
            };
        Ok(Fuzzing { function: maker.function_name(), head: maker.head.clone(), text, corpus })
    }
}

pub(super) struct Tables<'a> {
    graph: &'a TypeGraph,
    layouts: Vec<Layout>,
    enums: Vec<TypeId>,
}

impl Tables<'_> {
    pub(super) fn number(&mut self, ty: TypeId) -> usize {
        let ty = self.graph.strip(ty);
        if let Some(known) = self.layouts.iter().position(|layout| layout.ty == ty) {
            return known;
        }
        let tail = if is_flexible(self.graph, ty) { TAIL } else { 0 };
        self.layouts.push(Layout { ty, size: self.graph.size(ty).unwrap_or(0), tail, cells: Vec::new() });
        self.layouts.len() - 1
    }

    /// Lists the cells of all types, including types that the cells refer to.
    fn complete(&mut self) {
        let mut next = 0;
        while let Some(layout) = self.layouts.get(next) {
            let mut cells = Vec::new();
            self.cells(layout.ty, 0, &mut cells);
            self.layouts[next].cells = cells;
            next += 1;
        }
    }

    fn cells(&mut self, ty: TypeId, at: u64, cells: &mut Vec<(u64, CellKind)>) {
        let graph = self.graph;
        let ty = graph.strip(ty);
        match graph.kind(ty) {
            Kind::Pointer { to } => {
                let to = graph.strip(*to);
                let kind = match graph.kind(to) {
                    Kind::Function(_) => CellKind::Function,
                    _ if graph.is_stream(to) => CellKind::Zero(8),
                    Kind::Void | Kind::Opaque { .. } | Kind::Char { .. } | Kind::Unsupported(_) => CellKind::Bytes,
                    _ if graph.size(to).is_none_or(|size| size == 0) => CellKind::Bytes,
                    _ => CellKind::Object(self.number(to)),
                };
                cells.push((at, kind));
            }
            Kind::Bool => cells.push((at, CellKind::Bool)),
            Kind::Enum { values, .. } if !values.is_empty() => {
                let known = self.enums.iter().position(|known| *known == ty);
                let number = known.unwrap_or_else(|| {
                    self.enums.push(ty);
                    self.enums.len() - 1
                });
                cells.push((at, CellKind::Enum(number)));
            }
            Kind::Array { element, count: Some(count) } => {
                let size = graph.size(*element).unwrap_or(0);
                (0..(*count).min(MAX_ELEMENTS)).for_each(|index| self.cells(*element, at + index * size, cells));
            }
            Kind::Struct { members } => {
                for member in members.iter().filter(|member| member.bits.is_none()) {
                    self.cells(member.ty, at + member.offset, cells);
                }
            }
            // The active member is unknown, so pointers in it are NULL.
            Kind::Union { members } => {
                let mut inner = Vec::new();
                members.iter().for_each(|member| self.cells(member.ty, at, &mut inner));
                if !inner.is_empty() {
                    cells.push((at, CellKind::Zero(graph.size(ty).unwrap_or(0))));
                }
            }
            _ => {}
        }
    }

    fn text(&self, functions: &[String]) -> String {
        let mut text = String::new();
        for (number, ty) in self.enums.iter().enumerate() {
            let Kind::Enum { values, .. } = self.graph.kind(*ty) else { continue };
            let names: Vec<&str> = values.iter().map(|one| one.name.as_str()).collect();
            let _ = writeln!(text, "static const long long enumerators_{number}[] = {{ {} }};", names.join(", "));
        }
        for (number, layout) in self.layouts.iter().enumerate().filter(|(_, layout)| !layout.cells.is_empty()) {
            let _ = writeln!(text, "static const struct cell cells_{number}[] = {{");
            for (offset, kind) in &layout.cells {
                let (kind, detail) = match kind {
                    CellKind::Object(ty) => ("TO_OBJECT", *ty as u64),
                    CellKind::Bytes => ("TO_BYTES", 0),
                    CellKind::Function => ("TO_FUNCTION", 0),
                    CellKind::Bool => ("IS_BOOL", 0),
                    CellKind::Enum(number) => ("IS_ENUM", *number as u64),
                    CellKind::Zero(size) => ("IS_ZERO", *size),
                };
                let _ = writeln!(text, "    {{ {offset}, {kind}, {detail} }},");
            }
            text.push_str("};\n");
        }
        text.push_str("const struct type types[] = {\n");
        for (number, Layout { ty, size, tail, cells }) in self.layouts.iter().enumerate() {
            let list = if cells.is_empty() { "NULL".to_owned() } else { format!("cells_{number}") };
            let about = self.graph.describe(*ty).replace("*/", "").replace("/*", "");
            let _ = writeln!(text, "    {{ {size}, {tail}, {}, {list} }}, /* {about} */", cells.len());
        }
        text.push_str("    { 0, 0, 0, NULL },\n};\nconst struct enumerators enumerations[] = {\n");
        for (number, ty) in self.enums.iter().enumerate() {
            let size = self.graph.size(*ty).unwrap_or(4);
            let _ = writeln!(
                text,
                "    {{ {size}, sizeof enumerators_{number} / sizeof *enumerators_{number}, enumerators_{number} }},"
            );
        }
        text.push_str("    { 0, 0, NULL },\n};\nvoid (*const functions[])(void) = {\n");
        for name in functions {
            let _ = writeln!(text, "    (void (*)(void)){name},");
        }
        let _ = writeln!(text, "    NULL,\n}};\nconst unsigned n_functions = {};", functions.len());
        text
    }
}

impl Maker<'_> {
    pub(super) fn function_name(&self) -> String {
        match &self.sequence {
            Some((_, names)) => names.title().to_owned(),
            None => self.config.function.clone().unwrap_or_else(|| self.function.name.clone()),
        }
    }

    /// Functions that pointers may point to, by number.
    fn fuzzed_functions(&self) -> Vec<String> {
        let in_test =
            |name: &String| self.callables.iter().find(|(harness, _)| harness == name).map(|(_, own)| own.clone());
        self.callable_names.iter().map(|name| in_test(name).unwrap_or_else(|| "NULL".to_owned())).collect()
    }

    /// The values of the harness, in the order in which they are read: numbers, pointers, variables, results of stubs.
    fn reads(&self, tables: &mut Tables<'_>) -> Result<Vec<Read>, Error> {
        let graph = tables.graph;
        let is_pointer = |ty| matches!(graph.kind(graph.strip(ty)), Kind::Pointer { .. });
        let (mut numbers, mut pointers) = (Vec::new(), Vec::new());
        for (index, parameter) in self.function.params.iter().enumerate() {
            let (ty, name) = (parameter.ty, argument(index));
            if let Kind::Pointer { to } = graph.kind(graph.strip(ty))
                && graph.is_stream(*to)
            {
                return Err(Error::Unsupported("a function that reads a stream"));
            }
            let layout = tables.number(ty);
            let count = self.count_of(parameter.name.as_deref().unwrap_or_default()).or_else(|| self.paired(index));
            let target = match graph.kind(graph.strip(ty)) {
                Kind::Pointer { to } => graph.strip(*to),
                _ => ty,
            };
            let value = format!("read_value(&in, (void *)&{name}, {layout});");
            match count {
                Some(count) if is_pointer(ty) => {
                    let number = match &count {
                        Count::Number(number) => number.to_string(),
                        Count::Parameter(of) => {
                            let is_it = |one: &tine_types::Parameter| one.name.as_deref() == Some(of.as_str());
                            let of = self.function.params.iter().position(is_it).map_or(0, argument_number);
                            format!("COUNT(arg{of})")
                        }
                    };
                    let is_typed = graph.size(target).is_some_and(|size| size > 0)
                        && !matches!(graph.kind(target), Kind::Char { .. });
                    let (statement, layout) = if is_typed {
                        let inner = tables.number(target);
                        (format!("{name} = read_array(&in, {inner}, {number});"), inner)
                    } else {
                        (format!("{name} = read_bytes(&in, {number});"), usize::MAX)
                    };
                    pointers.push(Read { source: Source::Root(index + 1), layout, statement, count: Some(count) });
                }
                _ if is_pointer(ty) => {
                    pointers.push(Read { source: Source::Root(index + 1), layout, statement: value, count: None });
                }
                _ => numbers.push(Read { source: Source::Root(index + 1), layout, statement: value, count: None }),
            }
        }
        numbers.append(&mut pointers);
        for (index, ty) in self.roots.iter().enumerate() {
            let name = &self.root_names[index];
            if self.globals.contains(name) && !graph.is_qualified(*ty, Qualifier::Const) {
                let layout = tables.number(*ty);
                let statement = format!("read_value(&in, (void *)&{name}, {layout});");
                numbers.push(Read { source: Source::Root(index + 1), layout, statement, count: None });
            }
        }
        for (root, name) in &self.stubs {
            let stub = self.program.function(root.trim_end_matches("()"));
            let Some(stub) = stub.filter(|stub| graph.strip(stub.ret) != TypeId::VOID) else { continue };
            let layout = tables.number(stub.ret);
            for call in 0..STUB_RESULTS {
                let statement = format!("read_value(&in, (void *)&{name}_results[{call}], {layout});");
                numbers.push(Read { source: Source::Stub(root.clone(), call), layout, statement, count: None });
            }
        }
        Ok(numbers)
    }

    /// The parameter after a pointer, if its name says that it is the number of elements. Other harnesses leave that open,
    /// but a fuzzer would only show that the two do not fit.
    fn paired(&self, index: usize) -> Option<Count> {
        let graph = &self.program.types;
        let Kind::Pointer { to } = graph.kind(graph.strip(self.function.params.get(index)?.ty)) else { return None };
        let has_elements =
            !matches!(graph.kind(graph.strip(*to)), Kind::Struct { .. } | Kind::Union { .. } | Kind::Pointer { .. });
        let next = self.function.params.get(index + 1)?;
        let is_number = matches!(graph.kind(graph.strip(next.ty)), Kind::Int { .. });
        let name = next.name.as_deref()?;
        let is_count = NAMES_OF_COUNTS.contains(&name.trim_start_matches("n_").to_ascii_lowercase().as_str());
        (has_elements && is_number && is_count).then(|| Count::Parameter(name.to_owned()))
    }

    fn count_of(&self, pointer: &str) -> Option<Count> {
        let of = |text: &String| {
            let (name, count) = text.split_once('=')?;
            if name != pointer {
                return None;
            }
            Some(count.parse().map_or_else(|_| Count::Parameter(count.to_owned()), Count::Number))
        };
        self.lengths.iter().find_map(of)
    }

    fn harness(&self, tables: &Tables<'_>, reads: &[Read]) -> Result<String, Error> {
        let graph = tables.graph;
        let mut text = String::from(
            "\nint LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);\n\
             int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {\n    \
             struct input in = { data, size };\n",
        );
        let mut arguments = Vec::new();
        for (index, parameter) in self.function.params.iter().enumerate() {
            let name = argument(index);
            let declared = write::declaration(graph, write::unqualified(graph, parameter.ty), &name);
            let _ = writeln!(text, "    {};", declared.map_err(|why| Error::Types(why.to_string()))?);
            arguments.push(name);
        }
        for read in reads {
            let _ = writeln!(text, "    {}", read.statement);
        }
        for (_, name) in &self.stubs {
            let _ = writeln!(text, "    {name}_calls = 0;");
        }
        for count in reads.iter().filter_map(|read| read.statement.split_once("COUNT(")) {
            let of = count.1.split(')').next().unwrap_or_default();
            // Arrays longer than the maximum are rejected.
            let _ = writeln!(
                text,
                "    if ((long long){of} > MAX_COUNT) {{\n        release_objects();\n        return -1;\n    }}"
            );
        }
        let arguments = arguments.join(", ");
        for predicate in &self.config.requires {
            let _ = writeln!(
                text,
                "    if (!{predicate}({arguments})) {{\n        release_objects();\n        return -1;\n    }}"
            );
        }
        let is_main = self.function.name == tine_trace::map::MAIN_OF_UNIT;
        let name = if is_main { frame::MAIN } else { &self.function.name };
        let _ = writeln!(text, "    (void){name}({arguments});\n    release_objects();\n    return 0;\n}}");
        Ok(text)
    }
}

pub(super) fn argument(index: usize) -> String {
    format!("arg{}", index + 1)
}

fn argument_number(index: usize) -> usize {
    index + 1
}

/// Encoder of one case.
pub(super) struct Encoder<'a> {
    maker: &'a Maker<'a>,
    tables: &'a Tables<'a>,
    input: &'a Input,
}

impl Encoder<'_> {
    fn bytes(&self, reads: &[Read]) -> Vec<u8> {
        let (mut bytes, mut known) = (Vec::new(), BTreeMap::new());
        for read in reads {
            let mut requests = self.input.requests.iter();
            let request = match &read.source {
                Source::Root(number) => requests.find(|request| request.ty as usize == *number),
                Source::Stub(name, call) => requests.filter(|request| request.name == *name).nth(*call),
            };
            let value = request.map_or(&[][..], |request| request.bytes.as_slice());
            match &read.count {
                Some(count) => {
                    let layout = (read.layout != usize::MAX).then_some(read.layout);
                    self.pointer(word(value, 0), layout, self.count(count), &mut bytes, &mut known);
                }
                None => self.value(value, read.layout, &mut bytes, &mut known),
            }
        }
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        bytes
    }

    fn count(&self, count: &Count) -> Option<usize> {
        match count {
            Count::Number(number) => Some(*number as usize),
            Count::Parameter(name) => {
                let request = self.input.requests.iter().find(|request| request.name == *name)?;
                Some(word(&request.bytes, 0) as usize)
            }
        }
    }

    pub(super) fn value(&self, value: &[u8], layout: usize, bytes: &mut Vec<u8>, known: &mut BTreeMap<u32, usize>) {
        let Layout { size, cells, .. } = &self.tables.layouts[layout];
        let start = bytes.len();
        bytes.extend(value.iter().take(*size as usize));
        bytes.resize(start + *size as usize, 0);
        for (offset, kind) in cells {
            let at = *offset as usize;
            match kind {
                CellKind::Enum(number) => self.enumerator(value, at, *number, &mut bytes[start + at..]),
                CellKind::Object(_) | CellKind::Bytes | CellKind::Function => {
                    // Addresses cannot be mutated usefully.
                    bytes[start + at..start + at + 8].fill(0);
                    let layout = if let CellKind::Object(layout) = kind { Some(*layout) } else { None };
                    self.pointer(word(value, at), layout, None, bytes, known);
                }
                CellKind::Bool | CellKind::Zero(_) => {}
            }
        }
    }

    /// Replaces a value by the number of its enumerator.
    fn enumerator(&self, value: &[u8], at: usize, number: usize, to: &mut [u8]) {
        let ty = self.tables.enums[number];
        let size = self.tables.graph.size(ty).unwrap_or(4).min(8) as usize;
        let Kind::Enum { values, .. } = self.tables.graph.kind(ty) else { return };
        let mask = if size == 8 { u64::MAX } else { (1 << (size * 8)) - 1 };
        let own = word(value, at) & mask;
        let index = values.iter().position(|one| one.value as u64 & mask == own).unwrap_or(0);
        to[..size].copy_from_slice(&(index as u64).to_le_bytes()[..size]);
    }

    fn pointer(
        &self,
        address: u64,
        layout: Option<usize>,
        count: Option<usize>,
        bytes: &mut Vec<u8>,
        known: &mut BTreeMap<u32, usize>,
    ) {
        if let Some(number) = address.checked_sub(FUNCTIONS)
            && (number as usize) < self.maker.callable_names.len()
        {
            bytes.push(number as u8 + 1);
            return;
        }
        let slot = slot_of(address, self.input.slot_shift).map(|(slot, _)| slot);
        let Some((slot, object)) = slot.and_then(|slot| Some((slot, self.input.objects.get(&slot)?))) else {
            bytes.push(0);
            return;
        };
        if let Some(number) = known.get(&slot) {
            bytes.push(128 + (*number).min(MAX_COUNT) as u8);
            return;
        }
        known.insert(slot, known.len());
        match layout {
            Some(layout) => {
                let size = self.tables.layouts[layout].size.max(1) as usize;
                let n = count.unwrap_or_else(|| object.bytes.len().div_ceil(size).clamp(1, MAX_COUNT));
                bytes.push(if count.is_some() { 1 } else { n as u8 });
                for index in 0..n.min(4096) {
                    let element = object.bytes.get(index * size..).unwrap_or_default();
                    self.value(&element[..element.len().min(size)], layout, bytes, known);
                }
            }
            None => {
                let n = count.unwrap_or_else(|| object.bytes.len().clamp(1, MAX_COUNT));
                let take = if count.is_some() { n.min(4096) } else { n - 1 };
                bytes.push(if count.is_some() { 1 } else { n as u8 });
                let start = bytes.len();
                bytes.extend(object.bytes.iter().take(take));
                bytes.resize(start + take, 0);
            }
        }
    }
}

/// Eight bytes as a number. Missing bytes are zero.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.iter().skip(at).take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
