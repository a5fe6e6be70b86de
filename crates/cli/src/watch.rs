//! `--watch`: a screen about a running exploration. Events change a state. A separate thread draws it a few times a
//! second, so that it follows the size of the terminal even without events.
//!
//! The terminal handles the keys: Ctrl-C interrupts the exploration as it does without the screen.

use std::collections::VecDeque;
use std::io::Stderr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::prelude::{CrosstermBackend, Frame, Terminal};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Paragraph};
use tine_engine::event::{Event, Progress};
use tine_explore::ProgramMap;
use tine_report::printable;

/// Interval between two redraws.
const PAUSE: Duration = Duration::from_millis(150);
/// Period over which rates are measured.
const WINDOW: Duration = Duration::from_secs(2);
/// Maximum number of points of the curve. It is constant between them.
const MAX_POINTS: usize = 2000;

#[derive(Default)]
struct State {
    target: String,
    workers: usize,
    map: Option<Arc<ProgramMap>>,
    progress: Option<Progress>,
    /// Seconds and branch sides.
    curve: Vec<(f64, f64)>,
    /// Times and numbers of runs.
    recent: VecDeque<(Instant, u64)>,
    errors: Vec<String>,
    activity: VecDeque<String>,
    queries_given_up: u64,
}

/// See the module's documentation.
pub(crate) struct Watch {
    state: Arc<Mutex<State>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Opens the screen. `None` if the terminal does not support it.
    pub(crate) fn open(target: &str, workers: usize, colour: bool) -> Option<Watch> {
        let mut terminal = Terminal::new(CrosstermBackend::new(std::io::stderr())).ok()?;
        execute!(std::io::stderr(), EnterAlternateScreen, Hide).ok()?;
        let state = State { target: target.to_owned(), workers, ..State::default() };
        let (state, is_over) = (Arc::new(Mutex::new(state)), Arc::new(AtomicBool::new(false)));
        let (shared, over) = (Arc::clone(&state), Arc::clone(&is_over));
        let thread = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                draw(&mut terminal, &shared, colour);
                std::thread::park_timeout(PAUSE);
            }
        });
        Some(Watch { state, is_over, thread: Some(thread) })
    }

    pub(crate) fn event(&self, event: &Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started(started) => state.map = Some(Arc::clone(&started.map)),
            Event::Progress(progress) => state.take(progress),
            Event::Covered { side, case } => {
                let Some(map) = state.map.clone() else { return };
                let branch = map.branch(map.branch_side(*side).0);
                let text = format!("{}:{} {} (case {})", name(&branch.file), branch.line, map.label(*side), case.0);
                state.log(&format!("covered {text}"));
            }
            Event::Error { error, .. } => {
                let place = format!("{}:{}", name(&error.place.file), error.place.line);
                state.errors.push(printable(&format!("{} at {place}", error.kind.text())).into_owned());
                state.log(&format!("error: {} at {place}", error.kind.text()));
            }
            Event::SlowQuery { why, .. } => {
                state.queries_given_up += 1;
                state.log(&format!("the solver gave up on a query: {why}"));
            }
            _ => {}
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
        let _ = execute!(std::io::stderr(), Show, LeaveAlternateScreen);
    }
}

impl State {
    fn take(&mut self, progress: &Progress) {
        let now = Instant::now();
        self.recent.push_back((now, progress.runs));
        while self.recent.len() > 2 && self.recent.front().is_some_and(|(then, _)| now - *then > WINDOW) {
            self.recent.pop_front();
        }
        let point = (progress.elapsed.as_secs_f64(), progress.branches_covered as f64);
        if self.curve.last().is_none_or(|last| last.1 != point.1) && self.curve.len() < MAX_POINTS {
            self.curve.push(point);
        }
        self.progress = Some(progress.clone());
    }

    fn log(&mut self, text: &str) {
        self.activity.push_back(printable(text).into_owned());
        if self.activity.len() > 200 {
            self.activity.pop_front();
        }
    }

    /// Recent runs per second.
    fn rate(&self) -> f64 {
        let (Some(first), Some(last)) = (self.recent.front(), self.recent.back()) else { return 0.0 };
        (last.1 - first.1) as f64 / (last.0 - first.0).as_secs_f64().max(0.1)
    }
}

fn name(file: &str) -> &str {
    std::path::Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

fn draw(terminal: &mut Terminal<CrosstermBackend<Stderr>>, state: &Mutex<State>, colour: bool) {
    let state = state.lock().unwrap_or_else(PoisonError::into_inner);
    // Losing the terminal does not stop the exploration.
    let _ = terminal.draw(|frame| screen(frame, &state, colour));
}

fn screen(frame: &mut Frame<'_>, state: &State, colour: bool) {
    let area = frame.area();
    let paint = |style: Style| if colour { style } else { Style::default() };
    let n_errors = state.errors.len().clamp(1, usize::from(area.height / 4).max(1)) as u16;
    let [head, chart, errors, activity] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Min(3),
        Constraint::Length(n_errors),
        Constraint::Length(if area.height >= 16 { 4 } else { 1 }),
    ])
    .areas(area);
    let bold = Style::default().add_modifier(Modifier::BOLD);
    let lines = [Line::styled(title(state), bold), Line::raw(figures(state))];
    frame.render_widget(Paragraph::new(lines.to_vec()), head);
    curve(frame, chart, state, paint(Style::default().fg(Color::Cyan)));
    let bad = paint(Style::default().fg(Color::Red));
    let shown = state.errors.iter().rev().take(usize::from(errors.height));
    let list: Vec<Line<'_>> = if state.errors.is_empty() {
        vec![Line::raw("no errors up to now")]
    } else {
        shown.map(|error| Line::styled(format!("✖ {error}"), bad)).collect()
    };
    frame.render_widget(Paragraph::new(list), errors);
    let recent = state.activity.iter().rev().take(usize::from(activity.height)).map(|text| Line::raw(text.as_str()));
    frame.render_widget(Paragraph::new(recent.collect::<Vec<_>>()), activity);
}

fn title(state: &State) -> String {
    let elapsed = state.progress.as_ref().map_or(0.0, |progress| progress.elapsed.as_secs_f64());
    let workers = if state.workers == 1 { "1 worker".to_owned() } else { format!("{} workers", state.workers) };
    format!("{} · {elapsed:.1} s · {workers}", printable(&state.target))
}

fn figures(state: &State) -> String {
    let Some(progress) = &state.progress else { return "starting".to_owned() };
    let solver = 100.0 * progress.solving.as_secs_f64() / progress.elapsed.as_secs_f64().max(0.001);
    let Progress { runs, paths, branches_covered, branches_total, errors, .. } = progress;
    format!(
        "{branches_covered}/{branches_total} sides · {errors} errors · {:.0} runs/s · {runs} runs · {paths} paths · \
         solver {solver:.0} % · {} given up",
        state.rate(),
        state.queries_given_up
    )
}

fn curve(frame: &mut Frame<'_>, area: Rect, state: &State, style: Style) {
    let total = state.progress.as_ref().map_or(1.0, |progress| progress.branches_total as f64).max(1.0);
    let until = state.progress.as_ref().map_or(1.0, |progress| progress.elapsed.as_secs_f64()).max(0.1);
    // Draw steps: the height is constant until the next point.
    let mut points = Vec::with_capacity(state.curve.len() * 2 + 1);
    for point in &state.curve {
        points.extend(points.last().map(|last: &(f64, f64)| (point.0, last.1)));
        points.push(*point);
    }
    points.extend(points.last().map(|last| (until, last.1)));
    let data = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).style(style).data(&points);
    let x = Axis::default().bounds([0.0, until]).labels(["0 s".to_owned(), format!("{until:.0} s")]);
    let y = Axis::default().bounds([0.0, total]).labels(["0".to_owned(), format!("{total:.0}")]);
    let chart = Chart::new(vec![data]).x_axis(x).y_axis(y);
    let chart = if area.height >= 8 { chart.block(Block::new().title("branch sides covered")) } else { chart };
    frame.render_widget(chart, area);
}

#[cfg(test)]
mod tests {
    use ratatui::backend::TestBackend;

    use super::*;

    fn progress(runs: u64, covered: usize, millis: u64) -> Progress {
        Progress {
            runs,
            paths: runs,
            branches_covered: covered,
            branches_total: 10,
            errors: 1,
            solving: Duration::from_millis(millis / 4),
            machines: Vec::new(),
            elapsed: Duration::from_millis(millis),
            so_far: None,
        }
    }

    fn drawn(state: &State, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen in memory");
        terminal.draw(|frame| screen(frame, state, true)).expect("it is drawn");
        terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn a_row_is_for_errors() {
        let mut state = State { workers: 1, ..State::default() };
        assert!(drawn(&state, 40, 10).contains("no errors up to now"));
        state.errors.push("abort at unit.c:4".to_owned());
        let text = drawn(&state, 40, 10);
        assert!(text.contains("✖ abort at unit.c:4") && !text.contains("no errors"), "{text}");
    }

    /// Every size can be drawn, even if not all parts fit.
    #[test]
    fn any_size_is_drawn() {
        let mut state = State { target: "f\x1b[2J".to_owned(), workers: 2, ..State::default() };
        for (runs, covered, millis) in [(1, 2, 10), (50, 4, 900), (700, 9, 4000)] {
            state.take(&progress(runs, covered, millis));
        }
        state.errors.push("division by zero at unit.c:3".to_owned());
        state.log("covered unit.c:3 true (case 2)");
        for (width, height) in [(40, 10), (1, 1), (80, 24), (200, 60), (20, 4)] {
            let text = drawn(&state, width, height);
            assert!(!text.contains('\x1b'));
            if height >= 10 {
                assert!(text.contains("9/10 sides") && text.contains("division by zero"), "{text}");
            }
        }
    }
}
