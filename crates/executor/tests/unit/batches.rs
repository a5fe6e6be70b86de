//! Several runs for one request: each behaves as if it were alone, and a process that ends stops the batch, not the
//! other runs.

use std::time::Duration;

use tine_executor::unit::{Unit, UnitOptions};
use tine_trace::batch::MAX_RUNS;
use tine_trace::op::Op;
use tine_trace::outcome::OutcomeKind::{self, Exited, Failed, Rejected, Signal, Timeout};
use tine_types::Input;

use crate::support::{build, end_of, limits, plan, start};

fn batch(unit: &mut Unit, inputs: &[i32]) -> usize {
    let plans: Vec<Input> = inputs.iter().map(|k| plan(*k)).collect();
    unit.run_batch(plans.iter(), &limits()).expect("a batch")
}

#[test]
fn each_run_leaves_what_it_leaves_alone() {
    let program = build("recording", &["-DQUIET", &format!("-DEQ={}", Op::Eq as u32)]);
    let mut unit = start(&program, &[], UnitOptions::default());
    let inputs = [41, 42, 43, 42, 7];
    let left = |unit: &Unit| {
        let segment = unit.segment();
        let inputs: Vec<_> = segment.inputs().map(|(_, input)| (input.name, input.bytes)).collect();
        let events = segment.events().to_vec();
        let nodes = segment.nodes().to_vec();
        (end_of(&segment.outcome()), inputs, events, nodes, segment.coverage()[..2].to_vec())
    };
    let mut alone = Vec::new();
    for x in inputs {
        unit.run(&plan(x), &limits()).expect("a run");
        alone.push(left(&unit));
        unit.segment_mut().clear_coverage(2);
    }
    assert_ne!(alone[0], alone[1]);
    for _ in 0..2 {
        assert_eq!(batch(&mut unit, &inputs), inputs.len());
        let together: Vec<_> = (0..inputs.len())
            .map(|run| {
                assert!(unit.show(run));
                left(&unit)
            })
            .collect();
        assert_eq!(together, alone);
        unit.show_last();
        unit.segment_mut().clear_coverage(2);
    }
}

#[test]
fn what_ends_a_batch_says_nothing_about_the_rest() {
    let program = build("endings", &[]);
    // Inputs, outcomes of the finished runs, and output of the last of these.
    type Case = (&'static [i32], &'static [(OutcomeKind, u32)], &'static str);
    let cases: [Case; 7] = [
        (&[0, 2, 45, 44, 1], &[(Exited, 0), (Exited, 7), (Failed, 1), (Rejected, 0), (Exited, 44)], ""),
        (&[0; MAX_RUNS + 3], &[(Exited, 0); MAX_RUNS], ""),
        (&[0, 7, 2], &[(Exited, 0), (Signal, 6)], "half"),
        (&[2, 23, 0], &[(Exited, 7)], ""),
        (&[2, 9, 0], &[(Exited, 7)], ""),
        (&[0, 28, 2], &[(Exited, 0), (Exited, 0)], ""),
        (&[2], &[], ""),
    ];
    for (inputs, expected, output) in cases {
        let options = UnitOptions { run_timeout: Duration::from_millis(500), ..UnitOptions::default() };
        let mut unit = start(&program, &["/".as_ref(), "/".as_ref()], options);
        let n_over = batch(&mut unit, inputs);
        // A process that cannot make another run may be gone before its last run is checked.
        assert!(
            n_over == expected.len() || inputs.contains(&28) && n_over + 1 == expected.len(),
            "{inputs:?}: {n_over}"
        );
        for (run, expected) in expected.iter().enumerate().take(n_over) {
            assert!(unit.show(run), "{inputs:?}");
            assert_eq!(end_of(&unit.segment().outcome()), *expected, "{inputs:?}: {run}");
        }
        assert_eq!(String::from_utf8_lossy(&unit.output()), output, "{inputs:?}");
        if n_over > 0 && n_over < inputs.len().min(MAX_RUNS) {
            assert_eq!(batch(&mut unit, &[0, 0]), 0, "for some time after {inputs:?}");
        }
        for (k, end) in [(0, (Exited, 0)), (2, (Exited, 7)), (9, (Timeout, 0))] {
            assert_eq!(end_of(&unit.run(&plan(k), &limits()).expect("a run").outcome), end, "after {inputs:?}");
        }
    }
}
