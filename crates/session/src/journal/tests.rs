//! Entries of the journal: they survive writing and reading, and damage is rejected.

use std::sync::Arc;

use super::*;
use tine_trace::plan::{InputKind, Relocation};
use tine_types::TypeId;
use tine_types::input::{Element, Input, Object, Request};

fn run() -> Run {
    let place = Place { file: "a/b.c".into(), line: 7, column: 300, function: "f".into() };
    let decision = |event: u32| Decision {
        kind: EventKind::Switch,
        site: Site(1000 + event),
        side_index: 3,
        n_sides: 400,
        event,
        before: u64::MAX - u64::from(event),
        distance: 0,
    };
    Run {
        case: CaseId(77),
        size: 100_000,
        prefix: Prefix::Parent,
        decisions: vec![decision(1), decision(200)],
        concretisations: vec![Concretisation { site: Site(3), reason: ConcretiseReason::Address }],
        states: vec![StateSeen { event: 5, before: 6, key: 7, constraints: vec![8, u64::MAX], calls_left: 9 }],
        notes: vec![NoteSeen::new(NoteKind::Error, Site(9), 2, 3, Some(place.clone()))],
        end: RunEnd {
            kind: OutcomeKind::Signal,
            code: 11,
            site: Site::NONE,
            place: Some(place),
            about: "".into(),
            callers: Arc::default(),
        },
        new_edges: vec![Edge(0), Edge(70_000)],
        requirement: Some(Requirement {
            kind: RequirementKind::NotNull,
            subject: "p".into(),
            condition: "p != NULL".into(),
            predicate: "p != NULL".into(),
        }),
    }
}

fn results() -> Vec<JobResult> {
    let (unknown, bounded) = (JobResult::Unknown("timeout".into()), JobResult::Bounded("--max-objects".into()));
    vec![JobResult::Unsat, unknown, bounded, JobResult::GaveUp("time limit".into()), JobResult::Ran(Box::new(run()))]
}

fn entries(blob: &[u8]) -> Result<Vec<Entry>, SessionError> {
    let mut entries = Vec::new();
    read(blob, |entry| {
        entries.push(entry);
        Ok(())
    })?;
    Ok(entries)
}

#[test]
fn entries_are_read_as_they_were_written() {
    let branch = OpenBranch { node: NodeId(70_000), side_index: 400 };
    let mut blob = Vec::new();
    let mut expected = Vec::new();
    for (target, compacted) in [(None, None), (Some(branch), Some(vec![])), (Some(branch), Some(vec![branch, branch]))]
    {
        for result in results() {
            let seed = (expected.len() % 3 == 0).then_some(expected.len() as u32);
            let step = Step { target, seed, compacted: compacted.clone(), ..Step::default() };
            let inputs = vec![7; expected.len() * 40];
            append(&mut blob, &step, &result, &inputs);
            expected.push(Entry { target, seed, compacted: compacted.clone(), result, inputs });
        }
    }
    assert_eq!(format!("{:?}", entries(&blob).unwrap()), format!("{expected:?}"));
    assert!(entries(&[]).unwrap().is_empty());
}

/// Runs share most of their decisions and inputs.
#[test]
fn a_row_is_compressed_and_checked() {
    let mut entries = Vec::new();
    for _ in 0..200 {
        append(&mut entries, &Step::default(), &JobResult::Ran(Box::new(run())), &[7; 100]);
    }
    let blob = sealed(3, &entries);
    assert!(blob.len() * 10 < entries.len(), "{} bytes of {}", blob.len(), entries.len());
    assert_eq!(unsealed(3, &blob).unwrap(), entries);
    assert!(unsealed(4, &blob).is_err(), "it is of another row");
    assert!(unsealed(3, &blob[..blob.len() - 1]).is_err());
    assert!(unsealed(3, &[]).is_err());
}

#[test]
fn inputs_are_read_as_they_were_written() {
    let request = |name: &str, kind, bytes: &[u8]| {
        let (name, bytes) = (name.to_owned(), bytes.to_vec());
        Request { name, kind, bytes, choices: 5, ty: 130 }
    };
    let element = Element { ty: TypeId::numbered(4), size: 24, extent: 2400, start: 3, flags: 1 };
    let input = Input {
        requests: vec![request("x", InputKind::Signed, &[1, 2, 3, 4]), request("", InputKind::Choice, &[])],
        objects: [(3, Object { element, bytes: vec![0; 300] })].into(),
        functions: vec![Relocation { input: 1, offset: 8, function: 300 }],
        slot_shift: 12,
    };
    assert_eq!(decode(&encode(&input)).unwrap(), input);
    assert_eq!(decode(&encode(&Input::default())).unwrap(), Input::default());
}

#[test]
fn what_is_damaged_is_refused() {
    for result in results() {
        let mut whole = Vec::new();
        append(&mut whole, &Step::default(), &result, &[1, 2, 3]);
        for len in 1..whole.len() {
            assert!(entries(&whole[..len]).is_err(), "cut off after {len} bytes");
        }
        assert!(entries(&[&whole[..], &[0]].concat()).is_err());
    }
    assert!(entries(&[0, 0, 0, 9]).is_err(), "no such result");
    assert!(entries(&[0, 0, 0, RAN, 1, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 127]).is_err());
    assert!(decode(&[1, 200]).is_err());
}
