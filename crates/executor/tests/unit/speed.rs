//! Runs per second: printed, and compared with a minimum far below the goal, because machines differ.

use std::time::Instant;

use tine_executor::unit::UnitOptions;

use crate::support::{build, limits, plan, start};

#[test]
fn a_trivial_unit_runs_often() {
    let program = build("trivial", &[]);
    let mut unit = start(&program, &[], UnitOptions::default());
    for _ in 0..1000 {
        unit.run(&plan(0), &limits()).expect("a run");
    }
    let n = 50_000;
    let start = Instant::now();
    for k in 0..n {
        let end = unit.run(&plan(k), &limits()).expect("a run");
        assert!(!end.replaced);
        assert_eq!(end.outcome.code, (k % 200) as u32);
    }
    let per_second = f64::from(n) / start.elapsed().as_secs_f64();
    println!("{per_second:.0} runs per second");
    assert!(per_second > 500.0, "{per_second}");
}

/// If engine and unit share one core, the waiting side must not occupy it.
#[test]
fn a_unit_on_the_engines_core_runs_the_same() {
    let program = build("trivial", &[]);
    let mut unit = start(&program, &[], UnitOptions::default());
    for k in 0..400 {
        if k == 200 {
            unit.keep_to(0);
        }
        let end = unit.run(&plan(k), &limits()).expect("a run");
        assert!(!end.replaced);
        assert_eq!(end.outcome.code, (k % 200) as u32);
    }
}
