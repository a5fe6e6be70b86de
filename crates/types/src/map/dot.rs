//! The map as Graphviz text: `dot -Tsvg`.

use std::fmt::Write as _;

use super::InputMap;
use super::picture::{Arrow, Picture, RowKind};

impl InputMap {
    /// Returns a record for the roots and for each object, with a port for each pointer in it.
    pub fn to_dot(&self) -> String {
        let picture = Picture::of(self);
        let name = |index: usize| match picture.boxes[index].object {
            Some(id) => format!("object{}", id.0),
            None => "input".to_owned(),
        };
        let mut out = String::from("digraph input {\n  rankdir=LR;\n  node [shape=record, fontname=\"monospace\"];\n");
        let mut edges = String::new();
        for (index, one) in picture.boxes.iter().enumerate() {
            let mut fields = vec![format!("<title> {}", escaped(&one.title))];
            for (number, row) in one.rows.iter().enumerate() {
                fields.push(format!("<r{number}> {}", escaped(&row.line())));
                if let RowKind::Pointer(Arrow { to, row }) = row.kind {
                    let port = row.map_or_else(|| "title".to_owned(), |row| format!("r{row}"));
                    let _ = writeln!(edges, "  {}:r{number} -> {}:{port};", name(index), name(to));
                }
            }
            let _ = writeln!(out, "  {} [label=\"{}\"];", name(index), fields.join("|"));
        }
        out + &edges + "}\n"
    }
}

/// Escapes text for a record's label, which has its own syntax inside a quoted string.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            // Labels support HTML entities.
            '&' => out.push_str("&amp;"),
            '"' | '{' | '}' | '|' | '<' | '>' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}
