//! Charts, drawn as SVG: coverage over runs and time, solver tiers, strategies.

use std::fmt::Write as _;
use std::time::Duration;

use maud::{Markup, PreEscaped, html};

use crate::data::Data;
use crate::style::{duration, grouped};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 30.0;
/// Height of a bar with its gap.
const BAR: f64 = 22.0;
/// Room for the names of bars.
const NAMES: f64 = 120.0;

pub(super) fn section(data: &Data) -> Markup {
    let summary = &data.summary;
    let curve = &data.curve;
    let runs = curve.iter().map(|point| (point.run as f64, point.covered as f64)).collect::<Vec<_>>();
    let times = curve.iter().map(|point| (point.elapsed_ms as f64, point.covered as f64)).collect::<Vec<_>>();
    let top = summary.branches_total.max(1) as f64;
    let by_run = curve_of(&runs, summary.runs as f64, top, &|value| grouped(value as u64));
    let by_time = curve_of(&times, summary.time_ms as f64, top, &|value| duration(Duration::from_millis(value as u64)));
    let mut tiers: Vec<(&str, f64, String)> = Vec::new();
    for (name, tier) in summary.solver.tiers.iter().filter(|(_, tier)| tier.answered > 0 || tier.time_ms >= 0.5) {
        let time = duration(Duration::from_secs_f64(tier.time_ms.max(0.0) / 1000.0));
        tiers.push((name, tier.answered as f64, format!("{} answers, {time}", grouped(tier.answered))));
    }
    tiers.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut strategies: Vec<(&str, f64, String)> = Vec::new();
    for (name, chosen) in &summary.strategies {
        let text = format!("{} jobs, {} sides, {} errors", grouped(chosen.jobs), chosen.covered, chosen.errors);
        strategies.push((name, chosen.jobs as f64, text));
    }
    strategies.sort_by(|a, b| b.1.total_cmp(&a.1));
    html! {
        section id="charts" aria-labelledby="charts-title" {
            h2 id="charts-title" { "Search and solver" }
            div.charts {
                (figure("Branch sides covered, by number of runs", &by_run))
                (figure("Branch sides covered, by time", &by_time))
                @if !tiers.is_empty() { (figure("Queries answered by each solver tier", &bars(&tiers))) }
                @if !strategies.is_empty() { (figure("Jobs chosen by each strategy, and what they brought", &bars(&strategies))) }
            }
            @let solver = &summary.solver;
            @if data.is_finished { p.soft.small {
                (grouped(solver.queries)) " queries: " (grouped(solver.sat)) " sat, " (grouped(solver.unsat)) " unsat, "
                (grouped(solver.unknown)) " without an answer; " (duration(Duration::from_secs_f64(solver.time_ms.max(0.0) / 1000.0))) " in the solver."
            } }
        }
    }
}

fn figure(title: &str, svg: &str) -> Markup {
    html! { figure { figcaption { (title) } (PreEscaped(svg)) } }
}

/// A step curve; numbers only, so nothing needs to be escaped. `until` is the end of the horizontal axis.
fn curve_of(points: &[(f64, f64)], until: f64, top: f64, unit: &dyn Fn(f64) -> String) -> String {
    let until = points.iter().map(|point| point.0).fold(until.max(1.0), f64::max);
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / until;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value / top).min(1.0);
    let last = points.last().map_or(0.0, |point| point.1);
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{last:.0} of {top:.0} sides are \
         covered at the end\">"
    );
    for part in 0..=4 {
        let value = top * f64::from(part) / 4.0;
        let at = y(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>",
            WIDTH - RIGHT
        );
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            grouped(value.round() as u64)
        );
    }
    let mut path = format!("M{:.1},{:.1}", x(0.0), y(0.0));
    for (at, value) in thinned(points) {
        let _ = write!(path, " H{:.1} V{:.1}", x(at), y(value));
    }
    let _ = write!(path, " H{:.1}", x(until));
    let _ = write!(svg, "<path class=\"fill\" d=\"{path} V{:.1} Z\"/><path class=\"curve\" d=\"{path}\"/>", y(0.0));
    for (share, anchor) in [(0.0, "start"), (0.5, "middle"), (1.0, "end")] {
        let value = until * share;
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            x(value),
            HEIGHT - 9.0,
            unit(value)
        );
    }
    svg + "</svg>"
}

/// At most a few points per pixel.
fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let step = points.len().div_ceil(2000).max(1);
    let last = points.len().saturating_sub(1);
    points.iter().enumerate().filter(move |(index, _)| index % step == 0 || *index == last).map(|(_, point)| *point)
}

/// Horizontal bars with names and labels. Names are tine's own.
fn bars(rows: &[(&str, f64, String)]) -> String {
    let most = rows.iter().map(|row| row.1).fold(1.0, f64::max);
    let height = BAR * rows.len() as f64 + 4.0;
    let room = WIDTH - NAMES - 170.0;
    let mut svg = format!("<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"Bars\">");
    for (index, (name, value, text)) in rows.iter().enumerate() {
        let y = BAR * index as f64 + 4.0;
        let width = (room * value / most).max(1.0);
        let _ = write!(
            svg,
            "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>\
             <rect class=\"b1\" x=\"{NAMES}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"13\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            NAMES - 8.0,
            y + 10.5,
            NAMES + width + 6.0,
            y + 10.5,
        );
    }
    svg + "</svg>"
}
