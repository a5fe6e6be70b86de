//! SVG drawing of the map. `super::layout` computes the positions.
//!
//! Boxes are filled and arrows have a medium tone, so that the picture is readable on light and dark pages.

use std::fmt::Write as _;

use super::InputMap;
use super::layout::{Drawn, Layout, PADDING, ROW, Route};
use super::picture::{Box, Picture, Row, RowKind};

const STYLE: &str = "\
.box { fill: #f6f8fa; stroke: #6e7781; } \
.title { fill: #d8dee4; stroke: #6e7781; } \
.line { stroke: #d0d7de; } \
text { font: 12px monospace; fill: #1f2328; white-space: pre; } \
.name { font-weight: bold; } \
.null { fill: #a40e26; } \
.untouched { fill: #6e7781; font-style: italic; } \
.pointer { fill: none; stroke: #2f81f7; stroke-width: 1.5; }";

/// Radius of corners.
const ROUND: f64 = 6.0;

impl InputMap {
    /// The same map gives the same text. Boxes have `data-object` (except for the roots), arrows `data-from` and
    /// `data-to`.
    pub fn to_svg(&self) -> String {
        let picture = Picture::of(self);
        let layout = Layout::of(&picture);
        let (width, height) = (layout.width, layout.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.1} {height:.1}\">\n<title>input</title>\n<style>{STYLE}</style>\n<defs><marker \
             id=\"tine-arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#2f81f7\"/></marker></defs>\n"
        );
        for (one, area) in picture.boxes.iter().zip(&layout.boxes) {
            write_box(&mut out, one, (area.x, area.y), (area.width, area.height));
        }
        for drawn in &layout.arrows {
            write_arrow(&mut out, &picture, drawn);
        }
        out + "</svg>\n"
    }
}

fn write_box(out: &mut String, one: &Box, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let object = one.object.map(|id| format!(" data-object=\"{}\"", id.0)).unwrap_or_default();
    let _ = writeln!(out, "<g{object}>");
    let rect = |class: &str, height: f64| {
        format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>\n")
    };
    out.push_str(&rect("box", height));
    out.push_str(&rect("title", ROW));
    let mut text = |row: usize, class: &str, text: &str| {
        let (x, y) = (x + PADDING, y + ROW * (row as f64 + 0.7));
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
    };
    text(0, "name", &one.title);
    for (number, row) in one.rows.iter().enumerate() {
        text(number + 1, class(row), &row.line());
    }
    for line in 2..=one.rows.len() {
        let y = y + ROW * line as f64;
        let _ =
            writeln!(out, "<line class=\"line\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>", x + width);
    }
    out.push_str("</g>\n");
}

fn class(row: &Row) -> &'static str {
    match row.kind {
        RowKind::Null => "null",
        RowKind::Untouched => "untouched",
        RowKind::Plain | RowKind::Pointer(_) => "cell",
    }
}

fn write_arrow(out: &mut String, picture: &Picture, drawn: &Drawn) {
    let name = |index: usize| picture.boxes[index].object.map_or_else(|| "input".to_owned(), |id| id.0.to_string());
    let path = match &drawn.route {
        Route::Curve([a, b, c, d]) => {
            format!("M{} C{} {} {}", point(*a), point(*b), point(*c), point(*d))
        }
        Route::Lines(points) => rounded(points),
    };
    let (from, to) = (name(drawn.from.0), name(drawn.arrow.to));
    let _ = writeln!(
        out,
        "<path class=\"pointer\" data-from=\"{from}\" data-to=\"{to}\" d=\"{path}\" marker-end=\"url(#tine-arrow)\"/>"
    );
}

fn point((x, y): (f64, f64)) -> String {
    format!("{x:.1},{y:.1}")
}

/// Connected lines whose corners are rounded by curves.
fn rounded(points: &[(f64, f64)]) -> String {
    let mut path = format!("M{}", point(points[0]));
    for corner in points.windows(3) {
        let near = |end: (f64, f64)| towards(corner[1], end);
        let _ = write!(path, " L{} Q{} {}", point(near(corner[0])), point(corner[1]), point(near(corner[2])));
    }
    if let Some(last) = points.last() {
        let _ = write!(path, " L{}", point(*last));
    }
    path
}

/// A point near `corner` towards `end`, at most halfway.
fn towards(corner: (f64, f64), end: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (end.0 - corner.0, end.1 - corner.1);
    let length = dx.hypot(dy);
    let share = if length > 0.0 { (ROUND / length).min(0.5) } else { 0.0 };
    (corner.0 + dx * share, corner.1 + dy * share)
}

/// Escapes text and attributes. XML cannot represent most control characters, but literals have already escaped them.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
