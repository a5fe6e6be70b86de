//! SVG drawing of the graph: functions one below the other, their blocks in rows by distance from the entry.
//!
//! ```text
//!   f                     line 3
//!   ┌────┐
//!   │ 4  │                 blocks show their line and their calls
//!   └────┘
//!  true│  ╲false           arrows down are straight, arrows back run on the right
//!   ┌────┐ ┌────┐
//! ```

use std::collections::VecDeque;
use std::fmt::Write as _;

use tine_explore::map::FunctionId;

use super::{Graph, Seen, Shown};

const WIDTH: u32 = 132;
const HEIGHT: u32 = 34;
const GAP_X: u32 = 30;
const GAP_Y: u32 = 44;
const MARGIN: u32 = 20;
const TITLE: u32 = 26;

impl Graph<'_> {
    /// The graph as SVG.
    pub fn svg(&self) -> String {
        let mut body = String::new();
        let (mut width, mut y) = (400, MARGIN);
        for id in self.functions() {
            let (drawn, size) = self.draw(id, y);
            body.push_str(&drawn);
            width = width.max(size.0);
            y += size.1;
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"monospace\" \
             font-size=\"12\">\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n{body}</svg>\n",
            y + MARGIN
        )
    }

    /// Draws a function at `top`. Returns its width and height, too.
    fn draw(&self, id: FunctionId, top: u32) -> (String, (u32, u32)) {
        let function = self.map.function(id);
        let places = self.places(id);
        let n_columns = places.iter().map(|(column, _)| column + 1).max().unwrap_or(1);
        let n_rows = places.iter().map(|(_, row)| row + 1).max().unwrap_or(0);
        let first = function.blocks.start;
        let corner = |number: u32| {
            let (column, row) = places[(number - first) as usize];
            (MARGIN + column * (WIDTH + GAP_X), top + TITLE + row * (HEIGHT + GAP_Y))
        };
        let right = MARGIN + n_columns * (WIDTH + GAP_X);
        let mut text = String::new();
        let title = format!("{}  {}:{}", function.name, function.file, function.line);
        label(&mut text, MARGIN, top + 12, &title, "font-weight=\"bold\"");
        for number in function.blocks.clone() {
            let block = &self.map.blocks()[number as usize];
            let (x, y) = corner(number);
            writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\" fill=\"none\" stroke=\"{}\"/>",
                self.colours.get(number as usize).unwrap_or(&"black")
            )
            .expect("a string");
            let line = if block.line == 0 { String::new() } else { block.line.to_string() };
            label(&mut text, x + 6, y + 14, &line, "");
            let calls: Vec<&str> = self.calls(block).into_iter().map(|id| &*self.map.function(id).name).collect();
            if !calls.is_empty() {
                let calls: String = format!("→ {}", calls.join(", ")).chars().take(17).collect();
                label(&mut text, x + 6, y + 28, &calls, "fill=\"blue\"");
            }
            for (index, flow) in self.flows(block).iter().enumerate() {
                arrow(&mut text, (x, y), corner(flow.to), right, index as u32, flow);
            }
        }
        (text, (right + 60, TITLE + n_rows * (HEIGHT + GAP_Y) + MARGIN))
    }

    /// Column and row of each block of a function. Unreachable blocks come last.
    fn places(&self, id: FunctionId) -> Vec<(u32, u32)> {
        let blocks = self.map.function(id).blocks.clone();
        let index = |number: u32| (number - blocks.start) as usize;
        let mut rows: Vec<Option<u32>> = vec![None; blocks.len()];
        let mut pending: VecDeque<u32> = blocks.clone().take(1).collect();
        if let Some(first) = rows.first_mut() {
            *first = Some(0);
        }
        while let Some(number) = pending.pop_front() {
            let row = rows[index(number)].unwrap_or(0);
            for flow in self.flows(&self.map.blocks()[number as usize]) {
                if blocks.contains(&flow.to) && rows[index(flow.to)].is_none() {
                    rows[index(flow.to)] = Some(row + 1);
                    pending.push_back(flow.to);
                }
            }
        }
        let below = rows.iter().flatten().max().map_or(0, |row| row + 1);
        let mut used = vec![0; below as usize + 1];
        let place = |row: Option<u32>| {
            let row = row.unwrap_or(below);
            let column = used[row as usize];
            used[row as usize] += 1;
            (column, row)
        };
        rows.into_iter().map(place).collect()
    }
}

/// An arrow from one block to another, the `index`th that starts there.
fn arrow(text: &mut String, from: (u32, u32), to: (u32, u32), right: u32, index: u32, flow: &Shown) {
    let (x, y) = (from.0 + 30 + 60 * index.min(1), from.1 + HEIGHT);
    let (target_x, target_y) = (to.0 + WIDTH / 2, to.1);
    let path = if to.1 > from.1 {
        format!("M{x} {y}L{target_x} {target_y}")
    } else {
        // Backwards: on the right.
        let (side, bottom, above) = (right + 10 + 6 * index, y + 14, target_y.saturating_sub(12));
        format!("M{x} {y}V{bottom}H{side}V{above}H{target_x}V{target_y}")
    };
    let style = match flow.side {
        Some((_, Seen::Missed)) => "stroke=\"red\"",
        Some((_, Seen::Infeasible)) => "stroke=\"grey\" stroke-dasharray=\"4 3\"",
        _ => "stroke=\"black\"",
    };
    writeln!(text, "<path d=\"{path}\" fill=\"none\" {style} marker-end=\"url(#a)\"/>").expect("a string");
    if let Some((side, _)) = &flow.side {
        label(text, x + 3, y + 13, side, "font-size=\"10\"");
    }
}

fn label(text: &mut String, x: u32, y: u32, words: &str, style: &str) {
    if !words.is_empty() {
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        writeln!(text, "<text x=\"{x}\" y=\"{y}\" {style}>{words}</text>").expect("a string");
    }
}
