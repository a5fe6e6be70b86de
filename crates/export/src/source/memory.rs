//! The objects of an input, with names after their position: `list`, `list_next`.
//!
//! `tine_types::map` decodes the input. This module decides the length and the name of each object.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use tine_session::Input;
use tine_session::session::Case;
use tine_trace::plan::{InputKind, TEXT, slot_of};
use tine_types::map::{
    InputMap, Object, ObjectId, Pointer, RawObject, RawRoot, Step, Target, Untouched, Value, decode,
};
use tine_types::{Kind, TypeGraph, TypeId};

use super::Reason;

/// Addresses that represent functions while an input is decoded. They are outside the input region.
pub(super) const FUNCTIONS: u64 = 0xf000_0000_0000_0000;

/// Storage of the objects of a test. The first style that reproduces the case is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Strings have all the room that the case may use, because functions write after their end.
    pub(super) roomy: bool,
    /// Objects have every element that the case may use, not only those that were read.
    pub(super) full: bool,
    /// Objects are allocated, so that the function may free them.
    pub(super) heap: bool,
}

pub(super) const STYLES: [Style; 5] = [
    Style { roomy: false, full: false, heap: false },
    Style { roomy: true, full: false, heap: false },
    Style { roomy: true, full: true, heap: false },
    Style { roomy: false, full: false, heap: true },
    Style { roomy: true, full: true, heap: true },
];

/// A root of the input: a parameter, a global variable, a result of a stub.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) name: String,
    /// Number of the harness's variable, from 1.
    pub(super) number: usize,
    pub(super) ty: TypeId,
    pub(super) value: Value,
}

/// An object that a test declares.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) element: TypeId,
    pub(super) values: Vec<Value>,
    /// Number of elements, in bytes for strings and untyped memory.
    pub(super) count: u64,
    pub(super) form: Form,
    /// A string literal is possible: the function cannot write to it.
    pub(super) constant: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One element: `struct list list`.
    Single,
    /// `int values[3]`.
    Array,
    /// A string or bytes as one literal.
    Text,
    /// A pointer to allocated memory.
    Heap,
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) roots: Vec<Root>,
    pub(super) objects: BTreeMap<ObjectId, Declared>,
    /// Objects in the order in which the roots reach them.
    pub(super) order: Vec<ObjectId>,
}

/// The parts of a harness that inputs refer to.
#[derive(Clone, Debug)]
pub(super) struct Names<'a> {
    pub(super) graph: &'a TypeGraph,
    /// Types of the harness's variables.
    pub(super) roots: &'a [TypeId],
    pub(super) callables: &'a [String],
    /// `PTR=N` or `PTR=PARAM`.
    pub(super) lengths: &'a [String],
    /// Names that are already in use.
    pub(super) taken: &'a BTreeSet<String>,
    /// Other requests than inputs are known: those of a sequence.
    pub(super) only_inputs: bool,
}

impl Memory {
    pub(super) fn of(names: &Names<'_>, case: &Case, style: Style) -> Result<Memory, Reason> {
        let input = &with_functions(&case.input.input);
        let graph = names.graph;
        let is_ignored = |request: &&tine_types::input::Request| {
            request.kind == InputKind::Functions || names.only_inputs && request.ty == 0
        };
        let requests: Vec<_> = input.requests.iter().filter(|request| !is_ignored(request)).collect();
        if let Some(other) = requests.iter().find(|request| request.ty == 0) {
            return Err(Reason::Request(other.name.clone()));
        }
        let bytes = lengths(names, input, case, style);
        let whole: Vec<Vec<Range<u32>>> = bytes.values().map(|bytes| Vec::from([whole_of(bytes)])).collect();
        let root_touched: Vec<[Range<u32>; 1]> = requests.iter().map(|one| [whole_of(&one.bytes)]).collect();
        let raw_roots: Vec<RawRoot<'_>> = requests
            .iter()
            .zip(&root_touched)
            .map(|(request, touched)| RawRoot {
                name: &request.name,
                ty: names.roots[request.ty as usize - 1],
                bytes: &request.bytes,
                touched,
            })
            .collect();
        let raw: Vec<RawObject<'_>> = bytes
            .iter()
            .zip(&whole)
            .map(|((slot, bytes), touched)| {
                let element = &input.objects[slot].element;
                RawObject {
                    id: ObjectId(*slot),
                    element: element.ty,
                    is_text: element.flags & TEXT != 0,
                    bytes,
                    touched,
                }
            })
            .collect();
        let resolve = |address: u64| {
            if let Some(number) = address.checked_sub(FUNCTIONS)
                && let Some(name) = names.callables.get(number as usize)
            {
                return Some(Target::Function(name.clone()));
            }
            let (slot, offset) = slot_of(address, input.slot_shift)?;
            let object = input.objects.get(&slot)?;
            Some(Target::Object { id: ObjectId(slot), offset: offset.wrapping_sub(u64::from(object.element.start)) })
        };
        let map = decode(graph, &raw_roots, &raw, &resolve, Untouched::Show);
        let mut memory =
            Memory::named(names, input, &map, &requests.iter().map(|one| one.ty as usize).collect::<Vec<_>>(), style)?;
        if style.roomy {
            // A function may write after the end of a string.
            for (id, object) in &mut memory.objects {
                let is_text = matches!(object.values.as_slice(), [Value::Text(_)]);
                let room = bytes.get(&id.0).map_or(0, |bytes| bytes.len() as u64);
                object.count = if is_text { object.count.max(room) } else { object.count };
            }
        }
        Ok(memory)
    }

    fn named(
        names: &Names<'_>,
        input: &Input,
        map: &InputMap,
        numbers: &[usize],
        style: Style,
    ) -> Result<Memory, Reason> {
        let roots: Vec<Root> = map
            .roots
            .iter()
            .zip(numbers)
            .map(|(root, number)| Root {
                name: root.name.clone(),
                number: *number,
                ty: names.roots[number - 1],
                value: root.value.clone(),
            })
            .collect();
        let found = positions(map);
        let mut used = names.taken.clone();
        let (mut objects, mut order) = (BTreeMap::new(), Vec::new());
        for (id, position) in found {
            let Some(object) = map.object(id) else { continue };
            let element = input.objects[&id.0].element;
            // Names of deep lists would become too long.
            let position = if position.len() > 40 { position.split('_').next().unwrap_or_default() } else { &position };
            let declared = declared(names.graph, object, element.ty, unused(position, &mut used), style);
            objects.insert(id, declared);
            order.push(id);
        }
        Ok(Memory { roots, objects, order })
    }
}

/// The input with addresses that [`Memory::of`] recognises as those of functions.
pub(super) fn with_functions(input: &Input) -> Input {
    let mut input = input.clone();
    for relocation in input.functions.clone() {
        if let Some(word) = input.word_mut(relocation.input, relocation.offset) {
            *word = (FUNCTIONS + u64::from(relocation.function)).to_le_bytes();
        }
    }
    input
}

/// Bytes that each object of a test has.
fn lengths(names: &Names<'_>, input: &Input, case: &Case, style: Style) -> BTreeMap<u32, Vec<u8>> {
    let mut all = BTreeMap::new();
    for (slot, object) in &input.objects {
        let element = &object.element;
        let size = u64::from(element.size.max(1));
        let shown = case.input.map.object(ObjectId(*slot)).map_or(1, Object::count) as u64;
        let flexible = is_flexible(names.graph, element.ty);
        let minimal = if flexible { object.bytes.len() as u64 } else { shown * size };
        let has_room = if element.flags & TEXT != 0 { style.roomy } else { style.full };
        let length = if has_room { u64::from(element.extent) } else { minimal.min(u64::from(element.extent)) };
        let length = given_length(names, input, *slot).map_or(length, |count| count.saturating_mul(size));
        // The object need not be as long as a length that the function only checks.
        let length = length.min(u64::from(element.extent));
        let mut bytes = object.bytes.clone();
        bytes.resize(length as usize, 0);
        if element.flags & TEXT != 0
            && let Some(last) = bytes.last_mut()
        {
            *last = 0;
        }
        all.insert(*slot, bytes);
    }
    all
}

/// Number of elements that `--len` or the code gives an object, the largest of several.
fn given_length(names: &Names<'_>, input: &Input, slot: u32) -> Option<u64> {
    let request = |name: &str| input.requests.iter().find(|request| request.name == name);
    let number = |bytes: &[u8]| bytes.iter().rev().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    let count = |text: &String| {
        let (pointer, count) = text.split_once('=')?;
        let bytes = &request(pointer)?.bytes;
        let (of, offset) = slot_of(number(bytes), input.slot_shift)?;
        if of != slot || offset != u64::from(input.objects.get(&slot)?.element.start) {
            return None;
        }
        count.parse().ok().or_else(|| Some(number(&request(count)?.bytes)))
    };
    names.lengths.iter().filter_map(count).max()
}

/// True if values of the type end with an array that extends to the end of their object.
pub(super) fn is_flexible(graph: &TypeGraph, ty: TypeId) -> bool {
    match graph.kind(graph.strip(ty)) {
        Kind::Array { count: None | Some(0), .. } => true,
        Kind::Struct { members } => members.last().is_some_and(|member| is_flexible(graph, member.ty)),
        _ => false,
    }
}

fn declared(graph: &TypeGraph, object: &Object, element: TypeId, name: String, style: Style) -> Declared {
    let is_whole = matches!(object.elements.as_slice(), [Value::Text(_) | Value::Bytes(_)])
        && (graph.strip(element) == TypeId::VOID || !matches!(graph.kind(graph.strip(element)), Kind::Struct { .. }));
    let count = object.count() as u64;
    let form = match (style.heap, is_whole) {
        (true, _) => Form::Heap,
        (_, true) => Form::Text,
        (_, false) if object.elements.len() > 1 => Form::Array,
        _ => Form::Single,
    };
    Declared { name, element, values: object.elements.clone(), count, form, constant: false }
}

/// Every object, named after the access path by which it is reached first.
fn positions(map: &InputMap) -> Vec<(ObjectId, String)> {
    let mut found: Vec<(ObjectId, String)> = Vec::new();
    let mut open: VecDeque<(ObjectId, String)> = VecDeque::new();
    for root in &map.roots {
        pointers(&root.name, &root.value, &mut open);
    }
    while let Some((id, name)) = open.pop_front() {
        if found.iter().any(|(known, _)| *known == id) {
            continue;
        }
        found.push((id, name.clone()));
        let Some(object) = map.object(id) else { continue };
        for (index, value) in object.elements.iter().enumerate() {
            let element = if object.elements.len() > 1 { format!("{name}_{index}") } else { name.clone() };
            pointers(&element, value, &mut open);
        }
    }
    found
}

fn pointers(name: &str, value: &Value, open: &mut VecDeque<(ObjectId, String)>) {
    match value {
        Value::Pointer(Pointer { object, .. }) => open.push_back((*object, name.to_owned())),
        Value::Struct(members) => members.iter().for_each(|member| {
            let inner = member.name.as_ref().map_or(name.to_owned(), |member| format!("{name}_{member}"));
            pointers(&inner, &member.value, open);
        }),
        Value::Union { member, .. } => {
            let inner = member.name.as_ref().map_or(name.to_owned(), |member| format!("{name}_{member}"));
            pointers(&inner, &member.value, open);
        }
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(index, value)| pointers(&format!("{name}_{index}"), value, open));
        }
        _ => {}
    }
}

/// An unused identifier similar to `wanted`.
pub(crate) fn unused(wanted: &str, used: &mut BTreeSet<String>) -> String {
    let plain: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let plain = plain.trim_matches('_').to_owned();
    let plain =
        if plain.is_empty() || plain.starts_with(|c: char| c.is_ascii_digit()) { format!("v{plain}") } else { plain };
    let mut name = plain.clone();
    let mut number = 1;
    while used.contains(&name) || is_keyword(&name) {
        number += 1;
        name = format!("{plain}_{number}");
    }
    used.insert(name.clone());
    name
}

fn is_keyword(name: &str) -> bool {
    const KEYWORDS: [&str; 50] = [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
        "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
        "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "asm",
        "typeof", "result", "assert", "errno", "stdin", "stdout", "stderr", "linux", "unix", "NULL", "bool", "true",
        "false", "main", "alignas",
    ];
    KEYWORDS.contains(&name)
}

/// The access path of steps: `.in.a[2]`.
pub(super) fn path(steps: &[Step]) -> String {
    steps
        .iter()
        .map(|step| match step {
            Step::Member(name) => format!(".{name}"),
            Step::Index(index) => format!("[{index}]"),
        })
        .collect()
}

/// The range of all bytes.
fn whole_of(bytes: &[u8]) -> Range<u32> {
    0..bytes.len() as u32
}
