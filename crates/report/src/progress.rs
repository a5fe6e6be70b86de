//! The line shown while an exploration runs.

use std::time::Duration;

use crate::style::{Style, count, duration, grouped, percent};

/// Figures of the progress line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub runs: u64,
    pub paths: u64,
    pub branches_covered: usize,
    pub branches_total: usize,
    pub errors: usize,
    /// Solver time so far.
    pub solving: Duration,
    /// Number of workers on other machines, and of their runs per second.
    pub workers: u64,
    pub workers_rate: u64,
    pub elapsed: Duration,
}

impl Progress {
    /// `1,024 runs · 80 paths · 10 of 12 branches · 1 error · solver 35.0 % · 1.2 s`, cut to `width` characters.
    pub fn line(&self, style: Style, width: Option<usize>) -> String {
        let errors = count(self.errors as u64, "error");
        let covered =
            format!("{} of {}", grouped(self.branches_covered as u64), count(self.branches_total as u64, "branch"));
        let share = percent(self.solving.as_micros() as u64, self.elapsed.as_micros() as u64);
        let mut parts = [
            count(self.runs, "run"),
            count(self.paths, "path"),
            covered,
            errors.clone(),
            format!("solver {share}"),
            duration(self.elapsed),
        ];
        if self.workers > 0 {
            // The solver's share is that of this machine.
            parts[4] = format!("{} {}/s", count(self.workers, "worker"), count(self.workers_rate, "run"));
        }
        let line = parts.join(" · ");
        match width {
            // Truncate before adding colours: escape codes have no width.
            Some(width) if line.chars().count() > width => line.chars().take(width).collect(),
            _ if self.errors > 0 => line.replacen(&errors, &style.bad(&errors), 1),
            _ => line,
        }
    }

    /// Runs per second.
    pub fn rate(&self) -> f64 {
        if self.elapsed.is_zero() { 0.0 } else { self.runs as f64 / self.elapsed.as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(progress: &Progress, width: Option<usize>, expected: &Expect) {
        expected.assert_eq(&progress.line(Style::default(), width));
    }

    #[test]
    fn lines() {
        let progress = Progress {
            runs: 10_240,
            paths: 1,
            branches_covered: 10,
            branches_total: 12,
            errors: 1,
            solving: Duration::from_millis(420),
            workers: 0,
            workers_rate: 0,
            elapsed: Duration::from_millis(1_200),
        };
        check(&progress, None, &expect!["10,240 runs · 1 path · 10 of 12 branches · 1 error · solver 35.0 % · 1.2 s"]);
        check(&progress, Some(20), &expect!["10,240 runs · 1 path"]);
        check(&Progress::default(), None, &expect!["0 runs · 0 paths · 0 of 0 branches · 0 errors · solver – · 0 ms"]);
        let elsewhere = Progress { workers: 2, workers_rate: 4_100, ..progress };
        check(
            &elsewhere,
            None,
            &expect!["10,240 runs · 1 path · 10 of 12 branches · 1 error · 2 workers 4,100 runs/s · 1.2 s"],
        );
        let coloured = progress.line(Style { colour: true }, Some(100));
        assert!(coloured.contains("\x1b[1;31m1 error\x1b[0m"), "{coloured:?}");
    }
}
