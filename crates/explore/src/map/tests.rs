//! Handwritten maps are read back, and broken maps are refused.

use tine_trace::event::Site;
use tine_trace::map::{BlockRecord, CONSTANT, CallRecord, CaseRecord, EdgeRecord, FUNCTION_LIBRARY, SiteKind};
use tine_trace::outcome::ErrorKind;
use tine_trace::segment::ModuleRecord;

use super::maker::Maker;
use super::*;

/// `helper` comes from a header that both modules include. `other` exists only in the second module.
fn module(own: &str) -> Maker {
    let mut maker = Maker::default();
    maker.function(own, &format!("{own}.c"), 0);
    maker.site(SiteKind::Check, &format!("{own}.c"), 3, 2).detail = ErrorKind::DivisionByZero as u32;
    maker.site(SiteKind::Branch, &format!("{own}.c"), 4, 2);
    maker.function("helper", "helper.h", 0);
    maker.site(SiteKind::Branch, "helper.h", 9, 2);
    maker.function("strlen", "strlen.c", FUNCTION_LIBRARY);
    maker.site(SiteKind::Branch, "strlen.c", 2, 2);
    maker
}

#[test]
fn global_numbers_run_through_the_modules() {
    let (a, b) = (module("a"), module("b"));
    let bytes = [b.bytes(2), vec![0; 5], a.bytes(1)].concat();
    let map = ProgramMap::parse(&bytes, &[a.record(1, 0, 0), b.record(2, 4, 6)]).unwrap();
    assert_eq!(map.sites().len(), 8);
    assert_eq!(map.place(Site(1)).to_string(), "a.c:4");
    assert_eq!(map.place(Site(5)).to_string(), "b.c:4");
    assert_eq!(&*map.place(Site(5)).function, "b");
    assert_eq!(map.site(Site(4)).unwrap().error, Some(ErrorKind::DivisionByZero));
    assert_eq!(map.site(Site(5)).unwrap().first_edge, Edge(6));
    assert_eq!(map.place(Site::NONE), Place::unknown());
}

#[test]
fn copies_of_a_branch_count_once_and_checks_and_libraries_not() {
    let (a, b) = (module("a"), module("b"));
    let bytes = [a.bytes(1), b.bytes(2)].concat();
    let map = ProgramMap::parse(&bytes, &[a.record(1, 0, 0), b.record(2, 4, 6)]).unwrap();
    let lines: Vec<_> = map.branches().iter().map(|branch| format!("{}:{}", branch.file, branch.line)).collect();
    assert_eq!(lines, ["a.c:4", "helper.h:9", "b.c:4"]);
    assert_eq!(map.n_sides(), 6);
    assert_eq!(map.covered_by(Edge(5)), None, "a library's");
    assert_eq!(map.covered_by(Edge(3)), map.covered_by(Edge(9)), "helper's copies");
    assert_eq!(map.branch_side(map.covered_by(Edge(9)).unwrap()), (BranchId(1), 1));
    assert_eq!(map.covered_by(Edge(999)), None);
}

#[test]
fn one_line_function_of_another_file_is_another_branch() {
    let (mut a, mut b) = (Maker::default(), Maker::default());
    for (maker, file) in [(&mut a, "x.c"), (&mut b, "y.c")] {
        maker.function("init", file, 0);
        maker.site(SiteKind::Branch, file, 1, 2);
    }
    let bytes = [a.bytes(1), b.bytes(2)].concat();
    let map = ProgramMap::parse(&bytes, &[a.record(1, 0, 0), b.record(2, 1, 2)]).unwrap();
    assert_eq!(map.branches().len(), 2);
}

#[test]
fn switches_have_labels() {
    let mut maker = Maker::default();
    maker.function("f", "f.c", 0);
    let site = maker.site(SiteKind::Switch, "f.c", 2, 3);
    site.n_cases = 3;
    for (value, side_index) in [(7, 1), (8, 1), (0xffff_ffff, 2)] {
        maker.module.cases.push(CaseRecord { value: [value, 0], side_index, _pad: 0 });
    }
    let map = ProgramMap::parse(&maker.bytes(1), &[maker.record(1, 0, 0)]).unwrap();
    let labels: Vec<_> = (0..3).map(|number| map.label(SideId(number))).collect();
    assert_eq!(labels, ["default", "case 7, 8", "case -1"]);
}

#[test]
fn numbers_that_are_compared_with_belong_to_no_switch() {
    let mut maker = Maker::default();
    maker.function("f", "f.c", 0);
    for value in [1000, 3, u64::MAX, 3] {
        maker.module.cases.push(CaseRecord { value: [value, 0], side_index: CONSTANT, _pad: 0 });
    }
    maker.module.cases.push(CaseRecord { value: [8, 0], side_index: 1, _pad: 0 });
    let map = ProgramMap::parse(&maker.bytes(1), &[maker.record(1, 0, 0)]).unwrap();
    assert_eq!(map.constants(), [-1, 3, 1000]);
}

#[test]
fn the_graph_is_read() {
    let mut maker = Maker::default();
    maker.function("f", "f.c", 0);
    maker.module.functions[0].n_blocks = 2;
    maker.site(SiteKind::Branch, "f.c", 2, 2).block = 0;
    let callee = maker.text("g");
    maker.module.blocks.push(BlockRecord { line: 2, n_edges: 2, ..Default::default() });
    maker.module.blocks.push(BlockRecord { line: 3, first_edge: 2, n_calls: 1, ..Default::default() });
    maker.module.edges.push(EdgeRecord { to: 1, site: 0, side_index: 1 });
    maker.module.edges.push(EdgeRecord { to: 1, site: u32::MAX, side_index: 0 });
    maker.module.calls.push(CallRecord { callee, site: u32::MAX, ..Default::default() });
    let map = ProgramMap::parse(&maker.bytes(1), &[maker.record(1, 0, 0)]).unwrap();
    let [entry, exit] = map.blocks() else { panic!("two blocks") };
    let flows = [Flow { to: BlockId(1), decided_by: Some((Site(0), 1)) }, Flow { to: BlockId(1), decided_by: None }];
    assert_eq!(map.flows(entry), flows);
    assert_eq!(&*map.calls(exit)[0].callee, "g");
    assert_eq!(map.site(Site(0)).unwrap().block, Some(BlockId(0)));
}

#[test]
fn broken_maps_are_refused() {
    let maker = module("a");
    let record = maker.record(1, 0, 0);
    let bytes = maker.bytes(1);
    for len in 1..bytes.len() {
        let error = ProgramMap::parse(&bytes[..len], &[record]).unwrap_err();
        assert!(matches!(error, MapError::Truncated(_) | MapError::MissingModule(_)), "{len}: {error}");
    }
    assert_eq!(ProgramMap::parse(b"elephant", &[]).unwrap_err(), MapError::Truncated("header"));
    let other = [b"elephant".as_slice(), &bytes[8..]].concat();
    assert_eq!(ProgramMap::parse(&other, &[record]).unwrap_err(), MapError::Magic(0));
    assert_eq!(ProgramMap::parse(&[], &[record]).unwrap_err(), MapError::MissingModule(0));
    let shifted = ModuleRecord { site_base: 1, ..record };
    assert_eq!(ProgramMap::parse(&bytes, &[shifted]).unwrap_err(), MapError::ModuleMismatch(0));
    let mut newer = bytes.clone();
    newer[8] = 99;
    assert_eq!(ProgramMap::parse(&newer, &[record]).unwrap_err(), MapError::Version { found: 99 });
}

/// Reading returns a map or an error, and never panics, for any change of a single byte.
#[test]
fn no_byte_can_make_reading_panic() {
    let maker = module("a");
    let record = maker.record(1, 0, 0);
    let bytes = maker.bytes(1);
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            let _ = ProgramMap::parse(&bytes, &[record]);
        }
    }
}
