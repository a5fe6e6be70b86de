//! Everything that a run records arrives: maps, modules, inputs, expressions, decisions, coverage.

use tine_executor::unit::UnitOptions;
use tine_trace::event::EventKind;
use tine_trace::op::Op;
use tine_trace::outcome::OutcomeKind;
use tine_trace::plan::InputKind;

use crate::support::{build, end_of, limits, plan, start};

#[test]
fn a_decision_arrives() {
    let program = build("recording", &[&format!("-DEQ={}", Op::Eq as u32)]);
    let mut unit = start(&program, &[], UnitOptions::default());
    assert_eq!(unit.maps(), b"this would be the map");
    assert_eq!(unit.segment().modules().len(), 1);
    for x in [41, 42, 43] {
        let end = unit.run(&plan(x), &limits()).expect("a run");
        assert_eq!(end_of(&end.outcome), (OutcomeKind::Exited, 0));
        assert!(!end.replaced);
        let taken = x == 42;
        assert_eq!(unit.output(), if taken { &b"yes\n"[..] } else { b"no\n" });
        let segment = unit.segment();
        let inputs: Vec<_> = segment.inputs().map(|(_, input)| input).collect();
        assert_eq!(inputs.len(), 1);
        assert_eq!((inputs[0].name.as_str(), inputs[0].kind), ("x", InputKind::Unsigned));
        assert_eq!(inputs[0].bytes, x.to_le_bytes());
        let [event] = segment.events() else { panic!("{:?}", segment.events()) };
        assert_eq!((event.kind, event.site, event.side_index), (EventKind::Branch as u8, 0, u16::from(taken)));
        let condition = &segment.nodes()[event.node as usize];
        assert_eq!((condition.op(), condition.value()), (Some(Op::Eq), u128::from(taken)));
        assert_eq!(segment.coverage()[..2], [1, u8::from(x >= 42)]);
    }
    // Without recording, the input is as planned, but nothing is symbolic.
    let mut limits = limits();
    limits.flags = 0;
    unit.run(&plan(42), &limits).expect("a run");
    assert_eq!(unit.output(), b"yes\n");
    assert_eq!(unit.segment().events(), []);
    assert_eq!(unit.segment().inputs().next().expect("an input").1.bytes, 42u32.to_le_bytes());
}
