//! Layout of boxes and arrows of a picture. Boxes are placed in columns by their distance from the roots. So an arrow
//! goes to the next column, stays in its own, or goes back. Arrows back run below all boxes.
//!
//! ```text
//!   ┌───────┐      ┌──────┐      ┌──────┐
//!   │ p   ──┼─────▶│ v    │   ┌─▶│ v    │
//!   └───────┘   ┌─▶│ next─┼───┘  │ next─┼─┐
//!               │  └──────┘      └──────┘ │
//!               └─────────────────────────┘
//! ```

use std::collections::VecDeque;

use super::picture::{Arrow, Box, Picture, RowKind};

pub(super) const ROW: f64 = 20.0;
pub(super) const LETTER: f64 = 7.3;
pub(super) const PADDING: f64 = 8.0;
const MARGIN: f64 = 16.0;
const BETWEEN_ROWS: f64 = 24.0;
const GAP: f64 = 56.0;
/// Distance between parallel arrows.
const LANE: f64 = 8.0;

pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Positions of the picture's boxes.
    pub(super) boxes: Vec<Area>,
    pub(super) arrows: Vec<Drawn>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    /// The middle of a row, or of the title without one.
    fn row(self, row: Option<usize>) -> f64 {
        self.y + ROW * (row.map_or(0.0, |row| row as f64 + 1.0) + 0.5)
    }
}

/// An arrow from a row of box `from`.
pub(super) struct Drawn {
    pub(super) from: (usize, usize),
    pub(super) arrow: Arrow,
    pub(super) route: Route,
}

pub(super) enum Route {
    /// Along a curve with two control points.
    Curve([(f64, f64); 4]),
    /// Along straight lines, whose corners are rounded.
    Lines(Vec<(f64, f64)>),
}

impl Layout {
    pub(super) fn of(picture: &Picture) -> Layout {
        let columns = columns(&picture.boxes);
        let arrows: Vec<_> = arrows(picture);
        let n_columns = columns.iter().max().map_or(0, |last| last + 1);
        // Every arrow that runs vertically between columns needs room there.
        let mut lanes = vec![0usize; n_columns];
        let mut take = |gap: usize| {
            lanes[gap] += 1;
            lanes[gap]
        };
        let plans: Vec<Plan> = arrows
            .iter()
            .map(|((from, _), arrow)| match (columns[*from], columns[arrow.to]) {
                (source, target) if target == source + 1 => Plan::Forward,
                (source, target) if target == source => Plan::Beside { lane: take(source) },
                // Roots are in the first column and are not pointed to, so a column precedes the target's.
                (source, target) => Plan::Back { out: take(source), back: take(target.saturating_sub(1)) },
            })
            .collect();
        let (boxes, lefts) = place(&picture.boxes, &columns, &lanes);
        let bottom = boxes.iter().map(|area| area.y + area.height).fold(0.0, f64::max);
        let mut layout = Layout { width: lefts[n_columns] + MARGIN, height: bottom, boxes, arrows: Vec::new() };
        for ((from, arrow), plan) in arrows.into_iter().zip(plans) {
            let (source, target) = (layout.boxes[from.0], layout.boxes[arrow.to]);
            let start = (source.x + source.width, source.row(Some(from.1)));
            let y = target.row(arrow.row);
            let lane = |lane: usize| LANE * lane as f64;
            let route = match plan {
                Plan::Forward => {
                    let middle = (start.0 + target.x) / 2.0;
                    Route::Curve([start, (middle, start.1), (middle, y), (target.x, y)])
                }
                Plan::Beside { lane: number } => {
                    let far = start.0 + 16.0 + lane(number);
                    Route::Curve([start, (far, start.1), (far, y), (target.x + target.width, y)])
                }
                Plan::Back { out, back } => {
                    layout.height += LANE;
                    let (out, back, low) = (start.0 + 8.0 + lane(out), target.x - 16.0 - lane(back), layout.height);
                    Route::Lines(vec![start, (out, start.1), (out, low), (back, low), (back, y), (target.x, y)])
                }
            };
            layout.arrows.push(Drawn { from, arrow, route });
        }
        layout.height += MARGIN;
        layout
    }
}

#[derive(Clone, Copy)]
enum Plan {
    Forward,
    Beside { lane: usize },
    Back { out: usize, back: usize },
}

/// Every pointer: its box and row, and its target.
fn arrows(picture: &Picture) -> Vec<((usize, usize), Arrow)> {
    let of_box = |(index, one): (usize, &Box)| -> Vec<_> {
        let arrow = |(row, kind)| match kind {
            RowKind::Pointer(arrow) => Some(((index, row), arrow)),
            _ => None,
        };
        one.rows.iter().map(|row| row.kind).enumerate().filter_map(arrow).collect()
    };
    picture.boxes.iter().enumerate().flat_map(of_box).collect()
}

/// Distance of each box from the roots. Unreachable boxes, which occur only in a hand-written map, come after all
/// others.
fn columns(boxes: &[Box]) -> Vec<usize> {
    let mut columns = vec![usize::MAX; boxes.len()];
    columns[0] = 0;
    let mut open = VecDeque::from([0]);
    while let Some(index) = open.pop_front() {
        for row in &boxes[index].rows {
            if let RowKind::Pointer(Arrow { to, .. }) = row.kind
                && columns[to] == usize::MAX
            {
                columns[to] = columns[index] + 1;
                open.push_back(to);
            }
        }
    }
    columns.iter().map(|column| if *column == usize::MAX { 1 } else { *column }).collect()
}

/// Positions of the boxes. Those of a column have the same width and are stacked vertically. Also returns the left edge
/// of each column and of the one after the last.
fn place(boxes: &[Box], columns: &[usize], lanes: &[usize]) -> (Vec<Area>, Vec<f64>) {
    let mut areas = vec![Area::default(); boxes.len()];
    let mut lefts = vec![MARGIN];
    for (column, n_lanes) in lanes.iter().enumerate() {
        let members: Vec<usize> = (0..boxes.len()).filter(|index| columns[*index] == column).collect();
        let width = members.iter().map(|index| width(&boxes[*index])).fold(0.0, f64::max);
        let (x, mut y) = (lefts[column], MARGIN);
        for index in members {
            let height = ROW * (boxes[index].rows.len() + 1) as f64;
            areas[index] = Area { x, y, width, height };
            y += height + BETWEEN_ROWS;
        }
        let last = column + 1 == lanes.len();
        let gap = if last && *n_lanes == 0 { 0.0 } else { GAP + LANE * *n_lanes as f64 };
        lefts.push(x + width + gap);
    }
    (areas, lefts)
}

fn width(one: &Box) -> f64 {
    let letters = one.rows.iter().map(|row| row.line().chars().count()).chain([one.title.chars().count()]).max();
    2.0 * PADDING + LETTER * letters.unwrap_or(0).max(4) as f64
}
