//! Summaries of every kind.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use tine_session::summary::{FunctionCoverage, ReasonSummary, Refused, SolverSummary, Stopped, Tier};
use tine_session::{CaseInput, Summary};

use super::*;

fn complete() -> Summary {
    Summary {
        version: tine_session::SUMMARY_VERSION,
        target: "test_me".to_string(),
        strategy: "dfs".to_string(),
        checks: "default".to_string(),
        runs: 4,
        paths: 4,
        rejected: 0,
        branches_total: 4,
        branches_covered: 4,
        branches_reached: 4,
        verdict: Verdict::Complete,
        complete: true,
        stopped: Stopped::Exhausted,
        reasons: Vec::new(),
        not_shown_reachable: Vec::new(),
        requirements: Vec::new(),
        unreproduced: Vec::new(),
        errors: Vec::new(),
        divergences: 0,
        solver: SolverSummary {
            constraints: 0,
            optimistic: 0,
            rewritten: 0,
            arrived: 0,
            queries: 5,
            sat: 3,
            unsat: 2,
            unknown: 0,
            time_ms: 12.7,
            tiers: BTreeMap::from([("smt".to_string(), Tier { answered: 5, dropped: 0, time_ms: 12.5 })]),
        },
        files: Vec::new(),
        functions: vec![FunctionCoverage {
            file: "lct.c".to_string(),
            function: "test_me".to_string(),
            covered: 4,
            total: 4,
            ..Default::default()
        }],
        uncovered: Vec::new(),
        explained: Vec::new(),
        refused: Vec::new(),
        specifications: Vec::new(),
        undefined_symbols: Vec::new(),
        open: 0,
        deepest: 2,
        pruned: 0,
        forked: 0,
        time_ms: 35,
        ..Summary::default()
    }
}

/// Without source files.
fn view(dir: &str) -> View<'_> {
    static NONE: Sources = Sources::new();
    View { dir: Path::new(dir), sources: &NONE, style: Style::default() }
}

fn found() -> ErrorSummary {
    ErrorSummary {
        kind: "division by zero".to_string(),
        file: "lct.c".to_string(),
        line: 9,
        column: 13,
        function: "test_me".to_string(),
        about: String::new(),
        callers: Vec::new(),
        case: 3,
        input: "x = 3, y = 2789".to_string(),
        values: CaseInput::default(),
        runs: 1,
        by_calls: None,
    }
}

fn reason(what: &str, file: &str, line: u32, count: u64, bound: bool) -> ReasonSummary {
    ReasonSummary { what: what.to_string(), file: file.to_string(), line, count, bound }
}

fn check(summary: &Summary, expected: &Expect) {
    expected.assert_eq(&super::summary(summary, true, view("tine-out")));
}

#[test]
fn a_complete_one() {
    check(
        &complete(),
        &expect![[r#"
        `test_me`: 0 errors; 4 runs, 4 paths; 35 ms
        solver: 5 queries (3 sat, 2 unsat) in 12 ms: smt 5
        coverage: 4 of 4 branches (100.0 %)
        verdict: complete, every path was explored
    "#]],
    );
}

#[test]
fn one_with_errors_and_holes() {
    let side = |line, side: &str, why| Uncovered {
        file: "lct.c".to_string(),
        line,
        column: 9,
        function: "test_me".to_string(),
        side: side.to_string(),
        leads_to: line + 1,
        id: 0,
        reason: String::new(),
        why,
    };
    let helper = FunctionCoverage {
        file: "lct.c".to_string(),
        function: "helper".to_string(),
        covered: 0,
        total: 2,
        ..Default::default()
    };
    let mut summary = Summary {
        runs: 12_345,
        rejected: 7,
        divergences: 1,
        branches_total: 8,
        branches_covered: 3,
        branches_reached: 6,
        verdict: Verdict::Incomplete,
        complete: false,
        reasons: vec![
            reason("input flows into `sin`, which is not instrumented", "lct.c", 4, 20, false),
            reason("open branches not tried: --max-time reached", "", 0, 1_200, false),
        ],
        errors: vec![
            found(),
            ErrorSummary {
                kind: "invalid memory access".to_string(),
                file: String::new(),
                line: 0,
                column: 0,
                function: String::new(),
                case: 8,
                input: String::new(),
                ..found()
            },
        ],
        uncovered: vec![side(5, "true", Uncoverable::Open), side(6, "case 3", Uncoverable::Infeasible)],
        refused: vec![Refused { call: 87, count: 2 }, Refused { call: 999, count: 1 }],
        ..complete()
    };
    summary.functions[0].covered = 3;
    summary.functions[0].total = 6;
    summary.functions.push(helper);
    summary.uncovered.push(Uncovered { function: "helper".to_string(), ..side(20, "true", Uncoverable::NotReached) });
    summary.solver.unknown = 1;
    check(
        &summary,
        &expect![[r#"
            error: division by zero
              --> lct.c:9:13 in `test_me`
               = input: x = 3, y = 2789
               = replay: tine replay tine-out 3

            error: invalid memory access
              --> unknown place
               = input: none
               = replay: tine replay tine-out 8

            `test_me`: 2 errors; 12,345 runs, 4 paths, 7 rejected by an assumption, 1 divergence; 35 ms
            solver: 5 queries (3 sat, 2 unsat, 1 unknown) in 12 ms: smt 5
            coverage: 3 of 8 branches (37.5 %), 1 infeasible; of the functions reached, 50.0 % of 6
              `test_me` (lct.c): 3 of 6
                lct.c:5:9: true was not taken
                lct.c:6:9: case 3 is infeasible
              never reached: `helper`
            verdict: incomplete, because of
              input flows into `sin`, which is not instrumented at lct.c:4 (20×)
              open branches not tried: --max-time reached (1,200×)
              = help: compile that code with `tine cc`, too; or write the function in C, as a model that does the same or a stub that returns inputs, and add the file
            the sandbox refused: unlink (2×), system call 999 (1×)
        "#]],
    );
}

#[test]
fn a_bounded_one() {
    let summary = Summary {
        verdict: Verdict::Bounded,
        complete: false,
        reasons: vec![reason("depth bound reached", "loop.c", 3, 1, true)],
        ..complete()
    };
    check(
        &summary,
        &expect![[r#"
        `test_me`: 0 errors; 4 runs, 4 paths; 35 ms
        solver: 5 queries (3 sat, 2 unsat) in 12 ms: smt 5
        coverage: 4 of 4 branches (100.0 %)
        verdict: bounded, every path was explored within these bounds:
          depth bound reached at loop.c:3 (1×)
    "#]],
    );
}

#[test]
fn long_lists_are_cut() {
    let side = |line| Uncovered {
        file: "lct.c".to_string(),
        line,
        column: 1,
        function: "test_me".to_string(),
        side: "true".to_string(),
        leads_to: 0,
        id: 0,
        reason: String::new(),
        why: Uncoverable::Open,
    };
    let mut summary = Summary {
        uncovered: (1..=50).map(side).collect(),
        reasons: (1..=30).map(|line| reason("address depends on the input", "a.c", line, 1, false)).collect(),
        ..complete()
    };
    summary.functions[0].covered = 0;
    let text = super::summary(&summary, true, view("o"));
    assert_eq!(text.lines().filter(|line| line.starts_with("    lct.c:")).count(), MAX_UNCOVERED);
    assert!(text.contains("  … and 30 more\n"), "{text}");
    assert!(text.contains("  … and 10 more\n"), "{text}");
    let long = ErrorSummary { input: "x".repeat(1000), ..found() };
    assert!(error(&[&long], view("o")).contains("xxx …\n"));
}

#[test]
fn zeros_of_a_long_input_are_left_out() {
    let zeros = (0..40).map(|n| format!("p->field_{n} = {}", ["0", "false", "\"\""][n % 3])).collect::<Vec<_>>();
    let shown = |input: String| {
        let text = error(&[&ErrorSummary { input, ..found() }], view("o"));
        text.lines().nth(2).expect("three lines").trim_start_matches("   = input: ").to_owned()
    };
    let short = "x = 0, y = 10".to_owned();
    assert_eq!(shown(short.clone()), short);
    let long = format!("p->text = \"\\\", x = 0, \", {}, p->state = 63, c = 10", zeros.join(", "));
    assert_eq!(shown(long), "p->text = \"\\\", x = 0, \", p->state = 63, c = 10 (and 40 that are 0)");
    // One part shows that `p` is not NULL.
    assert_eq!(shown(zeros.join(", ")), "p->field_0 = 0 (and 39 that are 0)");
    let nested = format!("{}, p->next->field_0 = 0, p->next->next = NULL", zeros.join(", "));
    assert_eq!(shown(nested), "p->next->next = NULL (and 41 that are 0)");
    let pointer = format!("{}, p->next = NULL", zeros.join(", "));
    assert_eq!(shown(pointer), "p->next = NULL (and 40 that are 0)");
    let calls = format!("init(), add({}, b.c = '(' (40)), add(b.p = 7, b.q = 0)", zeros.join(", "));
    assert_eq!(shown(calls), "init(), add(p->field_0 = 0, b.c = '(' (40)), add(b.p = 7) (and 40 that are 0)");
}

#[test]
fn commands_can_be_pasted() {
    let replay = |dir: &str| error(&[&found()], view(dir)).lines().last().unwrap().to_string();
    assert_eq!(replay("tine-out"), "   = replay: tine replay tine-out 3");
    assert_eq!(replay("my out's"), "   = replay: tine replay 'my out'\\''s' 3");
}

#[test]
fn colours_only_when_asked_for() {
    let summary = Summary { errors: vec![found()], ..complete() };
    let painted = super::summary(&summary, true, View { style: Style { colour: true }, ..view("o") });
    let plain = super::summary(&summary, true, view("o"));
    assert!(painted.contains("\x1b[1;31merror\x1b[0m") && !plain.contains('\x1b'));
}

/// Names that are part of the interface.
#[test]
fn json_has_every_field() {
    let summary = Summary {
        errors: vec![found()],
        reasons: vec![reason("depth bound reached", "loop.c", 3, 1, true)],
        ..complete()
    };
    let text = crate::json::json(&summary);
    assert!(!text.contains('\n'));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let has = |value: &serde_json::Value, names: &[&str]| {
        names.iter().for_each(|name| assert!(value.get(name).is_some(), "{name} in {value}"));
    };
    has(&json, &["runs", "paths", "branches_total", "branches_covered", "verdict", "complete", "reasons", "errors"]);
    has(&json, &["divergences", "solver", "time_ms"]);
    has(&json["reasons"][0], &["what", "file", "line", "count"]);
    has(&json["errors"][0], &["kind", "file", "line", "case", "input"]);
    has(&json["solver"], &["queries", "sat", "unsat", "unknown", "time_ms", "tiers"]);
    has(&json["solver"]["tiers"]["smt"], &["answered", "time_ms"]);
    assert_eq!((&json["verdict"], &json["complete"]), (&"complete".into(), &true.into()));
}
