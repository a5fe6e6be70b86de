//! Pictures of curves: coverage over runs, a line per strategy.
//!
//! ```text
//!  sides │        ╭────── auto
//!        │   ╭────╯ ╭──── dfs
//!        │ ╭─╯  ╭───╯
//!        └──────────────▶ runs
//! ```

use std::fmt::Write as _;

/// Heights by number of runs. The height is constant up to the next point.
pub type Curve = Vec<(u64, f64)>;

/// A picture of curves.
#[derive(Clone, Debug)]
pub struct Plot {
    pub title: String,
    pub x: String,
    pub y: String,
    /// Maximum of the horizontal axis.
    pub until: u64,
    /// Curves with their names.
    pub curves: Vec<(String, Curve)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 32.0;
const RIGHT: f64 = 150.0;
const BOTTOM: f64 = 44.0;
/// Vertical distance of names.
const LINE: f64 = 14.0;
/// Colours that colour-blind people can distinguish. Further curves reuse them with dashes.
const COLOURS: [&str; 6] = ["#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#b8860b"];

/// Mean of several curves.
pub fn mean(curves: &[Curve], until: u64, n_points: u64) -> Curve {
    let steps = n_points.clamp(1, until.max(1));
    let mut points: Vec<u64> = (0..=steps).map(|k| until * k / steps).collect();
    points.dedup();
    let n = curves.len().max(1) as f64;
    points.into_iter().map(|run| (run, curves.iter().map(|curve| height(curve, run)).sum::<f64>() / n)).collect()
}

/// Height of a curve after this number of runs.
pub fn height(curve: &[(u64, f64)], run: u64) -> f64 {
    let n_before = curve.partition_point(|point| point.0 <= run);
    n_before.checked_sub(1).map_or(0.0, |last| curve[last].1)
}

impl Plot {
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let top = self.curves.iter().flat_map(|(_, curve)| curve).fold(1.0, |top: f64, point| top.max(point.1));
        let step = round_step(top);
        let top = (top / step).ceil() * step;
        let x = |run: u64| LEFT + (WIDTH - LEFT - RIGHT) * run as f64 / self.until.max(1) as f64;
        let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
        let mut body = String::new();
        text(&mut body, LEFT, 18.0, "start", &self.title, " font-weight=\"bold\"");
        let mut value = 0.0;
        while value <= top {
            let at = y(value);
            let end = WIDTH - RIGHT;
            let _ = writeln!(body, "<path d=\"M{LEFT:.1} {at:.1}H{end:.1}\" stroke=\"#dddddd\"/>");
            text(&mut body, LEFT - 6.0, at + 4.0, "end", &format!("{value}"), "");
            value += step;
        }
        let run_step = (round_step(self.until as f64) as u64).max(1);
        for run in (0..=self.until).step_by(run_step as usize) {
            text(&mut body, x(run), HEIGHT - BOTTOM + 16.0, "middle", &run.to_string(), "");
        }
        text(&mut body, x(self.until / 2), HEIGHT - 8.0, "middle", &self.x, "");
        text(&mut body, WIDTH - RIGHT, 18.0, "end", &self.y, " fill=\"#666666\"");
        let mut ends: Vec<(f64, usize)> = Vec::new();
        for (number, (_, curve)) in self.curves.iter().enumerate() {
            let mut path = String::new();
            let mut last = None;
            for &(run, value) in curve {
                let sign = if last.is_none() { 'M' } else { 'L' };
                let _ = write!(path, "{sign}{:.1} {:.1}", x(run), y(value));
                last = Some(value);
            }
            let _ = writeln!(
                body,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>",
                COLOURS[number % COLOURS.len()],
                if number == 0 { 2.2 } else { 1.3 },
                dashes(number)
            );
            ends.push((y(last.unwrap_or(0.0)), number));
        }
        self.name(&mut body, ends);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }

    /// Draws names after the ends of the curves without overlap.
    fn name(&self, body: &mut String, mut ends: Vec<(f64, usize)>) {
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let lowest = HEIGHT - BOTTOM;
        let mut at = f64::MIN;
        let rest = |k: usize| (ends.len() - 1 - k) as f64 * LINE;
        for (k, &(end, number)) in ends.iter().enumerate() {
            at = end.min(lowest - rest(k)).max(at + LINE);
            let (x, middle) = (WIDTH - RIGHT + 6.0, at);
            let _ = writeln!(
                body,
                "<path d=\"M{x:.1} {middle:.1}h18\" stroke=\"{}\" stroke-width=\"2\"{}/>",
                COLOURS[number % COLOURS.len()],
                dashes(number)
            );
            text(body, x + 22.0, middle + 4.0, "start", &self.curves[number].0, "");
        }
    }
}

fn dashes(number: usize) -> &'static str {
    match number / COLOURS.len() {
        0 => "",
        1 => " stroke-dasharray=\"5 3\"",
        _ => " stroke-dasharray=\"2 2\"",
    }
}

fn text(body: &mut String, x: f64, y: f64, anchor: &str, words: &str, more: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{words}</text>");
}

/// A step of one, two or five times a power of ten, so that four to ten steps reach `top`.
fn round_step(top: f64) -> f64 {
    let rough = top.max(1.0) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough).unwrap_or(10.0) * power;
    step.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_taken_run_by_run() {
        let one = vec![(1, 10.0), (5, 20.0)];
        let other = vec![(2, 30.0)];
        let mean = mean(&[one, other], 6, 6);
        assert_eq!(mean, [(0, 0.0), (1, 5.0), (2, 20.0), (3, 20.0), (4, 20.0), (5, 25.0), (6, 25.0)]);
    }

    #[test]
    fn few_points_do_for_many_runs() {
        let curve = mean(&[vec![(1, 3.0)]], 4000, 200);
        assert_eq!((curve.len(), curve[200]), (201, (4000, 3.0)));
        assert_eq!(mean(&[], 0, 200), [(0, 0.0)]);
    }

    #[test]
    fn steps_are_round() {
        let steps = [1.0, 7.0, 40.0, 163.0, 1000.0, 4000.0].map(round_step);
        assert_eq!(steps, [1.0, 2.0, 10.0, 50.0, 200.0, 1000.0]);
    }

    #[test]
    fn every_curve_is_drawn_and_named() {
        let names: Vec<String> = (0..9).map(|k| format!("a<{k}")).collect();
        let curves = names.iter().map(|name| (name.clone(), vec![(0, 0.0), (10, 5.0)])).collect();
        let plot = Plot { title: "t & u".into(), x: "runs".into(), y: "sides".into(), until: 10, curves };
        let svg = plot.svg();
        assert_eq!(svg.matches("fill=\"none\"").count(), 9);
        assert!(svg.contains("t &amp; u") && svg.contains(">a&lt;8<"), "{svg}");
        // Names of curves that end at the same height are stacked inside the picture.
        let places: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains(">a&lt;"))
            .filter_map(|line| line.split("y=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 0.2), "{places:?}");
        assert!(places.iter().all(|place| (0.0..HEIGHT).contains(place)), "{places:?}");
    }
}
