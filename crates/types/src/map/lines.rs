//! The map as text, by access path: `p->v = 3`, `p->next = p`, `p->name = "ab"`.

use std::collections::BTreeSet;
use std::fmt;

use super::names::{Base, Names, Place};
use super::{InputMap, Object, Pointer, Value};
use crate::literal;

impl InputMap {
    /// Returns `path = value` for each cell, except for unread cells and for pointers that are part of the path to
    /// another cell. Every root is followed to its end before the next.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.lines_of_roots().concat();
        lines.extend(self.lines_of_placements());
        lines
    }

    /// Positions of objects as text, each relative to the previous one.
    fn lines_of_placements(&self) -> Vec<String> {
        let names = Names::of(self);
        let called = |object| {
            let (_, base) = names.object(object)?;
            Some(match base {
                Base::Pointer { cell, element: 0 } => cell.text(),
                Base::Pointer { cell, element } => format!("{} - {element}", cell.text()),
                Base::Name(name) => format!("&{name}"),
            })
        };
        let known: Vec<(String, u64)> =
            self.placements.iter().filter_map(|placed| Some((called(placed.object)?, placed.offset))).collect();
        let first = known.first().filter(|(_, offset)| offset % 16 != 0);
        let first =
            first.map(|(name, offset)| format!("{name} is placed {} bytes after a multiple of 16", offset % 16));
        let next = known.windows(2).map(|pair| {
            let ((before, start), (name, offset)) = (&pair[0], &pair[1]);
            format!("{name} is placed {} bytes after {before}", offset - start)
        });
        first.into_iter().chain(next).collect()
    }

    /// Lines of [`InputMap::lines`], separately for each root.
    pub fn lines_of_roots(&self) -> Vec<Vec<String>> {
        let names = Names::of(self);
        let mut writer = Writer { names: &names, open: Vec::new(), named: BTreeSet::new(), lines: Vec::new() };
        let mut lines = Vec::new();
        for (place, value) in &names.roots {
            writer.open.push((place.clone(), *value));
            // An explicit stack, because a list is as deep as it is long.
            while let Some((place, value)) = writer.open.pop() {
                writer.cell(&place, value);
            }
            lines.push(std::mem::take(&mut writer.lines));
        }
        lines
    }
}

/// Written on one line.
impl fmt::Display for InputMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join(", "))
    }
}

impl Value {
    /// Readable form of a value without parts; `None` for other values and for pointers, which need their map.
    pub fn literal(&self) -> Option<String> {
        Some(match self {
            Value::Int(value) => value.to_string(),
            Value::Uint(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Char(value) => literal::character(*value),
            Value::Float { width, bits } => literal::float(*width, *bits),
            Value::Enum { name: Some(name), .. } => name.clone(),
            Value::Enum { name: None, value } => value.to_string(),
            Value::Null => "NULL".to_owned(),
            // The targets of pointers to streams are themselves pointers.
            Value::Function(name) if name.starts_with("tine_file_") => name.clone(),
            Value::Function(name) => format!("&{name}"),
            Value::Address(address) => format!("{address:#x}"),
            Value::Text(text) => literal::quoted(text),
            Value::Bytes(bytes) => format!("bytes {}", literal::quoted(bytes)),
            Value::Pointer(_) | Value::Struct(_) | Value::Union { .. } | Value::Array(_) | Value::Untouched => {
                return None;
            }
        })
    }

    /// True if it contains a touched cell.
    fn shows(&self) -> bool {
        match self {
            Value::Struct(_) | Value::Array(_) | Value::Union { bytes: None, .. } => {
                self.parts().iter().any(|(_, part)| part.shows())
            }
            Value::Untouched => false,
            _ => true,
        }
    }
}

impl Object {
    /// Form of an object that can replace a pointer to it: `"ab"`, `new struct list`.
    fn in_place(&self) -> Option<String> {
        match self.elements.as_slice() {
            [value @ (Value::Text(_) | Value::Bytes(_))] => value.literal(),
            elements if elements.iter().any(Value::shows) => None,
            [] | [_] if self.element == "void" => Some("new bytes".to_owned()),
            [] | [_] => Some(format!("new {}", self.element)),
            elements => Some(format!("new {}[{}]", self.element, elements.len())),
        }
    }
}

struct Writer<'n, 'm> {
    names: &'n Names<'m>,
    /// Stack of cells; the next one is the last.
    open: Vec<(Place, &'m Value)>,
    /// Objects with explicit names that have been written.
    named: BTreeSet<&'n str>,
    lines: Vec<String>,
}

impl<'m> Writer<'_, 'm> {
    fn cell(&mut self, place: &Place, value: &'m Value) {
        if let Some(literal) = value.literal() {
            self.line(place, &literal);
        }
        if let Value::Pointer(pointer) = value {
            self.pointer(place, pointer);
        }
        if let Value::Union { bytes: Some(bytes), .. } = value {
            self.line(&place.member("<union>"), &format!("bytes {}", literal::quoted(bytes)));
        }
        for (step, part) in value.parts().into_iter().rev() {
            self.open.push((place.step(step.as_ref()), part));
        }
    }

    fn line(&mut self, place: &Place, value: &str) {
        self.lines.push(format!("{} = {value}", place.text()));
    }

    fn pointer(&mut self, place: &Place, pointer: &Pointer) {
        let Some((object, base)) = self.names.object(pointer.object) else {
            return self.line(place, &self.names.address(pointer));
        };
        match base {
            // This pointer names the object, so the object's contents imply the pointer's value.
            Base::Pointer { cell, element } if cell == place => match (object.in_place(), element) {
                (Some(whole), 0) => self.line(place, &whole),
                (Some(whole), element) => self.line(place, &format!("{whole} + {element}")),
                (None, _) => self.elements(object, base),
            },
            Base::Pointer { .. } => self.line(place, &self.names.address(pointer)),
            Base::Name(name) => {
                self.line(place, &self.names.address(pointer));
                if !self.named.insert(name) {
                    return;
                }
                match object.in_place() {
                    Some(whole) => self.lines.push(format!("{name} = {whole}")),
                    None => self.elements(object, base),
                }
            }
        }
    }

    fn elements(&mut self, object: &'m Object, base: &Base) {
        for (index, value) in object.elements.iter().enumerate().rev() {
            self.open.push((Names::element(object, base, index as u64), value));
        }
    }
}
