//! Many runs in one process behave like runs in fresh processes.

use std::collections::HashMap;

use tine_executor::unit::UnitOptions;
use tine_trace::outcome::OutcomeKind;

use crate::support::{build, directory, end_of, limits, natively, plan, start};

/// Compares 10,000 runs with fresh processes for the same inputs (one process for each of the 330 inputs).
#[test]
fn ten_thousand_runs_are_ten_thousand_fresh_processes() {
    let program = build("state", &[]);
    let directory = directory("fresh");
    let mut unit = start(&program, &["argument".as_ref()], UnitOptions::default());
    let mut fresh = HashMap::new();
    let mut replaced = 0;
    for run in 0..10_000 {
        let k = run * 7 % 330;
        let expected = fresh.entry(k).or_insert_with(|| natively(&program, &["argument"], k, &directory));
        let end = unit.run(&plan(k), &limits()).expect("a run");
        let seen = (end_of(&end.outcome), unit.output());
        assert!(
            seen == *expected,
            "run {run} with {k}: {:?}\n{}\n--- but a fresh process: {:?}\n{}",
            seen.0,
            String::from_utf8_lossy(&seen.1),
            expected.0,
            String::from_utf8_lossy(&expected.1)
        );
        replaced += u32::from(end.replaced);
    }
    println!("{replaced} processes were replaced");
}

/// Memory that was never written has the same contents in every run with the same input, whatever ran before.
#[test]
fn garbage_is_deterministic() {
    let program = build("garbage", &[]);
    let mut unit = start(&program, &[], UnitOptions::default());
    let mut seen = HashMap::new();
    for run in 0..600 {
        let k = run * 7 % 50;
        let end = unit.run(&plan(k), &limits()).expect("a run");
        assert_eq!(end_of(&end.outcome), (OutcomeKind::Exited, 0));
        assert!(!end.replaced);
        let output = String::from_utf8(unit.output()).expect("text");
        assert_eq!(seen.entry(k).or_insert_with(|| output.clone()), &output, "run {run} with {k}");
    }
}

/// A program with a lot of dirty memory is forked for each run instead of reset. One with a lot of untouched memory is
/// reset. Both behave like fresh processes.
#[test]
fn large_programs_are_fresh_too() {
    for (flags, replaced) in [(&["-DDATA"][..], true), (&["-DBSS"][..], false)] {
        let program = build("large", flags);
        let mut unit = start(&program, &[], UnitOptions::default());
        for k in 0..200 {
            let end = unit.run(&plan(k), &limits()).expect("a run");
            assert_eq!(end_of(&end.outcome), (OutcomeKind::Exited, 0), "{flags:?} {k}");
            assert_eq!(end.replaced, replaced, "{flags:?} {k}");
        }
    }
}

/// The way of linking and the absence of `malloc` do not matter.
#[test]
fn other_ways_of_linking() {
    let directory = directory("linking");
    for flags in [&["-static"][..], &["-static-pie"], &["-no-pie"], &["-fuse-ld=lld"], &["-O0", "-Wl,-z,now"]] {
        let program = build("state", flags);
        let mut unit = start(&program, &["argument".as_ref()], UnitOptions::default());
        for k in 0..60 {
            let end = unit.run(&plan(k), &limits()).expect("a run");
            let seen = (end_of(&end.outcome), unit.output());
            let expected = natively(&program, &["argument"], k, &directory);
            assert!(
                seen == expected,
                "{flags:?} {k}: {:?}\n{}\n--- but: {:?}\n{}",
                seen.0,
                String::from_utf8_lossy(&seen.1),
                expected.0,
                String::from_utf8_lossy(&expected.1)
            );
        }
    }
}

/// A program with its own allocator keeps it, and its state is reset like everything else.
#[test]
fn a_program_may_bring_its_own_allocator() {
    let program = build("own_allocator", &[]);
    let mut unit = start(&program, &[], UnitOptions::default());
    let mut first = String::new();
    for k in 0..50 {
        unit.run(&plan(k), &limits()).expect("a run");
        let output = String::from_utf8(unit.output()).expect("text");
        let (number, place) = output.split_once(' ').expect("two words");
        assert_eq!(number, k.to_string());
        if k == 0 {
            first = place.to_owned();
        }
        assert_eq!(place, first);
    }
}
