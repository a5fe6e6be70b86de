//! Contents of pictures of a map, independent of the drawing: a box for the roots and one per object, a row per cell,
//! an arrow per pointer.

use std::collections::BTreeMap;

use super::names::root_names;
use super::{InputMap, Object, ObjectId, Pointer, Step, Value};

/// Length at which strings are truncated.
const MAX_TEXT: usize = 40;

/// Boxes of a picture, that of the roots first.
pub(super) struct Picture {
    pub(super) boxes: Vec<Box>,
}

pub(super) struct Box {
    /// `None` for the roots.
    pub(super) object: Option<ObjectId>,
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
}

pub(super) struct Row {
    /// Access path of the cell in the object: `v`, `[1].v`; empty for an object that is one cell.
    pub(super) label: String,
    /// Value; for a pointer, the part of the object that it points to, empty for the start.
    pub(super) text: String,
    pub(super) kind: RowKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    Plain,
    Null,
    Pointer(Arrow),
    /// Represents all cells that were not read.
    Untouched,
}

/// Target of a pointer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrow {
    /// Index of the box.
    pub(super) to: usize,
    /// The row, if it points to a later cell that has one.
    pub(super) row: Option<usize>,
}

impl Row {
    /// The row as a string: `v = 3`, `next`.
    pub(super) fn line(&self) -> String {
        match (self.label.is_empty(), self.text.is_empty()) {
            (false, false) if matches!(self.kind, RowKind::Pointer(_)) => format!("{} → {}", self.label, self.text),
            (true, false) if matches!(self.kind, RowKind::Pointer(_)) => format!("→ {}", self.text),
            (false, false) => format!("{} = {}", self.label, self.text),
            (false, true) => self.label.clone(),
            (true, _) => self.text.clone(),
        }
    }
}

impl Picture {
    pub(super) fn of(map: &InputMap) -> Picture {
        let mut cells = Cells::default();
        for (name, root) in root_names(map).iter().zip(&map.roots) {
            cells.add(name, &root.value);
        }
        let mut drafts = vec![(None, "input".to_owned(), cells)];
        for object in &map.objects {
            let mut cells = Cells::default();
            for (index, value) in object.elements.iter().enumerate() {
                cells.add(&element_label(object, index as u64), value);
            }
            drafts.push((Some(object.id), title(object), cells));
        }
        let labels: BTreeMap<ObjectId, (usize, &Object, Vec<String>)> = (1..)
            .zip(&map.objects)
            .map(|(index, object)| {
                (object.id, (index, object, drafts[index].2.0.iter().map(|(label, _)| label.clone()).collect()))
            })
            .collect();
        let finish = |cells: &Cells<'_>| cells.0.iter().map(|(label, value)| row(label, value, &labels)).collect();
        let boxes = drafts.iter().map(|(object, title, cells)| {
            let mut rows: Vec<Row> = finish(cells);
            if rows.is_empty() && object.is_some() {
                rows.push(Row { label: String::new(), text: "not read".to_owned(), kind: RowKind::Untouched });
            }
            Box { object: *object, title: title.clone(), rows }
        });
        Picture { boxes: boxes.collect() }
    }
}

/// Cells of a box by their label.
#[derive(Default)]
struct Cells<'m>(Vec<(String, &'m Value)>);

impl<'m> Cells<'m> {
    fn add(&mut self, label: &str, value: &'m Value) {
        let parts = value.parts();
        if let Value::Union { bytes: Some(_), .. } = value {
            self.0.push((extended(label, &Step::Member("<union>".to_owned())), value));
        }
        if parts.is_empty() && *value != Value::Untouched {
            self.0.push((label.to_owned(), value));
        }
        for (step, part) in parts {
            self.add(&step.map_or_else(|| label.to_owned(), |step| extended(label, &step)), part);
        }
    }
}

fn row(label: &str, value: &Value, labels: &BTreeMap<ObjectId, (usize, &Object, Vec<String>)>) -> Row {
    let (text, kind) = match value {
        Value::Pointer(pointer) => match labels.get(&pointer.object) {
            Some((to, object, rows)) => {
                let part = part_label(object, pointer);
                let row = if part.is_empty() { None } else { rows.iter().position(|row| is_inside(row, &part)) };
                (part, RowKind::Pointer(Arrow { to: *to, row }))
            }
            None => (format!("#{}", pointer.object.0), RowKind::Plain),
        },
        Value::Null => ("NULL".to_owned(), RowKind::Null),
        Value::Union { bytes: Some(bytes), .. } => {
            (Value::Bytes(bytes.clone()).literal().unwrap_or_default(), RowKind::Plain)
        }
        value => (value.literal().unwrap_or_default(), RowKind::Plain),
    };
    Row { label: label.to_owned(), text: cut(&text), kind }
}

fn title(object: &Object) -> String {
    let count = object.count();
    if count == 1 { object.element.clone() } else { format!("{}[{count}]", object.element) }
}

/// Strings and bytes are one cell however long they are.
fn element_label(object: &Object, index: u64) -> String {
    if object.elements.len() > 1 { format!("[{index}]") } else { String::new() }
}

/// Label of the target of `pointer`; empty for the start of its object.
fn part_label(object: &Object, pointer: &Pointer) -> String {
    let only = object.elements.len() == 1 && pointer.element == 0;
    let start = if only { String::new() } else { format!("[{}]", pointer.element) };
    let part = pointer.steps.iter().fold(start, |label, step| extended(&label, step));
    match pointer.rest {
        0 if pointer.offset == 0 && pointer.steps.is_empty() => String::new(),
        0 => part,
        rest => format!("{part} + {rest}"),
    }
}

fn extended(label: &str, step: &Step) -> String {
    match step {
        Step::Member(name) if label.is_empty() => name.clone(),
        Step::Member(name) => format!("{label}.{name}"),
        Step::Index(index) => format!("{label}[{index}]"),
    }
}

/// True if the cell `row` is `part` or inside it.
fn is_inside(row: &str, part: &str) -> bool {
    let part = part.split(" + ").next().unwrap_or(part);
    row.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text.to_owned();
    }
    text.chars().take(MAX_TEXT - 1).chain(['…']).collect()
}
