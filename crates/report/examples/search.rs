//! search TITLE RUNS PICTURE STRATEGY=SESSION…: growth of coverage with each strategy, as the mean of its sessions.
//!
//! Writes the picture, and prints a line per strategy with mean values: covered sides at the end, sides of the
//! functions that were reached, runs, and runs per second. For `benches/search.sh`.

use std::path::Path;
use std::process::ExitCode;

use tine_report::plot::{Curve, Plot, mean};
use tine_session::{Session, SessionError};

/// Number of points of a curve in the picture.
const N_POINTS: u64 = 160;

#[derive(Default)]
struct Strategy {
    curves: Vec<Curve>,
    covered: f64,
    reached: f64,
    runs: f64,
    seconds: f64,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [title, runs, picture, sessions @ ..] = &words[..] else {
        eprintln!("usage: search TITLE RUNS PICTURE STRATEGY=SESSION…");
        return ExitCode::from(2);
    };
    let Ok(until) = runs.parse() else {
        eprintln!("search: `{runs}` is not a number of runs");
        return ExitCode::from(2);
    };
    match draw(title, until, Path::new(picture), sessions) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("search: {why}");
            ExitCode::FAILURE
        }
    }
}

fn draw(title: &str, until: u64, picture: &Path, sessions: &[String]) -> Result<(), String> {
    let mut strategies: Vec<(String, Strategy)> = Vec::new();
    for word in sessions {
        let (name, dir) = word.split_once('=').ok_or_else(|| format!("`{word}` is not STRATEGY=SESSION"))?;
        let place = strategies.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            strategies.push((name.to_owned(), Strategy::default()));
            strategies.len() - 1
        });
        read(&mut strategies[place].1, Path::new(dir)).map_err(|why| format!("{dir}: {why}"))?;
    }
    for (name, strategy) in &strategies {
        let n = strategy.curves.len() as f64;
        println!(
            "{name} {:.1} {:.1} {:.0} {:.0}",
            strategy.covered / n,
            strategy.reached / n,
            strategy.runs / n,
            strategy.runs / strategy.seconds.max(0.001)
        );
    }
    let curves = strategies.iter().map(|(name, strategy)| (name.clone(), mean(&strategy.curves, until, N_POINTS)));
    let plot = Plot {
        title: title.to_owned(),
        x: "runs".to_owned(),
        y: "sides of branches covered".to_owned(),
        until,
        curves: curves.collect(),
    };
    std::fs::write(picture, plot.svg()).map_err(|why| format!("{}: {why}", picture.display()))
}

fn read(strategy: &mut Strategy, dir: &Path) -> Result<(), SessionError> {
    let session = Session::open(dir)?;
    let curve: Curve = session.coverage()?.iter().map(|point| (point.run, point.covered as f64)).collect();
    strategy.covered += curve.last().map_or(0.0, |point| point.1);
    strategy.curves.push(curve);
    if let Some(summary) = session.summary()? {
        strategy.reached += summary.branches_reached as f64;
        strategy.runs += summary.runs as f64;
        strategy.seconds += summary.time_ms as f64 / 1000.0;
    }
    Ok(())
}
