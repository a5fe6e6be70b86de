//! `tine solve`: sends the queries of an SMT-LIB 2 file through the chain of tiers.
//!
//! A logged query includes its hint. For any other, the assertions are solved one after the other, each starting from
//! the inputs that satisfy those before it, as in the exploration of a path.

use std::fmt::Write as _;
use std::time::Instant;

use tine_engine::{Config, Error, no_disagreement};
use tine_expr::smt::read::{Problem, read};
use tine_expr::{Answer, Evaluator, Query, Solver, TermPool};
use tine_solver::{Chain, Stats};

use crate::display::print_text;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::{SolveOptions, settings};

pub(crate) fn solve(options: &SolveOptions) -> Result<u8, Failure> {
    let path = options.file.display();
    let text = std::fs::read_to_string(&options.file)
        .map_err(|why| Failure::usage(format!("{path}: {why}"), "give a file that --solver-log has written"))?;
    let config = Config::default().with(&settings(options));
    let config = config.map_err(|why| Failure::usage(why.to_string(), "see `tine solve --help`"))?.solver_options();
    let mut pool = config.pool();
    let problems = read(&mut pool, &text).map_err(|why| {
        Failure::usage(format!("{path}: {why}"), "what --solver-log writes is known, and `let`, `push` and `pop`")
    })?;
    if problems.is_empty() {
        return Err(Failure::usage(
            format!("{path}: there is no `(check-sat)` in it"),
            "give a file that --solver-log has written",
        ));
    }
    let mut chain = tine_solver::chain(&config).map_err(|why| Error::Solver(why.to_string()))?;
    let mut printed = String::new();
    for problem in &problems {
        let (before, start) = (chain.stats(), Instant::now());
        let answer = answer(&mut chain, &mut pool, problem);
        let time = start.elapsed().as_secs_f64() * 1e3;
        let tiers = answered(&before, &chain.stats());
        let verdict = match answer {
            Answer::Sat(_) => "sat".to_owned(),
            Answer::Unsat => "unsat".to_owned(),
            Answer::Unknown(reason) => format!("unknown ({reason})"),
        };
        let _ = writeln!(printed, "{verdict}  line {}  {tiers}  {time:.3} ms", problem.line);
    }
    print_text(&printed)?;
    no_disagreement(&chain.stats())?;
    Ok(EXIT_FINE)
}

fn answer(chain: &mut Chain, pool: &mut TermPool, problem: &Problem) -> Answer {
    let Some((&goal, constraints)) = problem.assertions.split_last() else { return Answer::Sat(Vec::new()) };
    let mut evaluator = Evaluator::new();
    let mut evaluation = evaluator.with(pool, &problem.hint);
    if constraints.iter().all(|&constraint| evaluation.holds(constraint)) {
        return chain.check(pool, &Query { constraints, goal, hint: &problem.hint, domains: &[] });
    }
    let mut hint = problem.hint.clone();
    for (k, &goal) in problem.assertions.iter().enumerate() {
        let constraints = &problem.assertions[..k];
        match chain.check(pool, &Query { constraints, goal, hint: &hint, domains: &[] }) {
            Answer::Sat(changes) => hint.overlay(&changes),
            other => return other,
        }
    }
    Answer::Sat(Vec::new())
}

/// Tiers that answered since `before`: `slice 2, cache 1`.
fn answered(before: &Stats, after: &Stats) -> String {
    let pairs = before.tiers.iter().zip(&after.tiers);
    let new = pairs.map(|(before, after)| (after.name, after.answered - before.answered)).filter(|(_, n)| *n > 0);
    new.map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}
