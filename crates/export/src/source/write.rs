//! Declarations, initialisers and the call of a test, in C.

use std::collections::BTreeSet;

use tine_types::graph::{Member, Qualifier};
use tine_types::map::{ObjectId, Pointer, Value};
use tine_types::{Function, Kind, TypeGraph, TypeId};

use super::bits::Bits;
use super::literal;
use super::memory::{Declared, Form, Memory, is_flexible, path};
use super::place::Place;
use super::{Call, Reason};

/// Maximum width of a line of a test.
const WIDTH: usize = 100;

/// The text of a test up to its call.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    pub(super) setup: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// Arguments of the last call, in order.
    pub(super) arguments: Vec<String>,
}

/// A call to write.
#[derive(Clone, Debug)]
pub(super) struct Planned<'a> {
    pub(super) function: &'a Function,
    /// Name of the function in the tests.
    pub(super) name: &'a str,
    pub(super) arguments: Vec<Argument>,
    /// Name of the variable for the result.
    pub(super) result: Option<String>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Text(String),
    /// The root with this index, for a parameter of this type.
    Root(usize, TypeId),
}

pub(super) struct Writer<'a> {
    pub(super) graph: &'a TypeGraph,
    pub(super) memory: &'a Memory,
    /// Names of callables in the harness and in the tests.
    pub(super) callables: &'a [(String, String)],
    bits: &'a Bits,
    done: BTreeSet<ObjectId>,
    /// Objects whose declaration is being written.
    begun: BTreeSet<ObjectId>,
    lines: Vec<String>,
    /// Names of variables of the test.
    used: BTreeSet<String>,
    /// Assignments of pointers whose target is declared later.
    later: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        graph: &'a TypeGraph,
        memory: &'a Memory,
        callables: &'a [(String, String)],
        bits: &'a Bits,
    ) -> Writer<'a> {
        let (done, begun) = (BTreeSet::new(), BTreeSet::new());
        let used = memory.objects.values().map(|object| object.name.clone()).collect();
        Writer { graph, memory, callables, bits, done, begun, lines: Vec::new(), used, later: Vec::new() }
    }

    /// `globals` are the names of roots that are variables of the unit. `stubs` has the results of stubs.
    pub(super) fn write(
        mut self,
        calls: &[Planned<'_>],
        globals: &BTreeSet<String>,
        stubs: &[(String, String)],
    ) -> Result<Written, Reason> {
        for root in &self.memory.roots.clone() {
            self.targets(&root.value)?;
        }
        self.lines.append(&mut self.later);
        let mut written = Vec::new();
        let mut arguments = Vec::new();
        for call in calls {
            arguments = call.arguments.iter().map(|argument| self.passed(argument)).collect::<Result<_, _>>()?;
            let text = format!("{}({})", call.name, arguments.join(", "));
            let declared = |name: &String| {
                let declaration = self.declaration(unqualified(self.graph, call.function.ret), name)?;
                Ok((declaration, name.clone()))
            };
            written.push(Call { text, result: call.result.as_ref().map(declared).transpose()? });
        }
        self.globals(globals)?;
        self.stubs(stubs)?;
        self.lines.append(&mut self.later);
        Ok(Written { setup: self.lines, calls: written, arguments })
    }

    /// The text of an argument.
    fn passed(&mut self, argument: &Argument) -> Result<String, Reason> {
        let (index, ty) = match argument {
            Argument::Text(text) => return Ok(text.clone()),
            Argument::Root(index, ty) => (*index, *ty),
        };
        let root = self.memory.roots.get(index).cloned().ok_or(Reason::Stopped)?;
        let value = self.argument(root.ty, &root.value, &root.name)?;
        let differs = self.plain(root.ty) != self.plain(ty);
        let is_void = matches!(self.graph.kind(self.graph.strip(ty)), Kind::Pointer { to } if self.graph.strip(*to) == TypeId::VOID);
        let cast = differs && !is_void && value != "NULL";
        Ok(if cast { format!("({}){value}", self.graph.describe(ty)) } else { value })
    }

    /// The type without its qualifiers, for comparison.
    fn plain(&self, ty: TypeId) -> String {
        let ty = self.graph.strip(ty);
        match self.graph.kind(ty) {
            Kind::Pointer { to } => format!("{} *", self.plain(*to)),
            _ => self.graph.describe(ty),
        }
    }

    fn declaration(&self, ty: TypeId, name: &str) -> Result<String, Reason> {
        declaration(self.graph, ty, name)
    }

    /// Variables of the unit that are inputs.
    fn globals(&mut self, globals: &BTreeSet<String>) -> Result<(), Reason> {
        let roots: Vec<_> = self.memory.roots.iter().filter(|root| globals.contains(&root.name)).cloned().collect();
        for root in roots {
            let name = &root.name;
            match self.graph.kind(self.graph.strip(root.ty)) {
                Kind::Array { .. } | Kind::Struct { .. } | Kind::Union { .. } => {
                    let text = self.initialiser(root.ty, &root.value, &Place::Value(name.clone()))?;
                    let ty = format!("__typeof__({name})");
                    let text = text.unwrap_or_else(|| "{ 0 }".to_owned());
                    self.lines.push(format!("memcpy((void *)&{name}, &({ty}){text}, sizeof {name});"));
                }
                _ => {
                    let value = self.scalar(root.ty, &root.value, name)?;
                    self.lines.push(format!("{name} = {value};"));
                }
            }
        }
        Ok(())
    }

    /// Results of stubs, in the order of their calls.
    fn stubs(&mut self, stubs: &[(String, String)]) -> Result<(), Reason> {
        for (root_name, test_name) in stubs {
            let roots: Vec<_> = self.memory.roots.iter().filter(|root| root.name == *root_name).cloned().collect();
            for (index, root) in roots.iter().enumerate() {
                let value = self.argument(root.ty, &root.value, &format!("{test_name}_{index}"))?;
                self.lines.push(format!("{test_name}_results[{index}] = {value};"));
            }
            if !roots.is_empty() {
                self.lines.push(format!("{test_name}_calls = 0;"));
            }
        }
        Ok(())
    }

    /// An argument: a literal, an address, or the name of a variable that is declared for it.
    fn argument(&mut self, ty: TypeId, value: &Value, name: &str) -> Result<String, Reason> {
        match self.graph.kind(self.graph.strip(ty)) {
            Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. } => {
                let name = super::memory::unused(name, &mut self.used);
                let text = self.initialiser(ty, value, &Place::Value(name.clone()))?;
                let declaration = self.declaration(unqualified(self.graph, ty), &name)?;
                self.declare(&declaration, text);
                Ok(name)
            }
            _ => self.scalar(ty, value, name),
        }
    }

    /// A complex number in C.
    fn complex(&self, ty: TypeId, value: &Value) -> Result<Option<String>, Reason> {
        let Kind::Struct { members } = self.graph.kind(self.graph.strip(ty)) else { return Ok(None) };
        let parts = parts(members, value)?;
        let zero = if self.graph.size(ty) == Some(8) { "0.0f" } else { "0.0" };
        let text = |(member, value): &(&Member, &Value)| match value {
            Value::Untouched => Ok(zero.to_owned()),
            value => self.scalar(member.ty, value, ""),
        };
        let parts = parts.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        let parts = if parts.is_empty() { vec![zero.to_owned(); 2] } else { parts };
        // The macros for unusual values are floats.
        let is_macro = |text: &&String| text.ends_with(|c: char| c.is_ascii_uppercase());
        let is_double = self.graph.size(ty) == Some(16) && parts.iter().any(|part| is_macro(&part));
        let cast = if is_double { "(double)" } else { "" };
        Ok(Some(format!("__builtin_complex({cast}{}, {cast}{})", parts[0], parts[1])))
    }

    fn declare(&mut self, declaration: &str, initialiser: Option<String>) {
        let text = initialiser.unwrap_or_else(|| "{ 0 }".to_owned());
        self.lines.extend(wrapped(&format!("{declaration} = {text};")));
    }

    /// Declares the objects that a value points to.
    fn targets(&mut self, value: &Value) -> Result<(), Reason> {
        match value {
            Value::Pointer(pointer) => self.object(pointer.object),
            Value::Struct(members) => members.iter().try_for_each(|member| self.targets(&member.value)),
            Value::Union { member, .. } => self.targets(&member.value),
            Value::Array(values) => values.iter().try_for_each(|value| self.targets(value)),
            _ => Ok(()),
        }
    }

    fn object(&mut self, id: ObjectId) -> Result<(), Reason> {
        if !self.begun.insert(id) {
            return Ok(());
        }
        let Some(object) = self.memory.objects.get(&id).cloned() else { return Err(Reason::Stopped) };
        object.values.iter().try_for_each(|value| self.targets(value))?;
        if object.form == Form::Heap || is_flexible(self.graph, object.element) {
            self.allocate(&object)?;
        } else {
            self.declare_object(&object, id)?;
        }
        self.done.insert(id);
        Ok(())
    }

    fn declare_object(&mut self, object: &Declared, id: ObjectId) -> Result<(), Reason> {
        let Declared { name, element, values, count, form, constant, .. } = object;
        let constant = if *constant { "const " } else { "" };
        // C lets an object refer to itself in its initialiser.
        self.done.insert(id);
        match (form, values.as_slice()) {
            (Form::Text, [Value::Text(text)]) => {
                let is_plain_char = matches!(self.graph.kind(self.graph.strip(*element)), Kind::Char { .. });
                let ty = if is_plain_char { "char".to_owned() } else { self.declaration(*element, "")? };
                let length = if text.len() as u64 + 1 == *count { String::new() } else { count.to_string() };
                self.lines.push(format!("{constant}{ty} {name}[{length}] = {};", literal::text(text)));
            }
            (Form::Text, [Value::Bytes(bytes)]) => {
                let is_typed = !matches!(self.graph.kind(self.graph.strip(*element)), Kind::Void | Kind::Opaque { .. });
                let ty = if is_typed { self.declaration(*element, "")? } else { "unsigned char".to_owned() };
                let align = if is_typed { "" } else { "_Alignas(16) " };
                let last = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
                let numbers: Vec<String> =
                    bytes[..last.min(bytes.len())].iter().map(|byte| format!("{byte:#x}")).collect();
                let numbers = if numbers.is_empty() { "0".to_owned() } else { numbers.join(", ") };
                let text = format!("{align}{constant}{ty} {name}[{}] = {{ {numbers} }};", bytes.len().max(1));
                self.lines.extend(wrapped(&text));
            }
            (Form::Array, values) => {
                let array = Value::Array(values.to_vec());
                let text = self.elements(*element, &array, &Place::Value(name.clone()))?;
                let declaration = self.declaration(*element, &format!("{name}[{}]", values.len()))?;
                self.declare(&declaration, text);
            }
            (_, values) => {
                let value = values.first().cloned().unwrap_or(Value::Untouched);
                let declaration = self.declaration(*element, name)?;
                let text = match self.graph.kind(self.graph.strip(*element)) {
                    Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. } => {
                        self.initialiser(*element, &value, &Place::Value(name.clone()))?
                    }
                    _ => Some(self.cell(*element, &value, &Place::Value(name.clone()))?),
                };
                self.declare(&declaration, text);
            }
        }
        Ok(())
    }

    /// Allocates memory for the object, which the function may free.
    fn allocate(&mut self, object: &Declared) -> Result<(), Reason> {
        let Declared { name, element, values, count, .. } = object;
        let is_typed = !matches!(self.graph.kind(self.graph.strip(*element)), Kind::Void | Kind::Opaque { .. });
        let target =
            if is_typed { self.declaration(*element, &format!("*{name}"))? } else { format!("unsigned char *{name}") };
        let tail = is_flexible(self.graph, *element);
        let size = if tail { format!("sizeof *{name} + 64") } else { format!("sizeof *{name}") };
        self.lines.push(format!("{target} = calloc({count}, {size});"));
        self.done.insert(
            self.memory.objects.iter().find(|(_, known)| known.name == *name).map(|(id, _)| *id).expect("it is there"),
        );
        for (index, value) in values.iter().enumerate() {
            let place = if *count == 1 || tail {
                Place::Pointee(name.clone())
            } else {
                Place::Value(format!("{name}[{index}]"))
            };
            match value {
                Value::Text(text) => {
                    self.lines.push(format!("memcpy({name}, {}, {});", literal::text(text), text.len() + 1));
                }
                Value::Bytes(bytes) => {
                    self.lines.push(format!("memcpy({name}, {}, {});", literal::text(bytes), bytes.len()));
                }
                value => self.assign(*element, value, &place)?,
            }
        }
        Ok(())
    }

    /// Assignments that set a zero-initialised place to its value.
    fn assign(&mut self, ty: TypeId, value: &Value, place: &Place) -> Result<(), Reason> {
        if is_complex(self.graph, ty) {
            let text = self.complex(ty, value)?.unwrap_or_default();
            self.lines.push(format!("{} = {text};", place.text()));
            return Ok(());
        }
        match (self.graph.kind(self.graph.strip(ty)), value) {
            (Kind::Struct { members } | Kind::Union { members }, Value::Struct(_) | Value::Union { .. }) => {
                for (member, value) in parts(members, value)? {
                    let inner = member.name.as_ref().map_or(place.clone(), |name| place.member(name));
                    if is_const(self.graph, member.ty) {
                        let text = self.cell(member.ty, value, &inner)?;
                        let ty = self.declaration(unqualified(self.graph, member.ty), "")?;
                        self.lines.push(format!(
                            "memcpy((void *)&{}, &({ty}){{ {text} }}, sizeof {});",
                            inner.text(),
                            inner.text()
                        ));
                    } else {
                        self.assign(member.ty, value, &inner)?;
                    }
                }
            }
            (Kind::Array { element, .. }, Value::Array(values)) => {
                for (index, value) in values.iter().enumerate() {
                    self.assign(*element, value, &place.index(index as u64))?;
                }
            }
            (Kind::Array { .. }, Value::Text(text)) => {
                self.lines.push(format!("memcpy({}, {}, {});", place.text(), literal::text(text), text.len() + 1));
            }
            (_, value) if is_zero(value) => {}
            (_, value) => {
                let text = self.cell(ty, value, place)?;
                if text != "NULL" {
                    self.lines.push(format!("{} = {text};", place.text()));
                }
            }
        }
        Ok(())
    }

    /// The initialiser of a structure or array; `None` if it is all zeros.
    fn initialiser(&mut self, ty: TypeId, value: &Value, place: &Place) -> Result<Option<String>, Reason> {
        if is_complex(self.graph, ty) {
            return self.complex(ty, value);
        }
        match (self.graph.kind(self.graph.strip(ty)), value) {
            (Kind::Struct { members } | Kind::Union { members }, Value::Struct(_) | Value::Union { .. }) => {
                let fields = self.fields(members, value, place)?;
                Ok((!fields.is_empty()).then(|| format!("{{ {} }}", fields.join(", "))))
            }
            (Kind::Array { element, .. }, value) => self.elements(*element, value, place),
            (_, Value::Untouched) => Ok(None),
            (Kind::Struct { .. } | Kind::Union { .. }, _) => Err(Reason::Value(self.graph.describe(ty))),
            (_, value) if is_zero(value) => Ok(None),
            (_, value) => {
                let text = self.cell(ty, value, place)?;
                Ok((text != "NULL").then_some(text))
            }
        }
    }

    fn fields(&mut self, members: &[Member], value: &Value, place: &Place) -> Result<Vec<String>, Reason> {
        let mut fields = Vec::new();
        for (member, value) in parts(members, value)? {
            let Some(name) = &member.name else {
                // Members of an anonymous member are named as if they were declared here.
                if let Kind::Struct { members } | Kind::Union { members } = self.graph.kind(self.graph.strip(member.ty))
                {
                    fields.extend(self.fields(&members.clone(), value, place)?);
                }
                continue;
            };
            if is_flexible(self.graph, member.ty) {
                continue;
            }
            if let Some(text) = self.initialiser(member.ty, value, &place.member(name))? {
                fields.push(format!(".{name} = {text}"));
            }
        }
        Ok(fields)
    }

    fn elements(&mut self, element: TypeId, value: &Value, place: &Place) -> Result<Option<String>, Reason> {
        let values = match value {
            Value::Text(text) if text.is_empty() => return Ok(None),
            Value::Text(text) => return Ok(Some(literal::text(text))),
            Value::Array(values) => values,
            Value::Untouched => return Ok(None),
            _ => return Err(Reason::Value(self.graph.describe(element))),
        };
        let mut strings = Vec::new();
        for (index, value) in values.iter().enumerate() {
            strings.push(self.initialiser(element, value, &place.index(index as u64))?);
        }
        let Some(last) = strings.iter().rposition(Option::is_some) else { return Ok(None) };
        let n_zeros = strings[..=last].iter().filter(|text| text.is_none()).count();
        let is_aggregate = matches!(
            self.graph.kind(self.graph.strip(element)),
            Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. }
        );
        // Compilers warn of `{ 0 }` for a structure whose first member is an array.
        let list: Vec<String> = if n_zeros > 3 || n_zeros > 0 && is_aggregate {
            let named = strings.iter().enumerate();
            named.filter_map(|(index, text)| Some(format!("[{index}] = {}", text.as_ref()?))).collect()
        } else {
            strings[..=last].iter().map(|text| text.clone().unwrap_or_else(|| "0".to_owned())).collect()
        };
        Ok(Some(format!("{{ {} }}", list.join(", "))))
    }

    /// The initialiser of a scalar. A pointer to an object that is declared later is assigned later.
    fn cell(&mut self, ty: TypeId, value: &Value, place: &Place) -> Result<String, Reason> {
        if let Value::Pointer(pointer) = value
            && !self.done.contains(&pointer.object)
        {
            let text = self.address(ty, pointer)?;
            self.later.push(format!("{} = {text};", place.text()));
            return Ok("NULL".to_owned());
        }
        self.scalar(ty, value, &place.text())
    }

    /// The text of a scalar at a place.
    fn scalar(&self, ty: TypeId, value: &Value, place: &str) -> Result<String, Reason> {
        match value {
            Value::Pointer(pointer) => self.address(ty, pointer),
            Value::Function(name) => {
                let known = self.callables.iter().find(|(harness, _)| harness == name);
                known.map(|(_, test)| test.clone()).ok_or(Reason::Stream)
            }
            Value::Address(address) => {
                Ok(format!("({}){address:#x}", self.declaration(unqualified(self.graph, ty), "")?))
            }
            Value::Untouched => Ok("0".to_owned()),
            value => literal::scalar(self.graph, ty, value)
                .map(|text| literal::with_bits(self.bits, place, value, text))
                .ok_or_else(|| Reason::Value(self.graph.describe(ty))),
        }
    }

    /// An expression for the address that a pointer of type `ty` holds.
    fn address(&self, ty: TypeId, pointer: &Pointer) -> Result<String, Reason> {
        let Some(object) = self.memory.objects.get(&pointer.object) else { return Err(Reason::Stopped) };
        let (text, is_typed) = address(self.graph, object, pointer);
        let Kind::Pointer { to } = self.graph.kind(self.graph.strip(ty)) else { return Ok(text) };
        let to = self.graph.strip(*to);
        let fits = pointer.steps.is_empty() && is_typed && self.plain(to) == self.plain(object.element);
        if fits || to == TypeId::VOID || !pointer.steps.is_empty() && pointer.rest == 0 {
            return Ok(text);
        }
        Ok(format!("({})(void *){text}", self.declaration(unqualified(self.graph, ty), "")?))
    }
}

/// An expression for a place in an object, and a flag that it has the type of a pointer to the object's elements.
pub(super) fn address(graph: &TypeGraph, object: &Declared, pointer: &Pointer) -> (String, bool) {
    let name = &object.name;
    let heap = object.form == Form::Heap || is_flexible(graph, object.element);
    let is_bytes =
        object.form == Form::Text || heap && matches!(object.values.as_slice(), [Value::Text(_) | Value::Bytes(_)]);
    if is_bytes {
        let text = if pointer.offset == 0 { name.clone() } else { format!("({name} + {})", pointer.offset) };
        return (text, graph.strip(object.element) != TypeId::VOID);
    }
    let base = match (object.form, heap) {
        (Form::Single, false) => name.clone(),
        _ => format!("{name}[{}]", pointer.element),
    };
    if pointer.rest != 0 {
        let start = if object.form == Form::Single && !heap { format!("&{name}") } else { name.clone() };
        return (format!("((char *){start} + {})", pointer.offset), false);
    }
    if !pointer.steps.is_empty() {
        return (format!("&{base}{}", path(&pointer.steps)), false);
    }
    let text = match (object.form, heap, pointer.element) {
        (Form::Single, false, 0) => format!("&{name}"),
        (Form::Single, false, element) => format!("(&{name} + {element})"),
        (_, _, 0) => name.clone(),
        (_, _, element) => format!("&{name}[{element}]"),
    };
    (text, true)
}

/// The declaration of `name`, if C can write the type.
pub(super) fn declaration(graph: &TypeGraph, ty: TypeId, name: &str) -> Result<String, Reason> {
    let text = graph.declare(named(graph, ty), name);
    if text.contains(['…', '<']) {
        return Err(Reason::Type(text));
    }
    Ok(text)
}

/// The nearest typedef of a type without a name.
fn named(graph: &TypeGraph, ty: TypeId) -> TypeId {
    let is_tagged = matches!(graph.kind(ty), Kind::Struct { .. } | Kind::Union { .. } | Kind::Enum { .. });
    if !is_tagged || graph.get(ty).name.is_some() {
        return ty;
    }
    let alias = graph.iter().find(|(_, known)| matches!(known.kind, Kind::Typedef { to } if to == ty));
    alias.map_or(ty, |(alias, _)| alias)
}

/// The type without its own qualifiers, so that an array of it can be assigned to.
pub(super) fn unqualified(graph: &TypeGraph, ty: TypeId) -> TypeId {
    let mut ty = ty;
    while let Kind::Qualified { to, .. } = graph.kind(ty) {
        ty = *to;
    }
    if is_const(graph, ty) { graph.strip(ty) } else { ty }
}

/// True for `_Complex` types, which are not structures but have the layout of one.
pub(super) fn is_complex(graph: &TypeGraph, ty: TypeId) -> bool {
    match graph.kind(ty) {
        Kind::Typedef { to } => {
            graph.get(ty).name.as_ref().is_some_and(|name| name.ends_with(" _Complex")) || is_complex(graph, *to)
        }
        Kind::Qualified { to, .. } => is_complex(graph, *to),
        _ => false,
    }
}

fn is_const(graph: &TypeGraph, ty: TypeId) -> bool {
    graph.is_qualified(ty, Qualifier::Const)
}

/// Members with their values. A union has one.
fn parts<'v, 'm>(members: &'m [Member], value: &'v Value) -> Result<Vec<(&'m Member, &'v Value)>, Reason> {
    match value {
        Value::Struct(values) => Ok(members.iter().zip(values.iter().map(|member| &member.value)).collect()),
        Value::Union { bytes: Some(_), .. } => Err(Reason::Value("a union".to_owned())),
        Value::Union { member: chosen, .. } => {
            let member = members.iter().find(|member| member.name == chosen.name);
            Ok(member.map(|member| (member, &chosen.value)).into_iter().collect())
        }
        _ => Ok(Vec::new()),
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bytes(bytes) => bytes.iter().all(|byte| *byte == 0),
        Value::Int(0) | Value::Uint(0) | Value::Bool(false) | Value::Char(0) | Value::Null | Value::Untouched => true,
        Value::Float { bits, .. } => *bits == 0,
        Value::Enum { value, .. } => *value == 0,
        _ => false,
    }
}

/// Breaks a long declaration into several lines.
fn wrapped(text: &str) -> Vec<String> {
    if text.len() <= WIDTH - 4 {
        return vec![text.to_owned()];
    }
    let Some((head, rest)) = text.split_once(" = { ") else { return vec![text.to_owned()] };
    let Some(body) = rest.strip_suffix(" };") else { return vec![text.to_owned()] };
    let mut lines = vec![format!("{head} = {{")];
    let mut line = String::from("   ");
    for part in top_level(body) {
        if line.len() + part.len() + 2 > WIDTH - 4 && line.len() > 3 {
            lines.push(std::mem::replace(&mut line, String::from("   ")));
        }
        line.push(' ');
        line.push_str(part);
        line.push(',');
    }
    lines.push(line);
    lines.push("};".to_owned());
    lines
}

/// The parts between commas outside of braces, parentheses and quotes.
fn top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut quote, mut escaped) = (Vec::new(), 0, 0, None, false);
    for (index, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '(' | '[') => depth += 1,
            (None, '}' | ')' | ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
